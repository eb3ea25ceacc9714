package sim

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// Fault is a kind of injected fault.
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
	signerDown          Fault = "signer down"
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
	refusalLasts        Fault = "node refuses everything for hours"
	serverTakenOver     Fault = "server taken over"
	communityKeyStolen  Fault = "community's key stolen"
	refundOverLimit     Fault = "refund above its limit"
	severalRefunds      Fault = "several refunds of an order at once"
	concurrent          Fault = "operations during a step"
	reorg1              Fault = "reorg of 1"
	reorg2              Fault = "reorg of 2"
	reorg3              Fault = "reorg of 3"
	reorg4              Fault = "reorg of 4"
	reorg5              Fault = "reorg of 5"
	reorg6              Fault = "reorg of 6"
)

// Faults are all faults; each must occur in a large run.
var Faults = []Fault{
	crashBeforeWrite, crashInWrite, crashAfterWrite, crashBeforeEffect, crashAfterEffect, lostAcknowledgement, busy,
	serialization,
	nodeDown, timeoutOfRead, timeoutBeforeEffect, timeoutAfterEffect, nodeRefuses, policyRefuses, signerDown,
	duplicateEvent, skippedEvent,
	clockForwards, clockBackwards, staleBackup, twoLeaders, mempoolLost, cancelInSigning, pauseInSigning, reorgInSigning,
	leadLostInSigning, refusalLasts, serverTakenOver, communityKeyStolen, refundOverLimit, severalRefunds, concurrent,
	reorg1, reorg2, reorg3, reorg4, reorg5, reorg6,
}

var (
	writeFaults = []Fault{crashBeforeWrite, crashInWrite, crashAfterWrite, lostAcknowledgement, busy, serialization,
		twoLeaders}
	effectFaults  = []Fault{crashBeforeEffect, crashAfterEffect, timeoutBeforeEffect, timeoutAfterEffect, nodeRefuses}
	signingFaults = []Fault{cancelInSigning, pauseInSigning, reorgInSigning, leadLostInSigning}
)

// errFault is the injected error.
var errFault = errors.New("injected error")

// crash is the panic value that ends the server's process.
type crash struct{}

// Unrecoverable implements state.Unrecoverable.
func (crash) Unrecoverable() {}

// injection is one pending fault. It fires at the after-th matching call.
type injection struct {
	mu    sync.Mutex // several goroutines read the node's mempool
	kind  Fault
	after int
	fired bool
}

// fires counts a call, and reports whether the fault is one of kinds and fires with this call.
func (t *injection) fires(kinds ...Fault) bool {
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

// is reports whether this fault is pending or has fired.
func (t *injection) is(kind Fault) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kind == kind
}

// transact runs a write transaction of the server, with the pending fault.
func (sc *scenario) transact(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
	fn func(*store.Tx) error) error {
	sc.operateDuringStep()
	if !sc.injected.fires(writeFaults...) {
		return update(ctx, fn)
	}
	sc.note("  %s", sc.injected.kind)
	switch sc.injected.kind {
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
		}); !errors.Is(err, errFault) || sc.injected.is(serialization) {
			return err
		}
		return update(ctx, fn)
	case twoLeaders:
		sc.depose()
		return update(ctx, fn)
	}
	if err := update(ctx, fn); err != nil {
		return err
	}
	if sc.injected.is(crashAfterWrite) {
		panic(crash{})
	}
	return errFault // the acknowledgement is lost
}

// faultyNode is the node that the server uses, with the pending fault.
type faultyNode struct{ *scenario }

func (n faultyNode) read() error {
	n.operateDuringStep()
	if n.injected.fires(timeoutOfRead) {
		return errFault
	}
	if n.injected.is(nodeDown) {
		n.injected.fires(nodeDown)
		return errFault
	}
	return nil
}

// Best implements follower.Node.
func (n faultyNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	if err := n.read(); err != nil {
		return chainhash.Hash{}, 0, err
	}
	return n.Chain().Best(ctx)
}

// BlockHash implements follower.Node.
func (n faultyNode) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	if err := n.read(); err != nil {
		return chainhash.Hash{}, err
	}
	return n.Chain().BlockHash(ctx, height)
}

// Block implements follower.Node.
func (n faultyNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	if err := n.read(); err != nil {
		return chain.Block{}, err
	}
	return n.Chain().Block(ctx, hash, height)
}

// Mempool implements follower.Node. A skipped transaction is missing from the list until it is mined. A duplicate event
// is an empty list, after which the next list contains known transactions again.
func (n faultyNode) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	if err := n.read(); err != nil {
		return nil, err
	}
	ids, err := n.Chain().Mempool(ctx)
	if n.injected.fires(duplicateEvent) {
		return nil, err
	}
	if len(ids) > 0 && n.injected.fires(skippedEvent) {
		for _, id := range ids {
			n.skipped[id] = true
		}
	}
	return slices.DeleteFunc(ids, func(id chainhash.Hash) bool { return n.skipped[id] }), err
}

// Tx implements follower.Node.
func (n faultyNode) Tx(ctx context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	if n.injected.is(nodeDown) {
		return chain.Tx{}, chain.Status{}, errFault
	}
	return n.Chain().Tx(ctx, id)
}

// Broadcast implements follower.Node.
func (n faultyNode) Broadcast(ctx context.Context, raw []byte) error {
	n.operateDuringStep()
	if n.injected.is(nodeDown) {
		return errFault
	}
	if n.nodeRefuses {
		return &chain.Refusal{Code: -26, Reason: "tokens-runes"}
	}
	if n.injected.is(policyRefuses) {
		n.injected.fires(policyRefuses)
		return &chain.Refusal{Code: -26, Reason: "tokens-runes"}
	}
	if !n.injected.fires(effectFaults...) {
		return n.Node.Broadcast(ctx, raw)
	}
	n.note("  %s", n.injected.kind)
	switch n.injected.kind {
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
	if n.injected.is(crashAfterEffect) {
		panic(crash{})
	}
	return errFault
}

// faultySigner is the signer of payouts, with the pending fault.
type faultySigner struct {
	*scenario
	next payout.Signer
}

// Sign implements payout.Signer.
func (k faultySigner) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	k.operateDuringStep()
	if k.injected.fires(signerDown) {
		k.note("  %s", signerDown)
		return nil, errFault
	}
	tx, err := k.next.Sign(ctx, u)
	if err == nil {
		k.remember(u)
	}
	if err == nil && len(u.Orders) > 0 && u.Orders[0].Order.Status != order.Sent && k.injected.fires(signingFaults...) {
		k.changeInSigning(u.Orders)
	}
	return tx, err
}

// guarded runs a call of the server and reports whether it ended with an injected crash. Every call may make the server
// follow the chain, and thereby apply instructions, whose effects the model reads.
func (sc *scenario) guarded(do func()) (crashed bool) {
	from, _ := sc.moment()
	crashed = crashes(do)
	to, _ := sc.moment()
	sc.require(sc.model.ReadCompounded(sc.Context(), sc.db, from.Now, to.Now))
	return crashed
}

// crashes runs a call of the server and reports whether it ended with an injected crash.
func crashes(do func()) (crashed bool) {
	defer func() {
		switch reason := original(recover()).(type) {
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

// restart starts the server again after a crash, with only the state in the database.
func (sc *scenario) restart() {
	sc.skipped = map[chainhash.Hash]bool{}
	if sc.oneIn(4) {
		sc.Restart()
	} else {
		sc.Forget()
	}
	sc.beginAudits()
	sc.recheck = true
}

// endDeposed stops the server that lost the lease and closes its database.
func (sc *scenario) endDeposed() {
	if sc.deposed != nil {
		sc.closeAuditor(&sc.deposedAuditor)
		sc.deposed.Checkpoint()
		sc.deposed = nil
	}
}

// depose starts a second server, which takes the lease while the first one is working.
func (sc *scenario) depose() {
	sc.deposed, sc.deposedAuditor, sc.auditor = sc.World, sc.auditor, nil
	other := sc.SecondServer()
	other.Signer = faultySigner{sc, other.Signer}
	if sc.plan.Runes {
		other.RuneOrders = faultyOrderSigner{sc, other.RuneOrders}
	}
	sc.World = other
	sc.beginAudits()
}
