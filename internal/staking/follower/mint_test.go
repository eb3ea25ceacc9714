package follower_test

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// mintable etches a rune with open mint terms and returns the output script that mints it to output 0.
func mintable(w *testkit.World, terms runes.Terms) []byte {
	w.Helper()
	etching, err := runes.Runestone{Etching: &runes.Etching{Terms: &terms}}.Script()
	testkit.Must(w, err)
	etched := w.Node.Grant(wire.NewTxOut(546, w.Bert.Ordinals.Script), wire.NewTxOut(0, etching))
	w.Step()
	height, _ := w.Node.Locate(etched.ID)
	first := uint32(0)
	hash, err := w.Node.BlockHash(w.Context(), height)
	testkit.Must(w, err)
	block, err := w.Node.Block(w.Context(), hash, height)
	testkit.Must(w, err)
	for i, tx := range block.Txs {
		if tx.ID == etched.ID {
			mint, err := runes.Runestone{Mint: &runes.ID{Block: uint64(height), Tx: uint32(i)}, Pointer: &first}.Script()
			testkit.Must(w, err)
			return mint
		}
	}
	w.Fatal("the etching is not in its block")
	return nil
}

// Two mints in the mempool together exceed the rune's cap. Their block determines which of them is valid. Until then
// they delay nothing.
func TestConflictingMints(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	one, all := uint128.From64(1), uint128.Max
	mint := mintable(w, runes.Terms{Cap: &one, Amount: &all})
	sats := w.Bert.Sats()
	first := w.Send(w.Bert.Spend([]testkit.Coin{sats}, wire.NewTxOut(546, w.Bert.Ordinals.Script),
		wire.NewTxOut(0, mint), wire.NewTxOut(sats.Out.Value-2_000, w.Bert.Payment.Script)))
	_, stake := w.StakeAddress(w.Bert, 5000)
	w.Send(w.Bert.Spend([]testkit.Coin{coinOf(first, 0), coinOf(first, 2)}, wire.NewTxOut(546, stake),
		wire.NewTxOut(0, mint), wire.NewTxOut(sats.Out.Value-4_000, w.Bert.Payment.Script)))
	w.Step()
	id, _ := w.Deposit(w.Anna, 5000)
	w.Step()
	w.WantStage(id, ledger.PendingStake)
	w.Settle(3)
	w.Audit()
}

func coinOf(tx chain.Tx, vout uint32) testkit.Coin {
	return testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID, Index: vout}, Out: tx.Msg.TxOut[vout]}
}

// mintTo builds a payment of an order whose runestone also mints to the payment output.
func mintTo(w *testkit.World, o order.Order, mint []byte) chain.Tx {
	sats := w.Anna.Sats()
	return w.Anna.Spend([]testkit.Coin{sats}, wire.NewTxOut(int64(o.Due()), o.Script), wire.NewTxOut(0, mint),
		wire.NewTxOut(sats.Out.Value-int64(o.Due())-1_000, w.Anna.Payment.Script))
}

// A payment that turns out to hold runes in its block no longer counts, and delays no payout.
func TestPaymentWithRunesInItsBlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	ten, end := uint128.From64(10), uint64(w.Node.Height()+10_000)
	mint := mintable(w, runes.Terms{Cap: &ten, Amount: &ten, HeightEnd: &end}) // the mint has ended in the mempool
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	w.Send(mintTo(w, o, mint))
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Pending); got.Seen != 0 {
		t.Errorf("seen: got %d, want 0", got.Seen)
	}
	w.Audit()
	w.Pay(w.Anna, o, o.Due())
	w.Settle(8)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}

// A payment whose mint is invalid in its block holds no runes, and counts.
func TestPaymentWithoutRunesInItsBlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	one, ten := uint128.From64(1), uint128.From64(10)
	mint := mintable(w, runes.Terms{Cap: &one, Amount: &ten})
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	late, sats := mintTo(w, o, mint), w.Bert.Sats()
	w.Send(late)
	w.Step()
	w.WantStatus(o.ID, order.Pending)
	w.Node.MineOnly(w.Bert.Spend([]testkit.Coin{sats}, wire.NewTxOut(546, w.Bert.Ordinals.Script), wire.NewTxOut(0, mint),
		wire.NewTxOut(sats.Out.Value-2_000, w.Bert.Payment.Script)))
	w.Step()
	w.Settle(8)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
	w.Node.Rewind(1)
	w.Step()
	w.Audit()
}

// If a vanished payment is mined after its order was sent without it, the order is still delivered.
func TestPaymentReturnsAfterItsOrderWasSent(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	coin := w.Anna.Sats()
	first := w.Send(w.Payment(w.Anna, coin, o, 900, 1000))
	w.Step()
	w.Send(w.SpendToSelf(w.Anna, 5000, coin))
	w.Step()
	w.Node.MineOnly(w.Pay(w.Anna, o, o.Due()))
	w.Step()
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Node.MineOnly(first)
	w.Step()
	w.Audit()
	w.Settle(3)
	w.Audit()
	w.WantStatus(o.ID, order.Delivered)
	w.Settle(8)
	w.WantStatus(o.ID, order.Consolidated)
	w.Audit()
}
