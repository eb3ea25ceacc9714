package follower

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
)

// undone fetches the blocks above fork that left the node's chain, by height. A block that the node does not have is
// skipped: transactions in it that never confirm again vanish after ledger.VanishAfter.
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

// keepParents tracks the transactions of an undone block on which tracked transactions depend: if a transaction that
// conflicts with such a parent is mined, the tracked transaction can never confirm. Blocks are undone from the tip
// down, so ancestors are found transitively.
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
	// without the coinbase, which is not mature within MaxReorg blocks
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
