package audit_test

import (
	"strings"
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// For a finished order with an unspent payment, the audit detects a due refund that is missing, too small or too large.
// It also detects a due refund of an open order.
func TestOwed(t *testing.T) {
	w := newAudited(t)
	w.Rewarded(w.Bert, 5000)
	late := w.cancelOne()
	w.HoldRefunds()
	w.Pay(w.Bert, late, 4000)
	w.settle(1)
	if o := w.WantStatus(late.ID, order.Canceled); o.Owed.Sats != 4000 {
		t.Fatalf("%d sats are due, want 4000", o.Owed.Sats)
	}
	whole := w.Checkpoint()
	for _, c := range []struct{ text, says string }{
		{`UPDATE payment_order SET refund_due = 0, refund_reason = '', refund_since = 0`, "of which a refund of 0 is due"},
		{`UPDATE payment_order SET refund_due = refund_due - 1`, "of which a refund of 3999 is due"},
		{`UPDATE payment_order SET refund_due = refund_due + 1`, "a refund of 4001 sats is due"},
		{`UPDATE payment_order SET status = 'CONFIRMED'`, "a refund of 4000 sats is due"},
	} {
		t.Run(c.text, func(t *testing.T) {
			address := whole.Copy(t)
			damage(t, address, c.text)
			report, err := w.run(address, w.Node)
			testkit.Must(t, err)
			for _, v := range report.Violations {
				if v.Invariant == audit.Payments && v.Subject == "order "+late.ID && strings.Contains(v.Detail, c.says) {
					return
				}
			}
			t.Errorf("the damage was not found: %v", report.Violations)
		})
	}
}
