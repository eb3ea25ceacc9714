package dispatch_test

import (
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// A community whose manifest was removed stops no step of the server, and its payouts go on once it is served again.

func TestStuckRefundOfARemovedCommunity(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	w.Decide(payout.RequestRefund, o.ID)
	w.SetServed(false)
	w.Rate = amount.SatPerVB(4)
	w.EmptyBlocks(payout.BumpAfter + 1)
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
	w.EmptyBlocks(payout.BumpAfter)
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

// An order whose payout can't be replaced or refunded stops no other one, and is shown as waiting.
func TestOneFailureStopsNoOther(t *testing.T) {
	var ids []string
	w, bad := stuckFrom(t, func(w *testkit.World) { ids = w.UnlockedUnits(2, 5000) })
	owed, good := w.Withdrawal(ids[0]), w.Withdrawal(ids[1])
	payment := w.Pay(w.Anna, owed, 30_000)
	w.Step()
	w.Cancel(owed)
	damage := func(column, sql, id string) {
		engine.Damage(t, w.URL(), "UPDATE payment_order SET "+column+" = "+sql+
			" WHERE id = '"+id+"'")
	}
	damage("action_id", "'gone ' || action_id", bad.ID)
	damage("payment", "'no ' || payment", owed.ID)
	w.Node.MineOnly(payment, w.Pay(w.Anna, good, good.Fees.Total()))
	follow := func(blocks int) {
		for range blocks {
			w.Clock.Advance(60e9)
			w.Node.MineOnly()
			_, err := w.Follower.Step(w.Context())
			testkit.Must(w, err)
		}
	}
	follow(1)
	w.Node.MineOnly(w.PayoutsIn(payout.Live)[1].Last().Tx)
	follow(payout.BumpAfter)
	w.WantStatus(good.ID, order.Consolidated)
	waiting := w.Payouts.Waiting()
	if id := w.PayoutsIn(payout.Live)[0].ID; waiting["replacement "+id] == "" || waiting["refund "+owed.ID] == "" {
		t.Errorf("waiting: %v", waiting)
	}
	damage("action_id", "substr(action_id, 6)", bad.ID)
	damage("payment", "substr(payment, 4)", owed.ID)
	follow(1)
	if waiting := w.Payouts.Waiting(); len(waiting) > 0 {
		t.Errorf("repaired, and waiting: %v", waiting)
	}
	w.Settle(4)
	w.WantStatus(bad.ID, order.Delivered)
	w.WantStatus(owed.ID, order.Canceled)
	if all := w.RefundsOf(owed.ID); len(all) != 1 || all[0].Status != payout.Confirmed {
		t.Errorf("refunds of the canceled order: %+v", all)
	}
	w.Audit()
}

// A payout of a removed community that can never confirm ends once the community is served again.
func TestPayoutOfARemovedCommunityDies(t *testing.T) {
	w, o := stuck(t)
	w.EmptyBlocks(payout.BumpAfter)
	w.SetServed(false)
	w.EmptyBlocks(payout.BumpAfter)
	w.Node.Rewind(3)
	w.EmptyBlocks(4)
	w.Decide(payout.RequestExport, o.ID)
	if q := w.LastRequest(o.ID); q.Status != payout.RequestRefused {
		t.Errorf("the export of an order of a removed community: %+v", q)
	}
	w.Decide(payout.RequestBump, o.PayoutID)
	w.SetServed(true)
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}
