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

// wantDue checks an order's status and due refund, and audits the ledger.
func wantDue(w *testkit.World, o order.Order, status order.Status, sats amount.Sats, reason order.RefundReason) {
	w.Helper()
	got := w.WantStatus(o.ID, status)
	if got.Owed.Sats != sats || got.Owed.Reason != reason {
		w.Errorf("got %d sats due (%q), %s; want %d (%q)", got.Owed.Sats, got.Owed.Reason, got.Status, sats, reason)
	}
	w.Audit()
}

// A payment of 546 sats by a stranger changes neither the status nor the deadline of an order.
func TestDustStartsNoPayment(t *testing.T) {
	w, o, unit := begin(t)
	w.Pay(w.Bert, o, 546)
	w.Settle(1)
	got := w.WantStatus(o.ID, order.Pending)
	if got.Seen != 0 || got.Due() != o.Due() || !got.Deadline.Equal(o.Deadline) || got.Fees != o.Fees {
		t.Errorf("after 546 sats: %+v", got)
	}
	w.WantStage(unit, ledger.POLocked)
	w.Audit()
	wait(w, over)
	wantDue(w, o, order.Expired, 0, "")
}

// All parts count once their sum exceeds smallParts, so an owner who pays in small parts loses nothing.
func TestSmallPartsCountByTheirSum(t *testing.T) {
	w, o, _ := begin(t)
	w.Pay(w.Anna, o, 546)
	w.Step()
	w.WantStatus(o.ID, order.Pending)
	w.Pay(w.Anna, o, 546)
	w.Step()
	got := w.WantStatus(o.ID, order.Confirmed)
	if got.Seen != 1092 {
		t.Errorf("seen: got %d, want 1092", got.Seen)
	}
	w.Pay(w.Anna, o, got.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// The payment that completes the price counts, however small it is.
func TestCompletionAlwaysCounts(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.Rate = amount.SatPerVB(20)
	o := *w.Act(w.Anna, "WITHDRAW", w.Unlocked(w.Anna, 5000)).Order
	first := o.Due() - 1250 // the floor is 1,360 sats
	w.Pay(w.Anna, o, first)
	w.Settle(1)
	missing := w.Order(o.ID).Due()
	w.Pay(w.Anna, o, 600)
	w.Step()
	if got := w.WantStatus(o.ID, order.Confirmed); got.Seen != first || got.Due() != missing {
		t.Errorf("%d sats were seen and %d are due after a payment that does not complete the price", got.Seen, got.Due())
	}
	w.Pay(w.Anna, o, 1250)
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// A rerate to a higher fee rate does not change whether earlier payments count.
func TestReratePreservesCounted(t *testing.T) {
	w, o, _ := begin(t)
	w.Pay(w.Anna, o, 900)
	w.Settle(1)
	wait(w, over)
	got := rerate(w, o, 40) // 900 sats are below the floor and below 2 % now
	if got.Seen != 900 || got.Fees.Total()-got.Usable > got.Fees.Dust+got.Fees.Service+got.Fees.Rutxos+got.Fees.Network {
		t.Errorf("after the rerate: got %+v", got)
	}
	w.Pay(w.Anna, o, got.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// Dust does not change a closed order. A payment worth a refund is due and refunded in every closed status.
func TestLatePaymentIsRefunded(t *testing.T) {
	for name, closed := range map[string]func(w *testkit.World, o order.Order){
		"EXPIRED":  func(w *testkit.World, _ order.Order) { wait(w, over) },
		"CANCELED": cancel,
	} {
		w, o, _ := begin(t)
		closed(w, o)
		release, status := w.HoldRefunds(), order.Status(name)
		w.Pay(w.Bert, o, 546)
		w.Settle(1)
		wantDue(w, o, status, 0, "")
		since := w.Clock.Now()
		w.Pay(w.Bert, o, 2000)
		w.Settle(1)
		wantDue(w, o, status, 2546, order.RefundLate)
		if got := w.Order(o.ID); got.Owed.Since.Before(since) {
			t.Errorf("due since %s", got.Owed.Since)
		}
		release()
		ask(w, payout.RequestRefund, o)
		wantDue(w, o, status, 0, "")
		w.Settle(3)
		w.WantStatus(o.ID, status)
		undo(w, 3)
		w.WantStatus(o.ID, status)
		w.Settle(3)
		if got := w.WantStatus(o.ID, status); got.Refunded != 2546 {
			t.Errorf("refunded: got %d, want 2546", got.Refunded)
		}
		w.Audit()
	}
}

// Payments that did not count are refunded after the order closes if they are worth a refund.
func TestSmallPartsAreRefundedAtTheEnd(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := *w.Act(w.Anna, "WITHDRAW", deposits(w, 150)...).Order
	small := o.Fees.Total() / 60 // less than 2 %
	if small < 2*546 {
		small = 2 * 546
	}
	w.Pay(w.Anna, o, 546)
	w.Settle(1)
	w.WantStatus(o.ID, order.Pending)
	wait(w, over)
	wantDue(w, o, order.Expired, 0, "")
	release := w.HoldRefunds()
	w.Pay(w.Anna, o, small)
	w.Settle(1)
	wantDue(w, o, order.Expired, 546+small, order.RefundLate)
	release()
	ask(w, payout.RequestRefund, o)
	w.Settle(3)
	if got := w.WantStatus(o.ID, order.Expired); got.Refunded != 546+small {
		t.Errorf("refunded %d", got.Refunded)
	}
	w.Audit()
}

// A fully paid but unconfirmed order can be canceled, too.
func TestCancelOfAnUnconfirmedOrder(t *testing.T) {
	w, o, unit := begin(t)
	payWith(w, o, o.Due())
	wait(w, 2*time.Hour)
	w.WantStatus(o.ID, order.Confirmed)
	cancel(w, o)
	w.WantStage(unit, ledger.Unlocked)
	wantDue(w, o, order.Canceled, o.Due(), order.RefundCanceled)
	w.Settle(4)
	wantDue(w, o, order.Canceled, 0, "")
}

// A client that knows only total_fee and po_balance pays what is left of them. Someone who pays the price that was
// shown first in two parts is done.
func TestPriceInTwoParts(t *testing.T) {
	w, o, _ := begin(t)
	w.Pay(w.Anna, o, 1000)
	w.Settle(1)
	w.Pay(w.Bert, o, 400) // waits, and counts nothing
	w.Step()
	got := w.WantStatus(o.ID, order.Confirmed)
	if left := got.Fees.Total() - got.Balance(); left != got.Due() || left > o.Due()-1000+got.Fees.PerRutxo {
		t.Errorf("%d sats are left, %d are due of %d", left, got.Due(), o.Due())
	}
	w.Pay(w.Anna, o, o.Due()-1000)
	w.Settle(1)
	got = w.WantStatus(o.ID, order.Sent)
	if got.Due() != 0 || got.Balance() != got.Fees.Total() {
		t.Errorf("%d sats are due, %d of %d are paid", got.Due(), got.Balance(), got.Fees.Total())
	}
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}
