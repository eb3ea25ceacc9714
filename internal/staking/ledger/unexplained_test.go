package ledger_test

import (
	"strings"
	"testing"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// A claim that was delivered after the backup from which a ledger was restored is not paid again. Its rewards are held
// when the delivery is seen, and WITHDRAWN once the delivery has ExplainDepth confirmations.
func TestClaimDeliveredAfterTheCopy(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	_, reward := w.Rewarded(w.Bert, 5000)
	stale := w.Copy()
	claim := *w.Act(w.Bert, action.Claim).Order
	w.Pay(w.Bert, claim, claim.Due())
	w.Settle(1)
	w.WantStatus(claim.ID, order.Sent)

	stale.Step() // in the mempool or in a block
	stale.WantStage(reward, ledger.Claimable)
	for _, kind := range []action.Type{action.Claim, action.Compound} {
		if _, err := stale.TryAct(w.Bert, kind, reward); err == nil || !strings.Contains(err.Error(), "on hold") {
			t.Errorf("%s: got %v, want the rewards held", kind, err)
		}
	}
	w.Settle(ledger.ExplainDepth - 1)
	w.WantStatus(claim.ID, order.Consolidated)
	stale.Step()
	stale.WantStage(reward, ledger.Claimable)
	w.Settle(1)
	stale.Step()
	stale.WantStage(reward, ledger.Withdrawn)
	if left := stale.Units(w.Bert, ledger.Claimable); len(left) != 0 {
		t.Errorf("%v can be claimed again", left)
	}
	want := "owner=" + w.Bert.Ordinals.Text + " amount=" + claim.Amount.String() + " status=found \n"
	if got := stale.Rows(`SELECT owner, amount, status FROM unexplained_spend`); got != want {
		t.Errorf("unexplained spend: got %s, want %s", got, want)
	}
	stale.Audit()
	if got := w.Rows(`SELECT * FROM unexplained_spend`); got != "" {
		t.Errorf("payouts of this ledger are listed as unexplained: %s", got)
	}
	w.Audit()
}

// If a transaction that the ledger does not have sends sats from the treasury to another address, they are recorded at
// once, and an operator must explain them. Here the transaction is a withdrawal after the backup; a theft with the key
// would look the same. The treasury's change is booked although no payout is recorded for it.
func TestSatsTakenAfterTheCopy(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetServiceFee(60_000)
	w.AllowWithdrawals(w.Cleo.Payment.Text)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(18)
	stale := w.Copy()
	w.Withdraw(payout.Withdrawal{Sats: 20_000, To: w.Cleo.Payment.Text})
	w.Step()
	w.Settle(1)

	stale.Step()
	want := "owner= community=lobo amount=0 sats=20000 status=unclear \n"
	spend := `SELECT owner, community, amount, sats, status FROM unexplained_spend`
	if got := stale.Rows(spend); got != want {
		t.Errorf("unexplained spend: got %q, want %q", got, want)
	}
	if got := stale.Rows(`SELECT txid FROM custody WHERE kind = 'sats' AND spent_by = '' AND booked = 0`); got != "" {
		t.Errorf("the change %s would need `treasury credit`", got)
	}
	if text := stale.AuditText(); !strings.Contains(text, "20000 sats out of the treasury") {
		t.Errorf("audit: got %q, want the sats named", text)
	}
	stale.ExplainSpends()
	stale.Settle(3)
	stale.Audit()
	w.Audit()
}

// A reward that is missing from the backup is settled first, and then matched with the spend.
func TestClaimOfARewardAfterTheCopy(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	w.Staked(w.Bert, 5000)
	stale := w.Copy()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	reward := w.Units(w.Bert, ledger.Claimable)[0]
	claim := *w.Act(w.Bert, action.Claim).Order
	w.Pay(w.Bert, claim, claim.Due())
	w.Settle(ledger.ExplainDepth + 1)
	stale.Step()
	stale.WantStage(reward, ledger.Withdrawn)
	stale.Audit()
}

// An order that was PAID when the backup was made is not sent while its owner's rewards are held.
func TestPaidOrderWaitsWhileRewardsAreHeld(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	_, reward := w.Rewarded(w.Bert, 5000)
	stale := w.Copy()
	claim := *w.Act(w.Bert, action.Claim).Order
	stale.StakeAddress(w.Anna, 5000) // so that its next random id differs
	again := *stale.Act(w.Bert, action.Claim).Order
	w.Pay(w.Bert, claim, claim.Due())
	w.Settle(1)
	stale.Pay(w.Bert, again, again.Due())
	stale.Settle(3)
	o := stale.WantStatus(again.ID, order.Paid)
	if reason := stale.Follower.State().Waiting[o.ID]; !strings.Contains(reason.Reason, "held") {
		t.Errorf("the order waits for %q, want held rewards", reason)
	}
	stale.WantStage(reward, ledger.BatchLocked)
}
