package dispatch_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// unreadable are the payments of orders, of which those of one order can't be read: its evaluation panics.
type unreadable struct {
	order.PaymentStore
	id string
}

func (u unreadable) PaymentsOfOrders(ctx context.Context, ids []string) ([]order.Payment, error) {
	if slices.Contains(ids, u.id) {
		panic("payments of " + u.id)
	}
	return u.PaymentStore.PaymentsOfOrders(ctx, ids)
}

// unwritable are orders of which one can't be written.
type unwritable struct {
	order.OrderStore
	id string
}

func (u unwritable) UpdateOrders(ctx context.Context, changes ...order.Change) error {
	if slices.ContainsFunc(changes, func(c order.Change) bool { return c.ID == u.id }) {
		return errors.New("order " + u.id + " can't be written")
	}
	return u.OrderStore.UpdateOrders(ctx, changes...)
}

// failEvaluation makes the evaluation of an order fail in the transactions of the follower: when it is read, or when it
// is written. It ends with the returned function, or when the world is restarted.
func failEvaluation(w *testkit.World, id string, written bool) (stop func()) {
	transact, view := w.Follower.Transact, w.Follower.View
	broken := func(run func(context.Context, func(follower.Tx) error) error) func(
		context.Context, func(follower.Tx) error) error {
		return func(ctx context.Context, fn func(follower.Tx) error) error {
			return run(ctx, func(tx follower.Tx) error {
				if written {
					tx.Orders = unwritable{tx.Orders, id}
				} else {
					tx.Payments = unreadable{tx.Payments, id}
				}
				return fn(tx)
			})
		}
	}
	w.Follower.Transact, w.Follower.View = broken(transact), broken(view)
	return func() { w.Follower.Transact, w.Follower.View = transact, view }
}

// The evaluation of one order fails or panics, for a payment in a block, and for a late payment of a finished order.
// The block is recorded, the other orders are delivered, and the order says why it waits. Once it can be evaluated
// again, it gets what it would have got without the failure.
func TestEvaluationOfOneOrderFails(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		written      bool
	}{
		{"its payments can't be read", "panic: payments of", false},
		{"it can't be written", "can't be written", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := testkit.NewWorld(t)
			log := &strings.Builder{}
			w.Follower.Orders.Log = slog.New(slog.NewTextHandler(log, nil))
			ids := w.UnlockedUnits(3, 5000)
			late := w.Withdrawal(ids[2])
			w.Clock.Advance(order.FeeValid + time.Second)
			w.Step()
			w.WantStatus(late.ID, order.Expired)
			paid, other := w.Withdrawal(ids[0]), w.Withdrawal(ids[1])
			for _, failing := range []order.Order{paid, late} {
				stop := failEvaluation(w, failing.ID, c.written)
				w.Pay(w.Anna, failing, failing.Due())
				if failing.ID == paid.ID {
					w.Pay(w.Bert, other, other.Due())
				}
				w.Settle(4)
				if o := w.Order(other.ID); o.Status != order.Delivered && o.Status != order.Consolidated {
					t.Errorf("the other order is %s", o.Status)
				}
				var facts decisions.OrderFacts
				w.Update(func(tx *store.Tx) (err error) {
					facts, err = decisions.ReadOrder(t.Context(), tx, failing.ID)
					return err
				})
				if facts.Seen+facts.Late > 0 {
					t.Errorf("evaluated: %+v", facts.Order)
				}
				if len(facts.Payments) != 1 || facts.Payments[0].Height < 0 {
					t.Errorf("the payment is not recorded: %+v", facts.Payments)
				}
				if len(facts.Waits) != 1 || !strings.Contains(facts.Waits[0].Reason, order.EvaluationFails) ||
					!strings.Contains(facts.Waits[0].Reason, c.reason) {
					t.Errorf("order show: %+v", facts.Waits)
				}
				if waits := w.Follower.State().Waiting; len(waits) != 1 || waits["order "+failing.ID].Reason == "" {
					t.Errorf("waiting: %+v", waits)
				}
				if n := strings.Count(log.String(), "order="+failing.ID); n != 1 {
					t.Errorf("logged %d times: %s", n, log)
				}
				stop()
				w.Settle(1)
			}
			if !c.written && !strings.Contains(log.String(), "unreadable.PaymentsOfOrders") {
				t.Errorf("the log has no stack: %s", log)
			}
			if waits := w.Follower.State().Waiting; len(waits) > 0 {
				t.Errorf("after the failure: %+v", waits)
			}
			w.Settle(4)
			w.WantStatus(paid.ID, order.Consolidated)
			if o := w.WantStatus(late.ID, order.Expired); o.Refunded == 0 {
				t.Errorf("the late payment is not refunded: %+v", o)
			}
			w.Audit()
		})
	}
}

// Nothing is sent for an order that can't be evaluated: its payments may have changed.
func TestUnevaluatedOrderIsNotSent(t *testing.T) {
	w := testkit.NewWorld(t)
	o := w.Withdrawal(w.UnlockedUnits(1, 5000)...)
	w.PausedPayouts()
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Paid)
	stop := failEvaluation(w, o.ID, false)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	w.Settle(2)
	w.WantStatus(o.ID, order.Paid)
	for _, subject := range []string{o.ID, "order " + o.ID} {
		if reason := w.Follower.State().Waiting[subject].Reason; !strings.HasPrefix(reason, order.EvaluationFails) {
			t.Errorf("%s: %q", subject, reason)
		}
	}
	stop()
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
}

// The same of a paid order that its owner signed.
func TestUnevaluatedSignedOrderIsNotSent(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	w.Anna.Self = true
	o := w.Withdrawal(w.UnlockedUnits(1, 5000)...)
	w.PausedPayouts()
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Paid)
	w.PayOneTx(w.Anna, o)
	stop := failEvaluation(w, o.ID, false)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	w.Settle(2)
	w.WantStatus(o.ID, order.Paid)
	stop()
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
}
