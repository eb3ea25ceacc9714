package order_test

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// follow runs Step until the follower reached the tip and nothing changes.
func follow(w *testkit.World) {
	w.Helper()
	for changed := true; changed; {
		var err error
		changed, err = w.Follower.Step(w.Context())
		testkit.Must(w, err)
	}
	w.Check()
}

// An economy order ends RecoveryMargin blocks before the first of its units can be recovered, and not a block before.
func TestEconomyEndsBeforeRecovery(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	late := w.Unlocked(w.Anna, 5000)
	const delay = 1008
	w.SetRecoveryDelay(delay)
	soon := w.Unlocked(w.Anna, 6000)
	w.Rate = amount.SatPerVB(10)
	signed, err := w.TryEconomy(w.Anna, action.Withdraw, amount.SatPerVB(2), 2, late, soon)
	testkit.Must(t, err)
	o := *signed.Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	end := w.Unit(soon).Height + delay - delay/6
	w.Mine(int(end - 1 - w.Node.Height()))
	follow(w)
	w.WantStatus(o.ID, order.Paid)
	w.Settle(1)
	got := w.WantStatus(o.ID, order.Expired)
	if w.Node.Height() != end || !w.Clock.Now().Before(got.Economy.Until) {
		t.Errorf("it ended at %s in block %d, want block %d and before its limit %s", w.Clock.Now(), w.Node.Height(), end,
			got.Economy.Until)
	}
	for _, id := range []string{late, soon} {
		w.WantStage(id, ledger.Unlocked)
	}
	w.Rate = amount.SatPerVB(1)
	w.Settle(4)
	if got = w.Order(o.ID); got.Refunded != o.Fees.Total() {
		t.Errorf("%d sats are refunded, want %d", got.Refunded, o.Fees.Total())
	}
	w.Audit()
}

// nearRecovery opens an economy order about a day before it ends because its unit can be recovered, and returns the
// height at which it ends.
func nearRecovery(t *testing.T) (w *testkit.World, o order.Order, end int64) {
	t.Helper()
	const delay = 1008
	w = testkit.NewWorld(t)
	w.SetRecoveryDelay(delay)
	id := w.Unlocked(w.Anna, 5000)
	end = w.Unit(id).Height + delay - delay/6
	mineTo(w, end-order.BlocksPerDay)
	w.Rate = amount.SatPerVB(10)
	signed, err := w.TryEconomy(w.Anna, action.Withdraw, amount.SatPerVB(2), 1, id)
	testkit.Must(t, err)
	return w, *signed.Order, end
}

// mineTo mines up to a height, and runs Step.
func mineTo(w *testkit.World, height int64) {
	w.Helper()
	w.Mine(int(height - w.Node.Height()))
	follow(w)
}

// An economy order that is paid in part ends before its unit can be recovered, within its week to pay.
func TestEconomyEndsUnpaid(t *testing.T) {
	w, o, end := nearRecovery(t)
	w.Pay(w.Anna, o, 1500)
	mineTo(w, end-1)
	w.WantStatus(o.ID, order.Confirmed)
	mineTo(w, end)
	got := w.WantStatus(o.ID, order.Expired)
	if !w.Clock.Now().Before(got.Deadline) {
		t.Errorf("it ended at %s, after its week to pay: %s", w.Clock.Now(), got.Deadline)
	}
	w.WantStage(o.UnitIDs[0], ledger.Unlocked)
	w.Rate = amount.SatPerVB(1)
	w.Settle(4)
	if got = w.Order(o.ID); got.Refunded != 1500 {
		t.Errorf("%d sats are refunded, want 1500", got.Refunded)
	}
	w.Audit()
}

// A reorg undoes the payment of an economy order around the height at which it ends. It ends at that height although
// its payment is unconfirmed, and a longer reorg to below that height does not open it again.
func TestEconomyEndsUndone(t *testing.T) {
	w, o, end := nearRecovery(t)
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	for w.Node.Height() < end-4 {
		w.Node.MineOnly()
	}
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	follow(w)
	w.WantStatus(o.ID, order.Confirmed)
	w.Node.MineOnly()
	w.Node.MineOnly()
	follow(w)
	if w.Node.Height() != end {
		t.Fatalf("the chain has %d blocks, want %d", w.Node.Height(), end)
	}
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(o.UnitIDs[0], ledger.Unlocked)
	w.Node.Rewind(3)
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.Rate = amount.SatPerVB(1)
	w.Settle(5)
	if got := w.WantStatus(o.ID, order.Expired); got.Refunded != o.Fees.Total() {
		t.Errorf("%d sats are refunded, want %d", got.Refunded, o.Fees.Total())
	}
	w.Audit()
}

// raised pays the difference of an economy order while payouts are paused, so that it is a normal order and PAID. It
// returns the coin that paid the difference.
func raised(t *testing.T) (w *testkit.World, o order.Order, coin testkit.Coin) {
	t.Helper()
	w, o, _ = economy(t)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "a test") })
	pass(w, 10)
	testkit.Must(t, raise(w, o, w.Rate))
	d := difference(w, o)
	w.Clock.Advance(time.Minute)
	coin = w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, d.Due, 1000))
	w.Settle(1)
	if o = w.WantStatus(o.ID, order.Paid); o.IsEconomy() || o.Fees.Total() != d.Total {
		t.Fatalf("after the difference of %d sats was paid: %+v", d.Due, o)
	}
	return w, o, coin
}

// resume ends the pause of raised.
func resume(w *testkit.World) {
	w.Helper()
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
}

// A reorg undoes the difference after the order became a normal one. The order stays a normal one and is PAID when the
// difference confirms again.
func TestEconomyDifferenceIsUndone(t *testing.T) {
	w, o, _ := raised(t)
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	got := w.WantStatus(o.ID, order.Confirmed)
	if got.IsEconomy() || got.Fees != o.Fees || !got.Deadline.Equal(o.RateDate.Add(order.PaymentWindow)) {
		t.Errorf("got %+v, want a normal order as before: %+v", got, o)
	}
	w.Clock.Advance(2 * order.PaymentWindow) // the difference was seen in time
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	resume(w)
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}

// A reorg replaces the difference. The order ends like a normal one that was not paid in its week, or is paid again at
// a new rate.
func TestEconomyDifferenceIsReplaced(t *testing.T) {
	for name, again := range map[string]bool{"and paid again": true, "and not paid again": false} {
		t.Run(name, func(t *testing.T) {
			w, o, coin := raised(t)
			w.Node.Rewind(1)
			w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
			w.Mine(1)
			w.Step()
			w.WantStatus(o.ID, order.Confirmed)
			w.Clock.Advance(order.FeeValid)
			w.Settle(1)
			w.WantStatus(o.ID, order.PendingRerate)
			resume(w)
			w.Rate = amount.SatPerVB(2) // the order waits for its payment, not for a rate
			w.Settle(1)
			w.WantStatus(o.ID, order.PendingRerate)
			if !again {
				w.Clock.Set(o.RateDate.Add(order.PaymentWindow + time.Second))
				w.Settle(4)
				if got := w.WantStatus(o.ID, order.Expired); got.Refunded == 0 {
					t.Errorf("its first payment is not refunded: %+v", got)
				}
				w.WantStage(o.UnitIDs[0], ledger.Unlocked)
				w.Audit()
				return
			}
			w.Rate = amount.SatPerVB(8)
			w.Update(func(tx *store.Tx) error {
				_, err := w.Orders.Rerate(w.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, w.Rate, w.Clock.Now())
				return err
			})
			w.Pay(w.Anna, o, w.Order(o.ID).Due())
			w.Settle(1)
			w.WantStatus(o.ID, order.Sent)
			w.Settle(order.FinalDepth)
			w.WantStatus(o.ID, order.Consolidated)
			w.Audit()
		})
	}
}

// A reorg undoes the whole payment of an order that waits, after its week to pay or after 14 days. When the payment
// confirms again, the order continues to wait with the same rate and limits. Otherwise it ends at its limits.
func TestEconomyPaymentIsUndone(t *testing.T) {
	w, o, id := economy(t)
	undo := func() {
		w.Node.Rewind(int(w.Node.Height() - paidAt(w, o) + 1))
		for range 6 {
			w.Node.MineOnly()
		}
		w.Step()
	}
	want := w.Order(o.ID)
	for _, age := range []time.Duration{order.PaymentWindow + 3*day, order.Unconfirmed + day} {
		w.Clock.Set(o.Created.Add(age))
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
		undo()
		if got := w.WantStatus(o.ID, order.Confirmed); got.Economy != want.Economy || got.Fees != want.Fees {
			t.Errorf("got %+v, want %+v", got, want)
		}
		w.WantStage(id, ledger.PendingWithdraw)
		w.Restart()
		w.Step()
		w.WantStatus(o.ID, order.Confirmed)
		w.Settle(1)
		if got := w.WantStatus(o.ID, order.Paid); got.Economy != want.Economy || got.Fees != want.Fees {
			t.Errorf("got %+v, want %+v", got, want)
		}
		w.WantStage(id, ledger.BatchLocked)
	}

	undo()
	w.Clock.Set(want.EndsAt().Add(-time.Minute))
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	w.Clock.Advance(2 * time.Minute)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(id, ledger.Unlocked)
	w.Rate = amount.SatPerVB(1)
	w.Settle(4)
	if got := w.WantStatus(o.ID, order.Expired); got.Refunded != o.Fees.Total() {
		t.Errorf("%d sats are refunded, want %d", got.Refunded, o.Fees.Total())
	}
	w.Audit()
}

// A reorg undoes one of two payments after the week to pay, and replaces it in one of the cases. The order waits for
// the payment to confirm again. If it is replaced, its owner has a week to pay again.
func TestEconomyPartIsUndone(t *testing.T) {
	for name, replaced := range map[string]bool{"and it confirms again": false, "and it is replaced": true} {
		t.Run(name, func(t *testing.T) {
			w := testkit.NewWorld(t)
			w.SetRecoveryDelay(26_280)
			w.Rate = amount.SatPerVB(10)
			o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), w.Unlocked(w.Anna, 5000))
			w.Pay(w.Anna, o, 1000)
			w.Settle(1)
			coin := w.Anna.Sats()
			w.Send(w.Payment(w.Anna, coin, o, w.Order(o.ID).Due(), 1000))
			w.Settle(1)
			w.Clock.Advance(order.Unconfirmed + day)
			w.Step()
			w.WantStatus(o.ID, order.Paid)
			w.Node.Rewind(1)
			if replaced {
				w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
			} else {
				w.Node.MineOnly()
			}
			w.Node.MineOnly()
			w.Step()
			w.WantStatus(o.ID, order.Confirmed)
			if replaced {
				w.Clock.Advance(weekOver)
				w.Step()
				w.WantStatus(o.ID, order.Expired)
				w.Audit()
				return
			}
			w.Settle(1)
			w.WantStatus(o.ID, order.Paid)
			w.Audit()
		})
	}
}

// paidAt returns the height of an order's only payment.
func paidAt(w *testkit.World, o order.Order) (height int64) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		payments, err := tx.PaymentsOf(w.Context(), o.ID)
		if len(payments) == 1 {
			height = payments[0].Height
		}
		return err
	})
	return height
}
