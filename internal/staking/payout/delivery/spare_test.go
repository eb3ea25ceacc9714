package delivery_test

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// A second economy payout from the treasury waits until the first one confirms, and claims at normal speed do not.
func TestEconomySparesTreasury(t *testing.T) {
	w := testkit.NewWorld(t)
	for _, wallet := range []*testkit.Wallet{w.Anna, w.Bert, w.Cleo} {
		w.Staked(wallet, 5000)
	}
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	w.Rate = amount.SatPerVB(10)
	a := w.Economy(w.Anna, action.Claim, amount.SatPerVB(2))
	b := w.Economy(w.Bert, action.Claim, amount.SatPerVB(2)+500)
	w.PayInFull(w.Anna, a)
	w.PayInFull(w.Bert, b)
	w.Rate = amount.SatPerVB(2)
	w.Step()
	w.WantStatus(a.ID, order.Sent)
	w.WantStatus(b.ID, order.Paid)
	normal := *w.Act(w.Cleo, action.Claim).Order
	w.Pay(w.Cleo, normal, normal.Due())
	w.Settle(1)
	w.WantStatus(normal.ID, order.Sent)
	w.Settle(1)
	w.WantStatus(b.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.Audit()
}
