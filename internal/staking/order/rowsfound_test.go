package order_test

import (
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// refundedElsewhere makes a server on another copy of the ledger cancel and refund an order.
func refundedElsewhere(w, other *testkit.World, o order.Order) {
	w.Helper()
	cancel(other, o)
	other.Settle(2)
	wantDue(other, o, order.Canceled, 0, "")
	w.Step()
	if got := w.WantStatus(o.ID, order.Canceled); got.Refunded == 0 || got.Owed.Sats != 0 {
		w.Errorf("refunded %d, due %+v", got.Refunded, got.Owed)
	}
}

// foundScenarios play the rows of an order whose refund another server signed.
var foundScenarios = []scenario{
	{"refunded by a server that this ledger does not remember, when it expired", func(w *testkit.World, o order.Order,
		unit string) {
		other := w.Copy()
		other.Pay(w.Anna, o, 546)
		other.Settle(1)
		wait(other, over)
		other.Pay(w.Bert, o, 2000)
		other.Settle(2)
		wantDue(other, o, order.Expired, 0, "")
		w.Step()
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.Pending, order.RefundFound)}},

	{"refunded by a server that this ledger does not remember, when it was canceled", func(w *testkit.World, o order.Order,
		unit string) {
		payWith(w, o, 2400)
		refundedElsewhere(w, w.Copy(), o)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.Confirmed, order.RefundFound)}},

	{"refunded by a server that this ledger does not remember, when its rate ran out", func(w *testkit.World,
		o order.Order, unit string) {
		payWith(w, o, 2400)
		wait(w, over)
		refundedElsewhere(w, w.Copy(), o)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.PendingRerate, order.RefundFound)}},

	{"refunded by a server that this ledger does not remember, when it was paid", func(w *testkit.World, o order.Order,
		unit string) {
		pausePayouts(w)
		payWith(w, o, o.Due())
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
		other := w.Copy()
		other.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
		refundedElsewhere(w, other, o)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.Paid, order.RefundFound)}},
}
