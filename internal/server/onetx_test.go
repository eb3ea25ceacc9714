package server

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
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
