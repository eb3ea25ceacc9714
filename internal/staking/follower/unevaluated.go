package follower

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Unevaluated are orders whose payments a transaction recorded or reversed and that have not been evaluated since. They
// are stored in that transaction, and evaluated before anything else is read from the node.
type Unevaluated struct {
	At  time.Time `json:"at"` // instant of the evaluation: of the block, or of the mempool
	IDs []string  `json:"orders"`
}

// EvaluatedAtOnce is the maximum number of orders that one transaction evaluates. Each can change 150 units.
const EvaluatedAtOnce = 20

// evaluate evaluates every order with a payment that was recorded since its last evaluation, EvaluatedAtOnce at a time
// while more is true, and stores the other ones as unevaluated. Orders with more than RecordedAtOnce payments are
// always stored as unevaluated, because an evaluation reads all payments. evaluate reports whether any orders are left.
func (s *step) evaluate(ctx context.Context, more func() bool) (left bool, err error) {
	ids := slices.Sorted(maps.Keys(s.pending))
	clear(s.pending)
	for len(ids) > 0 && more() {
		n := min(EvaluatedAtOnce, len(ids))
		payments, err := s.tx.Payments.CountStoredPayments(ctx, ids[:n])
		if err != nil {
			return false, err
		}
		if payments > int64(s.RecordedAtOnce) {
			break
		}
		if _, err := s.Orders.Evaluate(ctx, s.tx.OrderTx(), ids[:n], s.at, false); err != nil {
			return false, err
		}
		ids = ids[n:]
	}
	if len(ids) == 0 && !s.ahead {
		return false, nil
	}
	return len(ids) > 0, s.tx.Unevaluated.PutUnevaluated(ctx, Unevaluated{At: s.at, IDs: ids})
}

// evaluateRecorded evaluates the orders that a transaction left, EvaluatedAtOnce in each transaction. Before its
// evaluation, the row of such an order is older than its payments. Cancel and Rerate compute it from the payments
// again; payouts and deadlines follow in the same Step.
func (f *Follower) evaluateRecorded(ctx context.Context, touched *touched) error {
	var left Unevaluated
	if err := f.View(ctx, func(tx Tx) (err error) {
		left, err = tx.Unevaluated.Unevaluated(ctx)
		return err
	}); err != nil {
		return err
	}
	for len(left.IDs) > 0 {
		n := min(EvaluatedAtOnce, len(left.IDs))
		rest := Unevaluated{At: left.At, IDs: left.IDs[n:]}
		changed, err := f.evaluatePart(ctx, left.IDs[:n], left.At, false, func(fn func(Tx) error) error {
			return f.Transact(ctx, func(tx Tx) error {
				if err := fn(tx); err != nil {
					return err
				}
				return tx.Unevaluated.PutUnevaluated(ctx, rest)
			})
		})
		if errors.Is(err, order.ErrStale) {
			continue // a request changed one of them
		}
		if err != nil {
			return err
		}
		touched.orders(changed)
		left = rest
	}
	return nil
}

// evaluatePart evaluates orders in a snapshot, so that the writer is not held while their payments are read, and writes
// the changes in one transaction, by transact. At the tip it needs none if there are no changes. If the evaluation
// fails, it is repeated in a transaction, one order after the other.
func (f *Follower) evaluatePart(
	ctx context.Context, ids []string, at time.Time, atTip bool, transact func(func(Tx) error) error,
) (changed []order.Order, err error) {
	var e *order.Evaluation
	var failed error
	if err := f.View(ctx, func(tx Tx) (err error) {
		failed, err = tx.Attempts.Attempt(ctx, func() (err error) {
			e, err = f.Orders.Prepare(ctx, tx.OrderTx(), ids, at, atTip)
			return err
		})
		return err
	}); err != nil {
		return nil, err
	}
	if failed == nil {
		if atTip && e.IsEmpty() {
			return nil, nil
		}
		err := transact(func(tx Tx) (err error) {
			failed, err = tx.Attempts.Attempt(ctx, func() error { return e.Write(ctx, tx.OrderTx()) })
			return cmp.Or(err, failed)
		})
		if failed == nil || errors.Is(failed, order.ErrStale) {
			return e.Changed, err
		}
	}
	err = transact(func(tx Tx) (err error) {
		changed, err = f.Orders.Evaluate(ctx, tx.OrderTx(), ids, at, atTip)
		return err
	})
	return changed, err
}

// evaluateOpen evaluates every open order, and every order whose evaluation failed. It writes the changes of
// EvaluatedAtOnce orders in a transaction of their own, if there are any.
func (f *Follower) evaluateOpen(ctx context.Context, m ledger.Moment, touched *touched) error {
	var ids []string
	var failed []order.FailedEvaluation
	if err := f.View(ctx, func(tx Tx) error {
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		if failed, err = tx.Evaluations.FailedEvaluations(ctx); err != nil {
			return err
		}
		ids, err = f.Orders.OpenIDs(ctx, tx.OrderTx())
		return err
	}); err != nil {
		return err
	}
	transact := func(fn func(Tx) error) error {
		return f.Transact(ctx, func(tx Tx) error {
			if paused, err := tx.Pauses.PausedAll(ctx); err != nil || paused != "" {
				return err
			}
			return fn(tx)
		})
	}
	for _, one := range failed {
		var changed []order.Order
		if err := transact(func(tx Tx) (err error) {
			changed, err = f.Orders.RetryEvaluation(ctx, tx.OrderTx(), one, m.Now)
			return err
		}); err != nil {
			return err
		}
		touched.orders(changed)
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == one.OrderID })
	}
	for part := range slices.Chunk(ids, EvaluatedAtOnce) {
		changed, err := f.evaluatePart(ctx, part, m.Now, true, transact)
		if errors.Is(err, order.ErrStale) {
			continue // a request changed one of them; the next Step evaluates all
		}
		if err != nil {
			return err
		}
		touched.orders(changed)
	}
	return nil
}
