package etching_test

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/etching"
	"moonfund/internal/testkit"
)

// little is above the dust limit, but costs more to spend at 10 sat/vB than its value.
const little = amount.Sats(546)

// dear creates an etch order at 10 sat/vB.
func (w *world) dear() etching.Order {
	w.Helper()
	r := w.etchRequest()
	r.FeeRate = 10
	o := w.create(etching.Request{Etch: r})
	if floor := o.FeeRate.Fee(vault.InputVBytes(vault.OrderFund)); floor <= little {
		w.Fatalf("cost of an input: got %d sats, want more than 546", floor)
	}
	return o
}

// runesOn sends runes to an order's address, on an output of the given sats.
func (w *world) runesOn(o etching.Order, sats amount.Sats) chain.Tx {
	w.Helper()
	coin := w.Anna.Sats()
	tx := w.Anna.Spend([]testkit.Coin{w.Anna.Runes(), coin}, wire.NewTxOut(int64(sats), o.Script),
		wire.NewTxOut(coin.Out.Value-1000, w.Anna.Payment.Script))
	testkit.Must(w, w.Node.Broadcast(w.Context(), tx.Bytes()))
	return tx
}

// A payment that costs more to spend than its value is ignored: it neither pays an order nor raises its cost.
func TestLittlePaymentsChangeNothing(t *testing.T) {
	w := newWorld(t)
	o := w.dear()
	w.pay(o, little)
	w.Settle(1)
	if p := w.want(o, etching.New); p.Received != 0 {
		t.Errorf("received: got %d sats, want 0", p.Received)
	}
	w.pay(o, o.FundAmount)
	w.Step()
	w.want(o, etching.Pending)
	w.pay(o, little)
	w.runesOn(o, little)
	w.Step()
	if p := w.want(o, etching.Pending); p.Received != o.FundAmount {
		t.Errorf("received: got %d sats, want %d", p.Received, o.FundAmount)
	}
	w.Settle(1)
	p := w.want(o, etching.Executing)
	if commit := w.role(p, etching.Commit); len(commit.Msg.TxIn) != 1 {
		t.Errorf("the commitment spends %d outputs, want 1", len(commit.Msg.TxIn))
	}
	w.settle(o, etching.Complete)
}

// A refund omits payments that would reduce its value, and includes them once they do not.
func TestRefundLeavesLittlePayments(t *testing.T) {
	w := newWorld(t)
	o := w.dear()
	w.Rate = amount.SatPerVB(10)
	w.pay(o, o.FundAmount-1)
	w.pay(o, little)
	w.pay(o, little)
	w.Settle(1)
	w.want(o, etching.New)
	w.Clock.Advance(etching.FundingWindow)
	w.Step()
	p := w.settle(o, etching.Refunded)
	if refund := w.back(p, o.FundAmount-1, 1200); len(refund.Msg.TxIn) != 1 {
		t.Errorf("the refund spends %d outputs, want 1", len(refund.Msg.TxIn))
	}
	w.Settle(etching.MaxReorg + 2)
	w.Rate = amount.SatPerVB(1)
	w.Settle(2)
	if refund := w.back(w.want(o, etching.Refunded), 2*little, 200); len(refund.Msg.TxIn) != 2 {
		t.Errorf("the second refund spends %d outputs, want 2", len(refund.Msg.TxIn))
	}
}

// Runes on a small payment do not fail an order, and are returned as soon as possible.
func TestLittlePaymentsWithRunesGoBack(t *testing.T) {
	w := newWorld(t)
	o := w.dear()
	w.Rate = amount.SatPerVB(10)
	w.runesOn(o, little)
	w.pay(o, o.FundAmount)
	w.Settle(1)
	w.want(o, etching.Executing)
	w.settle(o, etching.Complete)
	w.Rate = amount.SatPerVB(1)
	w.Settle(2)
	refund := w.back(w.want(o, etching.Complete), little, 200)
	w.holds(first(refund), testkit.Rune, uint64(testkit.RuneCoin))
}

// Runes that arrive after the order was sent do not prevent a replacement, and a payment of the quote counts.
func TestFasterPastRunes(t *testing.T) {
	w := newWorld(t)
	o := w.dear()
	w.pay(o, o.FundAmount+5000)
	w.Settle(1)
	old := w.role(w.want(o, etching.Executing), etching.Commit)
	w.Node.MineOnly(w.runesOn(o, 1000))
	w.Step()
	cost := w.quote(o, 12)
	if least := o.FeeRate.Fee(vault.InputVBytes(vault.OrderFund)); cost < least {
		t.Errorf("quote: got %d sats, want at least %d, the minimum that counts", cost, least)
	}
	w.bump(o, cost)
	if commit := w.role(w.progress(o), etching.Commit); commit.ID == old.ID || commit.Height != chain.None {
		t.Errorf("the commitment was not replaced: %+v", commit)
	}
	w.settle(o, etching.Complete)
}
