package dispatch_test

import (
	"testing"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

func payAll(w *testkit.World, orders []order.Order) {
	w.Helper()
	for _, o := range orders {
		from := w.Anna
		if o.Reason == ledger.ForClaim {
			from = w.Bert
		}
		w.Pay(from, o, o.Due())
	}
	w.Settle(1)
}

// A server restored from a backup older than a payout finds the payout on the chain by its anchor, records it as the
// delivery of its orders, and does not pay them again.
func TestFindsPayoutsSignedAfterTheCopy(t *testing.T) {
	for name, copied := range map[string]func(w *testkit.World, orders ...order.Order) *testkit.World{
		"before they were paid": func(w *testkit.World, orders ...order.Order) *testkit.World {
			stale := w.Copy().PausedPayouts()
			payAll(w, orders)
			return stale
		},
		"when they were paid": func(w *testkit.World, orders ...order.Order) *testkit.World {
			w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "a look") })
			payAll(w, orders)
			stale := w.Copy()
			w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
			return stale
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.NewWorld(t).InjectFaults()
			w.GiveSignerIndex()
			w.Rewarded(w.Bert, 5000)
			ids := w.UnlockedUnits(2, 5000)
			orders := []order.Order{w.Withdrawal(ids[0]), w.Withdrawal(ids[1]), *w.Act(w.Bert, action.Claim).Order}
			stale := copied(w, orders...)
			w.Step()
			w.Settle(1)
			stale.Step()
			for _, o := range orders {
				first, again := w.WantStatus(o.ID, order.Sent), stale.WantStatus(o.ID, order.Sent)
				if again.PayoutTx != first.PayoutTx {
					t.Errorf("PayoutTx: got %s, and %s in the copy", first.PayoutTx, again.PayoutTx)
				}
			}
			stale.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
			stale.Settle(3)
			w.Step()
			for _, o := range orders {
				stale.WantStatus(o.ID, order.Delivered)
			}
			stale.Check()
			if got, want := stale.Dump(), w.Dump(); got != want {
				t.Errorf("ledger of the copy: got\n%s\nwant\n%s", got, want)
			}
			if n := len(stale.PayoutsIn(payout.Live)); n != 0 {
				t.Errorf("got %d live payouts in the copy, want none", n)
			}
		})
	}
}

// A replacement that is not in the backup becomes a version of the payout that it replaces.
func TestFindsAReplacementSignedAfterTheCopy(t *testing.T) {
	w, o := stuck(t)
	stale := w.Copy().PausedPayouts()
	w.Decide(payout.RequestBump, w.PayoutsIn(payout.Live)[0].ID)
	w.Settle(1)
	stale.Step()
	p := stale.PayoutsIn(payout.Live)
	if len(p) != 1 || len(p[0].Versions) != 2 || p[0].Versions[1].Tx.ID != w.PayoutsIn(payout.Live)[0].Versions[1].Tx.ID {
		t.Fatalf("payouts of the copy: got %+v", p)
	}
	stale.Settle(3)
	w.Step()
	if got, want := stale.WantStatus(o.ID, order.Delivered),
		w.WantStatus(o.ID, order.Delivered); got.PayoutTx != want.PayoutTx {
		t.Errorf("PayoutTx: got %s, want %s", got.PayoutTx, want.PayoutTx)
	}
	stale.Check()
}

// A payout of an order that is not in the backup is neither recorded nor repeated.
func TestUnknownPayoutIsNotRecorded(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	ids := w.UnlockedUnits(1, 5000)
	stale := w.Copy().PausedPayouts()
	o := w.Withdrawal(ids...)
	w.PayInFull(w.Anna, o)
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	stale.Step()
	if n := len(stale.PayoutsIn(payout.Live, payout.Confirmed, payout.Final)); n != 0 {
		t.Errorf("got %d payouts in the copy, want none", n)
	}
	if unit := stale.Unit(ids[0]); unit.Stage == "UNLOCKED" && !unit.Contested {
		t.Errorf("the unit can be withdrawn again: %+v", unit)
	}
}

// A server restored from a backup older than a refund finds the refund on the chain, and pays nothing twice.
func TestRefundFromAStaleCopy(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	stale := w.Copy()
	w.Decide(payout.RequestRefund, o.ID)
	w.Settle(1)
	stale.Step()
	stale.Decide(payout.RequestRefund, o.ID)
	stale.WantRequest(o.ID, payout.RequestRefused, "nothing left to refund")
	first, again := w.RefundsOf(o.ID), stale.RefundsOf(o.ID)
	if len(again) != 1 || again[0].Versions[0].Tx.ID != first[0].Versions[0].Tx.ID {
		t.Errorf("refunds of the stale copy: got %+v, want %+v", again, first)
	}
	stale.Settle(3)
	stale.WantStatus(o.ID, order.Expired)
	stale.Check()
}

// A payout of one order that is in the backup and one that is not is not recorded. Both rewards are still matched as
// delivered, and an operator must close the known order.
func TestPayoutOfAKnownAndAnUnknownOrder(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	w.Staked(w.Anna, 7001)
	w.Rewarded(w.Bert, 5000)
	known := *w.Act(w.Bert, action.Claim).Order
	stale := w.Copy().PausedPayouts()
	unknown := *w.Act(w.Anna, action.Claim).Order
	w.Pay(w.Bert, known, known.Due())
	w.Pay(w.Anna, unknown, unknown.Due())
	w.Settle(1)
	if a, b := w.WantStatus(known.ID, order.Sent), w.WantStatus(unknown.ID, order.Sent); a.PayoutTx != b.PayoutTx {
		t.Fatalf("sent by %s and %s", a.PayoutTx, b.PayoutTx)
	}
	stale.Step()
	stale.WantStatus(known.ID, order.Paid)
	w.Settle(ledger.ExplainDepth)
	stale.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	stale.Step()
	stale.WantStatus(known.ID, order.Audit)
	for _, o := range []order.Order{known, unknown} {
		stale.WantStage(o.UnitIDs[0], ledger.Withdrawn)
	}
	stale.Decide(payout.RequestRefund, known.ID)
	stale.WantStatus(known.ID, order.Audit)
	stale.Decide(payout.RequestClose, known.ID)
	stale.WantStatus(known.ID, order.Canceled)
	stale.Settle(2)
	stale.Check()
	stale.Audit()
}
