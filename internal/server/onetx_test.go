package server

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// The owner sees that the signature is accepted, that the transaction is sent, and why the order ended after a coin was
// spent elsewhere.
func TestOneTxStates(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	s := refundSight{World: w, order: *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order}
	want := func(state api.OrderOneTxState, ended string) api.OneTxView {
		t.Helper()
		orders, err := s.views().Orders(t.Context(), testkit.Prefix, s.anna())
		testkit.Must(t, err)
		got := orders[0].OneTx
		if got.State != state || got.Ended != ended {
			t.Fatalf("it is %q, ended by %q; want %q and %q", got.State, got.Ended, state, ended)
		}
		return got
	}
	want("", "")
	w.BeginOneTx(w.Anna, s.order)
	want("", "")
	own := w.PayOneTx(w.Anna, s.order)
	if got := want(api.OneTxSigned, ""); got.Quote.Fee == 0 || got.Quote.Coins != 1 || got.Until.IsZero() {
		t.Errorf("got %+v", got)
	}
	w.Step()
	if got := want(api.OneTxSent, ""); got.Quote.Fee == 0 || got.Quote.VBytes == 0 {
		t.Errorf("got %+v", got)
	}
	w.Rate = amount.SatPerVB(9)
	w.PayOneTx(w.Anna, s.order)
	if got := want(api.OneTxSent, ""); got.Until.IsZero() {
		t.Error("a signed replacement has no end")
	}
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	if got := want(api.OneTxSent, fault.OneTxLate.Code); !got.Until.IsZero() {
		t.Errorf("a replacement that ended waits until %s", got.Until)
	}
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, own...))
	w.Step()
	w.Settle(order.FinalDepth)
	w.WantStatus(s.order.ID, order.Canceled)
	want(api.OneTxEnded, fault.OneTxCoinSpent.Code)
	w.Audit()
}

// The owner of a paid order sees that the signature of the delivery is accepted, or why it must be given again.
func TestVoidedDeliveryStates(t *testing.T) {
	cases := map[string]struct {
		ended fault.Sentence
		void  func(w *testkit.World, paid testkit.Coin, o order.Order)
	}{
		"a payment is replaced": {fault.OneTxPaymentGone, func(w *testkit.World, paid testkit.Coin, o order.Order) {
			w.Node.Rewind(1)
			w.Node.MineOnly(w.SpendToSelf(w.Anna, 1000, paid))
			w.Node.MineOnly()
			w.Step()
			w.Pay(w.Anna, o, o.Fees.Total())
		}},
		"it is reviewed": {fault.OneTxOrder, func(w *testkit.World, _ testkit.Coin, o order.Order) {
			w.Request(payout.RequestReview, o.ID)
			w.Step()
			w.WantStatus(o.ID, order.Audit)
			pausePayouts(w, "")
			w.Step()
			w.Request(payout.RequestResume, o.ID)
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, paid, o := paidSelf(t)
			s := refundSight{World: w, order: o}
			view := func() api.OrderView {
				t.Helper()
				orders, err := s.views().Orders(t.Context(), testkit.Prefix, s.anna())
				testkit.Must(t, err)
				return orders[0]
			}
			if got := view(); got.OneTx.State != "" || got.SignUntil.IsZero() {
				t.Errorf("before the signature it is %q, to sign until %s", got.OneTx.State, got.SignUntil)
			}
			pausePayouts(w, "a test")
			signed, _ := w.Anna.SignPSBT(w.BeginOneTx(w.Anna, o).PSBT)
			testkit.Must(t, w.TrySendOneTx(w.Anna, o, signed))
			if got := view(); got.OneTx.State != api.OneTxSigned || !got.SignUntil.IsZero() {
				t.Errorf("signed, it is %q, to sign until %s", got.OneTx.State, got.SignUntil)
			}
			c.void(w, paid, o)
			w.Settle(1)
			pausePayouts(w, "")
			w.Settle(1)
			w.WantStatus(o.ID, order.Paid)
			got := view()
			if got.OneTx.State != api.OneTxEnded || got.OneTx.Ended != c.ended.Code || got.SignUntil.IsZero() {
				t.Errorf("it is %q by %q, to sign until %s", got.OneTx.State, got.OneTx.Ended, got.SignUntil)
			}
		})
	}
}

func pausePayouts(w *testkit.World, reason string) {
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, reason) })
}

// paidSelf returns a world with a PAID withdrawal of a unit in self-custody, and the coin that paid it in the last
// block.
func paidSelf(t *testing.T) (w *testkit.World, paid testkit.Coin, o order.Order) {
	t.Helper()
	w = testkit.NewWorld(t)
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	w.Anna.Self = true
	o = w.Withdrawal(w.UnlockedUnits(1, 5000)...)
	paid = w.Anna.Sats()
	w.Node.MineOnly(w.Send(w.Payment(w.Anna, paid, o, o.Due(), 1000)))
	w.Step()
	return w, paid, w.WantStatus(o.ID, order.Paid)
}
