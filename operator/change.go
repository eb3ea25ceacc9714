package operator

import (
	"context"
	"errors"
	"time"

	"moonfund/store"
)

// ErrChanged is returned by Change.Make if the ledger no longer is as it was previewed.
var ErrChanged = errors.New("it changed meanwhile, nothing was done: look at it again")

// Change is a change to the ledger that an operator previews and confirms.
type Change[T any] struct {
	// Preview says what will happen. It fails if the change can't be made. Nil: there is nothing to confirm.
	Preview func(ctx context.Context, tx *store.Tx) (string, error)
	// Apply makes the change. It may run more than once, each time in a new transaction.
	Apply func(ctx context.Context, tx *store.Tx, at time.Time, preview string) (T, error)
}

// Make previews the change, asks for a confirmation, and applies it. The transaction that applies it previews it
// again: if the preview is another one then, nothing is done and Make returns ErrChanged.
func (c Change[T]) Make(
	ctx context.Context, db *store.Store, confirm func(preview string) error,
) (result T, err error) {
	var shown string
	if c.Preview != nil {
		if err := db.View(ctx, func(tx *store.Tx) (err error) {
			shown, err = c.Preview(ctx, tx)
			return err
		}); err != nil {
			return result, err
		}
		if err := confirm(shown); err != nil {
			return result, err
		}
	}
	err = db.Update(ctx, func(tx *store.Tx) error {
		if c.Preview != nil {
			again, err := c.Preview(ctx, tx)
			if err != nil {
				return err
			}
			if again != shown {
				return ErrChanged
			}
		}
		at, err := Now(ctx, tx)
		if err != nil {
			return err
		}
		result, err = c.Apply(ctx, tx, at, shown)
		return err
	})
	return result, err
}
