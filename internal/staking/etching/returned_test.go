package etching_test

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/etching"
)

// The refund of a payment that a reorg undid may never be mined, so it does not delay the refund of another payment.
func TestRefundWaitsForNoUndonePayment(t *testing.T) {
	w := newWorld(t)
	o := w.undoneOverpayment()
	w.Node.MineOnly(w.pay(o, 30_000))
	w.Step()
	if n := w.refunds(o); n != 2 {
		t.Errorf("got %d refunds while the first overpayment is unconfirmed, want 2", n)
	}
}

// A refund pays only for the transactions that it replaces, and not for the refund of another payment.
func TestRefundPaysForNoOtherRefund(t *testing.T) {
	w := newWorld(t)
	w.Rate = amount.SatPerVB(20)
	o := w.undoneOverpayment()
	w.Rate = amount.SatPerVB(1)
	w.Node.MineOnly(w.pay(o, 900)) // less than the fee of the first refund
	w.Step()
	if n := w.refunds(o); n != 2 {
		t.Errorf("got %d refunds while the first overpayment is unconfirmed, want 2", n)
	}
}

// undoneOverpayment creates a completed order with one refund of an overpayment, and undoes the block of this payment.
func (w *world) undoneOverpayment() etching.Order {
	w.Helper()
	w.open("100")
	o := w.mint(1)
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	w.pay(o, 20_000)
	w.Settle(1)
	if n := w.refunds(o); n != 1 {
		w.Fatalf("got %d refunds of the first overpayment, want 1", n)
	}
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	return o
}

func (w *world) refunds(o etching.Order) (n int) {
	w.Helper()
	for _, tx := range w.progress(o).Txs {
		if tx.Role == etching.Refund {
			n++
		}
	}
	return n
}
