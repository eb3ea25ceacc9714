package order_test

import (
	"errors"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

const day = 24 * time.Hour

// economy opens a withdrawal of Anna's at 2 sat/vB while the network takes 10, and pays it.
func economy(t *testing.T) (*testkit.World, order.Order, string) {
	t.Helper()
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	id := w.Unlocked(w.Anna, 5000)
	o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), id)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	return w, o, id
}

// pass advances the clock by whole days, with a block and a Step after each.
func pass(w *testkit.World, days int) {
	w.Helper()
	for range days {
		w.Clock.Advance(day)
		w.Settle(1)
	}
}

func payoutOf(w *testkit.World, o order.Order) (p payout.Payout) {
	w.Helper()
	o = w.Order(o.ID)
	w.Update(func(tx *store.Tx) (err error) {
		p, err = tx.Payout(w.Context(), o.PayoutID)
		return err
	})
	return p
}

// An economy order is priced at its own rate, waits while the network's is higher, and is sent at its own rate with its
// own sats.
func TestEconomyWaitsForItsRate(t *testing.T) {
	w, o, id := economy(t)
	units := []ledger.Unit{w.Unit(id)}
	want, err := w.Orders.Estimate(testkit.Prefix, units, w.Anna.Ordinals.Text, amount.SatPerVB(2))
	testkit.Must(t, err)
	if o.Fees != want || o.FeeRate != amount.SatPerVB(2) {
		t.Errorf("fees %+v at %s, want %+v at 2", o.Fees, o.FeeRate, want)
	}
	pass(w, 3)
	w.Rate = 2001
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	w.WantStage(id, ledger.BatchLocked)
	if reason, waits := w.Payouts.Waiting()[o.ID]; waits {
		t.Errorf("an order that waits for its rate is among the waiting payouts: %s", reason)
	}
	w.Rate = 2000
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	version := payoutOf(w, o).Versions[0]
	if rate := amount.FeeRate(int64(version.Fee) * 1000 / version.VBytes); rate < 2000 ||
		version.Fee > o.Fees.Network+o.Fees.Rutxos+o.Fees.Service {
		t.Errorf("fee of %d sats, %s sat/vB; its order paid %+v", version.Fee, rate, o.Fees)
	}
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}

// The rate of an economy order does not expire while it is paid in parts, but its week does.
func TestEconomyIsPaidInParts(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	id := w.Unlocked(w.Anna, 5000)
	o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), id)
	w.Pay(w.Anna, o, 800)
	w.Settle(1)
	pass(w, 2)
	o = w.WantStatus(o.ID, order.Confirmed)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	w.Node.Rewind(1) // the second payment is undone, and confirms again
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	other := w.Unlocked(w.Bert, 5000)
	unpaid := w.Economy(w.Bert, action.Withdraw, amount.SatPerVB(2), other)
	w.Pay(w.Bert, unpaid, 800)
	w.Settle(1)
	pass(w, 8)
	w.WantStatus(unpaid.ID, order.Expired)
	w.WantStage(other, ledger.Unlocked)
}

// Without a choice, an economy order ends 14 days after its limit, and its payment is refunded.
func TestEconomyEnds(t *testing.T) {
	w, o, id := economy(t)
	pass(w, 27)
	w.WantStatus(o.ID, order.Paid)
	pass(w, 2)
	got := w.WantStatus(o.ID, order.Expired)
	w.WantStage(id, ledger.Unlocked)
	if got.Owed.Sats == 0 && got.Refunded == 0 {
		t.Errorf("no refund is due: %+v", got)
	}
	w.Rate = amount.SatPerVB(1)
	w.Settle(4)
	if got = w.Order(o.ID); got.Refunded != o.Fees.Total() {
		t.Errorf("%d sats are refunded, want %d", got.Refunded, o.Fees.Total())
	}
	w.Audit()
}

func waitLonger(w *testkit.World, o order.Order) (err error) {
	w.Update(func(tx *store.Tx) error {
		_, err = w.Orders.Wait(w.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, w.Clock.Now())
		return nil
	})
	return err
}

func raise(w *testkit.World, o order.Order, rate amount.FeeRate) (err error) {
	w.Update(func(tx *store.Tx) error {
		_, err = w.Orders.Raise(w.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, rate, w.Clock.Now())
		return nil
	})
	return err
}

func difference(w *testkit.World, o order.Order) (d order.Difference) {
	o = w.Order(o.ID)
	w.Update(func(tx *store.Tx) (err error) {
		d, err = w.Orders.DifferenceOf(w.Context(), tx.OrderTx(), o)
		return err
	})
	return d
}

func wantFault(t *testing.T, err error, want fault.Sentence) {
	t.Helper()
	if refused := new(fault.Error); !errors.As(err, &refused) || refused.Code != want.Code {
		t.Errorf("got %v, want %s", err, want.Code)
	}
}

// A wait moves the limit only when it is reached, and never beyond 84 days from the creation.
func TestEconomyWaitsLonger(t *testing.T) {
	w, o, _ := economy(t)
	wantFault(t, waitLonger(w, o), fault.OrderNotAtLimit)
	for range 6 {
		before := w.Order(o.ID)
		for !w.Clock.Now().After(before.Economy.Until) {
			pass(w, 1)
		}
		if err := waitLonger(w, o); err != nil {
			wantFault(t, err, fault.OrderNotAtLimit)
			break
		}
		w.WantStatus(o.ID, order.Paid)
	}
	if end := w.Order(o.ID).EndsAt(); end.After(o.Created.Add(order.LongestEconomy)) {
		t.Errorf("it ends at %s, created at %s", end, o.Created)
	}
	for w.Clock.Now().Before(o.Created.Add(order.LongestEconomy)) {
		pass(w, 1)
	}
	pass(w, 1)
	w.WantStatus(o.ID, order.Expired)
}

// A stranger calls Wait whenever it is possible, which is once in 14 days. The owner cancels, and gets the units and
// the payment back.
func TestWaitOfAStrangerIsCanceled(t *testing.T) {
	w, o, id := economy(t)
	for range 2 {
		w.Clock.Set(w.Order(o.ID).Economy.Until.Add(time.Minute))
		w.Settle(1)
		testkit.Must(t, waitLonger(w, o))
		for range 13 {
			wantFault(t, waitLonger(w, o), fault.OrderNotAtLimit)
			pass(w, 1)
		}
	}
	cancel(w, o)
	w.WantStatus(o.ID, order.Canceled)
	w.WantStage(id, ledger.Unlocked)
	wantFault(t, waitLonger(w, o), fault.OrderNotAtLimit)
	w.Rate = amount.SatPerVB(1)
	w.Settle(4)
	if got := w.WantStatus(o.ID, order.Canceled); got.Refunded != o.Fees.Total() {
		t.Errorf("%d sats are refunded, want %d", got.Refunded, o.Fees.Total())
	}
	w.Audit()
}

// Once the difference is paid and confirmed, the order is a normal one and is sent at the network's rate.
func TestEconomyDifferenceIsPaid(t *testing.T) {
	w, o, _ := economy(t)
	wantFault(t, raise(w, o, o.FeeRate), fault.OrderSentSoon)
	pass(w, 1)
	testkit.Must(t, raise(w, o, w.Rate))
	d := difference(w, o)
	testkit.Must(t, raise(w, o, 2*w.Rate)) // a stranger can't raise it
	if again := difference(w, o); d != again || d.Due < d.Total-o.Fees.Total() {
		t.Errorf("difference %+v, then %+v", d, again)
	}
	w.Clock.Advance(time.Minute)
	w.Pay(w.Anna, o, d.Due)
	w.Step()
	if d = difference(w, o); !d.Seen || d.Paid || d.Due == 0 {
		t.Errorf("seen difference %+v", d)
	}
	w.Mine(1)
	w.Step()
	got := w.WantStatus(o.ID, order.Sent)
	if got.IsEconomy() || got.FeeRate != w.Rate || got.Fees.Total() > got.Seen {
		t.Errorf("sent as %+v", got)
	}
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}

// A difference that is too small or too late changes nothing, and an earlier overpayment does not pay it.
func TestEconomyDifferenceIsNotPaid(t *testing.T) {
	w, o, _ := economy(t)
	w.Pay(w.Anna, o, 50_000)
	w.Settle(1)
	testkit.Must(t, raise(w, o, w.Rate))
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Pay(w.Anna, o, difference(w, o).Due)
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Paid); !got.IsEconomy() {
		t.Errorf("a late difference made it %+v", got)
	}
	w.Rate = amount.SatPerVB(2)
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Settle(order.FinalDepth)
	if got := w.Order(o.ID); got.Owed.Sats == 0 && got.Refunded == 0 {
		t.Errorf("the overpayment is not refunded: %+v", got)
	}
	w.Audit()
}

// A limit out of range and a rate that saves nothing are refused.
func TestEconomyIsRefused(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	id := w.Unlocked(w.Anna, 5000)
	try := func(rate amount.FeeRate, days int64) error {
		_, err := w.TryEconomy(w.Anna, action.Withdraw, rate, days, id)
		return err
	}
	wantFault(t, try(999, 1), fault.EconomyRate)
	wantFault(t, try(10_000, 1), fault.EconomyRate)
	wantFault(t, try(2000, 29), fault.EconomyDays)
	wantFault(t, try(2000, -1), fault.EconomyDays)
	_, err := w.TryEconomy(w.Anna, action.Unstake, 2000, 1, id)
	wantFault(t, err, fault.EconomyOnlyForOrders)
	testkit.Must(t, try(2000, 28))
	near := testkit.NewWorld(t) // recovery delay of 144 blocks
	near.Rate = amount.SatPerVB(10)
	id = near.Unlocked(near.Anna, 5000)
	_, err = near.TryEconomy(near.Anna, action.Withdraw, 2000, 1, id)
	wantFault(t, err, fault.EconomyTooLate)
	near.SetRecoveryDelay(1008)
	id = near.Unlocked(near.Anna, 6000)
	_, err = near.TryEconomy(near.Anna, action.Withdraw, 2000, 14, id)
	wantFault(t, err, fault.EconomyNearRecovery)
	_, err = near.TryEconomy(near.Anna, action.Withdraw, 2000, 2, id)
	testkit.Must(t, err)
}
