package server

import (
	"testing"
	"time"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/order"
	"moonfund/testkit"
)

// An economy order that was paid and waited in vain is told from one that was not paid in time, also while its refund
// spends its payments.
func TestEconomyEnded(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	for _, paid := range []bool{true, false} {
		o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), w.Unlocked(w.Anna, 5000))
		s := refundSight{World: w, order: o}
		sats := o.Due()
		if !paid {
			sats = 800
		}
		w.Pay(w.Anna, o, sats)
		w.Settle(1)
		want := func(ended bool) {
			t.Helper()
			orders, err := s.views().Orders(t.Context(), testkit.Prefix, s.anna())
			testkit.Must(t, err)
			if got := orders[0]; got.ID != o.ID || got.Economy.Ended != ended {
				t.Fatalf("order %s ended %v, want %s and %v", got.ID, got.Economy.Ended, o.ID, ended)
			}
		}
		want(false)
		w.Clock.Advance(29 * 24 * time.Hour)
		w.Settle(1)
		w.WantStatus(o.ID, order.Expired)
		want(paid)
		w.Rate = amount.SatPerVB(1)
		w.Settle(4)
		if got := w.Order(o.ID); paid && got.Refunded != sats {
			t.Fatalf("%d sats are refunded, want %d", got.Refunded, sats)
		}
		want(paid)
		w.Rate = amount.SatPerVB(10)
	}
}
