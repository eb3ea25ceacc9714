package order_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// begin opens a withdrawal order of Anna's.
func begin(t *testing.T) (*testkit.World, order.Order, string) {
	t.Helper()
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	return w, *w.Act(w.Anna, action.Withdraw, id).Order, id
}

func pausePayouts(w *testkit.World) {
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "test") })
}

// An order that was paid in time while the server was down does not expire when the server runs again.
func TestPaymentBeatsExpiry(t *testing.T) {
	w, o, _ := begin(t)
	w.Clock.Advance(29 * time.Minute)
	w.Pay(w.Anna, o, o.Due())
	w.Mine(1)
	w.Clock.AdvanceUnobserved(12 * time.Hour)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
}

// A second payment after the 30 minutes is not late, because the order was CONFIRMED. It only adds to the balance until
// there is a new rate. The result is the same if the server was down meanwhile.
func TestSecondPaymentAfterTheRateEnded(t *testing.T) {
	for _, away := range []bool{false, true} {
		w, o, id := begin(t)
		look := func() {
			if !away {
				w.Step()
			}
		}
		w.Clock.Advance(10 * time.Minute)
		w.Pay(w.Anna, o, 1000)
		w.Mine(1)
		look()
		w.Clock.Advance(35 * time.Minute)
		look()
		w.Pay(w.Anna, o, o.Due())
		w.Mine(1)
		w.Step()
		got := w.WantStatus(o.ID, order.PendingRerate)
		if got.Seen != 1000+o.Due() || got.Late != 0 {
			t.Errorf("server down=%v: seen %d, late %d", away, got.Seen, got.Late)
		}
		w.WantStage(id, ledger.PendingWithdraw)
		w.Update(func(tx *store.Tx) error {
			_, err := w.Orders.Rerate(t.Context(), tx.OrderTx(), testkit.Prefix, w.Anna.Ordinals.Text, o.ID, w.Rate,
				w.Clock.Now())
			return err
		})
		w.WantStatus(o.ID, order.Paid)
	}
}

func TestExpiryAndLatePayment(t *testing.T) {
	w, o, id := begin(t)
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(id, ledger.Unlocked)
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	if got := w.WantStatus(o.ID, order.Expired); got.Late != o.Due() || got.Seen != 0 || got.Owed.Sats != o.Due() ||
		got.Owed.Reason != order.RefundLate {
		t.Errorf("seen %d, late %d, due %+v", got.Seen, got.Late, got.Owed)
	}
	// The unit is unlocked, so another order can withdraw it.
	again := *w.Act(w.Anna, action.Withdraw, id).Order
	w.Pay(w.Anna, again, again.Due())
	w.Settle(4)
	w.WantStatus(again.ID, order.Delivered)
	w.WantStatus(o.ID, order.Expired)
}

// If a payment is replaced, its order expires, and the payment is mined later, a refund is due.
func TestPaymentReturnsToAClosedOrder(t *testing.T) {
	w, o, _ := begin(t)
	coin := w.Anna.Sats()
	paid := w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
	w.Step()
	w.Send(w.SpendToSelf(w.Anna, 9000, coin))
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.HoldRefunds()
	w.Node.MineOnly(paid)
	w.Step()
	if got := w.WantStatus(o.ID, order.Expired); got.Late+got.Seen != o.Due() || got.Owed.Sats != o.Due() {
		t.Errorf("seen %d, late %d", got.Seen, got.Late)
	}
}

// A payment arrives after the owner signed a cancel. The cancel stays valid, because its message says "at least", and
// the payment is refunded.
func TestCancelAfterAFurtherPayment(t *testing.T) {
	for _, sats := range []amount.Sats{0, 546, 700, 2500, 50_000} {
		w, o, id := begin(t)
		w.Pay(w.Anna, o, 900)
		w.Step()
		asked, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
		testkit.Must(t, err)
		if !strings.Contains(asked.Message, "Payments seen: at least 900 sats") {
			t.Errorf("the message does not state the payments seen: %s", asked.Message)
		}
		if sats > 0 {
			w.Pay(w.Bert, o, sats)
		}
		w.Clock.Advance(28 * time.Minute)
		w.Step()
		canceled, err := w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
			Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Anna.Sign(asked.Message),
		}, o.ID)
		if err != nil || canceled.Status != order.Canceled || canceled.Owed.Sats != 900+sats ||
			canceled.Owed.Reason != order.RefundCanceled {
			t.Errorf("%d sats more: %s, due %+v, %v", sats, canceled.Status, canceled.Owed, err)
		}
		w.WantStage(id, ledger.Unlocked)
		w.Audit()
	}
}

// A cancel promises at least the sum that was seen. If a reorg removes a payment, the owner must sign a new message.
func TestCancelAfterALostPayment(t *testing.T) {
	w, o, id := begin(t)
	w.Pay(w.Anna, o, 900)
	elsewhere := payWith(w, o, 1000)
	asked, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
	testkit.Must(t, err)
	elsewhere(3000)
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Anna.Sign(asked.Message),
	}, o.ID)
	if f := new(fault.Error); !errors.As(err, &f) || f.Kind == fault.Internal {
		t.Errorf("cancel after a lost payment: got %v, want a fault", err)
	}
	w.WantStage(id, ledger.PendingWithdraw)
	cancel(w, o)
	w.WantStatus(o.ID, order.Canceled)
}

// Once the payout is signed, the order can't be canceled.
func TestCancelEndsWithThePayout(t *testing.T) {
	w, o, _ := begin(t)
	pausePayouts(w)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	asked, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
	testkit.Must(t, err)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Anna.Sign(asked.Message),
	}, o.ID)
	if err == nil || fault.From(err).Error() != fault.Refuse(fault.OrderNotCancelable).Error() {
		t.Errorf("a sent order was canceled: %v", err)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
}

func TestRerateRules(t *testing.T) {
	w, o, _ := begin(t)
	rerate := func(want fault.Sentence) (got order.Order) {
		t.Helper()
		err := w.Store.Update(t.Context(), func(tx *store.Tx) (err error) {
			got, err = w.Orders.Rerate(t.Context(), tx.OrderTx(), testkit.Prefix, w.Anna.Ordinals.Text, o.ID, amount.SatPerVB(7),
				w.Clock.Now())
			return err
		})
		if want == (fault.Sentence{}) {
			testkit.Must(t, err)
		} else if !errors.Is(err, fault.Refuse(want)) &&
			(err == nil || fault.From(err).Error() != fault.Refuse(want).Error()) {
			t.Errorf("got %v, want: %s", err, want)
		}
		return got
	}
	rerate(fault.OrderNotRerate)
	w.Pay(w.Anna, o, 2400)
	w.Step()
	rerate(fault.OrderNotRerate)
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Step()
	w.WantStatus(o.ID, order.PendingRerate)
	before := w.Order(o.ID)
	got := rerate(fault.Sentence{})
	if got.Status != order.Confirmed || got.FeeRate != amount.SatPerVB(7) || !got.Deadline.Equal(before.Deadline) {
		t.Errorf("after the new rate: got %+v", got)
	}
	rerate(fault.OrderRerateTooSoon) // the rate is the same
	// Requests for a new rate do not move the deadline.
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Step()
	w.WantStatus(o.ID, order.PendingRerate)
	rerate(fault.Sentence{})
	w.Clock.Set(before.Deadline.Add(time.Second))
	w.Step()
	if got := w.WantStatus(o.ID, order.Expired); got.Owed.Sats != 2400 || got.Owed.Reason != order.RefundExpired {
		t.Errorf("due refund: got %+v", got.Owed)
	}
}

// Strangers can request a new rate. After any such request, the owner still gets the current rate, or the lower rate
// that is valid.
func TestRerateByAStranger(t *testing.T) {
	w, o, _ := begin(t)
	w.Pay(w.Anna, o, 1500)
	w.Settle(1)
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Step()
	deadline := w.Order(o.ID).Deadline
	stranger := rerate(w, o, 40)
	if stranger.Status != order.Confirmed || !stranger.Deadline.Equal(deadline) {
		t.Errorf("after a stranger's call: %+v", stranger)
	}
	w.Clock.Advance(time.Minute)
	owner := rerate(w, o, 3)
	if owner.FeeRate != amount.SatPerVB(3) || owner.Due() >= stranger.Due() || !owner.RateDate.Equal(stranger.RateDate) {
		t.Errorf("the owner's call: %+v", owner)
	}
	err := w.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := w.Orders.Rerate(t.Context(), tx.OrderTx(), testkit.Prefix, w.Anna.Ordinals.Text, o.ID, amount.SatPerVB(9),
			w.Clock.Now())
		return err
	})
	if err == nil || w.Order(o.ID).FeeRate != amount.SatPerVB(3) {
		t.Errorf("a higher rate while one is valid: got %v, want a fault", err)
	}
	w.Pay(w.Anna, o, owner.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// After a long pause an order can be too old for a new rate.
func TestTooOldForANewRate(t *testing.T) {
	w, o, _ := begin(t)
	w.Pay(w.Anna, o, 1500)
	w.Settle(1)
	w.Update(func(tx *store.Tx) error { return tx.Pause(t.Context(), store.PauseAll, "olga: a move", w.Clock.Now()) })
	w.Clock.Advance(order.LastRerate + time.Hour)
	w.Change(func(tx *store.Tx) error {
		_, err := tx.Resume(t.Context(), store.PauseAll, ledger.Cause{Kind: "operator", ID: "olga: moved", At: w.Clock.Now()})
		return err
	})
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Step()
	w.WantStatus(o.ID, order.PendingRerate)
	err := w.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := w.Orders.Rerate(t.Context(), tx.OrderTx(), testkit.Prefix, w.Anna.Ordinals.Text, o.ID, w.Rate,
			w.Clock.Now())
		return err
	})
	if err == nil || fault.From(err).Error() != fault.Refuse(fault.OrderTooOld).Error() {
		t.Errorf("a new rate for an old order: got %v, want OrderTooOld", err)
	}
}

func TestRerateIsForTheOwner(t *testing.T) {
	w, o, _ := begin(t)
	err := w.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := w.Orders.Rerate(t.Context(), tx.OrderTx(), testkit.Prefix, w.Bert.Ordinals.Text, o.ID, w.Rate,
			w.Clock.Now())
		return err
	})
	if err == nil {
		t.Error("a stranger set a new rate")
	}
}

// An order whose first payment and whose loss of a unit are seen in the same Step moves to AUDIT.
func TestUnitLostWithTheFirstPayment(t *testing.T) {
	w, o, id := begin(t)
	w.Send(w.Recover(w.Anna, id))
	w.Mine(ledger.RecoveryDepth)
	w.Pay(w.Anna, o, 1000)
	w.Step()
	w.WantStatus(o.ID, order.Audit)
	w.WantStage(id, ledger.Withdrawn)
}

func TestUnitLostBeforeAnyPayment(t *testing.T) {
	w, o, id := begin(t)
	w.Send(w.Recover(w.Anna, id))
	w.Settle(ledger.RecoveryDepth)
	w.WantStatus(o.ID, order.Invalid)
	w.WantStage(id, ledger.Withdrawn)
	w.Pay(w.Anna, o, 1000)
	w.Step()
	if got := w.WantStatus(o.ID, order.Invalid); got.Owed.Sats != 1000 {
		t.Errorf("due refund: got %+v", got.Owed)
	}
}

// An order that is paid in part expires after a week. Later payments are late, and all payments are due.
func TestPartialThenLate(t *testing.T) {
	w, o, id := begin(t)
	w.HoldRefunds()
	w.Pay(w.Anna, o, 1500)
	w.Settle(1)
	w.WantStatus(o.ID, order.Confirmed)
	w.Clock.Advance(order.PaymentWindow)
	w.Step()
	if got := w.WantStatus(o.ID, order.Expired); got.Owed.Sats != 1500 || got.Owed.Reason != order.RefundExpired {
		t.Errorf("due refund: got %+v", got.Owed)
	}
	w.WantStage(id, ledger.Unlocked)
	w.Pay(w.Anna, o, 2*o.Due())
	w.Settle(2)
	if got := w.WantStatus(o.ID, order.Expired); got.Seen != 1500 || got.Late != 2*o.Due() ||
		got.Owed.Sats != 1500+2*o.Due() {
		t.Errorf("seen %d, late %d, due %+v", got.Seen, got.Late, got.Owed)
	}
}

// An overpaid order is delivered, and its overpayment is recorded.
func TestOverPayment(t *testing.T) {
	w, o, _ := begin(t)
	w.HoldRefunds()
	w.Pay(w.Anna, o, o.Due()+5000)
	w.Settle(4)
	if got := w.WantStatus(o.ID, order.Delivered); got.Overpayment() != 5000 {
		t.Errorf("overpayment: got %d, want 5000", got.Overpayment())
	}
}

// Each of 24 concurrently open orders expires.
func TestManyOrdersExpire(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	var orders []string
	var units []string
	for range 12 {
		id, _ := w.Deposit(w.Anna, 5000)
		units = append(units, id)
	}
	for range 12 {
		id, _ := w.Deposit(w.Bert, 5000)
		units = append(units, id)
		w.Mine(1)
	}
	w.Settle(3)
	w.NextEpoch()
	w.Act(w.Anna, action.Unstake, units[:12]...)
	w.Act(w.Bert, action.Unstake, units[12:]...)
	w.NextEpoch()
	w.NextEpoch()
	for i, id := range units {
		wallet := w.Anna
		if i >= 12 {
			wallet = w.Bert
		}
		orders = append(orders, w.Act(wallet, action.Withdraw, id).Order.ID)
	}
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	for _, id := range orders {
		w.WantStatus(id, order.Expired)
	}
}
