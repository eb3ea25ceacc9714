package refund_test

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// After one request of an operator, an AUDIT order is refunded until no unspent payment is left. One refund spends at
// most 150 payments.
func TestRequestedRefundOfManyPaymentsIsRepeated(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	unit := w.Unlocked(w.Anna, 5000)
	o := w.Withdrawal(unit)
	w.Rate = amount.SatPerVB(1)
	const payments = 2*order.MaxRefunded + 20
	for range 4 {
		split(w, o, payments/4, 700)
	}
	w.Step()
	w.Decide(payout.RequestReview, o.ID)
	w.WantStatus(o.ID, order.Audit)
	w.Settle(1)
	if n := len(w.RefundsOf(o.ID)); n != 0 {
		t.Fatalf("got %d refunds before a request", n)
	}
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestOpen, "at most 150 payments")
	w.Restart()
	w.Settle(2)
	w.WantRequest(o.ID, payout.RequestDone, "")
	w.Settle(3)
	all := w.RefundsOf(o.ID)
	spent := 0
	for _, p := range all {
		spent += len(p.Versions[0].Tx.Msg.TxIn)
	}
	if len(all) != 3 || spent != payments {
		t.Fatalf("got %d refunds of %d payments, want 3 of %d", len(all), spent, payments)
	}
	w.WantStatus(o.ID, order.Canceled)
	w.Audit()
}

// While more refunds wait than one Step examines, each Step examines the next part of them. A refund after them is sent
// by the second Step, and a smaller refund that becomes due later by the Step that begins again with the smallest.
func TestRefundBehindManyThatWait(t *testing.T) {
	w := testkit.NewWorld(t)
	o := expired(w, w.Anna)
	const columns = `community, reason, owner, payment, action_id, unit_ids, real_units, amount, fee_rate, network_fee,
		service_fee, rutxos_fee, per_rutxo, address, script, status, created_at, rate_at, deadline, seen, confirmed, late,
		refunded, payout_id, payout_tx, updated_at, returned, usable, anchor, refund_reason, refund_since, by_refund,
		refund_rate, refund_hold, refund_retry`
	if n := engine.Damage(w, w.URL(), `WITH RECURSIVE copy (n) AS
		(SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM copy WHERE n < 2500)
		INSERT INTO payment_order (id, number, refund_due, `+columns+`)
		SELECT 'waits ' || n, 1000 + n, 1000, `+columns+` FROM payment_order, copy WHERE id = '`+o.ID+`'`); n != 2500 {
		t.Fatalf("got %d copied orders, want 2500", n)
	}
	w.Pay(w.Anna, o, 5000)
	w.Settle(1)
	wantRefunds(w, o, 0, 5000, order.HoldNone)
	w.Step()
	wantRefunds(w, o, 1, 0, order.HoldNone)
	w.Pay(w.Anna, o, 900)
	w.Settle(1)
	wantRefunds(w, o, 2, 0, order.HoldNone)
}
