package dispatch_test

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// If the node relays version 3, new transactions have it, otherwise version 2. A replacement has the version of the
// transaction that it replaces.
func TestVersionOfTransactions(t *testing.T) {
	for _, v3 := range []bool{false, true} {
		w := testkit.NewWorld(t).InjectFaults()
		w.RelaysV3 = v3
		want := int32(2)
		if v3 {
			want = 3
		}
		check := func(what string, p payout.Payout) {
			t.Helper()
			for _, v := range p.Versions {
				if v.Tx.Msg.Version != want || v.VBytes > 10_000 {
					t.Errorf("%s: got version %d, %d vB; want version %d", what, v.Tx.Msg.Version, v.VBytes, want)
				}
			}
		}
		o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
		w.Pay(w.Anna, o, o.Due()+20_000)
		w.Settle(1)
		check("a delivery", w.PayoutsIn(payout.Live)[0])
		w.Settle(3)
		w.WantStatus(o.ID, order.Delivered)
		w.Decide(payout.RequestRefund, o.ID)
		w.RelaysV3 = !v3
		w.Rate *= 3
		w.Request(payout.RequestBump, w.PayoutsIn(payout.Live)[0].ID)
		w.Step()
		w.RelaysV3 = v3
		refund := w.PayoutsIn(payout.Live)[0]
		if len(refund.Versions) != 2 {
			t.Fatalf("got %d versions of the refund, want 2", len(refund.Versions))
		}
		check("a refund", refund)
		_, script := w.StakeAddress(w.Anna, 5000)
		deposit := w.Send(w.Anna.Spend([]testkit.Coin{w.Anna.Sats()}, wire.NewTxOut(50_000, script)))
		w.Settle(3)
		w.Request(payout.RequestReturn, wire.OutPoint{Hash: deposit.ID}.String())
		w.Step()
		for _, p := range w.PayoutsIn(payout.Live) {
			check("a return", p)
		}
		w.Settle(4)
		w.Audit()
	}
}
