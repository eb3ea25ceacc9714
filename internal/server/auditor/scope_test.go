package auditor

import (
	"fmt"
	"strings"
	"testing"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// paidOrders returns the PAID withdrawals of Anna and Bert.
func paidOrders(t *testing.T) (w *testkit.World, a *Auditor, bad, good order.Order) {
	t.Helper()
	w, a = watched(t)
	units := []string{w.Unlocked(w.Anna, 50_000), w.Unlocked(w.Bert, 70_000)}
	bad = *w.Act(w.Anna, action.Withdraw, units[0]).Order
	good = *w.Act(w.Bert, action.Withdraw, units[1]).Order
	w.Pay(w.Anna, bad, bad.Due())
	w.Pay(w.Bert, good, good.Due())
	w.Step()
	return w, a, bad, good
}

// A violation of a rule about one order moves this order to AUDIT. All others are delivered.
func TestAViolationOfAnOrderStopsThisOrder(t *testing.T) {
	w, a, bad, good := paidOrders(t)
	damage := "UPDATE payment_order SET real_units = real_units %s 1 WHERE id = '%s'"
	engine.Damage(t, w.URL(), fmt.Sprintf(damage, "+", bad.ID))
	w.Mine(1)
	for range 4 {
		step(w)
		w.Mine(1)
	}
	w.WantStatus(bad.ID, order.Audit)
	if status := w.Order(good.ID).Status; status != order.Delivered || paused(w) != "" {
		t.Fatalf("the other order is %s, paused: %q", status, paused(w))
	}
	w.Update(func(tx *store.Tx) error {
		requests, err := tx.RequestsAbout(t.Context(), bad.ID)
		if err == nil && (len(requests) != 1 || !strings.Contains(requests[0].Why, "real units")) {
			t.Errorf("requests: %+v", requests)
		}
		return err
	})
	engine.Damage(t, w.URL(), fmt.Sprintf(damage, "-", bad.ID))
	w.Decide(payout.RequestResume, bad.ID)
	w.Settle(4)
	w.WantStatus(bad.ID, order.Delivered)
	if report, _ := a.Latest(); !report.OK() {
		t.Errorf("repaired, and found: %v", report.Violations)
	}
}

// An operator accepts a violation: it stops nothing any more, and another violation of the same subject does.
func TestAcceptedViolationsStopNothing(t *testing.T) {
	w, a, bad, _ := paidOrders(t)
	engine.Damage(t, w.URL(), "UPDATE epoch_account SET cut_hash = '00' WHERE settled = 1 AND epoch = 0")
	w.Mine(1)
	step(w)
	if paused(w) == "" || w.Order(bad.ID).Status != order.Paid {
		t.Fatalf("paused: %q", paused(w))
	}
	report, _ := a.Latest()
	w.Update(func(tx *store.Tx) error {
		for i, v := range report.Violations {
			if err := tx.AcceptViolation(t.Context(), v.ID(), v.Community, int64(i)); err != nil {
				return err
			}
		}
		return nil
	})
	resume(w)
	w.Settle(4)
	w.WantStatus(bad.ID, order.Delivered)
	if report, _ := a.Latest(); !report.OK() || len(report.Accepted) == 0 || paused(w) != "" {
		t.Errorf("accepted %v, found %v, paused: %q", report.Accepted, report.Violations, paused(w))
	}
	engine.Damage(t, w.URL(), "UPDATE epoch_account SET cut_hash = '11' WHERE settled = 1 AND epoch = 0")
	w.Mine(1)
	for range 20 { // a settled epoch is recomputed in turn
		step(w)
		w.Mine(1)
	}
	if paused(w) == "" {
		t.Error("another violation of the same epoch stops nothing")
	}
}
