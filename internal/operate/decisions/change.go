package decisions

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/store"
)

// ErrChanged is returned by Change.Make if the ledger changed since the preview.
var ErrChanged = errors.New("it changed meanwhile, nothing was done: check it and try again")

// Change is a change to the ledger that an operator previews and confirms.
type Change[T any] struct {
	// Preview describes the change. It returns an error if the change can't be made. If Preview is nil, no confirmation
	// is needed.
	Preview func(ctx context.Context, tx *store.Tx) (string, error)
	// Apply makes the change. It may run more than once, each time in a new transaction.
	Apply func(ctx context.Context, tx *store.Tx, at time.Time, preview string) (T, error)
}

// Make previews the change, asks for a confirmation, and applies it. It previews the change again in the transaction
// that applies it. If the second preview differs, nothing is changed and Make returns ErrChanged.
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
