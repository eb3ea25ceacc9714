package delivery_test

import (
	"testing"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// Small payments by strangers beyond the price are overpayments. The delivery does not spend them, so they neither
// delay it nor raise its fee.
func TestSmallPaymentsOfStrangersDelayNothing(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	units := w.UnlockedUnits(1, 5000)
	o := w.Withdrawal(units...)
	w.Pay(w.Anna, o, o.Due())
	for range 12 {
		w.Pay(w.Bert, o, vault.PaymentFloor(o.FeeRate))
	}
	w.Settle(4)
	if got := w.Order(o.ID); got.Status != order.Delivered {
		t.Errorf("the order is %s: %v", got.Status, w.Payouts.Waiting())
	}
	w.WantStage(units[0], ledger.Withdrawn)
	w.Audit()
}
