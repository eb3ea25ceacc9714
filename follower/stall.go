package follower

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/chain"
)

// stallAfter is how long a Step may go without an answer of the node and without the end of a database
// transaction before the follower counts as stalled. It is longer than one call to the node may take.
const stallAfter = time.Minute

// heartbeat is when the running Step last came further; nil while no Step runs.
type heartbeat struct{ at atomic.Pointer[time.Time] }

func (h *heartbeat) start() {
	now := time.Now()
	h.at.Store(&now)
}

// beat notes that the running Step came further.
func (h *heartbeat) beat() {
	now := time.Now()
	if at := h.at.Load(); at != nil {
		h.at.CompareAndSwap(at, &now)
	}
}

func (h *heartbeat) stop() { h.at.Store(nil) }

// since returns how long ago the running Step last came further, 0 while no Step runs. It does not depend on
// the machine's wall clock.
func (h *heartbeat) since() time.Duration {
	at := h.at.Load()
	if at == nil {
		return 0
	}
	return time.Since(*at)
}

// StallError is why the follower is not synced while one of its Steps hangs.
type StallError struct{ For time.Duration }

func (e *StallError) Error() string {
	return fmt.Sprintf("following the chain has not come further for %s: the node, the signer or the database does not "+
		"answer",
		e.For.Round(time.Second))
}

// State returns where the follower stood after its last Step. While a Step hangs, what the last one found says
// nothing about now: the state is not synced, and its error says for how long.
func (f *Follower) State() State {
	state := *f.state.Load()
	limit := f.StallAfter
	if limit == 0 {
		limit = stallAfter
	}
	if age := f.heartbeat.since(); age > limit {
		state.Synced, state.Err = false, &StallError{age}
	}
	return state
}

// answering is a node each of whose answers is a heartbeat.
type answering struct {
	Node
	*heartbeat
}

// Best implements Node.
func (n answering) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	defer n.beat()
	return n.Node.Best(ctx)
}

// BlockHash implements Node.
func (n answering) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	defer n.beat()
	return n.Node.BlockHash(ctx, height)
}

// Block implements Node.
func (n answering) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	defer n.beat()
	return n.Node.Block(ctx, hash, height)
}

// Mempool implements Node.
func (n answering) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	defer n.beat()
	return n.Node.Mempool(ctx)
}

// Tx implements Node.
func (n answering) Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error) {
	defer n.beat()
	return n.Node.Tx(ctx, txid)
}

// Broadcast implements Node.
func (n answering) Broadcast(ctx context.Context, raw []byte) error {
	defer n.beat()
	return n.Node.Broadcast(ctx, raw)
}
