package follower

import (
	"context"
	"time"

	"moonfund/internal/staking/ledger"
)

// compound applies the instructions to compound rewards automatically, in as many transactions as MaxTransactionTime
// requires.
func (f *Follower) compound(ctx context.Context, m ledger.Moment, touched *touched) error {
	for done := false; !done; {
		if err := f.Transact(ctx, func(tx Tx) error {
			done = true
			paused, err := tx.Pauses.PausedAll(ctx)
			if err != nil || paused != "" {
				return err
			}
			began := time.Now()
			var units []ledger.Unit
			units, done, err = f.Ledger.ApplyInstructions(ctx, tx.LedgerTx(), m, func() bool {
				return time.Since(began) < f.MaxTransactionTime
			})
			touched.units(units)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
