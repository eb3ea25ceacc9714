package payout_test

import (
	"testing"
	"time"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/order"
	"moonfund/testkit"
)

// Once payments that were seen in time cover the price, no call raises it.
func TestPayInsteadKeepsThePaidPrice(t *testing.T) {
	w, o, _, _ := sentOneTx(t)
	stuck := live(w).Versions[0].Tx
	w.Rate = amount.SatPerVB(9)
	o = payInstead(w, o, 0)
	w.Step()
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Rate = amount.SatPerVB(15)
	again, err := w.OneTx.PayInstead(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	testkit.Must(t, err)
	if again.FeeRate != o.FeeRate {
		t.Errorf("the rate of a paid price is %s, want %s", again.FeeRate, o.FeeRate)
	}
	w.Rate = amount.SatPerVB(9)
	w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
	w.Step()
	w.Step()
	if p := live(w); len(p.Versions) != 2 {
		t.Errorf("%d versions, want 2", len(p.Versions))
	}
	w.Audit()
}

// The price of a delivery that replaces a transaction always suffices to replace it, also when the fee rate fell since
// the owner signed, or falls after the price was set.
func TestPayInsteadCanReplace(t *testing.T) {
	for name, rates := range map[string][2]amount.FeeRate{
		"the rate fell before": {amount.SatPerVB(2), amount.SatPerVB(2)},
		"the rate falls after": {amount.SatPerVB(12), amount.SatPerVB(2)},
	} {
		t.Run(name, func(t *testing.T) {
			w, o, _ := ordered(t)
			w.Rate = amount.SatPerVB(9)
			w.PayOneTx(w.Anna, o)
			w.Step()
			stuck := live(w).Versions[0].Tx
			w.Rate = rates[0]
			o = payInstead(w, o, 0)
			w.Rate = rates[1]
			w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
			w.Step()
			w.Step()
			if p := live(w); len(p.Versions) != 2 {
				t.Fatalf("%d versions, want 2", len(p.Versions))
			}
			w.Audit()
			w.Settle(order.DeliveryDepth)
			if got := w.WantStatus(o.ID, order.Delivered); got.OneTx.Current {
				t.Error("the delivery did not replace the transaction")
			}
			w.Audit()
		})
	}
}
