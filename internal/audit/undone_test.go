package audit_test

import (
	"testing"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A reorg that undoes a payment does not affect its sent payout: both confirm again, and the audit finds no violation
// meanwhile.
func TestPaymentUndoneAfterPayout(t *testing.T) {
	w := newAudited(t)
	unit := w.Unlocked(w.Anna, 50_000)
	o := w.Act(w.Anna, action.Withdraw, unit).Order
	w.Pay(w.Anna, *o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.audit()
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	if got := w.WantStatus(o.ID, order.Sent).Confirmed; got != 0 {
		t.Fatalf("%d sats confirmed, want none", got)
	}
	w.audit()
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.audit()
}

// A payment is replaced in a reorg after its payout was sent, and its owner pays again. The order waits until the
// payout is dropped, the audit finds no violation meanwhile, and then the order is delivered for the other payment.
func TestPaidAgainAfterPayout(t *testing.T) {
	w := newAudited(t)
	unit := w.Unlocked(w.Anna, 50_000)
	o := w.Act(w.Anna, action.Withdraw, unit).Order
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, *o, o.Due(), 1000))
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
	w.Node.MineOnly()
	w.Step()
	w.audit()
	w.Pay(w.Anna, *o, testkit.SatsCoin/2)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.audit()
	for range 12 {
		w.Settle(1)
		w.audit()
	}
	w.WantStatus(o.ID, order.Consolidated)
}

// The server follows its node to a shorter branch, after the node was replaced by another one. The last block of a
// settled epoch has fewer confirmations then than when the epoch was settled. That is no violation.
func TestShorterBranchAfterSettlement(t *testing.T) {
	w := newAudited(t)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	tip := w.Rows(`SELECT MAX(height) FROM block`)
	w.audit()
	w.Node.Rewind(follower.MaxReorg)
	w.Node.MineOnly()
	w.Step()
	if w.Rows(`SELECT MAX(height) FROM block`) == tip {
		t.Fatal("the server did not follow its node")
	}
	w.audit()
	w.Settle(follower.MaxReorg)
	w.audit()
}

// A reorg undoes a recovery while everything is paused: the server follows the chain, and restores the unit when the
// pause ends. The audit finds no violation meanwhile.
func TestRecoveryUndoneWhilePaused(t *testing.T) {
	w := newAudited(t)
	unit := w.Unlocked(w.Anna, 50_000)
	w.Send(w.Recover(w.Anna, unit))
	w.Settle(ledger.RecoveryDepth)
	w.WantStage(unit, ledger.Withdrawn)
	w.audit()
	w.undoWhilePaused(ledger.RecoveryDepth, func() { w.WantStage(unit, ledger.Withdrawn) })
	w.WantStage(unit, ledger.Unlocked)
	w.audit()
}

// A reorg undoes a payout that has confirmed while everything is paused. The payout keeps its status, and the audit
// finds no violation. After the pause its order is SENT again.
func TestPayoutUndoneWhileAllIsPaused(t *testing.T) {
	w := newAudited(t)
	o := w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 50_000)).Order
	w.Pay(w.Anna, *o, o.Due())
	w.Settle(1)
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.undoWhilePaused(order.DeliveryDepth, func() { w.WantStatus(o.ID, order.Delivered) })
	w.WantStatus(o.ID, order.Sent)
	w.audit()
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.audit()
}

// undoWhilePaused replaces the last blocks by empty ones while everything is paused, calls meanwhile, audits, and ends
// the pause.
func (w *audited) undoWhilePaused(depth int, meanwhile func()) {
	w.Helper()
	pause := func(reason string) {
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PauseAll, reason) })
	}
	pause("an operator looks at it")
	w.Node.Rewind(depth)
	for range depth + 1 {
		w.Node.MineOnly()
	}
	w.Step()
	meanwhile()
	w.audit()
	pause("")
	w.Step()
}
