package testkit

import (
	"context"
	"fmt"
	"runtime"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/follower"
)

// outsideWrites panics if the same goroutine is in a write transaction. All fixtures for calls to other processes call
// it, so that a test fails if a write transaction waits for another process.
func outsideWrites(call string) {
	var stack [128]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(2, stack[:])])
	for more := true; more; {
		var frame runtime.Frame
		if frame, more = frames.Next(); frame.Function == "moonfund/internal/store.(*Store).Update" {
			panic(within(fmt.Sprintf("testkit: %s within a write transaction: fetch first, then write", call)))
		}
	}
}

// within is the value of the panic of outsideWrites, which no part of the product turns into an error.
type within string

// Unrecoverable implements state.Unrecoverable.
func (within) Unrecoverable() {}

// txGuardNode is a node that panics on calls within write transactions.
type txGuardNode struct{ follower.Node }

// Best implements follower.Node.
func (o txGuardNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	outsideWrites("a call to the node")
	return o.Node.Best(ctx)
}

// BlockHash implements follower.Node.
func (o txGuardNode) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	outsideWrites("a call to the node")
	return o.Node.BlockHash(ctx, height)
}

// Block implements follower.Node.
func (o txGuardNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	outsideWrites("a call to the node")
	return o.Node.Block(ctx, hash, height)
}

// Mempool implements follower.Node.
func (o txGuardNode) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	outsideWrites("a call to the node")
	return o.Node.Mempool(ctx)
}

// Tx implements follower.Node.
func (o txGuardNode) Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error) {
	outsideWrites("a call to the node")
	return o.Node.Tx(ctx, txid)
}

// Broadcast implements follower.Node.
func (o txGuardNode) Broadcast(ctx context.Context, raw []byte) error {
	outsideWrites("a call to the node")
	return o.Node.Broadcast(ctx, raw)
}
