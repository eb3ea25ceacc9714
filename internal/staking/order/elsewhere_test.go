package order_test

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// deposits makes n units of Anna's in one transaction, one per output.
func deposits(w *testkit.World, n int) (ids []string) {
	w.Helper()
	_, script := w.StakeAddress(w.Anna, testkit.MinimumStake)
	held, sats := w.Anna.Runes(), w.Anna.Sats()
	var stone runes.Runestone
	var outs []*wire.TxOut
	for i := range n {
		stone.Edicts = append(stone.Edicts, runes.Edict{ID: testkit.Rune,
			Amount: uint128.From64(uint64(testkit.MinimumStake)), Output: uint32(i)})
		outs = append(outs, wire.NewTxOut(vault.DustSats, script))
	}
	rest := uint32(n)
	stone.Pointer = &rest
	text, err := stone.Script()
	testkit.Must(w, err)
	tx := w.Send(w.Anna.Spend([]testkit.Coin{held, sats}, append(outs,
		wire.NewTxOut(vault.DustSats, w.Anna.Ordinals.Script), wire.NewTxOut(0, text))...))
	for i := range n {
		ids = append(ids, wire.OutPoint{Hash: tx.ID, Index: uint32(i)}.String())
	}
	w.Settle(4)
	w.NextEpoch()
	w.Act(w.Anna, action.Unstake, ids...)
	w.NextEpoch()
	w.NextEpoch()
	return ids
}

// Every open order is evaluated, whatever their number. In another project, orders beyond the newest 100 rows never
// expired.
func TestEveryOpenOrderIsEvaluated(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	var orders []order.Order
	for _, id := range deposits(w, 130) {
		orders = append(orders, *w.Act(w.Anna, action.Withdraw, id).Order)
	}
	w.Pay(w.Anna, orders[0], orders[0].Due())
	w.Pay(w.Anna, orders[129], orders[129].Due())
	w.Step()
	wait(w, over)
	for i, o := range orders {
		want := order.Expired
		if i == 0 || i == 129 {
			want = order.Confirmed
		}
		if got := w.Order(o.ID).Status; got != want {
			t.Errorf("order %d of %d is %s, want %s", i+1, len(orders), got, want)
		}
	}
	w.Settle(4)
	w.WantStatus(orders[0].ID, order.Delivered)
	w.WantStatus(orders[129].ID, order.Delivered)
	w.Audit()
}

// An order that was paid in part, expired, and was then overpaid owes all payments and refunds them at once. Another
// project lost such an order between its statuses.
func TestPartialThenExpiredThenOverpaid(t *testing.T) {
	w, o, unit := begin(t)
	w.Pay(w.Anna, o, 700) // too little to refund
	w.Settle(1)
	wait(w, over)
	wait(w, order.PaymentWindow)
	w.WantStatus(o.ID, order.Expired)
	wantAccounts(w, o, 0, 0, 700)
	release := w.HoldRefunds()
	w.Pay(w.Anna, o, o.Fees.Total()+30_000)
	w.Settle(1)
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(unit, ledger.Unlocked)
	wantAccounts(w, o, 700, o.Fees.Total()+30_000, 0)
	release()
	ask(w, payout.RequestRefund, o)
	w.Settle(3)
	got := w.WantStatus(o.ID, order.Expired)
	if all := amount.Sats(700) + o.Fees.Total() + 30_000; got.Refunded != all || got.Balance() != 0 {
		t.Errorf("refunded %d, balance %d, paid %d", got.Refunded, got.Balance(), all)
	}
	wantAccounts(w, o, 0, 0, 0)
}
