package treasury_test

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A reorg replaces the payment of a delivery, whose change another delivery spends. Neither can confirm, so the runway
// counts their rewards as owed, and not their change, until they are dead.
func TestConflictedPayoutsTakeNothing(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	b, _ := w.Deposit(w.Bert, 3000)
	c, _ := w.Deposit(w.Cleo, 1000)
	w.Settle(4)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	w.WantStage(b, ledger.Staked)
	w.WantStage(c, ledger.Staked)
	first, second := *w.Act(w.Bert, action.Claim).Order, *w.Act(w.Cleo, action.Claim).Order
	free := func() (r ledger.Runway) {
		testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			r, err = ledger.ReadRunway(t.Context(), tx.LedgerTx(), testkit.Prefix, func(int64) amount.Runes { return 1 })
			return err
		}))
		return r
	}
	before := free().Free

	coin := w.Bert.Sats()
	w.Send(w.Payment(w.Bert, coin, first, first.Due(), 1000))
	w.Settle(1)
	w.WantStatus(first.ID, order.Sent)
	w.Settle(3)
	bookOnly(w, w.PayoutsIn(payout.Confirmed)[0].Versions[0].Tx.ID.String())
	w.Pay(w.Cleo, second, second.Due())
	w.Settle(1)
	w.WantStatus(second.ID, order.Sent)
	book(w)
	if got := free().Free; got != before {
		t.Fatalf("two deliveries changed the free amount from %s to %s", before, got)
	}

	w.Node.Rewind(5)
	w.Node.MineOnly(w.SpendToSelf(w.Bert, 9000, coin))
	w.Step()
	for depth := 1; depth < order.FinalDepth; depth++ {
		w.WantStatus(first.ID, order.Sent)
		w.WantStatus(second.ID, order.Sent)
		if got := free().Free; got != before {
			t.Errorf("depth %d: %s is free, want %s", depth, got, before)
		}
		w.Audit()
		w.Node.MineOnly()
		w.Step()
	}
	w.WantStatus(first.ID, order.Pending)
	w.Settle(4)
	w.WantStatus(second.ID, order.Delivered)
	if got := free().Free; got != before {
		t.Errorf("at the end %s is free, want %s", got, before)
	}
	w.Audit()
}

// bookOnly makes the outputs of a transaction the only ones of the treasury that payouts can spend.
func bookOnly(w *testkit.World, txid string) {
	w.Update(func(tx *store.Tx) error {
		outputs, err := tx.TreasuryOutputs(w.Context(), testkit.Prefix, ledger.RunesKind)
		for i := range outputs {
			outputs[i].Booked = outputs[i].OutPoint.Hash.String() == txid
		}
		if err != nil {
			return err
		}
		return tx.PutOutput(w.Context(), outputs...)
	})
}

func book(w *testkit.World) {
	w.Update(func(tx *store.Tx) error {
		_, err := tx.BookTreasury(w.Context(), testkit.Prefix, ledger.Cause{Kind: "operator", At: w.Clock.Now()})
		return err
	})
}
