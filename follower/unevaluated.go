package follower

import (
	"context"
	"time"
)

// Unevaluated are orders whose payments a block recorded or reversed and that have not been evaluated since. They are
// stored in the transaction of the block, and evaluated before anything else is read from the node.
type Unevaluated struct {
	At  time.Time `json:"at"` // instant of the evaluation: that of the block
	IDs []string  `json:"orders"`
}

// evaluateRecorded evaluates the orders that a block left, in as many transactions as MaxTransactionTime requires.
// Between these transactions, the row of such an order is older than its payments. Cancel and Rerate compute it from
// the payments again; payouts and deadlines follow in the same Step.
func (f *Follower) evaluateRecorded(ctx context.Context, touched *touched) error {
	var left Unevaluated
	if err := f.View(ctx, func(tx Tx) (err error) {
		left, err = tx.Unevaluated.Unevaluated(ctx)
		return err
	}); err != nil {
		return err
	}
	for len(left.IDs) > 0 {
		if err := f.Transact(ctx, func(tx Tx) (err error) {
			if left, err = tx.Unevaluated.Unevaluated(ctx); err != nil {
				return err
			}
			began := time.Now()
			for first := true; len(left.IDs) > 0 && (first || time.Since(began) < f.MaxTransactionTime); first = false {
				n := min(evaluatedAtOnce, len(left.IDs))
				orders, err := f.Orders.Evaluate(ctx, tx.OrderTx(), left.IDs[:n], left.At, false)
				if err != nil {
					return err
				}
				touched.orders(orders)
				left.IDs = left.IDs[n:]
			}
			return tx.Unevaluated.PutUnevaluated(ctx, left)
		}); err != nil {
			return err
		}
	}
	return nil
}
