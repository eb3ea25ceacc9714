package audit_test

import (
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// withdrawalCorruptions change a withdrawal, its request, or its postings.
var withdrawalCorruptions = []corruption{
	{audit.Payouts, `UPDATE operator_request SET sats = sats - 1 WHERE sats > 0`},
	{audit.Payouts, `UPDATE operator_request SET runes = runes + 1 WHERE runes > 0`},
	{audit.Payouts, `UPDATE operator_request SET address = 'bcrt1qother' WHERE address <> ''`},
	{audit.Payouts, `UPDATE operator_request SET status = 'refused' WHERE address <> ''`},
	{audit.Payouts, `UPDATE operator_request SET payout_id = '' WHERE address <> ''`},
	{audit.Payouts, `UPDATE payout SET kind = 'delivery' WHERE kind = 'withdrawal'`},
	{audit.Payouts, `UPDATE payout SET kind = 'refund' WHERE kind = 'withdrawal'`},
	{audit.Payouts, `UPDATE payout SET kind = 'return' WHERE kind = 'withdrawal'`},
	{audit.Payouts, `UPDATE payout SET kind = 'withdrawal' WHERE kind = 'delivery'`},
	{audit.Payouts, `UPDATE payout SET kind = 'none' WHERE kind = 'withdrawal'`},
	{audit.Payouts, `UPDATE payout SET status = 'final' WHERE kind = 'withdrawal' AND status = 'live'`},
	{audit.Journal, `UPDATE payout SET status = 'confirmed' WHERE kind = 'withdrawal' AND status = 'final'`},
	{audit.Journal, `DELETE FROM journal WHERE event = 'sats withdrawn'`},
	{audit.Journal, `UPDATE journal SET amount = amount + 1 WHERE event = 'sats withdrawn'`},
	{audit.Journal, `UPDATE journal SET amount = amount - 1 WHERE asset = 'treasury'`},
	{audit.Journal, `UPDATE journal SET to_account = 'fees:lobo', subject = 'fees:lobo' WHERE event = 'sats withdrawn'`},
	{audit.Journal, `DELETE FROM journal WHERE event = 'network fee of a withdrawal'`},
	{audit.Journal, `UPDATE journal SET amount = amount + 1 WHERE event = 'network fee of a withdrawal'`},
	{audit.Backing, `UPDATE epoch_account SET settled = 0, reserved = 1000000000000 WHERE epoch = 1`},
	{audit.Payouts, `DELETE FROM payout WHERE kind = 'withdrawal'`},
}

// A withdrawal without its request, a wrong amount, and postings of withdrawals that are not final are violations.
func TestWithdrawalCorruption(t *testing.T) {
	w := newAudited(t)
	w.SetServiceFee(60_000)
	w.AllowWithdrawals(w.Cleo.Payment.Text)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(18)
	for _, what := range []payout.Withdrawal{{Sats: 20_000}, {Runes: 1_000}, {Sats: 5_000}} {
		what.To = w.Cleo.Payment.Text
		w.Withdraw(what)
		w.step()
		if what.Sats != 5_000 {
			w.Settle(15)
		}
	}
	w.audit()
	whole := w.Checkpoint()
	for _, c := range withdrawalCorruptions {
		t.Run(c.text, func(t *testing.T) {
			address := whole.Copy(t)
			damage(t, address, c.text)
			report, err := w.run(address, w.Node)
			testkit.Must(t, err)
			wantFound(t, report, c.invariant)
		})
	}
}
