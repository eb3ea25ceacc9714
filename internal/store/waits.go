package store

import (
	"context"

	"moonfund/internal/staking/follower"
	"moonfund/internal/store/sqlc"
)

func toWait(row sqlc.Waiting) (follower.Wait, error) {
	return follower.Wait{Subject: row.Subject, Reason: row.Reason, Since: instant(row.Since)}, nil
}

// Waits implements follower.WaitStore.
func (t *Tx) Waits(ctx context.Context) ([]follower.Wait, error) {
	rows, err := t.q.Waits(ctx)
	return mapAll(rows, err, toWait)
}

// WaitsOf returns what waits of some subjects.
func (t *Tx) WaitsOf(ctx context.Context, subjects []string) (all []follower.Wait, err error) {
	err = eachList(t, nil, subjects, func(q *sqlc.Queries) error {
		rows, err := q.WaitsOf(ctx, "")
		part, err := mapAll(rows, err, toWait)
		all = append(all, part...)
		return err
	})
	return all, err
}

// PutWait implements follower.WaitStore.
func (t *Tx) PutWait(ctx context.Context, w follower.Wait) error {
	return wrap(t.q.PutWait(ctx, sqlc.PutWaitParams{Subject: w.Subject, Reason: w.Reason, Since: unix(w.Since)}))
}

// DropWait implements follower.WaitStore.
func (t *Tx) DropWait(ctx context.Context, subject string) error {
	return wrap(t.q.DropWait(ctx, subject))
}
