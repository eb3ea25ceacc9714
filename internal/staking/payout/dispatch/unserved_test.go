package dispatch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
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
	w.EmptyBlocks(2) // the first one may end in an injected failure that a service handles
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
	for _, o := range []order.Order{w.Order(bad.ID), w.Order(owed.ID)} {
		stored := waitsOf(w, o)
		if len(stored) != 1 || stored[0].Reason == "" || stored[0].Since.IsZero() || stored[0].Since.After(w.Clock.Now()) {
			t.Errorf("stored of order %s: %+v", o.ID, stored)
		}
	}
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
	if stored := slices.Concat(waitsOf(w, w.Order(bad.ID)), waitsOf(w, w.Order(owed.ID))); len(stored) > 0 {
		t.Errorf("repaired, and stored: %+v", stored)
	}
	if all := w.RefundsOf(owed.ID); len(all) != 1 || all[0].Status != payout.Confirmed {
		t.Errorf("refunds of the canceled order: %+v", all)
	}
	w.Audit()
}

// waitsOf returns what the ledger says waits of an order.
func waitsOf(w *testkit.World, o order.Order) (waits []follower.Wait) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		waits, err = tx.WaitsOf(w.Context(), []string{o.ID, "order " + o.ID, "refund " + o.ID, "payout " + o.PayoutID,
			"replacement " + o.PayoutID})
		return err
	})
	return waits
}

// A community is removed while it has orders in each status, with a payout and a refund. Blocks, reorgs and deadlines
// stop no step, a PAID order says why it waits, and everything ends once the community is served again.
func TestRemovedCommunityInEveryState(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	ids := w.UnlockedUnits(8, 5000)
	orders := map[order.Status]order.Order{}
	sent := w.Withdrawal(ids[0])
	w.PayInFull(w.Anna, sent)
	orders[order.Sent] = w.WantStatus(sent.ID, order.Sent)
	canceled := w.Withdrawal(ids[1])
	w.Pay(w.Anna, canceled, 30_000)
	w.Step()
	w.Cancel(canceled)
	orders[order.Canceled] = canceled
	rerate := w.Withdrawal(ids[2])
	w.Pay(w.Anna, rerate, rerate.Due()/2)
	expired := w.Withdrawal(ids[3])
	w.Step()
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	orders[order.PendingRerate], orders[order.Expired] = rerate, expired
	audited, paid, part := w.Withdrawal(ids[4]), w.Withdrawal(ids[5]), w.Withdrawal(ids[6])
	orders[order.Pending] = w.Withdrawal(ids[7])
	w.Pay(w.Anna, audited, audited.Due()/2)
	w.Pay(w.Anna, part, part.Due()/2)
	w.Step()
	w.Decide(payout.RequestReview, audited.ID)
	orders[order.Audit], orders[order.Confirmed] = audited, part
	for status, o := range orders {
		w.WantStatus(o.ID, status)
	}
	pause := func(reason string) {
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, reason) })
	}
	pause("by the test")
	w.Node.MineOnly(w.Pay(w.Anna, paid, paid.Due()))
	w.Step()
	w.WantStatus(paid.ID, order.Paid)
	w.SetServed(false)
	pause("")
	w.EmptyBlocks(1)
	if waits := waitsOf(w, paid); len(waits) != 1 || !strings.Contains(waits[0].Reason, "not served") {
		t.Errorf("the PAID order waits: %+v", waits)
	}
	w.EmptyBlocks(2)
	w.Node.Rewind(3)
	w.EmptyBlocks(5)
	w.Decide(payout.RequestRefund, audited.ID)
	w.Clock.Advance(order.FeeValid + time.Second)
	w.EmptyBlocks(3)
	w.SetServed(true)
	w.Settle(9)
	if waits := waitsOf(w, w.Order(paid.ID)); len(waits) > 0 {
		t.Errorf("served again, and waiting: %+v", waits)
	}
	w.WantStatus(orders[order.Sent].ID, order.Consolidated)
	w.WantStatus(orders[order.Pending].ID, order.Expired)
	if status := w.Order(paid.ID).Status; status != order.Consolidated && status != order.Delivered {
		t.Errorf("the paid order is %s", status)
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

// An epoch begins, and another one is undone by a reorg, while the community is removed. Once it is served again, the
// boundaries are where they would be without the removal.
func TestEpochOfARemovedCommunity(t *testing.T) {
	w := testkit.NewWorld(t)
	w.UnlockedUnits(1, 5000)
	w.SetServed(false)
	w.NextEpoch()
	w.EmptyBlocks(4)
	w.SetServed(true)
	w.Settle(9)
	w.Audit()
	w.NextEpoch()
	w.SetServed(false)
	w.Node.Rewind(4)
	w.EmptyBlocks(6)
	w.SetServed(true)
	w.Settle(9)
	w.Audit()
}
