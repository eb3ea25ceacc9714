package follower

import (
	"context"
	"fmt"
	"slices"

	"moonfund/internal/staking/ledger"
)

// ofEach calls fn for each community, and returns the communities of which fn succeeded and returned true. If fn fails
// or panics for a community, its changes are undone, and the payouts of this community wait until a Step succeeds for
// it. The other communities go on.
func (f *Follower) ofEach(
	ctx context.Context, tx Tx, communities []string, fn func(community string) (bool, error),
) (chosen []string, err error) {
	for _, community := range communities {
		var choose bool
		done, err := f.Payouts.AttemptEpochs(ctx, tx.PayoutTx(), community, func() (err error) {
			choose, err = fn(community)
			return err
		})
		if err != nil {
			return nil, err
		}
		if done && choose {
			chosen = append(chosen, community)
		}
	}
	return chosen, nil
}

// nextEpochs are the next epochs of every community of the ledger. Within one transaction they are read once and after
// each epoch that begins, because most blocks begin none.
type nextEpochs struct {
	read bool
	of   []nextEpoch
}

type nextEpoch struct {
	community string
	ledger.NextEpoch
	err error
}

// beginEpochs begins the epochs that a new tip starts, of every community of the ledger. One that can't begin is tried
// again in each Step. An error of NextEpoch counts as due, so that it holds only its community.
func (f *Follower) beginEpochs(ctx context.Context, tx Tx, tip ledger.Header, p pass) error {
	if err := f.readNextEpochs(ctx, tx, p.epochs); err != nil {
		return err
	}
	for _, next := range p.epochs.of {
		if next.err == nil && !next.Due(tip) {
			continue
		}
		p.epochs.read = false
		_, err := f.ofEach(ctx, tx, []string{next.community}, func(string) (bool, error) {
			return false, f.Ledger.BeginEpochs(ctx, tx.LedgerTx(), next.community, tip, p.m.Now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *Follower) readNextEpochs(ctx context.Context, tx Tx, n *nextEpochs) error {
	if n.read {
		return nil
	}
	all, err := tx.Epochs.Communities(ctx)
	if err != nil {
		return err
	}
	*n = nextEpochs{read: true}
	for _, community := range all {
		next, err := f.Ledger.NextEpoch(ctx, tx.LedgerTx(), community)
		n.of = append(n.of, nextEpoch{community, next, err})
	}
	return nil
}

// undoEpochs undoes the epochs that a block began, which is about to be undone. One that can't be undone is undone when
// the next can begin.
func (f *Follower) undoEpochs(ctx context.Context, tx Tx, h ledger.Header, m ledger.Moment) error {
	communities, err := f.Ledger.BegunAt(ctx, tx.LedgerTx(), h)
	if err != nil {
		return err
	}
	undone, err := f.ofEach(ctx, tx, communities, func(community string) (bool, error) {
		return true, f.Ledger.UndoEpochs(ctx, tx.LedgerTx(), community, h, m.Now)
	})
	if err != nil {
		return err
	}
	for _, community := range communities {
		if slices.Contains(undone, community) {
			continue
		}
		if err := f.Ledger.PostponeUndo(ctx, tx.LedgerTx(), community, h); err != nil {
			return err
		}
	}
	return nil
}

// applyLosses applies the losses of the units of each community, also of those that are not served, and returns the
// served ones for which it succeeded.
func (f *Follower) applyLosses(
	ctx context.Context, tx Tx, m ledger.Moment, touched *touched,
) (served []string, err error) {
	all, err := tx.Epochs.Communities(ctx)
	if err != nil {
		return nil, err
	}
	return f.ofEach(ctx, tx, all, func(community string) (bool, error) {
		units, err := f.Ledger.ApplyLosses(ctx, tx.LedgerTx(), community, m.Now)
		if err != nil {
			return false, fmt.Errorf("its losses: %w", err)
		}
		touched.units(units)
		return slices.Contains(f.Ledger.Communities(), community), nil
	})
}

// advanceEpochs begins the epochs that could not begin before, unlocks units, and settles an epoch of each community,
// if it is due. It returns the communities of which the statement of an epoch is due.
func (f *Follower) advanceEpochs(
	ctx context.Context, tx Tx, m ledger.Moment, communities []string, touched *touched,
) (due []string, err error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	return f.ofEach(ctx, tx, communities, func(community string) (bool, error) {
		if err := f.Ledger.BeginEpochs(ctx, tx.LedgerTx(), community, tip, m.Now); err != nil {
			return false, err
		}
		unlocked, err := f.Ledger.Unlock(ctx, tx.LedgerTx(), community, m)
		if err != nil {
			return false, err
		}
		paid, due, err := f.Ledger.Settle(ctx, tx.LedgerTx(), community, tip, m.Now)
		if err != nil {
			return false, err
		}
		// the spends may match rewards that were settled just now
		explained, err := f.Ledger.ExplainSpends(ctx, tx.LedgerTx(), community, tip, m.Now)
		if err != nil {
			return false, err
		}
		touched.units(unlocked)
		touched.rewards(community, paid)
		touched.units(explained)
		f.growth.since += len(paid)
		return due, nil
	})
}

// settleNext records the statements that are due, and then settles the epochs after them. Each has a transaction of its
// own, so that other changes wait less. A community that fails is left to the next Step.
func (f *Follower) settleNext(
	ctx context.Context, m ledger.Moment, due []string, touched *touched,
) (next []string, err error) {
	var recorded []string
	if err := f.Transact(ctx, func(tx Tx) (err error) {
		recorded, err = f.ofEach(ctx, tx, due, func(community string) (bool, error) {
			return true, f.Ledger.RecordStatement(ctx, tx.LedgerTx(), community)
		})
		return err
	}); err != nil {
		return nil, err
	}
	err = f.Transact(ctx, func(tx Tx) error {
		next = nil
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		next, err = f.advanceEpochs(ctx, tx, m, recorded, touched)
		return err
	})
	f.analyze(ctx)
	return next, err
}
