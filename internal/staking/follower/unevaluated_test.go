package follower_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// If a block pays more orders than one transaction may evaluate, further transactions evaluate the rest. If the server
// stops between them, it evaluates the remaining orders after its restart. Meanwhile the audit finds no violation, and
// an owner can cancel one of these orders.
func TestOrdersOfABlockAreEvaluatedInParts(t *testing.T) {
	const orders, parts = 50, 2
	w := testkit.NewWorld(t)
	pausePayouts(w)
	w.MaxTransactionTime = 1
	w.Forget()
	var ids []string
	var outs []*wire.TxOut
	for _, unit := range unlocked(w, orders) {
		o := w.Act(w.Anna, action.Withdraw, unit).Order
		ids, outs = append(ids, o.ID), append(outs, wire.NewTxOut(10_000, o.Script))
	}
	w.Send(w.Anna.Spend([]testkit.Coin{granted(w, orders*10_000)}, outs...))
	w.Step() // the block of the granted coin, and the payments in the mempool
	w.Mine(1)
	stop := errors.New("stopped")
	count := 0 // of transactions since the block
	w.WrapTransaction = func(
		ctx context.Context, update func(context.Context, func(*store.Tx) error) error, fn func(*store.Tx) error,
	) error {
		if count > parts-1 {
			return stop
		}
		if count > 0 {
			count++
		}
		return update(store.InjectFaults(ctx, func(statement string, _ bool) error {
			if strings.Contains(statement, "name: InsertBlock ") {
				count = 1
			}
			return nil
		}), fn)
	}
	if _, err := w.Follower.Step(t.Context()); !errors.Is(err, stop) {
		t.Fatalf("Step: got error %v, want %v", err, stop)
	}
	w.WrapTransaction = nil
	w.Restart()
	paid := 0
	var waiting string
	for _, id := range ids {
		switch got := w.Order(id); got.Status {
		case order.Paid:
			paid++
		case order.Confirmed:
			waiting = id
		default:
			t.Errorf("status of order %s: got %s", id, got.Status)
		}
	}
	if paid != follower.EvaluatedAtOnce {
		t.Errorf("%d orders are paid after the stop, want %d", paid, follower.EvaluatedAtOnce)
	}
	w.Audit()
	asked, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), waiting, "")
	testkit.Must(t, err)
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Anna.Sign(asked.Message),
	}, waiting)
	testkit.Must(t, err)
	w.Step()
	for _, id := range ids {
		if id == waiting {
			if o := w.WantStatus(id, order.Canceled); o.Owed.Sats != 10_000 {
				t.Errorf("refund of the canceled order: got %d sats, want 10000", o.Owed.Sats)
			}
			continue
		}
		w.WantStatus(id, order.Paid)
	}
	w.Update(func(tx *store.Tx) error {
		left, err := tx.Unevaluated(w.Context())
		if len(left.IDs) > 0 {
			t.Errorf("%d orders are left", len(left.IDs))
		}
		return err
	})
	w.Audit()
}
