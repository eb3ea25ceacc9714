package etching_test

import (
	"testing"

	"moonfund/etching"
)

// A refund of a payment that a reorg undid may never be mined, so the refund of another payment does not wait for it.
func TestRefundWaitsForNoUndonePayment(t *testing.T) {
	w := newWorld(t)
	w.open("100")
	o := w.mint(1)
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	w.pay(o, 20_000)
	w.Settle(1)
	refunds := func() (n int) {
		for _, tx := range w.look(o).Txs {
			if tx.Role == etching.Refund {
				n++
			}
		}
		return n
	}
	if n := refunds(); n != 1 {
		t.Fatalf("got %d refunds of the first surplus payment, want 1", n)
	}
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.Node.MineOnly(w.pay(o, 30_000))
	w.Step()
	if n := refunds(); n != 2 {
		t.Errorf("got %d refunds while the first surplus payment is unconfirmed, want 2", n)
	}
}
