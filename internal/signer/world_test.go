package signer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

var lobo = runes.ID{Block: 878389, Tx: 2822}

// world is a community from the signer's and the server's point of view. balances holds the actual runes on the chain;
// the coins hold what the server claims.
type world struct {
	testing.TB
	network  chain.Network
	keys     *Keys
	account  vault.Account
	config   Config
	now      time.Time
	doubt    error // error of the clock
	balances map[wire.OutPoint][]runes.Balance
	outputs  int
}

// worldScheme is the scheme of the keys of a world.
var worldScheme = SchemeSeed

// TestSignsWithStandardKeys repeats the tests of signatures and refusals with keys of BIP-39.
func TestSignsWithStandardKeys(t *testing.T) {
	worldScheme = SchemeBIP39
	defer func() { worldScheme = SchemeSeed }()
	for name, test := range map[string]func(*testing.T){
		"payout": TestSignsWhatIsOwed, "batches": TestSignsRandomBatches, "payment key": TestPaymentKeyWithLink,
		"claim": TestClaimNeedsItsProof, "limit": TestRollingLimit, "treasury": TestTreasurySplit, "refund": TestRefund,
		"return": TestReturnIsSigned, "refused return": TestReturnRefusals, "returned payment": TestReturnOfAPayment,
		"tampered": TestTamperedRequestsAreRefused, "socket": TestSignsOverTheSocket,
		"takeover": TestServerTakenOver, "one transaction": TestOneTx,
	} {
		t.Run(name, test)
	}
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{TB: t, now: time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC), balances: map[wire.OutPoint][]runes.Balance{}}
	var err error
	w.network, err = chain.NetworkByName("regtest")
	must(t, err)
	w.keys, err = Secret{worldScheme, bytes.Repeat([]byte{7}, 32)}.Keys()
	must(t, err)
	xpub, err := w.keys.AccountXpub(0, w.network)
	must(t, err)
	w.account, err = vault.NewAccount(xpub, w.network)
	must(t, err)
	w.config = Config{
		Network: w.network, MaxFee: 100_000, MaxFeeRate: amount.SatPerVB(100),
		Policies: map[uint32]Policy{0: {Community: "LOBO", Rune: lobo, RunesPerDay: 10_000, SatsPerDay: 1_000_000,
			RefundSatsPerDay: 1_000_000, RefundSatsPerOwnerDay: 100_000}},
		Outflows: OutflowFile(filepath.Join(t.TempDir(), "outflows.json")),
		Now:      func() (time.Time, error) { return w.now, w.doubt },
		Balances: func(_ context.Context, o wire.OutPoint) ([]runes.Balance, error) { return w.balances[o], nil },
	}
	return w
}

func (w *world) signer() *Signer {
	w.Helper()
	s, err := New(w.keys, w.config)
	must(w, err)
	return s
}

func (w *world) outpoint() wire.OutPoint {
	w.outputs++
	return wire.OutPoint{Hash: chainhash.HashH([]byte(strconv.Itoa(w.outputs))), Index: uint32(w.outputs % 3)}
}

func balance(n amount.Runes) []runes.Balance {
	if n == 0 {
		return nil
	}
	return []runes.Balance{{ID: lobo, Amount: uint128.From64(uint64(n))}}
}

func (w *world) coin(kind vault.CoinKind, value amount.Sats, n amount.Runes, orderID string) vault.Coin {
	w.Helper()
	c, err := w.account.Coin(kind, w.outpoint(), value, balance(n), orderID)
	must(w, err)
	w.balances[c.OutPoint] = c.Runes
	return c
}

func (w *world) stake(owner wallet, n amount.Runes, orderID string) vault.Coin {
	w.Helper()
	out, err := w.account.StakeOutput(vault.StakeKeys{Position: uint32(w.outputs), Leaf: owner.leaf, Delay: 26280})
	must(w, err)
	c := out.Coin(w.outpoint(), 546, balance(n), orderID)
	w.balances[c.OutPoint] = c.Runes
	return c
}

// withdrawal adds an order over real stakes and, if virtual > 0, one virtual unit, with the owner's proof and inputs,
// to the request. The label makes the virtual unit unique.
func (w *world) withdrawal(r *Request, owner wallet, label string, virtual amount.Runes, stakes ...vault.Coin) {
	w.Helper()
	o := Order{Withdraw: true, Delivery: vault.Delivery{Rune: lobo, Amount: virtual, To: owner.ordinals.Script,
		Value: 546}}
	for _, c := range stakes {
		n, err := c.RuneAmount(lobo)
		must(w, err)
		o.Delivery.Amount += n
		o.Delivery.Value += 546
		o.Units = append(o.Units, c.OutPoint)
		o.UnitIDs = append(o.UnitIDs, c.OutPoint.String())
		r.Inputs = append(r.Inputs, c)
	}
	if virtual > 0 {
		o.UnitIDs = append(o.UnitIDs, "reward-"+label)
	}
	o.Proof = owner.proof(w, owner.intent("WITHDRAW", o.Delivery.Amount.String(), o.UnitIDs))
	w.order(r, o)
}

func (w *world) claim(r *Request, owner wallet, label string, n amount.Runes) {
	w.Helper()
	o := Order{Delivery: vault.Delivery{Rune: lobo, Amount: n, To: owner.ordinals.Script, Value: 546},
		UnitIDs: []string{"reward-" + label}}
	o.Proof = owner.proof(w, owner.intent("CLAIM", n.String(), o.UnitIDs))
	w.order(r, o)
}

// order adds an order to the request, with the id that its message derives, and a payment for it.
func (w *world) order(r *Request, o Order) {
	w.Helper()
	o.Delivery.OrderID = message.OrderID(o.Proof.Text)
	r.Orders = append(r.Orders, o)
	r.Inputs = append(r.Inputs, w.coin(vault.Payment, 5_000, 0, o.Delivery.OrderID))
}

// build builds the request's transaction with the vault.
func (w *world) build(r *Request) {
	w.Helper()
	var err error
	r.Tx, _, err = vault.BuildPayout(w.plan(r))
	must(w, err)
}

func (w *world) plan(r *Request) vault.PayoutPlan {
	w.Helper()
	runeChange, _ := w.account.TreasuryRunes()
	satsChange, _ := w.account.TreasurySats()
	p := vault.PayoutPlan{Inputs: r.Inputs, Rune: lobo, RuneChange: runeChange.Script, SatsChange: satsChange.Script,
		FeeRate: amount.SatPerVB(2)}
	for _, o := range r.Orders {
		p.Deliveries = append(p.Deliveries, o.Delivery)
	}
	return p
}

// mixed returns a payout of two withdrawals (one with a virtual unit) and a claim.
func (w *world) mixed() Request {
	w.Helper()
	anna := newWallet(w, 1, chain.P2TR, w.network)
	bert := newWallet(w, 2, chain.P2PKH, w.network)
	var r Request
	w.withdrawal(&r, anna, "order-a", 0, w.stake(anna, 600, "order-a"), w.stake(anna, 400, "order-a"))
	w.withdrawal(&r, bert, "order-b", 1000, w.stake(bert, 400, "order-b"))
	w.claim(&r, anna, "order-c", 500)
	r.Inputs = append(r.Inputs, w.coin(vault.TreasuryRunes, 546, 50_000, ""))
	w.build(&r)
	return r
}

func (w *world) claimOf(n amount.Runes) Request {
	w.Helper()
	var r Request
	w.claim(&r, newWallet(w, 1, chain.P2TR, w.network), fmt.Sprint("claim-", w.outputs), n)
	r.Inputs = append(r.Inputs, w.coin(vault.TreasuryRunes, 546, 50_000, ""))
	w.build(&r)
	return r
}

// refusedFor reports whether err is a refusal for this reason.
func refusedFor(err error, reason Reason) bool {
	var refusal *Refusal
	return errors.As(err, &refusal) && refusal.Reason == reason
}
