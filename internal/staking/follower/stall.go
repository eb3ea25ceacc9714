package follower

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
)

// stallAfter is how long a Step may run without an answer from the node and without the end of a database transaction
// before the follower counts as stalled. It exceeds the timeout of a call to the node.
const stallAfter = time.Minute

// heartbeat has times of the running Step, which are nil while no Step runs.
type heartbeat struct {
	at    atomic.Pointer[time.Time] // last progress
	began atomic.Pointer[time.Time] // start, until the Step has followed the chain and the mempool to their ends
}

func (h *heartbeat) start() {
	now := time.Now()
	h.at.Store(&now)
	h.began.Store(&now)
}

// followed records that the running Step has followed the chain and the mempool to their ends.
func (h *heartbeat) followed() { h.began.Store(nil) }

// beat records progress of the running Step.
func (h *heartbeat) beat() {
	now := time.Now()
	if at := h.at.Load(); at != nil {
		h.at.CompareAndSwap(at, &now)
	}
}

func (h *heartbeat) stop() {
	h.at.Store(nil)
	h.began.Store(nil)
}

// since returns the time since at, by the monotonic clock, or 0 if at is nil.
func since(at *time.Time) time.Duration {
	if at == nil {
		return 0
	}
	return time.Since(*at)
}

// StallError reports that the running Step has made no progress for the time For.
type StallError struct{ For time.Duration }

// Error implements error.
func (e *StallError) Error() string {
	return fmt.Sprintf("no progress in following the chain for %s: the node, the signer or the database does not answer",
		e.For.Round(time.Second))
}

// SlowError reports that the running Step, which began For ago, has not followed the chain to its end yet.
type SlowError struct{ For time.Duration }

// Error implements error.
func (e *SlowError) Error() string {
	return fmt.Sprintf("the chain was not followed to its end for %s: the node or the database is slow",
		e.For.Round(time.Second))
}

// State returns the state after the last Step. While a Step hangs, the state is not synced and Err is a *StallError;
// while a Step is slow to follow the chain, it is a *SlowError.
func (f *Follower) State() State {
	state := *f.state.Load()
	limit := f.StallAfter
	if limit == 0 {
		limit = stallAfter
	}
	if age := since(f.heartbeat.at.Load()); age > limit {
		state.Synced, state.CatchesUp, state.Left = false, false, 0
		state.Err = &StallError{age}
	} else if age := since(f.heartbeat.began.Load()); age > limit && state.Synced {
		state.Synced, state.Err = false, &SlowError{age}
	}
	return state
}

// heartbeatNode is a Node that records a heartbeat for each answer.
type heartbeatNode struct {
	Node
	*heartbeat
}

// Best implements Node.
func (n heartbeatNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	defer n.beat()
	return n.Node.Best(ctx)
}

// BlockHash implements Node.
func (n heartbeatNode) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	defer n.beat()
	return n.Node.BlockHash(ctx, height)
}

// Block implements Node.
func (n heartbeatNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	defer n.beat()
	return n.Node.Block(ctx, hash, height)
}

// Mempool implements Node.
func (n heartbeatNode) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	defer n.beat()
	return n.Node.Mempool(ctx)
}

// Tx implements Node.
func (n heartbeatNode) Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error) {
	defer n.beat()
	return n.Node.Tx(ctx, txid)
}

// Broadcast implements Node.
func (n heartbeatNode) Broadcast(ctx context.Context, raw []byte) error {
	defer n.beat()
	return n.Node.Broadcast(ctx, raw)
}
