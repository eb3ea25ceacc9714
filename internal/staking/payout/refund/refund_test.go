package refund_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// booked returns the sats of an order by account, from the journal.
func booked(w *testkit.World, orderID string) string {
	w.Helper()
	var text string
	for _, account := range []string{"paid", "late", "refunded"} {
		name := "'" + account + ":" + orderID + "'"
		sum := w.Rows(`SELECT CAST(COALESCE(SUM(CASE WHEN to_account = ` + name + ` THEN amount ELSE 0 END), 0)
			- COALESCE(SUM(CASE WHEN from_account = ` + name + ` THEN amount ELSE 0 END), 0) AS BIGINT) AS sats
			FROM journal WHERE asset = 'sats'`)
		text += account + " " + strings.TrimSpace(strings.TrimPrefix(sum, "sats=")) + " "
	}
	return strings.TrimSpace(text)
}

// wantBooked compares the payments of an order with its row and the journal, and audits the ledger.
func wantBooked(w *testkit.World, orderID string, paid, late, refunded amount.Sats) {
	w.Helper()
	w.Audit()
	if got, want := booked(w, orderID), fmt.Sprintf("paid %d late %d refunded %d", paid, late, refunded); got != want {
		w.Fatalf("journal: got %s, want %s", got, want)
	}
	if o := w.Order(orderID); o.Seen != paid || o.Late != late || o.Refunded != refunded {
		w.Fatalf("order: got %d seen, %d late, %d refunded; want %d, %d, %d", o.Seen, o.Late, o.Refunded, paid, late,
			refunded)
	}
}

func TestRefund(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestDone, "")
	sent := w.RefundsOf(o.ID)
	if len(sent) != 1 || sent[0].Kind != payout.Refund || sent[0].ID != w.LastRequest(o.ID).PayoutID {
		t.Fatalf("refunds: got %+v", sent)
	}
	tx := sent[0].Versions[0].Tx
	out := tx.Msg.TxOut
	if len(tx.Msg.TxIn) != 3 || len(out) != 1 || out[0].Value != 2400-int64(sent[0].Versions[0].Fee) ||
		string(out[0].PkScript) != string(w.Anna.Payment.Script) {
		t.Fatalf("outputs of the refund: got %+v", out)
	}
	if w.Node.Broadcasts(tx.ID) == 0 {
		t.Fatal("the refund was not sent")
	}
	wantBooked(w, o.ID, 0, 0, 2400)
	w.WantStatus(o.ID, order.Expired)
	// After a crash and a second request the same bytes are sent again, and no second refund is made.
	w.Restart()
	w.Node.Forget()
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestRefused, "nothing left to refund")
	if len(w.RefundsOf(o.ID)) != 1 || w.Node.Broadcasts(tx.ID) < 2 {
		t.Fatal("the same refund was not sent again, or another one was made")
	}
	w.Settle(2)
	w.WantStatus(o.ID, order.Expired)
	w.Settle(1)
	w.WantStatus(o.ID, order.Expired)
	// A reorg reduces it to fewer than 3 confirmations, and it confirms again.
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.Rewind(2)
	w.Mine(2)
	w.Step()
	w.Node.Rewind(2)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.Settle(10)
	w.WantStatus(o.ID, order.Expired)
	if got := w.RefundsOf(o.ID); got[0].Status != payout.Final {
		t.Errorf("status of the refund: got %s, want final", got[0].Status)
	}
}

func TestRefundUnderThree(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.Decide(payout.RequestRefund, o.ID)
	w.Settle(3)
	w.WantStatus(o.ID, order.Expired)
	w.Node.Rewind(3)
	for range 4 {
		w.Node.MineOnly()
	}
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	wantBooked(w, o.ID, 0, 0, 2400)
	w.Settle(3)
	w.WantStatus(o.ID, order.Expired)
}

// The server refunds a payment that arrives after a refund, and does not refund the earlier payments again.
func TestRefundOfALatePayment(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.Decide(payout.RequestRefund, o.ID)
	w.Settle(3)
	w.WantStatus(o.ID, order.Expired)
	late := w.Pay(w.Anna, o, 5000)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	wantBooked(w, o.ID, 0, 5000, 2400)
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestOpen, "not confirmed yet")
	w.Settle(1)
	w.WantRequest(o.ID, payout.RequestDone, "")
	wantBooked(w, o.ID, 0, 0, 7400)
	second := w.RefundsOf(o.ID)[1].Versions[0].Tx.Msg
	if len(second.TxIn) != 1 || second.TxIn[0].PreviousOutPoint.Hash != late.ID {
		t.Errorf("the second refund spends %v", second.TxIn)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Expired)
}

// A payment that arrives while a refund is unconfirmed is due separately.
func TestPaymentDuringARefund(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.Decide(payout.RequestRefund, o.ID)
	w.Pay(w.Anna, o, 5000)
	w.Settle(4)
	w.WantStatus(o.ID, order.Expired)
	wantBooked(w, o.ID, 0, 0, 7400)
	if n := len(w.RefundsOf(o.ID)); n != 2 {
		t.Errorf("got %d refunds, want 2", n)
	}
}

// A payment to a delivered order is an overpayment. The order is consolidated after its refund.
func TestRefundOfAnOverpayment(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	again := w.Pay(w.Anna, o, 9000)
	w.Step()
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestOpen, "its payout is not confirmed")
	w.Settle(2)
	w.WantStatus(o.ID, order.Sent)
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Delivered); got.Refunded != 9000 || got.Overpayment() != 0 {
		t.Errorf("refunded %d, overpayment %d", got.Refunded, got.Overpayment())
	}
	sent := w.RefundsOf(o.ID)
	if len(sent) != 1 || len(sent[0].Versions[0].Tx.Msg.TxIn) != 1 ||
		sent[0].Versions[0].Tx.Msg.TxIn[0].PreviousOutPoint.Hash != again.ID {
		t.Fatalf("refunds: got %+v", sent)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Consolidated)
	wantBooked(w, o.ID, o.Due(), 0, 9000)
	// Much later, when its payout is final.
	w.Settle(10)
	w.Pay(w.Anna, o, 7000)
	w.Settle(4)
	w.WantStatus(o.ID, order.Consolidated)
	wantBooked(w, o.ID, o.Due(), 0, 16000)
}

// If a reorg after the refund of an overpayment mines a recovery that makes the delivery DEAD, the payments of the
// delivery are refunded, too.
func TestOverpaymentRefundOfADeadDelivery(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := w.Withdrawal(id)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	again := w.Pay(w.Anna, o, 9000)
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Decide(payout.RequestRefund, o.ID)
	w.Settle(1)
	recovery := w.Recover(w.Anna, id)
	w.Node.Rewind(4)
	w.Node.MineOnly(again, recovery)
	w.Mine(4)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Audit)
	wantBooked(w, o.ID, o.Due(), 0, 9000)
	w.Audit()
	w.Decide(payout.RequestResume, o.ID)
	w.WantRequest(o.ID, payout.RequestRefused, "is spent by")
	w.Decide(payout.RequestRefund, o.ID)
	w.Settle(3)
	w.WantStatus(o.ID, order.Canceled)
	wantBooked(w, o.ID, 0, 0, o.Due()+9000)
	w.Audit()
}

// The node accepts a refund but its answer is lost: the same bytes are broadcast again.
func TestRefundIsSentAgain(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.Node.FailSend(errors.New("timeout"), true)
	w.Update(func(tx *store.Tx) error {
		_, err := tx.InsertRequest(w.Context(), payout.Request{Kind: payout.RequestRefund, OrderID: o.ID, By: "olga",
			Why: "x",
			At:  w.Clock.Now()}, "")
		return err
	})
	if _, err := w.Follower.Step(t.Context()); err == nil {
		t.Fatal("the lost answer is not an error")
	}
	w.Node.FailSend(nil, false)
	w.Restart()
	w.Step()
	sent := w.RefundsOf(o.ID)
	if len(sent) != 1 || w.Node.Broadcasts(sent[0].Versions[0].Tx.ID) < 2 {
		t.Fatalf("refunds: got %+v", sent)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Expired)
	w.Audit()
}

// A stuck refund is replaced at a higher fee rate, paid by its own sats. Any version may confirm.
func TestStuckRefundIsReplaced(t *testing.T) {
	for _, first := range []bool{false, true} {
		w := testkit.NewWorld(t).InjectFaults()
		o := w.PaidInPart()
		w.Decide(payout.RequestRefund, o.ID)
		p := w.RefundsOf(o.ID)[0]
		w.Decide(payout.RequestBump, p.ID)
		w.WantRequest(p.ID, payout.RequestRefused, "nodes require")
		w.Rate = amount.SatPerVB(4)
		w.Decide(payout.RequestBump, p.ID)
		w.WantRequest(p.ID, payout.RequestDone, "")
		p = w.RefundsOf(o.ID)[0]
		if len(p.Versions) != 2 || p.Versions[1].Fee <= p.Versions[0].Fee || w.Node.Broadcasts(p.Versions[1].Tx.ID) == 0 {
			t.Fatalf("after the replacement: got %+v", p)
		}
		wantBooked(w, o.ID, 0, 0, 2400)
		if first {
			w.Node.MineOnly(p.Versions[0].Tx)
		}
		w.Settle(3)
		w.WantStatus(o.ID, order.Expired)
		wantBooked(w, o.ID, 0, 0, 2400)
		w.Rate = amount.SatPerVB(9)
		w.Decide(payout.RequestBump, p.ID)
		w.WantRequest(p.ID, payout.RequestRefused, "it is confirmed")
	}
}

func TestRefundWaitsAndIsRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	pending := *w.Act(w.Anna, action.Withdraw, o.UnitIDs...).Order
	w.Decide(payout.RequestRefund, pending.ID)
	w.WantRequest(pending.ID, payout.RequestRefused, "it is PENDING")

	for _, kind := range []payout.RequestKind{payout.RequestRefund, payout.RequestResume} {
		w.Decide(kind, "nowhere")
		w.WantRequest("nowhere", payout.RequestRefused, "no such order")
	}

	w.Rate = amount.SatPerVB(20)
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestOpen, "too small to be refunded")
	w.Rate = amount.SatPerVB(2)
	pause := func(reason string) {
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, reason) })
		w.Step()
	}
	pause("a look at the books")
	w.WantRequest(o.ID, payout.RequestOpen, "too small to be refunded")
	w.Signer = testkit.Refusing{Next: w.Signer, If: func(u payout.Unsigned) bool { return u.Refund != nil }}
	pause("")
	w.WantRequest(o.ID, payout.RequestOpen, testkit.ErrRefused.Error())
	w.Signer = w.Signer.(testkit.Refusing).Next
	w.Step()
	w.WantRequest(o.ID, payout.RequestDone, "")
	if n := len(w.RefundsOf(o.ID)); n != 1 {
		t.Errorf("got %d refunds, want 1", n)
	}
}
