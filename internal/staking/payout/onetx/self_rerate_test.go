package onetx_test

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A withdrawal of stakes in self-custody whose rate expired is paid at a new rate, and signed and delivered: after a
// part of it was paid, and before its payment confirms.
func TestSelfRerated(t *testing.T) {
	for name, confirmed := range map[string]bool{"a part is paid": true, "no payment is confirmed": false} {
		t.Run(name, func(t *testing.T) {
			w, o, ids := orderedSelf(t, 2)
			w.Pay(w.Anna, o, o.Due()/2)
			if confirmed {
				w.Mine(1)
			}
			w.Step()
			w.WantStatus(o.ID, order.Confirmed)
			w.Clock.Advance(order.FeeValid + time.Minute)
			w.Step()
			before := w.WantStatus(o.ID, order.PendingRerate)
			w.Rate = amount.SatPerVB(7)
			w.Update(func(tx *store.Tx) (err error) {
				o, err = w.Orders.Rerate(t.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, w.Rate, w.Clock.Now())
				return err
			})
			if o.FeeRate != w.Rate || o.Fees.Network <= before.Fees.Network || (o.Confirmed > 0) != confirmed {
				t.Fatalf("rerated to %s with fees of %+v, was %+v, confirmed %d", o.FeeRate, o.Fees, before.Fees, o.Confirmed)
			}
			w.Pay(w.Anna, o, o.Due())
			w.Settle(1)
			o = w.WantStatus(o.ID, order.Paid)
			signSelf(w, o)
			w.Step()
			o = w.WantStatus(o.ID, order.Sent)
			v := live(w).Last()
			if len(v.Tx.Msg.TxIn) != len(ids)+2 || v.Fee < w.Rate.Fee(v.VBytes) {
				t.Errorf("it has %d inputs, and pays %d sats for %d vB", len(v.Tx.Msg.TxIn), v.Fee, v.VBytes)
			}
			wantDelivered(w, o, ids)
		})
	}
}
