package store

import (
	"math"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// waitingRefunds inserts orders whose refunds wait for a fee rate below 5 sat/vB. Their amounts are equal, as an
// attacker's orders may be.
func waitingRefunds(t *testing.T, tx *Tx, orders int) {
	t.Helper()
	o := sampleOrder()
	o.Status = order.Expired
	o.Owed = order.Refund{Sats: 1000, Reason: order.RefundLate, Since: noon, Rate: amount.SatPerVB(4)}
	must(t, tx.InsertOrder(t.Context(), o))
	const columns = `community, reason, owner, payment, action_id, unit_ids, real_units, amount, fee_rate, network_fee,
		service_fee, rutxos_fee, per_rutxo, address, script, status, created_at, rate_at, deadline, seen, confirmed, late,
		refunded, payout_id, payout_tx, updated_at, returned, usable, anchor, refund_due, refund_reason, refund_since,
		by_refund, refund_rate, refund_hold, refund_retry`
	_, err := tx.db.ExecContext(t.Context(), `WITH RECURSIVE copy (n) AS
		(SELECT CAST(2 AS BIGINT) UNION ALL SELECT n + 1 FROM copy WHERE n < $1)
		INSERT INTO payment_order (id, number, `+columns+`)
		SELECT 'copy ' || n, n, `+columns+` FROM payment_order, copy WHERE id = $2`, orders, o.ID)
	must(t, err)
}

// A search examines only a part of 100,000 waiting refunds. Repeated searches find a later refund that can be sent.
func TestRefundsToSendAmongManyThatWait(t *testing.T) {
	const waiting, examine = 100_000, 2000
	ctx := t.Context()
	within(t, func(tx *Tx) {
		waitingRefunds(t, tx, waiting)
		ready := sampleOrder()
		ready.ID, ready.Number, ready.Status = "ready", 2, order.Expired
		ready.Owed = order.Refund{Sats: 1001, Reason: order.RefundLate, Since: noon, Rate: amount.SatPerVB(5)}
		must(t, tx.InsertOrder(ctx, ready))
		must(t, tx.InsertPayments(ctx, []order.Payment{{OutPoint: point(3), OrderID: ready.ID, Number: 1}}))
		paid := output(3, "payment")
		paid.Runes, paid.Quarantine, paid.Height, paid.SpentBy = 0, "", 7, ""
		must(t, tx.PutOutput(ctx, paid))
		search := payout.RefundSearch{Community: "lobo", Rate: amount.SatPerVB(5), At: noon, Examine: examine, Most: 100}
		searches, fastest := 0, time.Duration(math.MaxInt64)
		for {
			began := time.Now()
			orders, next, err := tx.RefundsToSend(ctx, search)
			must(t, err)
			fastest = min(fastest, time.Since(began))
			searches++
			if len(orders) > 0 {
				same(t, "found", orders, err, []order.Order{ready})
				if next != (payout.RefundPosition{}) {
					t.Errorf("the next search starts at %+v, want none", next)
				}
				break
			}
			if next == (payout.RefundPosition{}) {
				t.Fatal("the refund was not found")
			}
			search.After = next
		}
		if want := waiting/examine + 1; searches != want {
			t.Errorf("found by search %d, want %d", searches, want)
		}
		if fastest > 20*time.Millisecond {
			t.Errorf("one search took %s or more", fastest)
		}
		t.Logf("%d searches among %d refunds, %s the fastest", searches, waiting, fastest)

		search.After, search.Examine = payout.RefundPosition{}, waiting+2
		began := time.Now()
		_, _, err := tx.RefundsToSend(ctx, search)
		must(t, err)
		t.Logf("one search of all: %s", time.Since(began))
	})
}
