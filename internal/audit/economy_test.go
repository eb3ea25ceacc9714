package audit_test

import (
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// The audit finds a rate and a limit that the signed message does not name, an early end, and a payout that mixes
// speeds.
func TestEconomyViolations(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	w.GiveSignerIndex()
	id, second := w.Unlocked(w.Anna, 5000), w.Unlocked(w.Anna, 6000)
	o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), id)
	other := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), second)
	w.Pay(w.Anna, o, o.Due())
	w.Pay(w.Anna, other, other.Due())
	w.Settle(1)
	w.Rate = amount.SatPerVB(2)
	w.Settle(2)
	if w.WantStatus(o.ID, order.Sent).PayoutID != w.WantStatus(other.ID, order.Sent).PayoutID {
		t.Fatal("the orders do not share a payout")
	}
	w.Audit()
	for statement, want := range map[string]string{
		`UPDATE payment_order SET fee_rate = 3000 WHERE id = ?`:                          "its message names 2000",
		`UPDATE payment_order SET limit_at = limit_at - 60 WHERE id = ?`:                 "its limit is",
		`UPDATE payment_order SET limit_at = -62135596800 WHERE id = ?`:                  "it is a normal order at 2000",
		`UPDATE payment_order SET limit_at = -62135596800, fee_rate = 2500 WHERE id = ?`: "have different speeds",
		`UPDATE action SET message = 'no speed' WHERE order_id = ?`:                      "its message names none",
		`UPDATE custody SET kind = 'sats' WHERE kind = 'payment'`:                        "the treasury pays",
		`UPDATE journal SET from_account = 'order:PAID', to_account = 'order:EXPIRED', event = 'economy delivery ended'
			WHERE subject = ? AND event = 'payout signed and stored'`: "before its limits",
	} {
		broken := w.Copy()
		damage(t, broken.URL(), strings.ReplaceAll(statement, "?", "'"+o.ID+"'"))
		if text := broken.AuditText(); !strings.Contains(text, want) {
			t.Errorf("%s: the audit lacks %q:\n%s", statement, want, text)
		}
	}
}

// The price of an economy order must be paid before its end.
func TestPaidRulesOfEconomyOrders(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due()/2)
	w.Settle(1)
	w.Clock.Advance(order.FeeValid * 2)
	w.Pay(w.Anna, o, w.Order(o.ID).Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	w.Audit()
	for statement, want := range map[string]string{
		`UPDATE custody SET seen_at = seen_at + 43 * 86400 WHERE kind = 'payment'`:     "until when its price was valid",
		`UPDATE payment_order SET network_fee = network_fee - 1 WHERE status = 'PAID'`: "its network fee is",
	} {
		broken := w.Copy()
		damage(t, broken.URL(), statement)
		if text := broken.AuditText(); !strings.Contains(text, want) || !strings.Contains(text, o.ID) {
			t.Errorf("%s: the audit lacks %q:\n%s", statement, want, text)
		}
	}
}
