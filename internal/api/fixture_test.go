package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout/refund"
)

// fakeServices has one wallet with a unit in every stage and an order in every status. These tests are about the
// handler only.

var (
	still        = time.Date(2026, 12, 9, 12, 0, 0, 0, time.UTC)
	regtest      = must(chain.NetworkByName("regtest"))
	paymentAddr  = segwit(0, 20, 0x11)
	ordinalsAddr = segwit(1, 32, 0x22)
	strangerAddr = segwit(1, 32, 0x33)
	stakeAddr    = segwit(1, 32, 0x44)
	orderAddr    = segwit(1, 32, 0x55)
	mainnetAddr  = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// segwit returns a regtest address whose program is size times the byte b.
func segwit(version byte, size int, b byte) string {
	script := append([]byte{version, byte(size)}, bytes.Repeat([]byte{b}, size)...)
	if version > 0 {
		script[0] = 0x50 + version
	}
	address, ok := chain.AddressFromScript(script, regtest)
	if !ok {
		panic("no address")
	}
	return address.Text
}

func txid(b byte) (hash chainhash.Hash) {
	for i := range hash {
		hash[i] = b
	}
	return hash
}

// requestIDOfTests is the id of every request to a server of build.
const requestIDOfTests = "c0ffee123456"

type fakeServices struct {
	changes atomic.Int64 // calls that would have changed something
	refuse  error        // result of MayChange
	broken  bool         // the ledger panics or fails
	away    bool         // the database can't be reached

	estimated atomic.Pointer[action.OneTxEstimate] // the last one
}

func (f *fakeServices) services() Services {
	return Services{Ledger: f, Actions: f, Orders: f, Proofs: f, Recoveries: f, State: f,
		OneTx: f, OwnCoins: true, Push: f, Statements: fakeStatements{}, Receipts: fakeReceipts{}, Now: func() time.Time {
			return still
		}, Address: func(text string) (string, error) {
			address, err := chain.ParseAddress(text, regtest)
			switch {
			case errors.Is(err, chain.ErrWrongNetwork):
				return "", fault.Refuse(fault.WrongNetwork, text, "regtest")
			case err != nil:
				return "", fault.Refuse(fault.InvalidAddress)
			}
			return address.Text, nil
		}}
}

func (f *fakeServices) Globals(context.Context, string) (Globals, error) {
	if f.broken {
		panic("failed at /var/secret")
	}
	return Globals{TotalStaked: 1_000_000_000_000_000, TotalIssued: "2100000000000000", Epoch: 48,
		NextEpoch: still.Add(84 * time.Hour)}, nil
}

// awayError is the store's error when its database can't be reached.
type awayError struct{}

func (awayError) Error() string     { return "dial tcp 10.0.0.7:5432: connection refused" }
func (awayError) Unavailable() bool { return true }

func (f *fakeServices) known(w action.Wallet) bool { return w.Ordinals == ordinalsAddr }

func (f *fakeServices) Totals(_ context.Context, _ string, w action.Wallet) (Totals, error) {
	switch {
	case f.away:
		return Totals{}, awayError{}
	case f.broken:
		return Totals{}, errors.New(`sql: no such table "units" in /var/secret.db`)
	case !f.known(w):
		return Totals{}, fault.Refuse(fault.WalletDoesNotExist)
	}
	return Totals{PendingStake: 150_000_000_000, Staked: 114_712_000_000, Claimable: 730_000_000,
		PendingUnlock: 20_000_000_000,
		Unlocked:      45_050_000_000, AllStaked: 1_000_000_000_000_000}, nil
}

func (f *fakeServices) Compounding(_ context.Context, _ string, w action.Wallet) (CompoundingView, error) {
	if !f.known(w) {
		return CompoundingView{Next: 48}, nil
	}
	return CompoundingView{Next: 48, Last: ledger.Instruction{ID: "a1", First: 40, Last: 51, Signed: still}}, nil
}

func (f *fakeServices) PostCompounding(_ context.Context, _ string, _ action.Wallet, _ action.Type, _ int64,
	_ string) (action.Requested, error) {
	f.changes.Add(1)
	return action.Requested{ActionID: "a9", Message: "Moon Fund: read before you sign"}, nil
}

func (f *fakeServices) Units(_ context.Context, _ string, w action.Wallet, spent bool) ([]UnitView, error) {
	if !f.known(w) {
		return nil, nil
	}
	stages := []ledger.Stage{ledger.PendingStake, ledger.Staked, ledger.PendingUnlock, ledger.Unlocked, ledger.Claimable,
		ledger.POLocked, ledger.POClaimed, ledger.PendingWithdraw, ledger.BatchLocked, ledger.Withdrawn}
	var units []UnitView
	for i, stage := range stages {
		if stage == ledger.Withdrawn && !spent {
			continue
		}
		units = append(units, stillUnit(i, stage))
	}
	return units, nil
}

func stillUnit(i int, stage ledger.Stage) UnitView {
	hash := txid(byte(0xa0 + i))
	u := UnitView{Unit: ledger.Unit{
		ID: hash.String() + ":0", Origin: ledger.FromStake, Owner: ordinalsAddr, Amount: amount.Runes(12_345_600_000 + i),
		Stage: stage, Created: still.Add(-24 * time.Hour),
		EligibleEpoch: 40, OutPoint: wire.OutPoint{Hash: hash}, Value: 546, Height: int64(100 + i),
	}}
	switch stage {
	case ledger.PendingStake:
		u.EligibleEpoch = chain.None
	case ledger.Claimable, ledger.POClaimed:
		u.ID, u.Origin, u.EligibleEpoch = fmt.Sprintf("reward:47:%016x", i), ledger.FromReward, chain.None
	case ledger.PendingUnlock:
		u.Timeout = still.Add(180 * time.Hour)
	}
	if stage == ledger.POLocked || stage == ledger.POClaimed {
		u.Timeout = still.Add(20 * time.Minute)
	}
	switch stage {
	case ledger.POLocked, ledger.POClaimed, ledger.PendingWithdraw, ledger.BatchLocked, ledger.Withdrawn:
		u.OrderID = fmt.Sprintf("%032x", i)
	}
	return u
}

func (f *fakeServices) Journal(_ context.Context, _ string, w action.Wallet, before int64,
	limit int) ([]JournalLine, error) {
	if !f.known(w) {
		return nil, nil
	}
	unit := stillUnit(1, ledger.Staked)
	lines := []JournalLine{
		{Number: 4, Posting: ledger.Posting{
			Subject: "00000000000000000000000000000005", Event: "first payment seen", Asset: ledger.SatsAsset,
			Amount: 4200, From: ledger.Outside, To: "order:CONFIRMED", Cause: ledger.Cause{Kind: "mempool",
				ID: txid(0xb1).String(), At: still}}},
		{Number: 3, Posting: ledger.Posting{
			Subject: "reward:47:0000000000000004", Event: "rewarded", Asset: ledger.RuneAsset,
			Amount: 730_000_000, From: ledger.Outside, To: "CLAIMABLE", Cause: ledger.Cause{Kind: "epoch", ID: "47",
				At: still.Add(-time.Hour)}}},
		{Number: 2, Posting: ledger.Posting{
			Subject: unit.ID, Event: "became eligible", Asset: ledger.RuneAsset, Amount: int64(unit.Amount),
			From: "PENDING_STAKE", To: "STAKED", Cause: ledger.Cause{Kind: "block", ID: txid(2).String(),
				At: still.Add(-2 * time.Hour)}}},
		{Number: 1, Posting: ledger.Posting{
			Subject: unit.ID, Event: "deposited", Asset: ledger.RuneAsset, Amount: int64(unit.Amount),
			From: ledger.Outside, To: "PENDING_STAKE", Cause: ledger.Cause{Kind: "mempool", ID: txid(1).String(),
				At: still.Add(-3 * time.Hour)}}},
	}
	var page []JournalLine
	for _, line := range lines {
		if (before == 0 || line.Number < before) && len(page) < limit {
			page = append(page, line)
		}
	}
	return page, nil
}

func (f *fakeServices) Earnings(_ context.Context, _ string, w action.Wallet, before int64,
	limit int) ([]EarningView, error) {
	if !f.known(w) {
		return nil, nil
	}
	var earnings []EarningView
	for n := int64(47); n >= 46 && len(earnings) < limit; n-- {
		if before == chain.None || n < before {
			use := map[int64]ledger.Use{46: ledger.Claimed, 47: ledger.Compounded}[n]
			earnings = append(earnings, EarningView{stillEpoch(n), 100_000_000_000, 333_333_333_333, use})
		}
	}
	return earnings, nil
}

func (f *fakeServices) Epochs(_ context.Context, _ string, before int64, limit int) ([]EpochView, error) {
	var epochs []EpochView
	for n := int64(48); n >= 46 && len(epochs) < limit; n-- {
		if before == chain.None || n < before {
			epochs = append(epochs, stillEpoch(n))
		}
	}
	return epochs, nil
}

func stillEpoch(n int64) EpochView {
	start := still.Add(-84 * time.Hour).Add(time.Duration(n-48) * community.Week)
	e := EpochView{Account: ledger.Account{Epoch: n, Planned: 1_000_000_000_000, Reserved: 1_000_000_000_000,
		Cut: chain.None}, Start: start, End: start.Add(community.Week)}
	if n < 48 {
		e.Settled, e.Staked, e.Rewarded, e.Owners, e.Cut, e.CutHash = true, 300_000_000_000, e.Reserved, 2, 1000+n,
			txid(byte(n)).String()
	}
	return e
}

func (f *fakeServices) EpochRecord(_ context.Context, _ string, n int64) (EpochRecord, error) {
	if n > 48 {
		return EpochRecord{}, fault.Refuse(fault.EpochUnknown)
	}
	record := EpochRecord{EpochView: stillEpoch(n)}
	if record.Settled {
		record.Inputs = []EpochInput{{UnitId: txid(0xa1).String() + ":0", Owner: ordinalsAddr, Amount: "100000000000"},
			{UnitId: txid(0xa2).String() + ":0", Owner: strangerAddr, Amount: "200000000000"}}
		record.Rewards = []ledger.Reward{{Owner: ordinalsAddr, Stake: 100_000_000_000, Reward: 333_333_333_333,
			UnitID: "reward:47:0000000000000004"}, {Owner: strangerAddr, Stake: 200_000_000_000, Reward: 666_666_666_667,
			UnitID: "reward:47:0000000000000009"}}
	}
	return record, nil
}

func (f *fakeServices) NewStake(_ context.Context, _ string, r action.StakeRequest) (action.StakeAddress, error) {
	f.changes.Add(1)
	return action.StakeAddress{Address: stakeAddr, ActionID: "stake-1"}, nil
}

func (f *fakeServices) Post(_ context.Context, _ string, _ action.Wallet, t action.Type,
	ids []string, _ string) (action.Requested, error) {
	f.changes.Add(1)
	return action.Requested{ActionID: "action-1", Message: fmt.Sprintf("LOBO on regtest\nAction: %s\nUnits: %d\n", t,
		len(ids))}, nil
}

func (f *fakeServices) Sign(_ context.Context, _ string, r action.SignRequest) (action.Signed, error) {
	f.changes.Add(1)
	if r.Type == action.Withdraw || r.Type == action.Claim {
		o := stillOrder(0, order.Pending)
		return action.Signed{Applied: true, Order: &o}, nil
	}
	return action.Signed{Applied: true}, nil
}

func (f *fakeServices) Estimate(context.Context, string, action.Wallet, action.Type,
	[]string) (order.Fees, amount.FeeRate, error) {
	return stillFees, 7500, nil
}

func (f *fakeServices) TypicalFees(context.Context, string) (claim, withdrawal order.Fees, err error) {
	return stillFees, stillFees, nil
}

func (f *fakeServices) PostCancel(_ context.Context, _ string, _ action.Wallet, id,
	_ string) (action.Requested, error) {
	if id == canceledID || id == "foreign" {
		return action.Requested{}, fault.Refuse(fault.OrderNotCancelable)
	}
	return action.Requested{ActionID: "cancel-1", Message: "LOBO on regtest\nAction: CANCEL\nOrder: " + id + "\n"}, nil
}

// canceledID is the id of the canceled order.
var canceledID = stillOrder(7, order.Canceled).ID

func (f *fakeServices) SignCancel(context.Context, string, action.SignRequest, string) (order.Order, error) {
	f.changes.Add(1)
	return stillOrder(7, order.Canceled), nil
}

var stillFees = order.Fees{Dust: 546, Network: 2108, Service: 1500, Rutxos: 435, PerRutxo: 435}

func stillOrder(i int, status order.Status) order.Order {
	o := order.Order{
		ID: fmt.Sprintf("%032x", i), Reason: ledger.ForWithdraw, Owner: ordinalsAddr, Payment: paymentAddr,
		ActionID: fmt.Sprintf("action-%d", i),
		UnitIDs:  []string{stillUnit(5, ledger.POLocked).ID}, RealUnits: 1, Amount: amount.Runes(12_345_600_005 + i),
		FeeRate: 7500, Fees: stillFees,
		Address: orderAddr, Status: status, Created: still.Add(-10 * time.Minute), RateDate: still.Add(-10 * time.Minute),
	}
	if i%2 == 1 {
		o.Reason = ledger.ForClaim
	}
	switch status {
	case order.Pending:
		o.Deadline = still.Add(20 * time.Minute)
	case order.Confirmed:
		o.Seen, o.Usable, o.Deadline = 2000, 2000, o.RateDate.Add(order.PaymentWindow)
	case order.PendingRerate:
		o.Seen, o.Usable, o.RateDate = 2000, 2000, still.Add(-time.Hour)
	case order.Canceled, order.Expired, order.Invalid:
	default:
		o.Seen, o.Usable, o.Confirmed = 5000, 5000, 5000
		if status != order.Paid && status != order.Audit {
			o.PayoutTx = txid(0xcc).String()
		}
	}
	return o
}

func (f *fakeServices) Order(ctx context.Context, community string, w action.Wallet, id string) (OrderView, error) {
	orders, err := f.Orders(ctx, community, w)
	for _, o := range orders {
		if o.ID == id {
			return o, nil
		}
	}
	return OrderView{}, cmp.Or[error](err, fault.Refuse(fault.OrderUnknown))
}

func (f *fakeServices) Orders(_ context.Context, _ string, w action.Wallet) ([]OrderView, error) {
	if !f.known(w) {
		return nil, nil
	}
	statuses := []order.Status{order.Pending, order.Confirmed, order.PendingRerate, order.Paid, order.Sent,
		order.Delivered,
		order.Consolidated, order.Canceled, order.Expired, order.Invalid, order.Audit}
	var orders []OrderView
	for i, status := range statuses {
		orders = append(orders, withRefunds(stillOrder(i, status)))
	}
	return append(orders, stillEconomy(), stillOneTx()), nil
}

// withRefunds returns an order with refunds if it is CANCELED or EXPIRED.
func withRefunds(o order.Order) OrderView {
	view := OrderView{Order: o, Rate: 9000}
	due := refund.Status{Sats: 2000, Cost: 1008, Net: 992, Address: paymentAddr, Rate: 8928,
		Due: order.Refund{Sats: 2000, Reason: order.RefundExpired, Since: still.Add(-time.Minute)}}
	switch o.Status {
	case order.Canceled:
		view.Refunded = 5000
		view.Refunds = []refund.Status{{State: refund.Sent, Sats: 5000, Cost: 840, Net: 4160,
			Address: paymentAddr, Rate: 7500, TxID: txid(0xdd).String()}}
	case order.Sent:
		view.PayoutHeight = 110
	case order.Expired:
		due.State, view.Owed = refund.WaitingRate, due.Due
		view.Refunds = []refund.Status{due}
	}
	return view
}

func (f *fakeServices) Payments(_ context.Context, _ string, w action.Wallet, id string) ([]order.Payment, error) {
	if !f.known(w) || id == "foreign" {
		return nil, fault.Refuse(fault.OrderUnknown)
	}
	return []order.Payment{
		{OutPoint: wire.OutPoint{Hash: txid(0xb2)}, Value: 1000, SeenAt: still, Counted: true, Height: chain.None},
		{OutPoint: wire.OutPoint{Hash: txid(0xb1)}, Value: 1000, SeenAt: still.Add(-5 * time.Minute), Counted: true,
			Height: 110},
	}, nil
}

func (f *fakeServices) Rerate(context.Context, string, action.Wallet, string) (order.Order, error) {
	f.changes.Add(1)
	return stillOrder(1, order.Confirmed), nil
}

func (f *fakeServices) RecoveryKit(_ context.Context, _ string, w action.Wallet) (RecoveryKit, error) {
	open, psbt := int64(26_381), "cHNidP8BAA=="
	return RecoveryKit{Network: "regtest", Destination: w.Ordinals, Height: 120, VirtualAmount: "730000000",
		Signers: []string{"Sparrow"},
		Outputs: []RecoveryOutput{{Outpoint: txid(0xa1).String() + ":0", Address: stakeAddr, Credited: true, Value: 546,
			Runes: []RuneBalance{{RuneId: "110:1", Amount: "12345600001"}}, Delay: 26_280, OpenHeight: &open,
			Descriptor: "tr(…)", InternalKey: strings.Repeat("44", 32), LeafScript: "20ac", ControlBlock: "c0",
			PsbtOwnFee: nil, PsbtAnyFee: psbt}}}, nil
}

func (f *fakeServices) SendRecovery(_ context.Context, _ string, w action.Wallet, raw []byte) (string, error) {
	if !f.known(w) || len(raw) == 0 {
		return "", fault.Refuse(fault.RecoveryForeign, w.Ordinals)
	}
	f.changes.Add(1)
	return txid(raw[0]).String(), nil
}

func (f *fakeServices) Reserves(context.Context, string) (Reserves, error) {
	height := int64(101)
	return Reserves{Height: 120, BlockHash: txid(9).String(), Time: still, RuneId: "110:1", StakedUnits: "12345600001",
		VirtualUnits: "730000000",
		StakeOutputs: "12345600001", TreasuryOutputs: "5000000000000", Covered: true, Outputs: []ReserveOutput{
			{Outpoint: txid(0xa1).String() + ":0", Kind: ReserveOutputKindStake, Address: stakeAddr, Value: 546,
				Amount: "12345600001", Height: &height}}}, nil
}

func (f *fakeServices) Status(_ context.Context, prefix string) (Status, error) {
	status := Status{Network: "regtest", Time: still, TipHeight: 120, TipHash: txid(9).String(), NodeHeight: 120,
		Paused: StatusPausedNone, Version: "1.0.0", Stops: []Stop{}, Incidents: []Incident{
			{Time: still, Kind: "resume", Detail: "payouts"}, {Time: still.Add(-time.Hour), Kind: "pause", Detail: "payouts"},
		}}
	if prefix != "" {
		status.RewardEpochsCovered = new(int64(9))
	}
	return status, nil
}

func (f *fakeServices) FeeRates(context.Context) []FeeRate {
	return []FeeRate{{Blocks: 1, Feerate: 18.2}, {Blocks: 6, Feerate: 12.5}, {Blocks: 144, Feerate: 4}}
}

func (f *fakeServices) MayChange(context.Context) error { return f.refuse }

func (f *fakeServices) Ready(context.Context) error {
	if f.broken {
		return errors.New("the store is gone")
	}
	return nil
}

// built is a handler with a real listener, with its services, hub and log.
type built struct {
	*httptest.Server
	fake *fakeServices
	hub  *Hub
	log  *bytes.Buffer
}

func build(t *testing.T, change func(*Config)) *built {
	t.Helper()
	data, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	if err != nil {
		t.Fatal(err)
	}
	site := must(community.Read("lobo.toml", data, "regtest"))
	site.Rune.ID = "110:1"
	b := &built{fake: &fakeServices{}, hub: NewHub(still), log: &bytes.Buffer{}}
	config := Config{
		Sites: []Site{site}, Services: b.fake.services(), Hub: b.hub, Domains: []string{"localhost"},
		Log: slog.New(slog.NewTextHandler(b.log, nil)), NewID: func() string { return requestIDOfTests },
		Pages: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'self'")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "page")
		}),
	}
	if change != nil {
		change(&config)
	}
	handler, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	b.Server = httptest.NewUnstartedServer(handler)
	b.Server.Config = NewServer("", handler, b.hub)
	b.Start()
	t.Cleanup(func() { b.hub.Close(); b.Close() })
	return b
}
