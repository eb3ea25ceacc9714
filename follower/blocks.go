package follower

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
)

// chainChange leads the ledger from one tip to another, block by block. All of it was fetched before the first write.
type chainChange struct {
	tip     ledger.Header         // where the ledger stands
	fork    int64                 // the last block that stays
	undone  map[int64]chain.Block // the blocks above fork, by height, as far as the node still has them
	blocks  []chain.Block         // the new ones
	fetched fetched

	payments []ledger.Output // seen by a rebuild
}

// done reports whether nothing is left to undo or to apply.
func (c chainChange) done() bool { return !c.undoes() && len(c.blocks) == 0 }

func (c chainChange) undoes() bool { return c.tip.Height != chain.None && c.tip.Height > c.fork }

// change brings the ledger along a chain change. Each block is undone or applied as a whole, with its tip. One
// transaction takes as many blocks as fit into Config.HoldAtMost, at least one: a crash between two of them leaves the
// ledger at a block of the old or the new chain, from where the next Step goes on.
func (f *Follower) change(ctx context.Context, p pass, c chainChange, nodeHeight int64) error {
	for !c.done() {
		var next chainChange
		if err := f.Transact(ctx, func(tx Tx) (err error) {
			next, err = f.changeSome(ctx, tx, p, c)
			return err
		}); err != nil {
			return err
		}
		c = next
		f.held.tip = c.tip.Hash
		p.touched.blocks, f.resend = true, true
		if p.rebuild != nil {
			p.rebuild.payments, c.payments = append(p.rebuild.payments, c.payments...), nil
		}
		if p.progress != nil {
			p.progress(c.tip, nodeHeight)
		}
	}
	return nil
}

// changeSome undoes and applies blocks within one transaction, and returns what is left of the change.
func (f *Follower) changeSome(ctx context.Context, tx Tx, p pass, c chainChange) (chainChange, error) {
	index, err := f.index(ctx, tx, c.tip)
	if err != nil {
		return c, err
	}
	began := time.Now()
	for first := true; first || !c.done() && time.Since(began) < f.HoldAtMost; first = false {
		if height := c.tip.Height; c.undoes() {
			if c, err = f.undoBlock(ctx, tx, index, p.m, c); err != nil {
				return c, fmt.Errorf("block %d is undone: %w", height, err)
			}
			continue
		}
		height := c.blocks[0].Height
		if c, err = f.applyBlock(ctx, tx, index, p, c); err != nil {
			return c, fmt.Errorf("block %d: %w", height, err)
		}
	}
	return c, nil
}

// undoBlock takes the block at the tip back. After the last one it watches what is in no block any more, before the
// first new block is applied.
func (f *Follower) undoBlock(
	ctx context.Context, tx Tx, index runes.Store, m ledger.Moment, c chainChange,
) (chainChange, error) {
	height := c.tip.Height
	header, err := tx.Headers.HeaderAt(ctx, height)
	if err != nil {
		return c, err
	}
	if err := f.Book.UndoBlock(ctx, tx.LedgerTx(), header, m.Now); err != nil {
		return c, err
	}
	if err := keepParents(ctx, tx, c.undone[height], m.Now); err != nil {
		return c, err
	}
	if height >= f.Rules.FirstHeight {
		if err := runes.Undo(index, height); err != nil {
			return c, err
		}
	}
	if err := f.undoEtchings(ctx, tx, height); err != nil {
		return c, err
	}
	f.Log.Info("block undone", "height", height, "hash", header.Hash)
	if c.tip, err = tx.Headers.Tip(ctx); err != nil || c.undoes() {
		return c, err
	}
	return c, f.watchUnconfirmed(ctx, tx)
}

// applyBlock applies the first of the new blocks, with all that it means for the ledger.
func (f *Follower) applyBlock(
	ctx context.Context, tx Tx, index runes.Store, p pass, c chainChange,
) (next chainChange, err error) {
	block := c.blocks[0]
	if c.tip.Hash != "" && c.tip.Hash != block.Prev.String() {
		return c, errors.New("the node's chain changed while it was read")
	}
	var allocated map[wire.OutPoint][]runes.Balance
	if block.Height >= f.Rules.FirstHeight {
		if allocated, err = f.Rules.Apply(ctx, index, c.fetched.commitments[block.Hash], block); err != nil {
			return c, err
		}
	}
	header := headerOf(block)
	if err := f.Book.AddBlock(ctx, tx.LedgerTx(), header, p.m.Now); err != nil {
		return c, err
	}
	if err := f.seeEtchings(ctx, tx, block, allocated, p.m); err != nil {
		return c, err
	}
	at := p.m.Shown(block.Time)
	if at.After(p.m.Now) {
		at = p.m.Now
	}
	s := f.newStep(tx, c.fetched, p, at)
	for place, t := range block.Txs {
		if !f.watch.concerns(t) {
			continue
		}
		if err := s.record(ctx, ledger.Observation{
			Tx: t, Height: block.Height, Position: int64(place), At: at,
			Allocated: func(vout uint32) []runes.Balance { return allocated[wire.OutPoint{Hash: t.ID, Index: vout}] },
		}); err != nil {
			return c, err
		}
	}
	c.tip, c.fork, c.blocks = header, block.Height, c.blocks[1:]
	c.payments = append(c.payments[:len(c.payments):len(c.payments)], s.payments...)
	return c, s.evaluate(ctx)
}

func headerOf(block chain.Block) ledger.Header {
	return ledger.Header{Height: block.Height, Hash: block.Hash.String(), Prev: block.Prev.String(), Time: block.Time}
}

// watchUnconfirmed watches the inputs of every kept transaction that is in no block: after an undone block that may
// be one from before the last start.
func (f *Follower) watchUnconfirmed(ctx context.Context, tx Tx) error {
	tracked, err := tx.Watched.TrackedUnconfirmed(ctx)
	for _, t := range tracked {
		f.watch.Add(t.Tx, nil)
	}
	return err
}
