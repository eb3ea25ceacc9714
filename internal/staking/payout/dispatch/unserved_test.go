package dispatch_test

import (
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/dispatch"
	"moonfund/internal/testkit"
)

// A community whose manifest was removed stops no step of the server, and its payouts go on once it is served again.

func TestStuckRefundOfARemovedCommunity(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.Decide(payout.RequestRefund, o.ID)
	w.SetServed(false)
	w.Rate = amount.SatPerVB(4)
	w.EmptyBlocks(dispatch.BumpAfter + 1)
	if n := len(w.RefundsOf(o.ID)[0].Versions); n != 1 {
		t.Errorf("not served: %d versions of the refund, want 1", n)
	}
	w.SetServed(true)
	w.EmptyBlocks(1)
	if n := len(w.RefundsOf(o.ID)[0].Versions); n != 2 {
		t.Errorf("served again: %d versions of the refund, want 2", n)
	}
}

func TestReorgOfARemovedCommunity(t *testing.T) {
	w, o := stuck(t)
	w.EmptyBlocks(dispatch.BumpAfter)
	w.Node.MineOnly(w.Versions(o.ID)[0].Tx)
	w.Step()
	w.SetServed(false)
	w.Node.Rewind(1)
	w.EmptyBlocks(2)
	w.SetServed(true)
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

func TestDepositToARemovedCommunity(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	_, script := w.StakeAddress(w.Bert, 5000)
	w.SetServed(false)
	w.Send(w.Transfer(w.Bert, script, 5000))
	w.PayInFull(w.Anna, o)
	w.Settle(1)
	held := w.Rows(`SELECT kind, quarantine FROM custody WHERE quarantine <> ''`)
	if !strings.Contains(held, ledger.Unserved) || strings.Count(held, "kind=") != 1 {
		t.Errorf("in quarantine: %s", held)
	}
	w.SetServed(true)
	w.Settle(5)
	w.WantStatus(o.ID, order.Delivered)
}
