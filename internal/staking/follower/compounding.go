package follower

import (
	"context"
	"slices"
	"time"
)

// compound applies the instructions to compound rewards automatically, in as many transactions as MaxTransactionTime
// requires. A community whose epochs could not be advanced is left to the next Step. A compounded reward earns from the
// epoch after the running one, which may have begun during the Step, so compound reads the clock again.
func (f *Follower) compound(ctx context.Context, touched *touched) error {
	m, err := f.Moment()
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(f.Ledger.Communities(), f.Payouts.EpochsFailed)
	for len(left) > 0 {
		var next []string
		if err := f.Transact(ctx, func(tx Tx) error {
			next = nil
			paused, err := tx.Pauses.PausedAll(ctx)
			if err != nil || paused != "" {
				return err
			}
			began := time.Now()
			more := func() bool { return time.Since(began) < f.MaxTransactionTime }
			next, err = f.ofEach(ctx, tx, left, func(community string) (bool, error) {
				if community != left[0] && !more() {
					return true, nil
				}
				units, done, err := f.Ledger.ApplyInstructions(ctx, tx.LedgerTx(), community, m, more)
				if err == nil {
					touched.units(units)
				}
				return !done, err
			})
			return err
		}); err != nil {
			return err
		}
		left = next
	}
	return nil
}
