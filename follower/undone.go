package follower

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/chain"
	"moonfund/ledger"
)

// undone fetches the blocks over the fork that the node's chain no longer has, by
// height. A node that never had one, or did not keep it, is no fault: what is then
// not learnt of it, VanishAfter settles.
func (f *Follower) undone(ctx context.Context, tip ledger.Header, fork int64) (map[int64]chain.Block, error) {
	blocks := map[int64]chain.Block{}
	for height := tip.Height; height != chain.None && height > fork; height-- {
		var header ledger.Header
		err := f.Transact(ctx, func(tx Tx) (err error) {
			header, err = tx.Headers.HeaderAt(ctx, height)
			return err
		})
		if err != nil {
			return nil, err
		}
		hash, err := chainhash.NewHashFromStr(header.Hash)
		if err != nil {
			return nil, err
		}
		block, err := f.Node.Block(ctx, *hash, height)
		if errors.Is(err, chain.ErrUnknown) {
			continue
		}
		if err != nil {
			return nil, err
		}
		blocks[height] = block
	}
	return blocks, nil
}

// keepParents keeps what the transactions that we keep were built on in an undone
// block, of whomever it is: should a conflict of it be mined, they can never be.
// Blocks are undone from the tip down, so that parents of parents are found, too.
func keepParents(ctx context.Context, tx Tx, block chain.Block, now time.Time) error {
	if len(block.Txs) == 0 {
		return nil
	}
	kept, err := tx.Watched.TrackedUnconfirmed(ctx)
	if err != nil {
		return err
	}
	parents, known := map[chainhash.Hash]bool{}, map[chainhash.Hash]bool{}
	need := func(t chain.Tx) {
		for _, in := range t.Msg.TxIn {
			parents[in.PreviousOutPoint.Hash] = true
		}
	}
	for _, t := range kept {
		need(t.Tx)
		known[t.Tx.ID] = true
	}
	// without the coinbase, which no reorg that is followed lets anybody spend
	for _, t := range slices.Backward(block.Txs[1:]) {
		if !parents[t.ID] || known[t.ID] {
			continue
		}
		need(t)
		if err := tx.Tracked.Track(ctx, ledger.Tracked{Tx: t, SeenAt: now, Height: chain.None}); err != nil {
			return err
		}
	}
	return nil
}
