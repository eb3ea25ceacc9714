package follower

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
)

// concerning returns the positions of the transactions of a block that may concern the ledger. It watches their outputs
// and inputs, so that their descendants in the block are among them.
func (f *Follower) concerning(block chain.Block) []int {
	places := []int{}
	for place, t := range block.Txs {
		if f.watch.concerns(t) {
			f.watch.note(t)
			places = append(places, place)
		}
	}
	return places
}

// needsAhead reports whether recordAhead may record transactions of the next block. It sets c.concerning.
func (f *Follower) needsAhead(p pass, c *chainChange) bool {
	if p.rebuild != nil { // no other writer
		return false
	}
	block := c.blocks[0]
	if c.concerning == nil {
		c.concerning = f.concerning(block)
	}
	size := 0
	for _, place := range c.concerning {
		size += sizeOf(block.Txs[place])
	}
	return size > f.RecordedAtOnce
}

// recordAhead records the transactions of the next block that are not in the ledger yet, if they are too many for the
// block's database transaction. It records them as unconfirmed, as if they had been in the mempool at the block's time,
// with the runes that the block allocates, in database transactions of at most RecordedAtOnce inputs and outputs. The
// block then only confirms them. Their orders are stored as unevaluated until then. After a crash or a reorg before the
// block is applied, they are unconfirmed transactions like any other.
func (f *Follower) recordAhead(ctx context.Context, p pass, c *chainChange) error {
	if c.undoes() || !f.needsAhead(p, c) {
		return nil
	}
	block := c.blocks[0]
	if c.tip.Hash != "" && c.tip.Hash != block.Prev.String() {
		return ErrChanged
	}
	var unseen []chain.Tx
	var allocated runes.Allocated
	if err := f.View(ctx, func(tx Tx) (err error) {
		if unseen, err = unrecorded(ctx, tx, block, c.concerning); err != nil || totalSize(unseen) <= f.RecordedAtOnce {
			return err
		}
		allocated, err = f.allocate(ctx, tx, c.fetched, block)
		return err
	}); err != nil || totalSize(unseen) <= f.RecordedAtOnce {
		return err
	}
	pending := map[string]bool{}
	for len(unseen) > 0 {
		n := f.batchSize(unseen)
		if err := f.Transact(ctx, func(tx Tx) error {
			s := f.newStep(tx, c.fetched, p, seenAt(p, block))
			for _, t := range unseen[:n] {
				if err := s.record(ctx, ledger.Observation{
					Tx: t, Height: chain.None, At: s.at, Allocated: allocatedTo(allocated, t.ID),
				}); err != nil {
					return err
				}
			}
			maps.Copy(pending, s.pending)
			return tx.Unevaluated.PutUnevaluated(ctx, Unevaluated{At: s.at, IDs: slices.Sorted(maps.Keys(pending))})
		}); err != nil {
			return fmt.Errorf("block %d: %w", block.Height, err)
		}
		f.analyze(ctx)
		unseen = unseen[n:]
	}
	c.recordedAhead = true
	return nil
}

// unrecorded returns the transactions of a block, among the given places, that the ledger has not recorded.
func unrecorded(ctx context.Context, tx Tx, block chain.Block, places []int) (unseen []chain.Tx, err error) {
	var ids []string
	for _, place := range places {
		ids = append(ids, block.Txs[place].ID.String())
	}
	states, err := tx.Tracked.States(ctx, ids...)
	for i, place := range places {
		if state, known := states[ids[i]]; !known || state.Vanished {
			unseen = append(unseen, block.Txs[place])
		}
	}
	return unseen, err
}

// allocate returns the runes that a block allocates to its outputs, without writing them to the index.
func (f *Follower) allocate(
	ctx context.Context, tx Tx, d fetched, block chain.Block,
) (runes.Allocated, error) {
	if block.Height < f.Rules.FirstHeight {
		return nil, nil
	}
	index := unwritten{filteredIndex{tx.Index.Runes(ctx), &f.runeFilter}}
	return f.Rules.Apply(ctx, index, d.commitments[block.Hash], block)
}

// unwritten is a rune index that discards what is written to it.
type unwritten struct{ runes.Store }

// PutRuneEntry implements runes.Store.
func (unwritten) PutRuneEntry(...runes.Entry) error { return nil }

// PutRuneBalances implements runes.Store.
func (unwritten) PutRuneBalances(...runes.Held) error { return nil }

// DeleteRuneBalances implements runes.Store.
func (unwritten) DeleteRuneBalances(...wire.OutPoint) error { return nil }

// PutRuneUndo implements runes.Store.
func (unwritten) PutRuneUndo(...runes.BlockUndo) error { return nil }

// DeleteRuneUndo implements runes.Store.
func (unwritten) DeleteRuneUndo(...int64) error { return nil }

// PutRuneCounters implements runes.Store.
func (unwritten) PutRuneCounters(runes.Counters) error { return nil }
