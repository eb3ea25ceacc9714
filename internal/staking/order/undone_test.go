package order_test

import (
	"testing"
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// paidForLong returns an order that was paid in two parts and is PAID for 15 days.
func paidForLong(t *testing.T) (w *testkit.World, o order.Order, unit string, replaceLast func()) {
	t.Helper()
	w, o, unit = begin(t)
	pausePayouts(w)
	w.Pay(w.Anna, o, 1500)
	w.Settle(1)
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, w.Order(o.ID).Due(), 1000))
	w.Settle(1)
	wait(w, order.Unconfirmed+day)
	w.WantStatus(o.ID, order.Paid)
	return w, o, unit, func() {
		w.Node.Rewind(1)
		w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
		w.Node.MineOnly()
		w.Step()
	}
}

// A reorg undoes the payment of an order that has been PAID for longer than a payment may be unconfirmed. The order has
// the same time again from then on: it is PAID when the payment confirms, and EXPIRED if it never does.
func TestPaymentUndoneAfterLong(t *testing.T) {
	for name, after := range map[string]struct {
		unconfirmed time.Duration
		want        order.Status
	}{
		"confirmed in the next block":  {0, order.Paid},
		"confirmed after 13 days":      {order.Unconfirmed - day, order.Paid},
		"unconfirmed for over 14 days": {order.Unconfirmed + time.Second, order.Expired},
	} {
		t.Run(name, func(t *testing.T) {
			w, o, unit, _ := paidForLong(t)
			undo(w, 1)
			w.WantStatus(o.ID, order.Confirmed)
			w.Audit()
			wait(w, after.unconfirmed)
			w.Settle(1)
			w.WantStatus(o.ID, after.want)
			if after.want == order.Expired {
				w.WantStage(unit, ledger.Unlocked)
			}
			w.Audit()
		})
	}
}

// A reorg replaces a payment of such an order. Its owner has a week to request a new rate and to pay again.
func TestPaymentReplacedAfterLong(t *testing.T) {
	w, o, _, replaceLast := paidForLong(t)
	replaceLast()
	w.WantStatus(o.ID, order.PendingRerate)
	w.Audit()
	wait(w, order.PaymentWindow-time.Hour)
	rerate(w, o, 3)
	w.Pay(w.Anna, o, w.Order(o.ID).Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	w.Audit()

	w, o, unit, replaceLast := paidForLong(t)
	replaceLast()
	wait(w, weekOver)
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(unit, ledger.Unlocked)
	w.Audit()
}

// The community's service fee rises while an order is PAID, and another waits for the rest of its price. Both have the
// price that their owners were shown.
func TestServiceFeeRises(t *testing.T) {
	w, paid, _ := begin(t)
	pausePayouts(w)
	w.Pay(w.Anna, paid, paid.Due())
	open := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 4000)).Order
	w.Pay(w.Anna, open, 1000)
	w.Settle(1)
	w.SetServiceFee(testkit.ServiceFee + 1000)
	w.Settle(1)
	for _, o := range []order.Order{w.WantStatus(paid.ID, order.Paid), w.WantStatus(open.ID, order.Confirmed)} {
		if o.Fees.Service != testkit.ServiceFee {
			t.Errorf("an order that is %s has a service fee of %d sats, want %d", o.Status, o.Fees.Service, testkit.ServiceFee)
		}
	}
	w.Pay(w.Anna, open, w.Order(open.ID).Due())
	w.Settle(1)
	w.WantStatus(open.ID, order.Paid)
	resume(w)
	w.Settle(1 + order.FinalDepth)
	w.WantStatus(paid.ID, order.Consolidated)
	w.WantStatus(open.ID, order.Consolidated)
	w.Audit()
}
