package refund_test

import (
	"testing"
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// undecided pays an order and has an operator review it before the payment confirms. Afterwards the order is in AUDIT,
// and its units are free.
func undecided(w *testkit.World, o order.Order) {
	w.Helper()
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Decide(payout.RequestReview, o.ID)
	w.WantStatus(o.ID, order.Audit)
}

// The operator resumes the order with the same unit.
func TestResume(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := w.Withdrawal(id)
	undecided(w, o)
	w.Decide(payout.RequestResume, o.ID)
	w.WantRequest(o.ID, payout.RequestRefused, "not confirmed")
	w.Settle(1)
	w.Pay(w.Anna, o, 2400)
	w.Settle(1)
	wantBooked(w, o.ID, o.Due(), 2400, 0)
	w.Decide(payout.RequestResume, o.ID)
	w.WantRequest(o.ID, payout.RequestDone, "")
	w.WantStatus(o.ID, order.Sent)
	wantBooked(w, o.ID, o.Due()+2400, 0, 0)
	w.WantStage(id, ledger.BatchLocked)
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(id, ledger.Withdrawn)
	if who := w.Rows(`SELECT cause_kind, cause_id FROM journal WHERE event = ? AND asset = ''`,
		string(order.ResolvedByOperator)); who != "cause_kind=operator cause_id=olga: she asked for it \n" {
		t.Errorf("cause in the journal: got %s", who)
	}
}

func TestResumeIsRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	late := func() order.Order {
		o := w.Withdrawal(id)
		undecided(w, o)
		w.Settle(1)
		w.WantStatus(o.ID, order.Audit)
		return o
	}
	first, second := late(), late()
	open := w.Withdrawal(id)
	w.Decide(payout.RequestResume, open.ID)
	w.WantRequest(open.ID, payout.RequestRefused, "only an AUDIT order")
	w.Decide(payout.RequestResume, first.ID)
	w.WantRequest(first.ID, payout.RequestRefused, "is PO_LOCKED")
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	// After a refund, no payment is left that pays the price.
	w.Decide(payout.RequestRefund, first.ID)
	w.Decide(payout.RequestResume, first.ID)
	w.WantRequest(first.ID, payout.RequestRefused, "is spent by")
	w.Settle(3)
	w.WantStatus(first.ID, order.Canceled)
	// The unit is restaked.
	w.Act(w.Anna, action.Restake, id)
	w.Decide(payout.RequestResume, second.ID)
	w.WantRequest(second.ID, payout.RequestRefused, "is PENDING_STAKE")
	w.WantStatus(second.ID, order.Audit)
}

// An operator reviews a claim and resumes it.
func TestResumeOfAClaim(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, reward := w.Rewarded(w.Anna, 5000)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "test") })
	o := *w.Act(w.Anna, action.Claim, reward).Order
	undecided(w, o)
	w.WantStage(reward, ledger.Claimable)
	w.Settle(1)
	w.Decide(payout.RequestResume, o.ID)
	w.WantStatus(o.ID, order.Paid)
	w.WantStage(reward, ledger.BatchLocked)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
}

// A refund of an AUDIT order cancels the order. A reorg of the refund moves it back to AUDIT.
func TestRefundOfAnAudit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	undecided(w, o)
	w.Settle(1)
	w.Decide(payout.RequestRefund, o.ID)
	w.WantStatus(o.ID, order.Audit)
	w.Settle(3)
	w.WantStatus(o.ID, order.Canceled)
	w.Audit()
	w.Node.Rewind(3)
	for range 4 {
		w.Node.MineOnly()
	}
	w.Step()
	w.WantStatus(o.ID, order.Audit)
	w.Audit()
	w.Settle(3)
	w.WantStatus(o.ID, order.Canceled)
	// A later payment is refunded by the server, without a change of status.
	w.Pay(w.Bert, o, 5000)
	w.Step()
	if got := w.WantStatus(o.ID, order.Canceled); got.Owed.Sats != 5000 {
		t.Errorf("due refund: got %+v", got.Owed)
	}
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Canceled); got.Owed.Sats != 0 || len(w.RefundsOf(o.ID)) != 2 {
		t.Errorf("due refund: got %+v", got.Owed)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Canceled)
	w.Audit()
}
