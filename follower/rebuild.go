package follower

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
)

// Rebuilt says what a rebuild found to be otherwise than the ledger had it.
type Rebuilt struct {
	Blocks  int64 // read
	Tip     ledger.Header
	Outputs int // of ours, in all
	Found   int // that the ledger did not know
	Changed int // that are in another block, or spent otherwise
	Missing int // that the ledger had in a block, and that are in none
}

// Rebuild reads everything anew that the chain knows: the rune index, the outputs
// at every address that is watched, who spent them, and the confirmations of
// payouts. It is for a ledger that is paused and that nobody else follows; after
// an interruption it is simply begun again. begin, if any, writes what goes with
// the forgetting, in its transaction; progress hears of each part.
func (f *Follower) Rebuild(ctx context.Context, begin func(Tx) error, progress func(height, best int64)) (r Rebuilt, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.lead(); err != nil {
		return r, err
	}
	before, err := f.forget(ctx, begin)
	if err != nil {
		return r, err
	}
	f.watch, f.loaded, f.held.ready = newWatch(), false, false
	if err := f.load(ctx); err != nil {
		return r, err
	}
	var payments []ledger.Output
	for tip := (ledger.Header{Height: f.Start - 1}); ; {
		_, best, err := f.Node.Best(ctx)
		if err != nil {
			return r, err
		}
		if tip.Height >= best {
			break
		}
		blocks, err := f.pull(ctx, tip.Height+1, best)
		if err != nil {
			return r, err
		}
		if len(blocks) > 0 && tip.Hash != "" && blocks[0].Prev.String() != tip.Hash {
			return r, errors.New("the node's chain changed meanwhile: begin again")
		}
		for _, block := range blocks {
			tip = headerOf(block)
		}
		seen, err := f.reread(ctx, blocks)
		if err != nil {
			return r, err
		}
		payments = append(payments, seen...)
		r.Blocks, r.Tip = r.Blocks+int64(len(blocks)), tip
		progress(tip.Height, best)
	}
	return r, f.settle(ctx, payments, before, &r)
}

func headerOf(block chain.Block) ledger.Header {
	return ledger.Header{Height: block.Height, Hash: block.Hash.String(), Prev: block.Prev.String(), Time: block.Time}
}

// forget returns what was known, and takes it back.
func (f *Follower) forget(ctx context.Context, begin func(Tx) error) (before map[wire.OutPoint]ledger.Fact, err error) {
	err = f.Transact(ctx, func(tx Tx) error {
		if before, err = tx.Rebuild.CustodyFacts(ctx); err != nil {
			return err
		}
		if begin != nil {
			if err := begin(tx); err != nil {
				return err
			}
		}
		return tx.Rebuild.ForgetChain(ctx)
	})
	return before, err
}

// reread takes in blocks as the follower does, and leaves the orders alone: half
// of the chain would be news of payments that are gone.
func (f *Follower) reread(ctx context.Context, blocks []chain.Block) (payments []ledger.Output, err error) {
	m, err := f.Moment()
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return nil, nil
	}
	d, err := f.fetchBlocks(ctx, blocks, blocks[0].Height-1)
	if err != nil {
		return nil, err
	}
	err = f.Transact(ctx, func(tx Tx) error {
		payments = nil // the transaction may be tried again
		for _, block := range blocks {
			var allocated map[wire.OutPoint][]runes.Balance
			if block.Height >= f.Rules.FirstHeight {
				if allocated, err = f.Rules.Apply(ctx, tx.Index.Runes(ctx), d.commitments[block.Hash], block); err != nil {
					return err
				}
			}
			if err := f.Book.AddBlock(ctx, tx.LedgerTx(), headerOf(block), m.Now); err != nil {
				return err
			}
			if err := f.seeEtchings(ctx, tx, block, allocated, m); err != nil {
				return err
			}
			for place, t := range block.Txs {
				if !f.watch.concerns(t) {
					continue
				}
				seen, err := f.seeAgain(ctx, tx, block, place, d, m, allocated)
				if err != nil {
					return fmt.Errorf("transaction %s: %w", t.ID, err)
				}
				payments = append(payments, seen...)
			}
		}
		return nil
	})
	return payments, err
}

// seeAgain takes in the transaction at a place of a block.
func (f *Follower) seeAgain(
	ctx context.Context, tx Tx, block chain.Block, place int, d fetched, m ledger.Moment, allocated map[wire.OutPoint][]runes.Balance,
) (payments []ledger.Output, err error) {
	t := block.Txs[place]
	ours, err := tx.Watched.IsPayout(ctx, t.ID.String())
	if err != nil {
		return nil, err
	}
	strays, err := d.straysOf(t, f.paysUs(t))
	if err != nil {
		return nil, err
	}
	at := m.Shown(block.Time)
	if at.After(m.Now) {
		at = m.Now
	}
	seen, err := f.Book.See(ctx, tx.LedgerTx(), f.watch, ledger.Sighting{
		Tx: t, Height: block.Height, Position: int64(place), At: at, Strays: strays, Ours: ours,
		Allocated: func(vout uint32) []runes.Balance { return allocated[wire.OutPoint{Hash: t.ID, Index: vout}] },
	})
	for _, output := range seen.Outputs {
		if output.Kind == ledger.PaymentKind {
			payments = append(payments, output)
		}
	}
	return payments, err
}

// settle books the payments that the ledger did not know, once all facts are
// there, and counts what is otherwise than before.
func (f *Follower) settle(ctx context.Context, payments []ledger.Output, before map[wire.OutPoint]ledger.Fact, r *Rebuilt) error {
	m, err := f.Moment()
	if err != nil {
		return err
	}
	f.loaded = false
	return f.Transact(ctx, func(tx Tx) error {
		for _, output := range payments {
			if _, err := tx.Orders.Order(ctx, output.Ref); errors.Is(err, ledger.ErrNotFound) {
				continue // its order is lost: the audit names it
			}
			if err := f.Orders.Record(ctx, tx.OrderTx(), []ledger.Output{output}, m.Now); err != nil {
				return err
			}
		}
		after, err := tx.Rebuild.CustodyFacts(ctx)
		r.Outputs = len(after)
		for point, now := range after {
			was, known := before[point]
			switch {
			case !known:
				r.Found++
			case was.Height != ledger.None && now.Height == ledger.None:
				r.Missing++
			case was != now:
				r.Changed++
			}
		}
		return err
	})
}
