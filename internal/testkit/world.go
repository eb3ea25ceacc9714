package testkit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/dispatch"
	"moonfund/internal/staking/payout/onetx"
	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
)

// Amounts and limits of every World.
const (
	Prefix        = "lobo"
	Name          = "LOBO"
	EpochLength   = 24 * time.Hour
	Budget        = amount.Runes(1_000_000) // rewards of each epoch
	MinimumStake  = amount.Runes(1000)
	ServiceFee    = amount.Sats(2000)
	RuneCoin      = amount.Runes(5_000_000)  // on each rune coin of a wallet
	SatsCoin      = amount.Sats(200_000)     // on each plain coin of a wallet
	TreasuryCoin  = amount.Runes(10_000_000) // on each of the treasury's outputs
	walletCoins   = 16                       // initial coins of each kind in a wallet
	treasuryCoins = 4
	delay         = 144 // recovery delay in blocks
)

// Rune is the community's rune: the first transaction after the coinbase of block 1 etches it.
var Rune = runes.ID{Block: 1, Tx: 1}

// Genesis is the start of epoch 0, a Wednesday.
var Genesis = time.Date(2026, 11, 4, 0, 0, 0, 0, time.UTC)

// World is one community with one node: the product's services on a real database, which run only when a test calls
// them. The wallets Anna, Bert and Cleo hold coins of both kinds.
type World struct {
	testing.TB
	Clock    *Clock
	Node     *Node
	Store    *store.Store
	Network  chain.Network
	Account  vault.Account
	Ledger   *ledger.Service
	Orders   *order.Service
	Actions  *action.Service
	Payouts  *dispatch.Service
	OneTx    *onetx.Service
	Follower *follower.Follower
	Etching  *etching.Service // nil unless Etch was called
	Rate     amount.FeeRate   // fee rate of new orders and payouts
	Signer   payout.Signer    // may be replaced at any time
	Lease    *store.Lease     // nil: this world has no lease

	RuneOrders         etching.Signer                        // signer of Etching; may be replaced at any time
	EtchingLog         slog.Handler                          // log of Etching; nil: discarded
	Leads              bool                                  // this world takes the lease at each start
	FollowedNode       follower.Node                         // the node of the services; nil: Node
	WrapTransaction    WrapTransaction                       // wraps the write transactions of the services; may be nil
	ReadContext        func(context.Context) context.Context // the context of reads and of Open; nil: the caller's
	Changed            func(community, owner string)         // after a commit that changed an owner's data; may be nil
	ReadClock          func() (ledger.Moment, error)         // the server's clock, which may return an error; nil: Clock
	MaxTransactionTime time.Duration                         // limit of the follower's transactions; 0: the server's
	RecordedAtOnce     int                                   // as follower.Config.RecordedAtOnce; 0: the server's
	FetchAhead         int                                   // as follower.Config.FetchAhead; 0: the server's
	RelaysV3           bool                                  // the node is known to relay transactions of version 3
	MempoolMin         amount.FeeRate                        // minimum fee rate of the node's mempool; 0: none is known
	Export             func(payout.Unsigned) (string, error) // exports payouts to sign by hand; nil: transaction in hex

	Anna, Bert, Cleo *Wallet

	tune          func(*payout.Terms)
	unserved      bool                 // the services do not know the community
	others        []string             // prefixes of further communities
	own           map[string]ownValues // of further communities
	runesPerDay   amount.Runes         // the signer's limit in 24 hours; 0: a very high limit
	anyAddress    bool                 // the signer also signs withdrawals to addresses that are not configured
	withdrawTo    []string             // withdrawal addresses of the signer
	recoveryDelay uint32               // 0: delay
	serviceFee    *amount.Sats         // service fee of orders; nil: ServiceFee
	url           string               // URL of the database
	reader        engine.Reader        // separate connections for queries of tests
	ids           ids
	etches        bool
	single        bool  // the treasury has one rune output
	partial       bool  // the index follows only the community's rune
	start         int64 // the first block that is followed
	injectFaults  bool
	scheme        signer.Scheme // of the keys; "": signer.SchemeSeed
}

// WrapTransaction wraps a write transaction of the services. It may call update, which runs fn in a transaction, any
// number of times, and may return an error or panic before, within and after the transaction.
type WrapTransaction func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
	fn func(*store.Tx) error) error

// NewWorld returns a World with an etched rune, funded wallets and a booked treasury. Its clock is some minutes into
// epoch 0.
func NewWorld(t testing.TB) *World {
	t.Helper()
	return newWorld(t, &World{})
}

// NewStandard is like NewWorld with keys of signer.SchemeBIP39.
func NewStandard(t testing.TB) *World {
	t.Helper()
	return newWorld(t, &World{scheme: signer.SchemeBIP39})
}

// NewSingle is like NewWorld with a treasury of one rune output.
func NewSingle(t testing.TB) *World {
	t.Helper()
	return newWorld(t, &World{single: true})
}

// NewFollowing is like NewWorld with an index of only the community's rune.
func NewFollowing(t testing.TB) *World {
	t.Helper()
	return newWorld(t, &World{partial: true})
}

func newWorld(t testing.TB, w *World) *World {
	t.Helper()
	clock := NewClock(Genesis)
	network, err := chain.NetworkByName("regtest")
	Must(t, err)
	w.TB, w.Clock, w.Network, w.Rate = t, clock, network, amount.SatPerVB(2)
	if w.partial {
		w.start = w.rules().Start()
	}
	if Real() {
		w.Node = newRealNode(t, clock)
	} else {
		w.Node = NewNode(clock)
	}
	w.Anna, w.Bert, w.Cleo = NewWallet(t, "anna", network), NewWallet(t, "bert", network), NewWallet(t, "cleo", network)
	w.url = engine.New(t, migrated)
	t.Logf("database: %s, node: %s", engine.Current(), w.Node.kind())
	w.open()
	w.etch()
	w.Step()
	w.Update(func(tx *store.Tx) error {
		_, err := tx.BookTreasury(t.Context(), Prefix, ledger.Cause{Kind: "operator", ID: "test", At: clock.Now()})
		return err
	})
	w.Mine(3)
	w.Step()
	return w
}

// Restart replaces the services and opens the database again. All state in memory is lost.
func (w *World) Restart() {
	w.Helper()
	Must(w, w.Store.Close())
	w.open()
}

// Forget replaces the services, which lose their state in memory. The database stays open.
func (w *World) Forget() {
	w.Helper()
	w.wire()
}

func (w *World) openStore() {
	w.Helper()
	opened, err := store.Open(w.readContext(w.Context()), w.url)
	Must(w, err)
	w.Cleanup(func() { _ = opened.Close() })
	w.Store = opened
}

// open opens the database and wires the services as the server does.
func (w *World) open() {
	w.Helper()
	w.openStore()
	w.wire()
}

func (w *World) wire() {
	w.Helper()
	if w.Leads {
		w.Lease = w.Store.Lease()
		Must(w, w.Lease.Seize(w.Context()))
	}
	var err error
	w.Account, err = vault.NewAccount(w.accountKey(), w.Network)
	Must(w, err)
	if w.Signer == nil {
		w.Signer = w.newSigner(w.generous(), nil)
	}
	log := slog.New(slog.DiscardHandler)
	if os.Getenv("TESTKIT_LOG") != "" {
		log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var lead func() (int64, bool)
	if w.Lease != nil {
		lead = w.Lease.Term
	}
	s := wiring.Connect(wiring.Config{
		Network: w.Network, Genesis: w.genesis(), Rules: w.rules(), Start: w.start, Terms: w.terms(),
		Node: w.followed(), Log: log, Update: w.transact, View: w.view, Analyze: w.Store.Analyze,
		Moment: w.moment, Rate: w.rate, MinRate: amount.SatPerVB(1), Changed: w.changed, Lead: lead,
		Signer: signerOf{w}, RelaysV3: func() bool { return w.RelaysV3 },
		MempoolMin: func() amount.FeeRate { return w.MempoolMin },
		Export:     w.export,
		Ready:      func() error { return nil },
		Hint:       func(ctx context.Context, _ string) { _, _ = w.Follower.Step(ctx) },
		Supply:     func(context.Context, string) (amount.Runes, error) { return 1 << 40, nil },
		Random:     &w.ids, Etching: w.etchingConfig(), Coins: coinFinder{w},
	})
	w.OneTx = s.OneTx
	w.Ledger, w.Orders, w.Payouts, w.Etching, w.Follower, w.Actions = s.Ledger, s.Orders, s.Payouts, s.Etching, s.Follower,
		s.Actions
	if w.MaxTransactionTime > 0 {
		w.Follower.MaxTransactionTime = w.MaxTransactionTime
	}
	if w.RecordedAtOnce > 0 {
		w.Follower.RecordedAtOnce = w.RecordedAtOnce
	}
	if w.FetchAhead > 0 {
		w.Follower.FetchAhead = w.FetchAhead
	}
	w.bind()
}

func (w *World) transact(ctx context.Context, fn func(*store.Tx) error) error {
	if w.WrapTransaction == nil {
		return w.runWithFaults(ctx, w.Store.Update, fn)
	}
	return w.WrapTransaction(ctx, w.Store.Update, fn)
}

func (w *World) view(ctx context.Context, fn func(*store.Tx) error) error {
	return w.runWithFaults(w.readContext(ctx), w.Store.View, fn)
}

func (w *World) readContext(ctx context.Context) context.Context {
	if w.ReadContext == nil {
		return ctx
	}
	return w.ReadContext(ctx)
}

// genesis returns the hash of the network's genesis block, or nil for the node in memory, whose genesis block differs.
func (w *World) genesis() *chainhash.Hash {
	if w.Node.real == nil {
		return nil
	}
	return w.Network.Params.GenesisHash
}

func (w *World) followed() follower.Node {
	if w.FollowedNode != nil {
		return txGuardNode{w.FollowedNode}
	}
	return txGuardNode{w.Chain()}
}

// Chain returns the node that the services use: the real one, if there is one.
func (w *World) Chain() follower.Node {
	if w.Node.real != nil {
		return realNode{w.Node}
	}
	return w.Node
}

// export implements wiring.Config.Export.
func (w *World) export(u payout.Unsigned) (string, error) {
	if w.Export != nil {
		return w.Export(u)
	}
	return hex.EncodeToString(chain.NewTx(u.Tx).Bytes()), nil
}

// bind records the community and the treasury's addresses.
func (w *World) bind() {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		ctx := w.Context()
		if err := wiring.Bind(ctx, tx, w.manifest(), w.Account); err != nil {
			return err
		}
		for n := range w.others {
			if err := wiring.Bind(ctx, tx, w.manifestOf(n), w.accountOf(n)); err != nil {
				return err
			}
		}
		if w.partial {
			if err := tx.PutFollowed(ctx, []runes.ID{Rune}); err != nil {
				return err
			}
		}
		return nil
	})
}

// etch mines the rune's etching, which funds the treasury and the wallets.
func (w *World) etch() {
	w.Helper()
	treasury, _ := w.Account.TreasuryRunes()
	var outs []*wire.TxOut
	var stone runes.Runestone
	hold := func(script []byte, n amount.Runes) {
		stone.Edicts = append(stone.Edicts, runes.Edict{Amount: uint128.From64(uint64(n)), Output: uint32(len(outs))})
		outs = append(outs, wire.NewTxOut(vault.DustSats, script))
	}
	coins, each := treasuryCoins, TreasuryCoin
	if w.single {
		coins, each = 1, treasuryCoins*TreasuryCoin
	}
	for range coins {
		hold(treasury.Script, each)
	}
	wallets := []*Wallet{w.Anna, w.Bert, w.Cleo}
	for _, wallet := range wallets {
		for range walletCoins {
			hold(wallet.Ordinals.Script, RuneCoin)
		}
	}
	for _, wallet := range wallets {
		for range walletCoins {
			outs = append(outs, wire.NewTxOut(int64(SatsCoin), wallet.Payment.Script))
		}
	}
	premine := uint128.From64(uint64(treasuryCoins*TreasuryCoin + amount.Runes(len(wallets))*walletCoins*RuneCoin))
	stone.Etching = &runes.Etching{Premine: &premine}
	script, err := stone.Script()
	Must(w, err)
	tx := w.Node.Grant(append(outs, wire.NewTxOut(0, script))...)
	for i, out := range outs {
		point := wire.OutPoint{Hash: tx.ID, Index: uint32(i)}
		switch at := i - coins; {
		case at < 0:
		case at < len(wallets)*walletCoins:
			wallet := wallets[at/walletCoins]
			wallet.runes = append(wallet.runes, Coin{OutPoint: point, Out: out, Runes: RuneCoin})
		default:
			wallet := wallets[at/walletCoins-len(wallets)]
			wallet.sats = append(wallet.sats, Coin{OutPoint: point, Out: out})
		}
	}
}

// Update runs fn in one database transaction, and fails the test on an error.
func (w *World) Update(fn func(tx *store.Tx) error) {
	w.Helper()
	Must(w, w.Store.Update(w.Context(), fn))
}

// Change is Update with the injected failures of InjectFaults, if the test enabled them.
func (w *World) Change(fn func(tx *store.Tx) error) {
	w.Helper()
	Must(w, w.TryChange(fn))
}

// TryChange is Change but returns the error.
func (w *World) TryChange(fn func(tx *store.Tx) error) error { return w.transact(w.Context(), fn) }

// Step runs one step of the follower, then Check.
func (w *World) Step() {
	w.Helper()
	if _, err := w.Follower.Step(w.Context()); err != nil {
		w.Fatal(err)
	}
	w.Check()
}

// Mine mines blocks a minute apart, each with the whole mempool.
func (w *World) Mine(blocks int) {
	for range blocks {
		w.Clock.Advance(time.Minute)
		w.Node.Mine()
	}
}

// Settle mines blocks, with a Step after each.
func (w *World) Settle(blocks int) {
	w.Helper()
	for range blocks {
		w.Mine(1)
		w.Step()
	}
}

// NextEpoch advances to the first block of the next epoch.
func (w *World) NextEpoch() {
	w.Helper()
	at := w.Clock.Now()
	w.Clock.Set(Genesis.Add(at.Sub(Genesis).Truncate(EpochLength) + EpochLength))
	w.Node.Mine()
	w.Step()
}

func (w *World) moment() (ledger.Moment, error) {
	if w.ReadClock != nil {
		return w.ReadClock()
	}
	return ledger.Moment{Now: w.Clock.Now(), Chain: w.Clock.onChain()}, nil
}

// MomentAt returns a time of the clock, on both scales.
func MomentAt(now time.Time) ledger.Moment { return ledger.Moment{Now: now, Chain: onChain(now)} }

// rate returns World.Rate. In the server it is the node's estimate.
func (w *World) changed(community, owner string) {
	if w.Changed != nil {
		w.Changed(community, owner)
	}
}

func (w *World) rate(context.Context) amount.FeeRate {
	outsideWrites("a question for the fee rate")
	return w.Rate
}

// ids is a deterministic source of pseudorandom bytes.
type ids struct{ next uint64 }

// idsLock protects ids of worlds that run concurrently.
var idsLock sync.Mutex

// from returns a source that continues after the next n reads.
func (s *ids) from(n uint64) ids {
	idsLock.Lock()
	defer idsLock.Unlock()
	return ids{s.next + n}
}

// Read implements io.Reader.
func (s *ids) Read(p []byte) (int, error) {
	idsLock.Lock()
	defer idsLock.Unlock()
	s.next++
	sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("ids"), s.next))
	return copy(p, sum[:]), nil
}
