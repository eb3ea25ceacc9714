package order_test

import (
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
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

// unconfirmed makes a wallet pay the difference with a payment that no block of this test confirms.
func unconfirmed(w *testkit.World, from *testkit.Wallet, o order.Order) (coin testkit.Coin) {
	w.Helper()
	coin = from.Sats()
	w.Clock.Advance(time.Minute)
	w.Send(w.Payment(from, coin, o, difference(w, o).Due, 1000))
	w.Step()
	if d := difference(w, o); !d.Seen || d.Paid || d.Due == 0 {
		w.Fatalf("the difference after its payment: %+v", d)
	}
	return coin
}

// mineOnly mines these transactions without the mempool.
func mineOnly(w *testkit.World, txs ...chain.Tx) {
	w.Helper()
	w.Node.MineOnly(txs...)
	w.Step()
}

// A stranger sets the difference and pays it with payments that never confirm. The owner pays it in the time that the
// stranger's call began, or restarts the time later. The stranger's payments stay unconfirmed, or are replaced.
func TestStrangerDoesNotStopTheDifference(t *testing.T) {
	for name, later := range map[string]bool{"in its time": false, "later": true} {
		for end, replaced := range map[string]bool{"stays": false, "is replaced": true} {
			t.Run(name+", and the stranger's payment "+end, func(t *testing.T) {
				w, o, _ := economy(t)
				testkit.Must(t, raise(w, o, w.Rate))
				coin := unconfirmed(w, w.Bert, o)
				before := w.Order(o.ID)
				testkit.Must(t, raise(w, o, w.Rate/2)) // while a difference was seen in time, a call changes nothing
				if now := w.Order(o.ID); now.Economy != before.Economy {
					t.Errorf("got %+v, want %+v", now.Economy, before.Economy)
				}
				if later {
					w.Clock.Advance(order.FeeValid)
					testkit.Must(t, raise(w, o, 2*w.Rate))
					unconfirmed(w, w.Bert, o)
				}
				if d := difference(w, o); d.Rate != w.Rate || w.Clock.Now().After(d.Until) {
					t.Fatalf("the owner can't pay %+v at %s", d, w.Clock.Now())
				}
				payment := w.Send(w.Payment(w.Anna, w.Anna.Sats(), o, difference(w, o).Due, 1000))
				w.Step()
				if replaced {
					mineOnly(w, w.SpendToSelf(w.Bert, 9000, coin))
				}
				mineOnly(w, payment)
				got := w.WantStatus(o.ID, order.Sent)
				if got.IsEconomy() || got.FeeRate != w.Rate {
					t.Errorf("sent as %+v", got)
				}
				w.Settle(order.FinalDepth)
				w.WantStatus(o.ID, order.Consolidated)
				w.Audit()
			})
		}
	}
}

// A stranger's calls do not affect the owner's payment, which confirms late: the rate does not rise, and the payment
// still counts.
func TestStrangerDoesNotVoidThePayment(t *testing.T) {
	w, o, _ := economy(t)
	testkit.Must(t, raise(w, o, w.Rate))
	unconfirmed(w, w.Anna, o)
	for range 3 {
		w.Clock.Advance(order.FeeValid + time.Minute)
		testkit.Must(t, raise(w, o, 2*w.Rate))
		w.Restart()
		if d := difference(w, o); !d.Seen || d.Rate != w.Rate {
			t.Fatalf("the difference after a call: %+v", d)
		}
	}
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Sent); got.IsEconomy() || got.FeeRate != w.Rate {
		t.Errorf("sent as %+v", got)
	}
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}

// After a payment of the difference was replaced, a call sets a new difference at the current rate, and an earlier
// overpayment does not pay it.
func TestNewDifferenceAfterAReplacedPayment(t *testing.T) {
	w, o, _ := economy(t)
	w.Pay(w.Anna, o, 50_000)
	w.Settle(1)
	testkit.Must(t, raise(w, o, w.Rate))
	coin := unconfirmed(w, w.Bert, o)
	w.Clock.Advance(order.FeeValid)
	testkit.Must(t, raise(w, o, w.Rate))
	mineOnly(w, w.SpendToSelf(w.Bert, 9000, coin))
	w.Clock.Advance(order.FeeValid + time.Minute)
	testkit.Must(t, raise(w, o, 2*w.Rate))
	if d := difference(w, o); d.Seen || d.Rate != 2*w.Rate {
		t.Errorf("got %+v, want a new difference", d)
	}
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Paid); !got.IsEconomy() {
		t.Errorf("an overpayment paid the difference: %+v", got)
	}
}

// A pause does not discard a difference that was seen.
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

// An overpayment that is too small for an output does not delay an order without a service fee.
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

// Small payments of a stranger before or after the difference is set do not raise it, and the amount that was shown
// first still pays it.
func TestDustRaisesNoDifference(t *testing.T) {
	for name, before := range map[string]bool{"before": true, "after": false} {
		t.Run(name, func(t *testing.T) {
			w, o, _ := economy(t)
			dust := func() {
				coin, outs := w.Bert.Sats(), []*wire.TxOut{}
				for range 60 {
					outs = append(outs, wire.NewTxOut(546, o.Script))
				}
				w.Send(w.Bert.Spend([]testkit.Coin{coin}, outs...))
				w.Settle(1)
			}
			if before {
				dust()
			}
			testkit.Must(t, raise(w, o, w.Rate))
			shown := difference(w, o).Due
			if !before {
				dust()
			}
			if d := difference(w, o); d.Due != shown || shown > 6000 {
				t.Errorf("%d sats are due with the payments of a stranger, %d without", d.Due, shown)
			}
			w.Pay(w.Anna, o, shown)
			w.Settle(1)
			if got := w.WantStatus(o.ID, order.Sent); got.IsEconomy() || got.FeeRate != w.Rate {
				t.Errorf("sent as %+v", got)
			}
			w.Settle(order.FinalDepth)
			w.Audit()
		})
	}
}

// A payment in the second in which the difference was set pays it: payments count by their arrival.
func TestDifferencePaidInItsSecond(t *testing.T) {
	w, o, _ := economy(t)
	testkit.Must(t, raise(w, o, w.Rate))
	w.Send(w.Payment(w.Anna, w.Anna.Sats(), o, difference(w, o).Due, 1000))
	w.Step()
	if d := difference(w, o); !d.Seen {
		t.Errorf("the difference is %+v after its payment in the same second", d)
	}
}
