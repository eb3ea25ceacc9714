package dispatch_test

import (
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// An order paid for a lower rate than the node's mempool requires when its delivery is due. The delivery could not be
// relayed, so it is not stored, and the order says why it waits. It is sent once the minimum falls.
func TestDeliveryBelowTheMempoolWaits(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Rate, w.MempoolMin = amount.SatPerVB(3), amount.SatPerVB(3)
	w.PayInFull(w.Anna, o)
	w.EmptyBlocks(1)
	w.WantStatus(o.ID, order.Paid)
	if reason := w.Payouts.Waiting()[o.ID]; !strings.Contains(reason, "the node's mempool requires 3 sat/vB now") {
		t.Errorf("it waits for %q", reason)
	}
	if live := w.PayoutsIn(payout.Live); len(live) > 0 {
		t.Errorf("the payout %+v is stored", live)
	}
	w.MempoolMin = amount.SatPerVB(2)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}

// A refund that could not be relayed is not stored either, and the operator's request for it says why it stays open.
func TestRefundBelowTheMempoolWaits(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.MempoolMin = amount.SatPerVB(3)
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestOpen, "the node's mempool requires 3 sat/vB now")
	if waits := w.Follower.State().Waiting; len(waits) != 1 || !strings.Contains(waits["request 1"].Reason, "3 sat/vB") {
		t.Errorf("what waits: %v", waits)
	}
	if n := len(w.RefundsOf(o.ID)); n > 0 {
		t.Errorf("%d refunds are stored", n)
	}
	w.MempoolMin = amount.SatPerVB(2)
	w.Step()
	w.WantRequest(o.ID, payout.RequestDone, "")
	w.Audit()
}
