package ledger_test

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// A server that follows several blocks at once reserves for an epoch that begins in the last of them what is free, and
// not runes that it owes. Here everything is owed or reserved, so nothing is free.
func TestReservedWhileCatchingUp(t *testing.T) {
	for what, happens := range map[string]func(*testkit.World, order.Order, testkit.Coin){
		"a reorg replaces the payment of a delivered order": func(w *testkit.World, o order.Order, coin testkit.Coin) {
			w.Settle(order.DeliveryDepth)
			w.WantStatus(o.ID, order.Delivered)
			w.Node.Rewind(order.DeliveryDepth + 1)
			w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
			w.Mine(order.DeliveryDepth)
		},
		"a replaced version of the payout confirms": func(w *testkit.World, o order.Order, _ testkit.Coin) {
			w.Rate = amount.SatPerVB(20)
			w.Request(payout.RequestBump, o.PayoutID)
			w.Step()
			versions := w.Versions(o.ID)
			if len(versions) != 2 {
				w.Fatalf("%d versions, want 2", len(versions))
			}
			w.Node.MineOnly(versions[0].Tx)
		},
	} {
		t.Run(what, func(t *testing.T) {
			w := testkit.NewWorld(t).InjectFaults()
			w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 30_000 })
			w.AddTreasurySats(40_000, 40_000)
			_, reward := w.Rewarded(w.Anna, 5000)
			w.Clock.Set(testkit.Genesis.Add(100 * testkit.EpochLength)) // these epochs reserve the whole treasury
			w.Settle(ledger.SettleDepth)
			o := *w.Act(w.Anna, action.Claim, reward).Order
			coin := w.Anna.Sats()
			w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
			w.Settle(1)
			w.Audit()

			happens(w, w.WantStatus(o.ID, order.Sent), coin)
			w.Clock.Set(testkit.Genesis.Add(101*testkit.EpochLength + time.Minute))
			w.Mine(1)
			w.Step()
			w.WantStatus(o.ID, order.Sent)
			if a := account(w, 101); a.Planned != testkit.Budget || a.Reserved != 0 {
				t.Errorf("got %+v, want nothing reserved", a)
			}
			w.Clock.Set(testkit.Genesis.Add(102*testkit.EpochLength + time.Minute))
			w.Settle(ledger.SettleDepth)
			if !account(w, 101).Settled {
				t.Error("the epoch is not settled")
			}
			w.Audit()
		})
	}
}
