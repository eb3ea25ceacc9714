package auditor

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// expired returns an EXPIRED order of Anna's without payments.
func expired(w *testkit.World) order.Order {
	w.Helper()
	o := w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Clock.Advance(order.PaymentWindow + time.Second)
	w.Step()
	return w.WantStatus(o.ID, order.Expired)
}

func pause(w *testkit.World) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		return tx.Pause(w.Context(), store.PausePayouts, "a test", w.Clock.Now())
	})
}

// wantRefunded checks that payouts are not paused, that everything was refunded that an order received, by the given
// number of refunds, and that all of them have enough confirmations.
func wantRefunded(w *testkit.World, id string, sats amount.Sats, refunds int) {
	w.Helper()
	if reason := paused(w); reason != "" {
		w.Fatalf("payouts are paused: %s", reason)
	}
	var all []payout.Payout
	w.Update(func(tx *store.Tx) (err error) {
		all, err = tx.RefundsOf(w.Context(), id)
		return err
	})
	for _, p := range all {
		if p.Status == payout.Live {
			w.Errorf("refund %s is %s", p.ID, p.Status)
		}
	}
	if o := w.Order(id); o.Refunded != sats || o.Owed.Sats != 0 || len(all) != refunds {
		w.Errorf("refunded %d sats by %d refunds, %d are due; want %d by %d", o.Refunded, len(all), o.Owed.Sats, sats,
			refunds)
	}
	w.Audit()
}

// Two payments of an expired order, a block apart, are refunded one after the other while the first refund is
// unconfirmed or has few confirmations. Nobody can stop the payouts of others by that.
func TestLatePaymentsABlockApart(t *testing.T) {
	for name, payer := range map[string]func(*testkit.World) *testkit.Wallet{
		"by a stranger": func(w *testkit.World) *testkit.Wallet { return w.Cleo },
		"by its owner":  func(w *testkit.World) *testkit.Wallet { return w.Anna },
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := watched(t)
			other := w.Act(w.Bert, action.Withdraw, w.Unlocked(w.Bert, 7000)).Order
			o := expired(w)
			for range 2 {
				w.Pay(payer(w), o, 1500)
				w.Settle(1)
			}
			w.Settle(4)
			wantRefunded(w, o.ID, 3000, 2)
			other = w.Act(w.Bert, action.Withdraw, other.UnitIDs...).Order
			w.Pay(w.Bert, *other, other.Due())
			w.Settle(4)
			w.WantStatus(other.ID, order.Delivered)
		})
	}
}

// The refunds of many small payments follow each other, each of at most order.MaxRefunded payments: of an expired
// order, and of one that they pay, after it is delivered.
func TestManySmallPaymentsAtOnce(t *testing.T) {
	expiredSizes, openSizes := []int{160, 320, 2200}, []int{160, 320}
	if testing.Short() {
		expiredSizes, openSizes = expiredSizes[:1], openSizes[:1]
	}
	for _, outputs := range expiredSizes {
		t.Run(fmt.Sprint("expired ", outputs), func(t *testing.T) {
			w, _ := watched(t)
			w.Rate = amount.SatPerVB(1)
			o := expired(w)
			payMany(w, o, outputs)
			refunds := (outputs + order.MaxRefunded - 1) / order.MaxRefunded
			w.Settle(refunds + 5)
			wantRefunded(w, o.ID, amount.Sats(outputs*546), refunds)
		})
	}
	for _, outputs := range openSizes {
		t.Run(fmt.Sprint("open ", outputs), func(t *testing.T) {
			w, _ := watched(t)
			w.Rate = amount.SatPerVB(1)
			o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
			payMany(w, o, outputs)
			w.Settle(6)
			o = w.Order(o.ID)
			if o.Status != order.Delivered && o.Status != order.Consolidated {
				t.Fatalf("the order is %s, payouts are paused: %q", o.Status, paused(w))
			}
			w.Settle(20)
			if o = w.WantStatus(o.ID, order.Consolidated); o.Owed.Sats != 0 || paused(w) != "" {
				t.Errorf("due: %+v, paused: %q", o.Owed, paused(w))
			}
			w.Audit()
		})
	}
}

// payMany sends outputs of 546 sats to an order in one transaction.
func payMany(w *testkit.World, o order.Order, outputs int) {
	w.Helper()
	coin := w.Cleo.Sats()
	var outs []*wire.TxOut
	for range outputs {
		outs = append(outs, wire.NewTxOut(546, o.Script))
	}
	rest := coin.Out.Value - int64(outputs*546) - 100_000
	w.Send(w.Cleo.Spend([]testkit.Coin{coin}, append(outs, wire.NewTxOut(rest, w.Cleo.Payment.Script))...))
}

// Payments that arrive while payouts are paused are refunded after the operator resumed them. What was stored before
// the pause is broadcast before more is stored, so that a payout that can't be sent adds no others.
func TestPaymentsDuringAPause(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		t.Run(fmt.Sprint("restarts ", restarts), func(t *testing.T) {
			w, _ := watched(t)
			o := expired(w)
			for range 2 {
				w.Pay(w.Cleo, o, 1500)
				w.Settle(1)
			}
			pause(w)
			w.Node.Forget()
			w.Pay(w.Cleo, o, 1700)
			w.Settle(2)
			if restarts {
				w.Restart()
			}
			resume(w)
			w.Node.FailSend(errors.New("connection refused"), false)
			if _, err := w.Follower.Step(t.Context()); err == nil {
				t.Error("no error although nothing can be broadcast")
			}
			if due := w.Order(o.ID).Owed.Sats; due != 1700 {
				t.Errorf("%d sats are due, want 1700: a refund was stored before the others were broadcast", due)
			}
			w.Node.FailSend(nil, false)
			w.Step()
			w.Settle(5)
			wantRefunded(w, o.ID, 4700, 3)
		})
	}
}

// A late payment that arrives first and confirms last is refunded last.
func TestLatePaymentThatConfirmsLast(t *testing.T) {
	w, _ := watched(t)
	o := expired(w)
	w.Pay(w.Cleo, o, 1500)
	w.Step()
	second := w.Pay(w.Cleo, o, 1600)
	w.Step()
	w.Clock.Advance(time.Minute)
	w.Node.MineOnly(second)
	w.Step()
	w.Clock.Advance(time.Minute)
	w.Node.MineOnly()
	w.Step()
	w.Settle(5)
	wantRefunded(w, o.ID, 3100, 2)
}

// A closed order is refunded while its unit is on another order.
func TestRefundWhileTheUnitIsOrderedAgain(t *testing.T) {
	w, _ := watched(t)
	o := expired(w)
	again := w.Act(w.Anna, action.Withdraw, o.UnitIDs...).Order
	w.Pay(w.Cleo, o, 1500)
	w.Settle(1)
	w.Pay(w.Anna, *again, again.Due())
	w.Settle(4)
	wantRefunded(w, o.ID, 1500, 1)
	w.WantStatus(again.ID, order.Delivered)
}
