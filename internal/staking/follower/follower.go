// Package follower follows the chain: it records blocks, reorgs and mempool transactions in the ledger, each in one
// database transaction. At the end of the chain it applies deadlines and prepares payouts. Calls to the node and the
// signer happen outside of write transactions; broadcasts follow the commit and can be repeated.
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

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/dispatch"
	"moonfund/internal/state"
)

// MaxReorg is the depth of the deepest reorg that the follower accepts. A deeper one stops it.
const MaxReorg = 6

// An unused action is deleted intentsKept after it expired, at most intentsAtOnce in one Step.
const (
	intentsKept   = 24 * time.Hour
	intentsAtOnce = 1000
)

// ErrAuditing is returned by Config.Audit while the audit of the current ledger is not finished. The Step then prepares
// no payouts, and does everything else.
var ErrAuditing = errors.New("an audit is under way")

// ErrDeepReorg stops the follower: the node's chain forked more than MaxReorg blocks below the ledger's tip.
var ErrDeepReorg = fmt.Errorf("the node's chain replaced more than %d blocks", MaxReorg)

// Node is the Bitcoin node. BlockHash, Block and Tx return chain.ErrUnknown for a block or a transaction that the node
// does not have.
type Node interface {
	Best(ctx context.Context) (chainhash.Hash, int64, error) // hash and height of the last block
	BlockHash(ctx context.Context, height int64) (chainhash.Hash, error)
	Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error)
	Mempool(ctx context.Context) ([]chainhash.Hash, error)
	Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error)
	Broadcast(ctx context.Context, raw []byte) error // *chain.Refusal if the node refuses the transaction
}

// Config is the configuration of a Follower.
type Config struct {
	Node     Node
	Transact func(ctx context.Context, fn func(Tx) error) error
	View     func(ctx context.Context, fn func(Tx) error) error // read-only transaction; nil: Transact
	Lead     func() (term int64, leads bool)                    // nil: there is no other server

	// MempoolChanges returns the node's notifications of its mempool; nil: the mempool is listed in each Step.
	MempoolChanges chain.MempoolChanges

	// Analyze updates the database's statistics. It is called outside of transactions, after many rows were written;
	// nil: the database needs none.
	Analyze func(ctx context.Context) error

	Rules runes.Rules
	Start int64 // height of the first block to follow
	// MaxTransactionTime is the time after which a write transaction begins no further piece of work; 0 means 250 ms.
	// Other writers wait at most this time, plus the time of the last piece of work and of writing the rune index.
	MaxTransactionTime time.Duration
	// RecordedAtOnce is the maximum number of inputs and outputs that one write transaction records, unless a single
	// transaction of the chain has more; 0 means 3,000. A standard transaction can have about as many. Each transaction
	// of the chain counts as ten additional ones.
	RecordedAtOnce int
	// FetchAhead is the maximum number of blocks that are fetched ahead while earlier ones are applied, and of the
	// blocks of a chainChange if that is more than blocksAtOnce; 0 means fetchedAhead. With 1, no two calls to the node
	// or reads of the store are concurrent.
	FetchAhead int

	ProvenanceLimit int // limit of the search for an input's origin, in transactions; 0: runes.ProvenanceLimit
	Ledger          *ledger.Service
	Orders          *order.Service
	Payouts         *dispatch.Service
	Etching         *etching.Service // nil: no mint and etch service
	Moment          func() (ledger.Moment, error)
	Rate            func(ctx context.Context) amount.FeeRate
	Audit           func(ctx context.Context) error // audits the ledger, pauses payouts on a violation; nil: no audit

	// Inspect returns the current limitations of the node. It is called in each Step; nil means that there are none.
	Inspect func(ctx context.Context) (Inspection, error)

	// Approve reports whether a stored payout may be broadcast; nil means that every payout may.
	Approve func(ctx context.Context, txid chainhash.Hash) (bool, error)

	// Held returns why the audit or the configuration holds payouts, by subject as in Wait; nil: nothing holds them.
	Held func() map[string]string

	Changed func(community, owner string) // called after a commit; owner is "" for the community's figures
	Log     *slog.Logger
	Genesis *chainhash.Hash // first block of the network, to detect a node of another network; nil: not checked

	StallAfter time.Duration // how long a Step may hang before State reports it; 0: stallAfter
}

// Follower follows the chain of one node.
type Follower struct {
	Config
	mempool    *chain.Mempool
	watch      *watchList
	runeFilter runeFilter
	loaded     bool
	valued     bool  // every coin of a found payout has a value
	resend     bool  // the node's mempool may lack a transaction of ours
	unread     bool  // the transactions of mint and etch orders could not be read, and are to be sent
	sent       sent  // result of the last broadcast
	term       int64 // the leader term in which the fields above were loaded
	growth     growth

	wake     chan struct{}
	mu       sync.Mutex // held during a Step
	countMu  sync.Mutex
	stepDone chan struct{} // closed at the end of each Step
	begun    int64         // number of Steps that began, and that ended
	ended    int64
	state    atomic.Pointer[State]

	waits     map[string]Wait // as stored; nil: not read yet
	etchings  string          // why no mint or etch order is carried out; "" if they are
	auditing  time.Time       // since when the audit before payouts is not finished; zero: it is
	heartbeat *heartbeat      // of the running Step
}

// State is the state of a Follower after its last Step.
type State struct {
	Tip        ledger.Header
	NodeHeight int64
	Synced     bool  // the chain and the mempool were followed to their ends
	Steps      int64 // number of Steps
	Err        error // the reason why not synced

	CatchesUp bool          // the Step follows blocks, and has more than a few left
	Left      time.Duration // estimated time until the chain is followed to its end; 0 if unknown

	Waiting map[string]Wait // what is not sent or carried out, by subject

	Unusable string // why the last Step could not use the node, or ""

	Downloading, NoRunes, NoReveals, NoInscriptions string // as in Inspection
}

// New returns a follower that has not followed any block.
func New(c Config) *Follower {
	beating := &heartbeat{}
	c.Node = heartbeatNode{c.Node, beating}
	f := &Follower{
		Config: c, heartbeat: beating, mempool: chain.NewMempool(c.Node, c.MempoolChanges), watch: newWatchList(),
		resend: true, sent: unknownSent(),
		wake: make(chan struct{}, 1), stepDone: make(chan struct{}),
	}
	f.Transact, f.MaxTransactionTime = f.leading(c.Transact), cmp.Or(c.MaxTransactionTime, maxTransactionTime)
	f.RecordedAtOnce, f.FetchAhead = cmp.Or(c.RecordedAtOnce, recordedAtOnce), cmp.Or(c.FetchAhead, fetchedAhead)
	if f.View == nil {
		f.View = f.Transact
	}
	f.state.Store(&State{Tip: ledger.Header{Height: chain.None}, NodeHeight: chain.None,
		Err: errors.New("nothing was followed yet")})
	return f
}

// Wake makes Run begin its next Step now.
func (f *Follower) Wake() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Refresh wakes the follower and returns after a Step that began after the call, or when ctx ends.
func (f *Follower) Refresh(ctx context.Context) {
	f.countMu.Lock()
	wanted := f.begun + 1
	f.countMu.Unlock()
	for {
		f.countMu.Lock()
		turn, ended := f.stepDone, f.ended
		f.countMu.Unlock()
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

// begin counts a Step that begins.
func (f *Follower) begin() {
	f.heartbeat.start()
	f.countMu.Lock()
	defer f.countMu.Unlock()
	f.begun++
}

// end counts a Step that has ended, and wakes the callers of Refresh.
func (f *Follower) end() {
	f.heartbeat.stop()
	f.countMu.Lock()
	defer f.countMu.Unlock()
	f.ended++
	close(f.stepDone)
	f.stepDone = make(chan struct{})
}

// Run calls Step at least every interval until ctx ends.
func (f *Follower) Run(ctx context.Context, interval time.Duration) {
	timer := time.NewTicker(interval)
	defer timer.Stop()
	var last string
	for {
		if err := f.tryStep(ctx); err != nil && !errors.Is(err, state.ErrNotLeading) && ctx.Err() == nil {
			if text := err.Error(); text != last {
				f.logFailure(text, err)
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

// Step follows the chain and the mempool to their ends, applies what is due, and broadcasts. It reports whether
// anything changed. Each part is one database transaction. After a crash the next Step repeats the unfinished part.
func (f *Follower) Step(ctx context.Context) (changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin()
	defer f.end()
	ctx, span := tracer().Start(ctx, "follower.step")
	defer func() { endSpan(span, err) }()
	state := State{Tip: ledger.Header{Height: chain.None}, NodeHeight: chain.None, Steps: f.state.Load().Steps + 1}
	changed, err = f.follow(ctx, &state)
	if err == nil && f.loaded {
		err = f.recordWaits(ctx, state.NoRunes)
	}
	state.Waiting = f.waits
	if state.Err == nil {
		state.Err, state.Synced = err, err == nil
	}
	state.Unusable = unusable(state.Err)
	f.state.Store(&state)
	return changed, err
}

// follow does the work of a Step, and fills its state.
func (f *Follower) follow(ctx context.Context, state *State) (changed bool, err error) {
	if err := f.updateTerm(); err != nil {
		return false, err
	}
	if f.loaded { // otherwise another server may have followed the chain
		state.Tip = f.state.Load().Tip
	}
	if err := f.load(ctx); err != nil {
		return false, err
	}
	m, err := f.Moment()
	if err != nil {
		return false, err
	}
	touched := newTouched()
	defer touched.publish(f.Changed) // also after an error, because earlier parts are committed
	if err := f.evaluateRecorded(ctx, touched); err != nil {
		return touched.any(), err
	}
	if err := f.inspect(ctx, state); err != nil {
		return touched.any(), err
	}
	var pace pace
	p := pass{m: m, touched: touched, progress: func(tip ledger.Header, height int64) {
		f.progress(state, tip, height, &pace)
	}}
	state.Tip, state.NodeHeight, err = f.sync(ctx, p)
	if behind := new(BehindError); errors.As(err, &behind) {
		return touched.any(), f.waitForNode(behind, state)
	}
	if err != nil {
		return touched.any(), err
	}
	if state.Downloading != "" {
		return touched.any(), f.waitForNode(errors.New(state.Downloading), state)
	}
	err = f.advance(ctx, p, state)
	return touched.any(), err
}

// advance does the rest of a Step after the chain was followed to its end: it follows the mempool, applies what is due,
// prepares payouts and broadcasts.
func (f *Follower) advance(ctx context.Context, p pass, state *State) error {
	if err := f.creditAdopted(ctx, p.m, p.touched); err != nil {
		return err
	}
	if err := f.followMempool(ctx, p); err != nil {
		return err
	}
	if err := f.valueCoins(ctx); err != nil {
		return err
	}
	if err := f.expire(ctx, p.m, p.touched); err != nil {
		return err
	}
	if err := f.applyDue(ctx, p.m, p.touched); err != nil {
		return err
	}
	f.heartbeat.followed()
	if !f.state.Load().Synced { // only payouts wait for the audit
		followed := *state
		followed.Synced = true
		f.state.Store(&followed)
	}
	if state.NoRunes == "" {
		if err := f.pay(ctx, p.m, p.touched); err != nil {
			return err
		}
	} else {
		f.auditing = time.Time{}
	}
	if err := f.processEtchings(ctx, p.m); err != nil {
		return err
	}
	return f.send(ctx, p.m, p.touched)
}

// waitForNode ends a Step early because the node is behind. This is not an error of the Step. It is logged once and
// shown in the state.
func (f *Follower) waitForNode(behind error, state *State) error {
	if before := f.state.Load().Err; before == nil || before.Error() != behind.Error() {
		f.Log.Warn("waiting for the node", "reason", behind.Error())
	}
	state.Err = behind
	return nil
}

// maxTransactionTime is the default of Config.MaxTransactionTime.
const maxTransactionTime = 250 * time.Millisecond

// applyDue applies the changes that are due because of the chain, the clock and operators' requests. The chain and the
// mempool must have been followed to their ends.
func (f *Follower) applyDue(ctx context.Context, m ledger.Moment, touched *touched) error {
	if err := f.evaluateOpen(ctx, m, touched); err != nil {
		return err
	}
	var expired [][]byte
	var due []string
	err := f.Transact(ctx, func(tx Tx) error {
		expired = nil // the transaction may be retried
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		var orders []order.Order
		if orders, err = f.Payouts.Resolve(ctx, tx.PayoutTx(), m.Now); err != nil {
			return err
		}
		touched.orders(orders)
		if orders, err = f.Payouts.Confirm(ctx, payout.Round{Tx: tx.PayoutTx(), Watch: f.watch, Moment: m}); err != nil {
			return err
		}
		touched.orders(orders)
		f.Payouts.BeginEpochs()
		served, err := f.applyLosses(ctx, tx, m, touched)
		if err != nil {
			return err
		}
		if due, err = f.advanceEpochs(ctx, tx, m, served, touched); err != nil {
			return err
		}
		if err := tx.Actions.ForgetIntents(ctx, m.Now.Add(-intentsKept), intentsAtOnce); err != nil {
			return err
		}
		expired, err = f.expireStakes(ctx, tx, m.Now)
		return err
	})
	if err != nil {
		return err
	}
	f.watch.drop(expired)
	for len(due) > 0 {
		if due, err = f.settleNext(ctx, m, due, touched); err != nil {
			return err
		}
	}
	return f.compound(ctx, touched)
}
