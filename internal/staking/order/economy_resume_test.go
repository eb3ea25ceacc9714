package order_test

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// inReview takes an economy order that waits into review.
func inReview(t *testing.T) (*testkit.World, order.Order) {
	t.Helper()
	w, o, _ := economy(t)
	ask(w, payout.RequestReview, o)
	w.WantStatus(o.ID, order.Audit)
	return w, o
}

// An economy order is resumed after its end. Its owner can choose again, and without a choice it ends 14 days later.
func TestEconomyIsResumedAfterItsEnd(t *testing.T) {
	w, o := inReview(t)
	w.Clock.Set(o.EndsAt().Add(day))
	w.Settle(1)
	w.WantStatus(o.ID, order.Audit)
	ask(w, payout.RequestResume, o)
	w.Restart()
	w.Settle(1)
	got := w.WantStatus(o.ID, order.Paid)
	w.WantStage(o.UnitIDs[0], ledger.BatchLocked)
	if left := got.EndsAt().Sub(w.Clock.Now()); left > order.LimitExtension || left < order.LimitExtension-time.Hour {
		t.Errorf("its owner has %s to choose, want 14 days", left)
	}
	testkit.Must(t, waitLonger(w, o))
	w.Clock.Set(w.Order(o.ID).EndsAt().Add(time.Minute))
	w.Settle(1)
	w.WantStatus(o.ID, order.Expired)
	w.Audit()
}

// An economy order that is resumed after its end is sent if the network's rate is low enough.
func TestEconomyIsResumedAndSent(t *testing.T) {
	w, o := inReview(t)
	w.Clock.Set(o.EndsAt().Add(day))
	w.Rate = amount.SatPerVB(2)
	ask(w, payout.RequestResume, o)
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}

// Before its limit, an economy order is resumed as it was.
func TestEconomyIsResumedBeforeItsLimit(t *testing.T) {
	w, o := inReview(t)
	pass(w, 2)
	ask(w, payout.RequestResume, o)
	if got := w.WantStatus(o.ID, order.Paid); got.Economy != o.Economy {
		t.Errorf("got %+v, want %+v", got.Economy, o.Economy)
	}
	w.Audit()
}

// An economy order is not resumed after 84 days, or near the recovery of its unit. It is refunded.
func TestEconomyIsNotResumed(t *testing.T) {
	w, o := inReview(t)
	w.Clock.Set(o.Created.Add(order.LongestEconomy + time.Minute))
	wantRefused(w, payout.RequestResume, o, "ended 84 days after its creation")

	w, o, end := nearRecovery(t)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	ask(w, payout.RequestReview, o)
	mineTo(w, end)
	wantRefused(w, payout.RequestResume, o, "ended at block")
	w.WantStatus(o.ID, order.Audit)
	w.Rate = amount.SatPerVB(1)
	ask(w, payout.RequestRefund, o)
	w.Settle(3)
	w.WantStatus(o.ID, order.Canceled)
	w.Audit()
}
