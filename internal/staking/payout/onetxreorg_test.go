package payout_test

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// The surplus of a delivery that pays instead vanishes with it.
func TestOneTxKeptSurplusVanishes(t *testing.T) {
	for name, again := range map[string]bool{"for good": false, "and returns": true} {
		t.Run(name, func(t *testing.T) {
			w, o, _, _ := sentOneTx(t)
			stuck := live(w).Versions[0].Tx
			w.Rate = amount.SatPerVB(9)
			o = payInstead(w, o, 20_000)
			w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
			w.Step()
			w.Step()
			p := live(w)
			if len(p.Versions) != 2 {
				t.Fatal("not replaced")
			}
			w.Audit()
			w.Node.MineOnly(stuck)
			w.Step()
			w.Audit()
			if again {
				w.Settle(3)
				w.Audit()
				w.Node.Rewind(4)
				w.Node.MineOnly(p.Versions[1].Tx)
				for range 5 {
					w.Node.MineOnly()
				}
				w.Step()
				w.Audit()
			}
			for range 14 {
				w.Settle(1)
				w.Audit()
			}
			got := w.Order(o.ID)
			t.Logf("%s %+v refunded %d returned %d owed %d seen %d", got.Status, got.OneTx, got.Refunded, got.Returned,
				got.Owed.Sats, got.Seen)
		})
	}
}
