package server

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A paid economy order whose rate was never reached is distinguished from an order that was not paid in time, even
// while its refund spends the payments.
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

// A wait never sets a limit after a fixed end of the order: before the recovery of a unit, or at the age of 84 days.
func TestWaitUntilTheEnd(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Rate = amount.SatPerVB(10)
	open := func(delay uint32, days int64) refundSight {
		t.Helper()
		w.SetRecoveryDelay(delay)
		signed, err := w.TryEconomy(w.Anna, action.Withdraw, amount.SatPerVB(2), days, w.Unlocked(w.Anna, 5000))
		testkit.Must(t, err)
		w.Pay(w.Anna, *signed.Order, signed.Order.Due())
		w.Settle(1)
		return refundSight{World: w, order: *signed.Order}
	}
	// wait checks the view of an order at its limit, calls Wait, and reports whether the end moved.
	wait := func(s refundSight) (moved bool) {
		t.Helper()
		o := w.Order(s.order.ID)
		w.Clock.Set(o.Economy.Until.Add(time.Minute))
		w.Settle(1)
		view := func(at time.Time) api.EconomyView {
			t.Helper()
			o, e := w.WantStatus(o.ID, order.Paid), api.EconomyView{}
			testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
				e, err = s.views().economy(t.Context(), tx, o, w.Rate, at)
				return err
			}))
			return e
		}
		now := w.Clock.Now()
		before := view(now)
		w.Update(func(tx *store.Tx) error {
			_, err := w.Orders.Wait(t.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, now)
			return err
		})
		after := view(now)
		if before.WaitUntil.IsZero() || before.WaitUntil.After(after.Ends) || !after.WaitUntil.IsZero() {
			t.Errorf("it would wait until %s, and ends at %s", before.WaitUntil, after.Ends)
		}
		if moved = after.Ends.After(before.Ends); !moved && before.WaitUntil.After(before.Ends) {
			t.Errorf("it would wait until %s, but ends at %s", before.WaitUntil, before.Ends)
		}
		return moved
	}
	near := open(2016, 1) // its unit's recovery leaves less than 14 days
	if wait(near) {
		t.Error("a wait moved the end before the recovery of a unit")
	}
	old := open(26_280, 28)
	for waits := 0; wait(old); waits++ {
		if waits > 6 {
			t.Fatal("a wait moved the end beyond 84 days")
		}
	}
}
