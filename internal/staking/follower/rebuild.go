package follower

import (
	"context"
	"errors"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// Rebuilt is the result of a rebuild, with the differences from the ledger before it.
type Rebuilt struct {
	Blocks  int64 // blocks read
	Tip     ledger.Header
	Outputs int // number of our outputs
	Found   int // outputs that were not in the ledger
	Changed int // outputs in another block, or with another spend
	Missing int // outputs that were in a block, and are in none now
}

// rebuild collects the payments that a rebuild reads.
type rebuild struct {
	payments []ledger.Output // in chain order
}

// Rebuild reads all data again that the chain determines: the rune index, the outputs at watched addresses, their
// spends, and the confirmations of payouts. It applies blocks like Step, but evaluates orders only at the end, because
// in a part of the chain payments would be missing. The ledger must be paused and no other server may follow. After an
// interruption, call Rebuild again. begin, if not nil, is called in the transaction that deletes the old facts.
// progress is called after each part.
func (f *Follower) Rebuild(
	ctx context.Context, begin func(Tx) error, progress func(height, best int64),
) (r Rebuilt, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.updateTerm(); err != nil {
		return r, err
	}
	before, err := f.reset(ctx, begin)
	if err != nil {
		return r, err
	}
	f.watch, f.loaded, f.runeFilter.ready = newWatchList(), false, false
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
	return r, f.compare(ctx, p.rebuild.payments, before, &r)
}

// reset deletes the stored facts of the chain and returns the facts of our outputs.
func (f *Follower) reset(ctx context.Context, begin func(Tx) error) (before map[wire.OutPoint]ledger.Fact, err error) {
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

// compare records the collected payments after all blocks are read, and counts the differences from before in r.
func (f *Follower) compare(ctx context.Context, payments []ledger.Output, before map[wire.OutPoint]ledger.Fact,
	r *Rebuilt) error {
	m, err := f.Moment()
	if err != nil {
		return err
	}
	f.loaded = false
	return f.Transact(ctx, func(tx Tx) error {
		for _, output := range payments {
			if _, err := tx.Orders.Order(ctx, output.Ref); errors.Is(err, state.ErrNotFound) {
				continue // its order is lost; the audit reports it
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
