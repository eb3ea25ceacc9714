// Package follower brings the chain into the ledger: blocks, reorgs and the
// mempool, each in one database transaction, and what is due by the clock once
// everything was followed. Effects on the world come after the commit and can
// be repeated.
package follower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/etching"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/runes"
	"moonfund/state"
)

// MaxReorg is the deepest reorg that is followed; a deeper one needs a person.
const MaxReorg = 6

// blocksAtOnce bounds what one database transaction takes in.
const blocksAtOnce = 50

// An intent that nobody proved is forgotten a day after it expired, so many of them in one Step.
const (
	intentsKept   = 24 * time.Hour
	intentsAtOnce = 1000
)

// ErrAuditing is what Audit returns while it has not looked at the books as they
// are yet: nothing is paid in this Step, and everything else goes on.
var ErrAuditing = errors.New("an audit is under way")

// ErrDeepReorg stops the follower: the node's chain left ours more than MaxReorg blocks ago.
var ErrDeepReorg = fmt.Errorf("the node's chain replaced more than %d blocks", MaxReorg)

// Node is the Bitcoin node, as the follower needs it.
type Node interface {
	Best(ctx context.Context) (chainhash.Hash, int64, error)
	BlockHash(ctx context.Context, height int64) (chainhash.Hash, error)
	Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error)
	Mempool(ctx context.Context) ([]chainhash.Hash, error)
	Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error)
	Broadcast(ctx context.Context, raw []byte) error
}

// Config is what a follower is made of.
type Config struct {
	Node     Node
	Transact func(ctx context.Context, fn func(Tx) error) error
	View     func(ctx context.Context, fn func(Tx) error) error // reads; nil: Transact
	Lead     func() (term int64, leads bool)                    // nil: this server is alone
	Rules    runes.Rules
	Start    int64 // height of the first block that is followed
	// HoldAtMost is how long one write transaction goes on to take up further work, 250 ms if it is 0. Other writers
	// wait that long, and as long as the last piece of work takes.
	HoldAtMost time.Duration

	LookBack int // how far the origin of an input is looked for; 0: runes.ProvenanceLimit
	Book     *ledger.Book
	Orders   *order.Service
	Payouts  *payout.Service
	Etching  *etching.Service // nil: this server mints and etches for nobody
	Moment   func() (ledger.Moment, error)
	Rate     func(ctx context.Context) amount.FeeRate
	Audit    func(ctx context.Context) error // audits the books and pauses payouts when they are wrong; nil: nobody does

	// Inspect says what the node is fit for, before each Step; nil: for everything.
	Inspect func(ctx context.Context) (Inspection, error)

	// Approve reports whether a stored payout may be broadcast; nil: every payout may.
	Approve func(ctx context.Context, txid chainhash.Hash) (bool, error)

	Changed func(community, owner string) // after a commit; owner "" for the community's own figures
	Log     *slog.Logger
	Genesis *chainhash.Hash // of the network, to tell a node of another one from a deep reorg; nil: not told

	StallAfter time.Duration // how long a Step may hang before State says so; 0: stallAfter
}

// Follower follows one node.
type Follower struct {
	Config
	mempool *chain.Mempool
	watch   *watch
	held    held
	loaded  bool
	resend  bool  // something of ours may be missing from the node's mempool
	sent    sent  // what came of the last broadcast
	term    int64 // in which all this was learned

	wake  chan struct{}
	mu    sync.Mutex // one Step at a time
	turns sync.Mutex
	turn  chan struct{} // closed at the end of each Step
	begun int64         // Steps begun and ended
	ended int64
	state atomic.Pointer[State]

	heartbeat *heartbeat // of the running Step
}

// State is where the follower stands.
type State struct {
	Tip        ledger.Header
	NodeHeight int64
	Synced     bool  // the chain and the mempool were followed to their ends
	Steps      int64 // taken so far
	Err        error // why not synced

	Waiting map[string]string // PAID orders that are not sent, and why

	Downloading, NoRunes, NoReveals string // as in Inspection
}

// New returns a follower that has followed nothing yet.
func New(c Config) *Follower {
	beating := &heartbeat{}
	c.Node = answering{c.Node, beating}
	f := &Follower{
		Config: c, heartbeat: beating, mempool: chain.NewMempool(c.Node), watch: newWatch(), resend: true,
		sent: sent{refused: true},
		wake: make(chan struct{}, 1), turn: make(chan struct{}),
	}
	f.Transact, f.HoldAtMost = f.leading(c.Transact), cmp.Or(c.HoldAtMost, holdAtMost)
	if f.View == nil {
		f.View = f.Transact
	}
	f.state.Store(&State{Tip: ledger.Header{Height: chain.None}, NodeHeight: chain.None,
		Err: errors.New("nothing was followed yet")})
	return f
}

// Wake makes Run take its next Step at once.
func (f *Follower) Wake() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Refresh wakes the follower and returns when it has looked, or when ctx ends. A
// Step that had begun before may have its look behind it, so that another one is awaited.
func (f *Follower) Refresh(ctx context.Context) {
	f.turns.Lock()
	wanted := f.begun + 1
	f.turns.Unlock()
	for {
		f.turns.Lock()
		turn, ended := f.turn, f.ended
		f.turns.Unlock()
		if ended >= wanted {
			return
		}
		f.Wake()
		select {
		case <-turn:
		case <-ctx.Done():
			return
		}
	}
}

// begin and end count a Step.
func (f *Follower) begin() {
	f.heartbeat.start()
	f.turns.Lock()
	defer f.turns.Unlock()
	f.begun++
}

func (f *Follower) end() {
	f.heartbeat.stop()
	f.turns.Lock()
	defer f.turns.Unlock()
	f.ended++
	close(f.turn)
	f.turn = make(chan struct{})
}

// Run steps until ctx ends, at least every interval.
func (f *Follower) Run(ctx context.Context, interval time.Duration) {
	timer := time.NewTicker(interval)
	defer timer.Stop()
	var last string
	for {
		if _, err := f.Step(ctx); err != nil && !errors.Is(err, state.ErrNotLeading) && ctx.Err() == nil {
			if text := err.Error(); text != last {
				f.Log.Error("following the chain", "error", text)
				last = text
			}
		} else {
			last = ""
		}
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-f.wake:
		}
	}
}

// Step follows the chain and the mempool to their ends and does what is due. It
// reports whether anything changed. Each part is one database transaction, so
// that a crash anywhere repeats the part.
func (f *Follower) Step(ctx context.Context) (changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin()
	defer f.end()
	state := State{Tip: ledger.Header{Height: chain.None}, NodeHeight: chain.None, Steps: f.state.Load().Steps + 1}
	defer func() {
		state.Waiting = f.Payouts.Waiting()
		if state.Err == nil {
			state.Err, state.Synced = err, err == nil
		}
		f.state.Store(&state)
	}()
	if err := f.lead(); err != nil {
		return false, err
	}
	if err := f.load(ctx); err != nil {
		return false, err
	}
	m, err := f.Moment()
	if err != nil {
		return false, err
	}
	touched := newTouched()
	defer touched.publish(f.Changed) // also after an error: the parts before it are committed
	if err := f.inspect(ctx, &state); err != nil {
		return false, err
	}
	p := pass{m: m, touched: touched, progress: func(tip ledger.Header, height int64) { f.progress(&state, tip, height) }}
	state.Tip, state.NodeHeight, err = f.sync(ctx, p)
	if behind := new(Behind); errors.As(err, &behind) {
		return touched.any(), f.await(behind, &state)
	}
	if err != nil {
		return touched.any(), err
	}
	if state.Downloading != "" {
		return touched.any(), f.await(errors.New(state.Downloading), &state)
	}
	err = f.advance(ctx, p, &state)
	return touched.any(), err
}

// advance does what is left of a Step once the chain was followed to its end.
func (f *Follower) advance(ctx context.Context, p pass, state *State) error {
	if err := f.creditAdopted(ctx, p.m, p.touched); err != nil {
		return err
	}
	if err := f.followMempool(ctx, p); err != nil {
		return err
	}
	if err := f.expire(ctx, p.m, p.touched); err != nil {
		return err
	}
	if err := f.due(ctx, p.m, p.touched); err != nil {
		return err
	}
	if !f.state.Load().Synced { // only payments have to wait for the audit
		followed := *state
		followed.Synced = true
		f.state.Store(&followed)
	}
	if state.NoRunes == "" {
		if err := f.pay(ctx, p.m, p.touched); err != nil {
			return err
		}
	}
	if err := f.etch(ctx, p.m); err != nil {
		return err
	}
	return f.send(ctx, p.m, p.touched)
}

// await lets a Step end without any of its work, since the node is behind. That is
// no error: it is said once, and seen in the state.
func (f *Follower) await(behind error, state *State) error {
	if before := f.state.Load().Err; before == nil || before.Error() != behind.Error() {
		f.Log.Warn("waiting for the node", "reason", behind.Error())
	}
	state.Err = behind
	return nil
}

// load fills the watch from the store: everything at the first Step, then what is new.
func (f *Follower) load(ctx context.Context) error {
	return f.Transact(ctx, func(tx Tx) error {
		watched, err := tx.Watched.WatchedAfter(ctx, f.watch.last)
		if err != nil {
			return err
		}
		for _, w := range watched {
			f.watch.addScript(w)
		}
		if err := f.loadEtchings(ctx, tx); err != nil {
			return err
		}
		if f.loaded {
			return nil
		}
		tip, err := tx.Headers.Tip(ctx)
		if err != nil {
			return err
		}
		points, err := tx.Watched.OpenOutpoints(ctx, tip.Height-2*MaxReorg)
		if err != nil {
			return err
		}
		for _, point := range points {
			f.watch.outputs[point] = struct{}{}
		}
		f.loaded = true
		return f.watchUnconfirmed(ctx, tx)
	})
}

const holdAtMost = 250 * time.Millisecond

// evaluatedAtOnce is how many orders are evaluated before a transaction looks at the clock.
const evaluatedAtOnce = 100

// evaluateOpen evaluates every open order, in as many transactions as it takes to let other writers in between.
func (f *Follower) evaluateOpen(ctx context.Context, m ledger.Moment, touched *touched) error {
	var ids []string
	if err := f.View(ctx, func(tx Tx) (err error) {
		ids, err = f.Orders.OpenIDs(ctx, tx.OrderTx())
		return err
	}); err != nil {
		return err
	}
	for len(ids) > 0 {
		var left []string
		if err := f.Transact(ctx, func(tx Tx) error {
			left = nil
			paused, err := tx.Pauses.PausedAll(ctx)
			if err != nil || paused != "" {
				return err
			}
			left = ids
			began := time.Now()
			for first := true; first || len(left) > 0 && time.Since(began) < f.HoldAtMost; first = false {
				n := min(evaluatedAtOnce, len(left))
				orders, err := f.Orders.Evaluate(ctx, tx.OrderTx(), left[:n], m.Now, true)
				if err != nil {
					return err
				}
				touched.orders(orders)
				left = left[n:]
			}
			return nil
		}); err != nil {
			return err
		}
		ids = left
	}
	return nil
}

// due does what the facts and the clock make due, only after all was followed.
func (f *Follower) due(ctx context.Context, m ledger.Moment, touched *touched) error {
	if err := f.evaluateOpen(ctx, m, touched); err != nil {
		return err
	}
	var expired [][]byte
	err := f.Transact(ctx, func(tx Tx) error {
		expired = nil // the transaction may be tried again
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		var orders []order.Order
		if orders, err = f.Payouts.Resolve(ctx, tx.PayoutTx(), m.Now); err != nil {
			return err
		}
		touched.orders(orders)
		if orders, err = f.Payouts.Confirm(ctx, tx.PayoutTx(), f.watch, m.Now); err != nil {
			return err
		}
		touched.orders(orders)
		for _, part := range []func() ([]ledger.Unit, error){
			func() ([]ledger.Unit, error) { return f.Book.ApplyLosses(ctx, tx.LedgerTx(), m.Now) },
			func() ([]ledger.Unit, error) { return f.Book.Unlock(ctx, tx.LedgerTx(), m) },
		} {
			units, err := part()
			if err != nil {
				return err
			}
			touched.units(units)
		}
		paid, err := f.Book.Settle(ctx, tx.LedgerTx(), m.Now)
		touched.rewards(paid)
		if err != nil {
			return err
		}
		units, err := f.Book.ExplainSpends(ctx, tx.LedgerTx(), m.Now) // of rewards that may just have been settled
		touched.units(units)
		if err != nil {
			return err
		}
		if err := tx.Intents.ForgetIntents(ctx, m.Now.Add(-intentsKept), intentsAtOnce); err != nil {
			return err
		}
		expired, err = f.expireStakes(ctx, tx, m.Now)
		return err
	})
	if err == nil {
		f.watch.drop(expired)
	}
	return err
}

// pay prepares what is to be paid, once the guard has looked at the books as they are now.
func (f *Follower) pay(ctx context.Context, m ledger.Moment, touched *touched) error {
	if f.Audit != nil {
		err := f.Audit(ctx)
		if errors.Is(err, ErrAuditing) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("nothing is paid before an audit: %w", err)
		}
	}
	rate := f.Rate(ctx)
	f.Payouts.ForgetSignatures()
	for range signingRounds {
		err := f.prepare(ctx, rate, m, touched)
		if !errors.Is(err, payout.ErrUnsigned) {
			return err
		}
		if err := f.Payouts.Sign(ctx); err != nil {
			return err
		}
	}
	f.Log.Warn("payouts change faster than they are signed: they are tried again")
	return nil
}

// signingRounds bounds how often payouts are prepared in one Step until each of them
// is signed. Two are usual. A batch that the signer refuses takes one for each time
// that it is halved, and so does a change to an order while it is signed.
const signingRounds = 20

// prepare stores what is to be paid, if all of it is signed.
func (f *Follower) prepare(ctx context.Context, rate amount.FeeRate, m ledger.Moment, touched *touched) error {
	return f.Transact(ctx, func(tx Tx) error {
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		stored, err := f.Payouts.Prepare(ctx, tx.PayoutTx(), f.watch, rate, m)
		if err != nil {
			return err
		}
		for _, p := range stored {
			f.resend = true
			for _, id := range p.OrderIDs {
				o, err := tx.Orders.Order(ctx, id)
				if err != nil {
					return err
				}
				touched.orders([]order.Order{o})
			}
		}
		return nil
	})
}
