package refund_test

import (
	"testing"

	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// If a reorg replaces one of the payments that a refund spends, the refund is DEAD with 6 confirmations of the
// replacement, and the other payments are refunded again.
func TestReplacedPaymentMakesItsRefundDead(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, 900)
	w.Settle(1)
	release := w.HoldRefunds()
	w.Clock.Advance(order.PaymentWindow)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, 5000, 1000))
	w.Settle(1)
	release()
	w.Decide(payout.RequestRefund, o.ID)
	wantBooked(w, o.ID, 0, 0, 5900)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
	w.Settle(1)
	wantBooked(w, o.ID, 0, 0, 900)
	w.Settle(4) // the refund is dead, and the server refunds the rest
	w.WantStatus(o.ID, order.Expired)
	if got := w.RefundsOf(o.ID); len(got) != 2 || got[0].Status != payout.Dead || got[1].Status != payout.Live {
		t.Fatalf("refunds: got %+v", got)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Expired)
	wantBooked(w, o.ID, 0, 0, 900)
}

// If a reorg replaces the only payment that a refund spends, the order has no payment, and the audit finds no error
// before or after the refund is DEAD.
func TestRefundLosesItsOnlyPayment(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, 5000, 1000))
	w.Clock.Advance(order.PaymentWindow)
	w.Settle(1)
	w.WantStatus(o.ID, order.Expired)
	w.Decide(payout.RequestRefund, o.ID)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
	for range 7 {
		w.Settle(1)
		w.Audit()
	}
	if got := w.RefundsOf(o.ID); got[0].Status != payout.Dead {
		t.Fatalf("status of the refund: got %s, want dead", got[0].Status)
	}
	wantBooked(w, o.ID, 0, 0, 0)
}

// A payer overpays twice, and a reorg replaces the first payment. The delivery, and the refund of what it kept and of
// the second payment, are DEAD in the same step. The second payment pays the order then.
func TestPaymentOfADeadRefundPays(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, 50_000, 1000))
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Pay(w.Anna, o, 20_000)
	w.Settle(order.DeliveryDepth)
	w.Settle(1)
	w.WantStatus(o.ID, order.Delivered)
	if got := w.RefundsOf(o.ID); len(got) != 1 {
		t.Fatalf("refunds: got %+v", got)
	}
	w.Node.Rewind(2 + order.DeliveryDepth)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 60_000, coin))
	for range order.FinalDepth {
		w.Settle(1)
		w.WantStatus(o.ID, order.Sent) // the first delivery, and then the second
		w.Audit()
	}
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}
