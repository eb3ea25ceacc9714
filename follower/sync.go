package follower

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
)

// sync follows the node's best chain to its end: it takes back what a reorg
// replaced and applies what is new. The tip is saved with its effects.
func (f *Follower) sync(ctx context.Context, m ledger.Moment, touched *touched, state *State) (ledger.Header, int64, error) {
	for {
		tip, err := f.tip(ctx)
		if err != nil {
			return tip, ledger.None, err
		}
		best, height, err := f.Node.Best(ctx)
		if err != nil {
			return tip, ledger.None, err
		}
		if tip.Height == ledger.None && height < f.Start {
			return tip, height, nil // nothing that concerns us yet
		}
		if tip.Hash == best.String() {
			return tip, height, nil
		}
		if behind, err := f.behind(ctx, tip, best, height); err != nil || behind {
			return tip, height, cmp.Or(err, error(&Behind{Node: height, Ledger: tip.Height}))
		}
		fork, err := f.fork(ctx, tip)
		if err != nil {
			return tip, height, err
		}
		blocks, err := f.pull(ctx, fork+1, height)
		if err != nil {
			return tip, height, err
		}
		if len(blocks) == 0 && fork == tip.Height {
			return tip, height, nil // the node is behind us
		}
		undone, err := f.undone(ctx, tip, fork)
		if err != nil {
			return tip, height, err
		}
		d, err := f.fetchBlocks(ctx, blocks, fork)
		if err != nil {
			return tip, height, err
		}
		next := move{tip: tip, fork: fork, undone: undone, blocks: blocks, fetched: d}
		if err := f.Transact(ctx, func(tx Tx) error { return f.move(ctx, tx, next, m, touched) }); err != nil {
			return tip, height, err
		}
		if f.held.tip = ""; len(blocks) > 0 {
			f.held.tip = blocks[len(blocks)-1].Hash.String()
		}
		touched.blocks, f.resend = true, true
		f.progress(state, tip, height)
	}
}

// Behind is why nothing moves while the node has only a part of the chain that the
// ledger follows: it was restored, or began anew. It catches up by itself.
type Behind struct{ Node, Ledger int64 } // heights

func (b *Behind) Error() string {
	return fmt.Sprintf("the node is behind: it has block %d, the ledger block %d; nothing moves until it has caught up", b.Node, b.Ledger)
}

// behind reports whether the node's chain is the ledger's, only shorter. A reorg
// has another block somewhere.
func (f *Follower) behind(ctx context.Context, tip ledger.Header, best chainhash.Hash, height int64) (behind bool, err error) {
	if height >= tip.Height {
		return false, nil
	}
	if height < f.Start {
		return true, nil // it has nothing yet that could be compared
	}
	err = f.Transact(ctx, func(tx Tx) error {
		header, err := tx.Headers.HeaderAt(ctx, height)
		behind = err == nil && header.Hash == best.String()
		if errors.Is(err, ledger.ErrNotFound) {
			return nil
		}
		return err
	})
	return behind, err
}

func (f *Follower) progress(state *State, tip ledger.Header, height int64) {
	state.Tip, state.NodeHeight = tip, height
	if height-tip.Height > blocksAtOnce {
		behind := *state
		behind.Err = errors.New("catching up")
		f.state.Store(&behind)
	}
}

func (f *Follower) tip(ctx context.Context) (tip ledger.Header, err error) {
	err = f.Transact(ctx, func(tx Tx) error {
		tip, err = tx.Headers.Tip(ctx)
		return err
	})
	return tip, err
}

// fork returns the height of the last block that we and the node agree on.
func (f *Follower) fork(ctx context.Context, tip ledger.Header) (int64, error) {
	if tip.Height == ledger.None {
		return f.Start - 1, nil
	}
	for height := tip.Height; height >= f.Start && height > tip.Height-MaxReorg-1; height-- {
		header := tip
		err := f.Transact(ctx, func(tx Tx) (err error) {
			header, err = tx.Headers.HeaderAt(ctx, height)
			return err
		})
		if errors.Is(err, ledger.ErrNotFound) {
			return height, nil // we started just above
		}
		if err != nil {
			return 0, err
		}
		hash, err := f.Node.BlockHash(ctx, height)
		if errors.Is(err, chain.ErrNotFound) {
			continue // the node is shorter here
		}
		if err != nil {
			return 0, err
		}
		if hash.String() == header.Hash {
			return height, nil
		}
	}
	return 0, cmp.Or(f.otherNetwork(ctx), ErrDeepReorg)
}

// otherNetwork says so when the node follows another chain from its first block on.
func (f *Follower) otherNetwork(ctx context.Context) error {
	if f.Genesis == nil {
		return nil
	}
	first, err := f.Node.BlockHash(ctx, 0)
	if err == nil && first != *f.Genesis {
		err = fmt.Errorf("the node is on another network: its first block is %s, not %s", first, f.Genesis)
	}
	return err
}

// pull fetches the next blocks of the node's chain, checked to follow each other.
func (f *Follower) pull(ctx context.Context, from, to int64) (blocks []chain.Block, err error) {
	for height := from; height <= to && len(blocks) < blocksAtOnce; height++ {
		hash, err := f.Node.BlockHash(ctx, height)
		if errors.Is(err, chain.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		block, err := f.Node.Block(ctx, hash, height)
		if err != nil {
			return nil, err
		}
		if len(blocks) > 0 && block.Prev != blocks[len(blocks)-1].Hash {
			break // the node changed its mind meanwhile: the next round sees it
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

// move is what brings the ledger from one tip to another. All of it was fetched before.
type move struct {
	tip     ledger.Header
	fork    int64                 // the last block that stays
	undone  map[int64]chain.Block // blocks above it, by height, as far as the node still has them
	blocks  []chain.Block         // the new ones
	fetched fetched
}

// move takes blocks back down to the fork and applies the new ones, all in one transaction.
func (f *Follower) move(ctx context.Context, tx Tx, to move, m ledger.Moment, touched *touched) error {
	tip, fork := to.tip, to.fork
	index, err := f.index(ctx, tx, tip)
	if err != nil {
		return err
	}
	for height := tip.Height; height != ledger.None && height > fork; height-- {
		header, err := tx.Headers.HeaderAt(ctx, height)
		if err != nil {
			return err
		}
		if err := f.Book.UndoBlock(ctx, tx.LedgerTx(), header, m.Now); err != nil {
			return fmt.Errorf("block %d is undone: %w", height, err)
		}
		if err := keepParents(ctx, tx, to.undone[height], m.Now); err != nil {
			return fmt.Errorf("block %d is undone: %w", height, err)
		}
		if height >= f.Rules.FirstHeight {
			if err := runes.Undo(index, height); err != nil {
				return fmt.Errorf("block %d is undone: %w", height, err)
			}
		}
		if err := f.undoEtchings(ctx, tx, height); err != nil {
			return fmt.Errorf("block %d is undone: %w", height, err)
		}
		f.Log.Info("block undone", "height", height, "hash", header.Hash)
	}
	if tip.Height > fork {
		if err := f.doubt(ctx, tx); err != nil {
			return err
		}
	}
	for i, block := range to.blocks {
		if i == 0 && fork != ledger.None && fork >= f.Start {
			header, err := tx.Headers.HeaderAt(ctx, fork)
			if err != nil {
				return err
			}
			if header.Hash != block.Prev.String() {
				return errors.New("the node's chain changed while it was read")
			}
		}
		if err := f.apply(ctx, tx, index, block, to.fetched, m, touched); err != nil {
			return fmt.Errorf("block %d: %w", block.Height, err)
		}
	}
	return nil
}

// doubt watches the inputs of every kept transaction that is in no block, since
// after an undone block that may be one from before the last start.
func (f *Follower) doubt(ctx context.Context, tx Tx) error {
	tracked, err := tx.Watched.TrackedUnconfirmed(ctx)
	for _, t := range tracked {
		f.watch.Add(t.Tx, nil)
	}
	return err
}

func (f *Follower) apply(ctx context.Context, tx Tx, index runes.Store, block chain.Block, d fetched, m ledger.Moment, touched *touched) error {
	var allocated map[wire.OutPoint][]runes.Balance
	if block.Height >= f.Rules.FirstHeight {
		var err error
		if allocated, err = f.Rules.Apply(ctx, index, d.commitments[block.Hash], block); err != nil {
			return err
		}
	}
	header := ledger.Header{Height: block.Height, Hash: block.Hash.String(), Prev: block.Prev.String(), Time: block.Time}
	if err := f.Book.AddBlock(ctx, tx.LedgerTx(), header, m.Now); err != nil {
		return err
	}
	if err := f.seeEtchings(ctx, tx, block, allocated, m); err != nil {
		return err
	}
	at := m.Shown(block.Time)
	if at.After(m.Now) {
		at = m.Now
	}
	s := f.newStep(tx, d, block.Height, at, touched)
	for place, t := range block.Txs {
		if !f.watch.concerns(t) {
			continue
		}
		s.place = int64(place)
		if err := s.see(ctx, t, nil, func(vout uint32) []runes.Balance {
			return allocated[wire.OutPoint{Hash: t.ID, Index: vout}]
		}); err != nil {
			return err
		}
	}
	return s.evaluate(ctx)
}

// sight takes in what is new in the mempool and concerns us.
func (f *Follower) sight(ctx context.Context, m ledger.Moment, touched *touched) error {
	added, removed, err := f.mempool.Poll(ctx)
	if err != nil {
		return err
	}
	f.resend = f.resend || f.sent.lost(removed)
	var ids []chainhash.Hash
	for _, t := range added {
		ids = append(ids, t.ID)
	}
	if err := f.sightEtchings(ctx, added, m); err != nil {
		f.mempool.Forget(ids...)
		return err
	}
	var concerning []chain.Tx
	for _, t := range added {
		if f.watch.concerns(t) {
			concerning = append(concerning, t)
			f.watch.note(t) // so that a child in the same round concerns us too
		}
	}
	if len(concerning) == 0 {
		return nil
	}
	for len(concerning) > 0 {
		n := fitting(concerning)
		if err := f.sightPart(ctx, concerning[:n], m, touched); err != nil {
			for _, t := range concerning { // the parts before it are committed
				f.mempool.Forget(t.ID)
			}
			return err
		}
		concerning = concerning[n:]
	}
	return nil
}

// sightPart takes in some transactions of the mempool in one database transaction.
func (f *Follower) sightPart(ctx context.Context, part []chain.Tx, m ledger.Moment, touched *touched) error {
	d, err := f.fetchUnconfirmed(ctx, part)
	if err != nil {
		return err
	}
	return f.Transact(ctx, func(tx Tx) error {
		s := f.newStep(tx, d, ledger.None, m.Now, touched)
		for _, t := range part {
			view := newUnconfirmed(f.Rules, tx.Index.Runes(ctx), d.ancestors)
			outputs, err := view.allocate(t)
			if err != nil {
				return err
			}
			if err := s.see(ctx, t, view.ancestors(t), func(vout uint32) []runes.Balance {
				if int(vout) < len(outputs) {
					return outputs[vout]
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return s.evaluate(ctx)
	})
}

// fitting returns how many of the first transactions one database transaction takes
// in: at least one, and together no more inputs and outputs than the largest standard
// transaction has. Other writers wait no longer for many transactions than for one.
func fitting(txs []chain.Tx) int {
	size := 0
	for n, t := range txs {
		if size += len(t.Msg.TxIn) + len(t.Msg.TxOut); n > 0 && size > sightedAtOnce {
			return n
		}
	}
	return len(txs)
}
