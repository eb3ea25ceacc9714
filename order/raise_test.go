package order_test

import (
	"testing"
	"time"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/store"
	"moonfund/testkit"
)

// The audit accepts an end less than a second after the limits: the journal has whole seconds.
func TestEconomyEndsWithinASecond(t *testing.T) {
	w, o, _ := economy(t)
	pass(w, 20)
	w.Clock.Advance(w.Order(o.ID).EndsAt().Sub(w.Clock.Now()) + 400*time.Millisecond)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.Audit()
}

// A difference of 0 sats would make the order a normal one without a payment.
func TestSmallRaiseIsRefused(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = 2000
	o := w.Economy(w.Anna, action.Withdraw, 1999, w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	for _, rate := range []amount.FeeRate{1999, 2000, 2098} {
		if err := raise(w, o, rate); err == nil {
			t.Errorf("the difference to %s sat/vB was set", rate)
		}
	}
	w.Step()
	if now := w.Order(o.ID); !now.IsEconomy() {
		t.Error("the order is at normal speed without a payment")
	}
	testkit.Must(t, raise(w, o, 2099))
}

// A stranger's unconfirmed payment does not spend the owner's earlier overpayment on a higher rate.
func TestUnconfirmedDifferenceDoesNotCount(t *testing.T) {
	w, o, _ := economy(t)
	w.Pay(w.Anna, o, 50_000)
	w.Settle(1)
	testkit.Must(t, raise(w, o, w.Rate))
	w.Clock.Advance(time.Minute)
	w.Pay(w.Bert, o, difference(w, o).Due)
	w.Step()
	w.WantStatus(o.ID, order.Paid)
	if now := w.Order(o.ID); !now.IsEconomy() {
		t.Errorf("the order is at normal speed, its price is %d sats", now.Fees.Total())
	}
}

// A pause forgets no difference that was seen.
func TestPauseKeepsDifference(t *testing.T) {
	w, o, _ := economy(t)
	testkit.Must(t, raise(w, o, w.Rate))
	w.Clock.Advance(time.Minute)
	w.Pay(w.Anna, o, difference(w, o).Due)
	w.Step()
	w.Clock.Advance(6 * time.Hour)
	w.Update(func(tx *store.Tx) error {
		_, err := order.Extend(w.Context(), tx.OrderTx(), 6*time.Hour,
			ledger.Cause{Kind: "operator", ID: "x", At: w.Clock.Now()})
		return err
	})
	if d := difference(w, o); !d.Seen {
		t.Errorf("the difference was forgotten: %+v", d)
	}
}

// A small overpayment that is neither kept nor worth an output does not delay an order without a service fee.
func TestEconomyWithoutServiceFee(t *testing.T) {
	for _, over := range []amount.Sats{0, 1, 300, 600} {
		w := testkit.NewWorld(t)
		w.SetServiceFee(0)
		w.SetRecoveryDelay(26_280)
		w.Rate = amount.SatPerVB(10)
		o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), w.Unlocked(w.Anna, 5000))
		w.Pay(w.Anna, o, o.Due()+over)
		w.Settle(1)
		w.Rate = amount.SatPerVB(1)
		w.Settle(1)
		if now := w.Order(o.ID); now.Status != order.Sent {
			t.Errorf("overpaid by %d: %s, %s", over, now.Status, w.Payouts.Waiting()[o.ID])
		}
	}
}
