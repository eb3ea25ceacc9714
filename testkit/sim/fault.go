package sim

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/payout"
	"moonfund/store"
)

// Fault is a kind of thing that goes wrong.
type Fault string

// The faults. A write is one database transaction, an effect one broadcast.
const (
	crashBeforeWrite    Fault = "crash before a write"
	crashInWrite        Fault = "crash within a write"
	crashAfterWrite     Fault = "crash after a write"
	crashBeforeEffect   Fault = "crash before an effect"
	crashAfterEffect    Fault = "crash after an effect"
	lostAcknowledgement Fault = "lost acknowledgement of a write"
	busy                Fault = "busy database, tried again"
	serialization       Fault = "serialization failure, given up"
	nodeDown            Fault = "node down"
	timeoutOfRead       Fault = "RPC timeout of a read"
	timeoutBeforeEffect Fault = "RPC timeout before an effect"
	timeoutAfterEffect  Fault = "RPC timeout after an effect"
	nodeRefuses         Fault = "node refuses an effect"
	policyRefuses       Fault = "node refuses all effects for a while"
	signerDown          Fault = "signer gone"
	duplicateEvent      Fault = "duplicate event"
	skippedEvent        Fault = "skipped event"
	clockForwards       Fault = "clock jumps forwards"
	clockBackwards      Fault = "clock jumps backwards"
	staleBackup         Fault = "stale backup"
	twoLeaders          Fault = "two leaders"
	mempoolLost         Fault = "node restarted, mempool lost"
	cancelInSigning     Fault = "order canceled while its payout is signed"
	pauseInSigning      Fault = "pause while a payout is signed"
	reorgInSigning      Fault = "reorg while a payout is signed"
	leadLostInSigning   Fault = "lead lost while a payout is signed"
	reorg1              Fault = "reorg of 1"
	reorg2              Fault = "reorg of 2"
	reorg3              Fault = "reorg of 3"
	reorg4              Fault = "reorg of 4"
	reorg5              Fault = "reorg of 5"
	reorg6              Fault = "reorg of 6"
)

// Faults are all of them; each must happen somewhere in a run.
var Faults = []Fault{
	crashBeforeWrite, crashInWrite, crashAfterWrite, crashBeforeEffect, crashAfterEffect, lostAcknowledgement, busy,
	serialization,
	nodeDown, timeoutOfRead, timeoutBeforeEffect, timeoutAfterEffect, nodeRefuses, policyRefuses, signerDown,
	duplicateEvent, skippedEvent,
	clockForwards, clockBackwards, staleBackup, twoLeaders, mempoolLost, cancelInSigning, pauseInSigning, reorgInSigning,
	leadLostInSigning, reorg1, reorg2, reorg3, reorg4, reorg5, reorg6,
}

var (
	onWrite = []Fault{crashBeforeWrite, crashInWrite, crashAfterWrite, lostAcknowledgement, busy, serialization,
		twoLeaders}
	onEffect = []Fault{crashBeforeEffect, crashAfterEffect, timeoutBeforeEffect, timeoutAfterEffect, nodeRefuses}
	onSign   = []Fault{cancelInSigning, pauseInSigning, reorgInSigning, leadLostInSigning}
)

// errFault is what every injected error is.
var errFault = errors.New("it was to fail here")

// crash is the panic that ends the server's process.
type crash struct{}

// trouble is one fault that lies in wait: it comes with the after-th call from now.
type trouble struct {
	mu    sync.Mutex // the node's mempool is asked by several at once
	kind  Fault
	after int
	fired bool
}

// due reports whether the fault comes with this call, if it is one of these.
func (t *trouble) due(kinds ...Fault) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fired || !slices.Contains(kinds, t.kind) {
		return false
	}
	if t.after--; t.after > 0 {
		return false
	}
	t.fired = true
	return true
}

// is reports whether this fault lies in wait or has come.
func (t *trouble) is(kind Fault) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kind == kind
}

// between stands between the rooms and the database.
func (l *life) between(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
	fn func(*store.Tx) error) error {
	if !l.trouble.due(onWrite...) {
		return update(ctx, fn)
	}
	l.note("  %s", l.trouble.kind)
	switch l.trouble.kind {
	case crashBeforeWrite:
		panic(crash{})
	case crashInWrite:
		return update(ctx, func(tx *store.Tx) error {
			if err := fn(tx); err != nil {
				return err
			}
			panic(crash{})
		})
	case busy, serialization:
		if err := update(ctx, func(tx *store.Tx) error {
			return errors.Join(fn(tx), errFault)
		}); !errors.Is(err, errFault) || l.trouble.is(serialization) {
			return err
		}
		return update(ctx, fn)
	case twoLeaders:
		l.depose()
		return update(ctx, fn)
	}
	if err := update(ctx, fn); err != nil {
		return err
	}
	if l.trouble.is(crashAfterWrite) {
		panic(crash{})
	}
	return errFault // the acknowledgement is lost
}

// line is the server's line to its node.
type line struct{ *life }

func (n line) read() error {
	if n.trouble.due(timeoutOfRead) {
		return errFault
	}
	if n.trouble.is(nodeDown) {
		n.trouble.due(nodeDown)
		return errFault
	}
	return nil
}

// Best implements follower.Node.
func (n line) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	if err := n.read(); err != nil {
		return chainhash.Hash{}, 0, err
	}
	return n.Chain().Best(ctx)
}

// BlockHash implements follower.Node.
func (n line) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	if err := n.read(); err != nil {
		return chainhash.Hash{}, err
	}
	return n.Chain().BlockHash(ctx, height)
}

// Block implements follower.Node.
func (n line) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	if err := n.read(); err != nil {
		return chain.Block{}, err
	}
	return n.Chain().Block(ctx, hash, height)
}

// Mempool implements follower.Node. What is skipped is not there until a block has it;
// what the node does not list for a moment comes as if it were new.
func (n line) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	if err := n.read(); err != nil {
		return nil, err
	}
	ids, err := n.Chain().Mempool(ctx)
	if n.trouble.due(duplicateEvent) {
		return nil, err
	}
	if len(ids) > 0 && n.trouble.due(skippedEvent) {
		for _, id := range ids {
			n.skipped[id] = true
		}
	}
	return slices.DeleteFunc(ids, func(id chainhash.Hash) bool { return n.skipped[id] }), err
}

// Tx implements follower.Node.
func (n line) Tx(ctx context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	if n.trouble.is(nodeDown) {
		return chain.Tx{}, chain.Status{}, errFault
	}
	return n.Chain().Tx(ctx, id)
}

// Broadcast implements follower.Node.
func (n line) Broadcast(ctx context.Context, raw []byte) error {
	if n.trouble.is(nodeDown) {
		return errFault
	}
	if n.trouble.is(policyRefuses) {
		n.trouble.due(policyRefuses)
		return &chain.Refusal{Code: -26, Reason: "tokens-runes"}
	}
	if !n.trouble.due(onEffect...) {
		return n.Node.Broadcast(ctx, raw)
	}
	n.note("  %s", n.trouble.kind)
	switch n.trouble.kind {
	case crashBeforeEffect:
		panic(crash{})
	case timeoutBeforeEffect:
		return errFault
	case nodeRefuses:
		return &chain.Refusal{Code: -26, Reason: "mempool min fee not met"}
	}
	if err := n.Node.Broadcast(ctx, raw); err != nil {
		return err
	}
	if n.trouble.is(crashAfterEffect) {
		panic(crash{})
	}
	return errFault
}

// keeper is the signer, which may be gone.
type keeper struct {
	*life
	next payout.Signer
}

// Sign implements payout.Signer.
func (k keeper) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	if k.trouble.due(signerDown) {
		k.note("  %s", signerDown)
		return nil, errFault
	}
	tx, err := k.next.Sign(ctx, u)
	if err == nil && len(u.Orders) > 0 && k.trouble.due(onSign...) {
		k.changeInSigning(u.Orders)
	}
	return tx, err
}

// guarded runs what the server does, until its process ends. It reports whether it did.
func (l *life) guarded(do func()) (crashed bool) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case crash:
			crashed = true
		default:
			panic(reason)
		}
	}()
	do()
	return false
}

// restart is what follows a crash: nothing is left but the database.
func (l *life) restart() {
	l.skipped = map[chainhash.Hash]bool{}
	if l.one(4) {
		l.Restart()
	} else {
		l.Forget()
	}
	l.recheck = true
}

// endDeposed ends the server that leads no more, with its connections to the database.
func (l *life) endDeposed() {
	if l.deposed != nil {
		l.deposed.Past()
		l.deposed = nil
	}
}

// depose lets another server take the lead in the midst of what this one does.
func (l *life) depose() {
	l.deposed = l.World
	other := l.Beside()
	other.Signer = keeper{l, other.Signer}
	if l.plan.Runes {
		other.RuneOrders = orderKeeper{l, other.RuneOrders}
	}
	l.World = other
}
