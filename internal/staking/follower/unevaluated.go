package follower

import (
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
		e, err := f.prepareEvaluation(ctx, left.IDs[:n], left.At, false)
		if err != nil {
			return err
		}
		rest := Unevaluated{At: left.At, IDs: left.IDs[n:]}
		err = f.Transact(ctx, func(tx Tx) error {
			if err := e.Write(ctx, tx.OrderTx()); err != nil {
				return err
			}
			return tx.Unevaluated.PutUnevaluated(ctx, rest)
		})
		if errors.Is(err, order.ErrStale) {
			continue // a request changed one of them
		}
		if err != nil {
			return err
		}
		touched.orders(e.Changed)
		left = rest
	}
	return nil
}

// prepareEvaluation evaluates orders in a snapshot, so that the writer is not held while their payments are read.
func (f *Follower) prepareEvaluation(
	ctx context.Context, ids []string, at time.Time, atTip bool,
) (e *order.Evaluation, err error) {
	err = f.View(ctx, func(tx Tx) error {
		e, err = f.Orders.Prepare(ctx, tx.OrderTx(), ids, at, atTip)
		return err
	})
	return e, err
}

// evaluateOpen evaluates every open order, and writes the changes of EvaluatedAtOnce orders in a transaction of their
// own, if there are any.
func (f *Follower) evaluateOpen(ctx context.Context, m ledger.Moment, touched *touched) error {
	var ids []string
	if err := f.View(ctx, func(tx Tx) error {
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		ids, err = f.Orders.OpenIDs(ctx, tx.OrderTx())
		return err
	}); err != nil {
		return err
	}
	for part := range slices.Chunk(ids, EvaluatedAtOnce) {
		e, err := f.prepareEvaluation(ctx, part, m.Now, true)
		if err != nil {
			return err
		}
		if e.IsEmpty() {
			continue
		}
		err = f.Transact(ctx, func(tx Tx) error {
			paused, err := tx.Pauses.PausedAll(ctx)
			if err != nil || paused != "" {
				return err
			}
			return e.Write(ctx, tx.OrderTx())
		})
		if errors.Is(err, order.ErrStale) {
			continue // a request changed one of them; the next Step evaluates all
		}
		if err != nil {
			return err
		}
		touched.orders(e.Changed)
	}
	return nil
}
