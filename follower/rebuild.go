package follower

import (
	"context"
	"errors"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/state"
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

// rebuild is what a rebuild collects while it follows the chain.
type rebuild struct {
	payments []ledger.Output // in the order of the chain
}

// Rebuild reads everything anew that the chain knows: the rune index, the outputs
// at every address that is watched, who spent them, and the confirmations of
// payouts. It takes the blocks in as the follower does, and leaves the orders alone until all of them are read: half
// of the chain would be news of payments that are gone. It is for a ledger that is paused and that nobody else
// follows; after an interruption it is simply begun again. begin, if any, writes what goes with
// the forgetting, in its transaction; progress is called for each part.
func (f *Follower) Rebuild(
	ctx context.Context, begin func(Tx) error, progress func(height, best int64),
) (r Rebuilt, err error) {
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
	m, err := f.Moment()
	if err != nil {
		return r, err
	}
	p := pass{m: m, touched: newTouched(), rebuild: &rebuild{}, progress: func(tip ledger.Header, best int64) {
		r.Blocks, r.Tip = tip.Height-f.Start+1, tip
		progress(tip.Height, best)
	}}
	if _, _, err := f.sync(ctx, p); err != nil {
		return r, err
	}
	return r, f.settle(ctx, p.rebuild.payments, before, &r)
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

// settle books the payments that the ledger did not know, once all facts are
// there, and counts what is otherwise than before.
func (f *Follower) settle(ctx context.Context, payments []ledger.Output, before map[wire.OutPoint]ledger.Fact,
	r *Rebuilt) error {
	m, err := f.Moment()
	if err != nil {
		return err
	}
	f.loaded = false
	return f.Transact(ctx, func(tx Tx) error {
		for _, output := range payments {
			if _, err := tx.Orders.Order(ctx, output.Ref); errors.Is(err, state.ErrNotFound) {
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
			case was.Height != chain.None && now.Height == chain.None:
				r.Missing++
			case was != now:
				r.Changed++
			}
		}
		return err
	})
}
