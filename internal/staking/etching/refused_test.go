package etching_test

import (
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/etching"
)

// If the node rejects the reveal after the commitment is confirmed, the order is refunded a day later.
func TestRefusedRevealIsRefunded(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	for range 3 {
		w.Settle(1)
	}
	p := w.want(o, etching.Executing)
	if w.role(p, etching.Commit).Height == chain.None {
		t.Fatal("the commitment is in no block")
	}
	reveal := w.role(p, etching.Reveal).ID
	w.Node.Refuse("txn-datacarrier-nonstandard", reveal)
	w.Settle(8)
	w.want(o, etching.Executing)
	w.Clock.Advance(etching.RefusalPatience - 2*time.Hour)
	w.Settle(1)
	w.want(o, etching.Executing)
	w.Clock.Advance(2 * time.Hour)
	w.settle(o, etching.Failed)
	p = w.settle(o, etching.Refunded)
	if refund := w.role(p, etching.Refund); refund.Height == chain.None || p.Reason == "" {
		t.Errorf("refund: got %+v, reason %q", refund, p.Reason)
	}
}

// A transaction rejected for its fee rate waits without a time limit.
func TestRefusedForItsFeeWaits(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(2)
	w.Node.Refuse("mempool min fee not met, 150 < 300", w.role(w.want(o, etching.Executing), etching.Reveal).ID)
	w.Settle(8)
	w.Clock.Advance(3 * etching.RefusalPatience)
	w.Settle(1)
	w.want(o, etching.Executing)
	w.Node.Refuse("")
	w.settle(o, etching.Complete)
}

// While the node relays no reveals, no order is accepted, and a paid order is not signed. The order continues once the
// node relays reveals, and is refunded RefusalPatience after its deadline otherwise.
func TestOrdersWaitForANodeThatRelaysThem(t *testing.T) {
	for _, relays := range []bool{true, false} {
		w := newWorld(t)
		o := w.etch()
		reason := "the node does not relay the reveal"
		w.Etching.Unrelayed = func(kind etching.Kind) string {
			if kind == etching.Etch {
				return reason
			}
			return ""
		}
		if _, err := w.Etching.Create(t.Context(), etching.Request{Etch: w.etchRequest()}); err == nil ||
			err.Error() != fault.NodeUnfit.Text+" ("+reason+")" {
			t.Errorf("Create: got %v, want NodeUnfit", err)
		}
		w.pay(o, o.FundAmount)
		w.Settle(3)
		if p := w.want(o, etching.Pending); len(p.Txs) != 1 {
			t.Errorf("a transaction was signed: %+v", p.Txs)
		}
		if relays {
			reason = ""
			w.settle(o, etching.Complete)
			continue
		}
		w.Clock.Advance(etching.FundingWindow + etching.RefusalPatience)
		w.settle(o, etching.Refunded)
	}
}
