package store

import (
	"context"

	"moonfund/internal/staking/order"
	"moonfund/internal/store/sqlc"
)

// FailedEvaluations implements order.EvaluationStore.
func (t *Tx) FailedEvaluations(ctx context.Context) ([]order.FailedEvaluation, error) {
	rows, err := t.q.FailedEvaluations(ctx)
	return mapAll(rows, err, func(row sqlc.FailedEvaluation) (order.FailedEvaluation, error) {
		return order.FailedEvaluation{OrderID: row.OrderID, At: instant(row.At), Reason: row.Reason}, nil
	})
}

// PutFailedEvaluation implements order.EvaluationStore.
func (t *Tx) PutFailedEvaluation(ctx context.Context, f order.FailedEvaluation) (isNew bool, err error) {
	n, err := t.q.PutFailedEvaluation(ctx, sqlc.PutFailedEvaluationParams{
		OrderID: f.OrderID, At: unix(f.At), Reason: f.Reason,
	})
	return n > 0, wrap(err)
}

// DropFailedEvaluation implements order.EvaluationStore.
func (t *Tx) DropFailedEvaluation(ctx context.Context, orderID string) error {
	return wrap(t.q.DropFailedEvaluation(ctx, orderID))
}
