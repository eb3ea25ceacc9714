package delivery_test

import (
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// spentBy returns the inputs of the first live payout, which delivers the order.
func spentBy(w *testkit.World, o order.Order) (points []wire.OutPoint) {
	w.Helper()
	for _, in := range w.PayoutsIn(payout.Live)[0].Versions[0].Tx.Msg.TxIn {
		points = append(points, in.PreviousOutPoint)
	}
	return points
}

// The anchor is the first payment in the chain, whichever was seen first, and every payout of the order spends it.
func TestAnchorIsTheFirstInTheChain(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	first := w.Pay(w.Anna, o, o.Due()/2)
	w.Step()
	o = w.WantStatus(o.ID, order.Confirmed)
	second := w.Send(w.Payment(w.Anna, w.Anna.Sats(), o, o.Due(), 1000))
	w.Step()
	w.Node.MineOnly(second, first) // in this order
	w.Step()
	sent := w.WantStatus(o.ID, order.Sent)
	if want := (wire.OutPoint{Hash: second.ID}); sent.Anchor != want.String() {
		t.Errorf("anchor: got %s, want %s", sent.Anchor, want)
	}
	for _, tx := range []chain.Tx{first, second} {
		if point := (wire.OutPoint{Hash: tx.ID}); !slices.Contains(spentBy(w, o), point) {
			t.Errorf("%s is not spent", point)
		}
	}
	w.Audit()
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// Confirmed payments that pay the price are enough for the delivery; an earlier, unconfirmed payment is not spent.
func TestUnconfirmedPaymentDelaysNothing(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	price := o.Due()
	stuck := w.Pay(w.Bert, o, price/2) // by a stranger
	w.Step()
	paid := w.Send(w.Payment(w.Anna, w.Anna.Sats(), o, price, 1000))
	w.Step()
	w.Node.MineOnly(paid)
	w.Step()
	if sent := w.WantStatus(o.ID, order.Sent); sent.Fees.Total() != price {
		t.Errorf("price: got %d, want %d as shown before", sent.Fees.Total(), price)
	}
	if slices.Contains(spentBy(w, o), wire.OutPoint{Hash: stuck.ID}) {
		t.Error("the payout spends a payment that is in no block")
	}
	w.Audit()
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// deposits makes n UNLOCKED units of Anna's in one transaction.
func deposits(w *testkit.World, n int) (ids []string) {
	w.Helper()
	_, script := w.StakeAddress(w.Anna, testkit.MinimumStake)
	var stone runes.Runestone
	var outs []*wire.TxOut
	for i := range n {
		stone.Edicts = append(stone.Edicts, runes.Edict{
			ID: testkit.Rune, Amount: uint128.From64(uint64(testkit.MinimumStake)), Output: uint32(i),
		})
		outs = append(outs, wire.NewTxOut(vault.DustSats, script))
	}
	rest := uint32(n)
	stone.Pointer = &rest
	text, err := stone.Script()
	testkit.Must(w, err)
	tx := w.Send(w.Anna.Spend([]testkit.Coin{w.Anna.Runes(), w.Anna.Sats()}, append(outs,
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

// A stranger pays thirty small parts to a withdrawal of 150 units, and the owner pays the rest. A delivery that spends
// every part would exceed 10,000 vB.
func TestSmallPartsFitADelivery(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := *w.Act(w.Anna, action.Withdraw, deposits(w, order.MaxUnits)...).Order
	price := o.Due()
	coin := w.Bert.Sats()
	var parts []*wire.TxOut
	for range 30 {
		parts = append(parts, wire.NewTxOut(600, o.Script))
	}
	w.Send(w.Bert.Spend([]testkit.Coin{coin},
		append(parts, wire.NewTxOut(coin.Out.Value-30*600-9000, w.Bert.Payment.Script))...))
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Confirmed)
	if o.Due() > price {
		t.Errorf("due: got %d, want at most the %d before a stranger paid", o.Due(), price)
	}
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	sent := w.WantStatus(o.ID, order.Sent)
	size := w.PayoutsIn(payout.Live)[0].Versions[0].VBytes
	if size > vault.MaxPayoutVBytes || sent.Usable < sent.Fees.Total() {
		t.Errorf("%d vB, %d sats for %d", size, sent.Usable, sent.Fees.Total())
	}
	w.Audit()
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// A fixed anchor stays the anchor of later payouts, even if a reorg puts another payment before it.
func TestAnchorStaysThroughAReorg(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	paid := w.Send(w.Payment(w.Anna, w.Anna.Sats(), o, o.Due(), 1000))
	w.Node.MineOnly(paid)
	w.Step()
	sent := w.WantStatus(o.ID, order.Sent)
	other := w.Pay(w.Bert, o, amount.Sats(5000))
	w.Node.Rewind(1)
	w.Node.MineOnly(other)
	w.Node.MineOnly(paid)
	w.Step()
	if now := w.WantStatus(o.ID, order.Sent); now.Anchor != sent.Anchor || now.PayoutID != sent.PayoutID {
		t.Errorf("anchor before the reorg %s, after it %s", sent.Anchor, now.Anchor)
	}
	w.Audit()
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}
