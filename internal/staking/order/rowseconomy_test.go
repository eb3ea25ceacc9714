package order_test

import (
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// economyScenarios play the rows of the order status table that only economy orders take, and one that only units in
// self-custody take.
var economyScenarios = []scenario{
	{"its owner never signs the delivery", func(w *testkit.World, _ order.Order, _ string) {
		w.Anna.Self = true
		second := w.Unlocked(w.Anna, 6000)
		o := w.Withdrawal(second)
		payWith(w, o, o.Due())
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
		wait(w, order.PaymentWindow+time.Hour)
		w.WantStatus(o.ID, order.Expired)
		w.WantStage(second, ledger.Unlocked)
	}, []order.Row{row(order.Paid, order.NeverSigned)}},

	{"economy delivery ends", func(w *testkit.World, _ order.Order, unit string) {
		w.SetRecoveryDelay(26_280)
		w.Rate = amount.SatPerVB(10)
		second := w.Unlocked(w.Anna, 6000)
		o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), second)
		payWith(w, o, o.Due())
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
		wait(w, 29*24*time.Hour)
		w.WantStatus(o.ID, order.Expired)
		w.WantStage(second, ledger.Unlocked)
		w.Rate = amount.SatPerVB(2)
		w.Settle(2)
		wantDue(w, o, order.Expired, 0, "")
	}, []order.Row{row(order.Paid, order.EconomyEnded)}},

	{"economy delivery ends, paid in part", func(w *testkit.World, _ order.Order, _ string) {
		w.SetRecoveryDelay(1008)
		w.Rate = amount.SatPerVB(10)
		second := w.Unlocked(w.Anna, 6000)
		end := w.Unit(second).Height + 840
		w.Mine(int(end - order.BlocksPerDay - w.Node.Height()))
		w.Step()
		signed, err := w.TryEconomy(w.Anna, action.Withdraw, amount.SatPerVB(2), 1, second)
		testkit.Must(w, err)
		w.Pay(w.Anna, *signed.Order, 1500)
		w.Settle(1)
		w.Mine(order.BlocksPerDay)
		w.Step()
		w.WantStatus(signed.Order.ID, order.Expired)
		w.WantStage(second, ledger.Unlocked)
	}, []order.Row{row(order.Confirmed, order.EconomyEnded)}},
}
