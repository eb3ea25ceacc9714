package store

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/state"
)

// Attempt calls fn, and undoes what fn changed in the database if fn fails, so that one failure need not end the whole
// transaction. failed is the error of fn, or its panic. err means that the transaction must end: its context is done,
// the database can't be reached, or the transaction may be retried.
func (t *Tx) Attempt(ctx context.Context, fn func() error) (failed, err error) {
	if err := t.exec(ctx, "SAVEPOINT attempt"); err != nil {
		return nil, err
	}
	if failed = recovered(fn); failed != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if t.ends(failed) {
			return nil, failed
		}
		if err := t.exec(ctx, "ROLLBACK TO SAVEPOINT attempt"); err != nil {
			return nil, errors.Join(failed, err)
		}
	}
	return failed, t.exec(ctx, "RELEASE SAVEPOINT attempt")
}

func (t *Tx) exec(ctx context.Context, statement string) error {
	if _, err := t.db.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("store: savepoint: %w", err)
	}
	return nil
}

// recovered calls fn and returns a panic as a *state.Panic, unless its value is state.Unrecoverable.
func recovered(fn func() error) (err error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		p := state.NewPanic(value)
		if _, ends := p.Value.(state.Unrecoverable); ends {
			panic(p)
		}
		err = p
	}()
	return fn()
}
