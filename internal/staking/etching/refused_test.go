package etching_test

import (
	"errors"
	"strings"
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
	if p = w.want(o, etching.Executing); p.ReasonCode != fault.RuneOrderWaits.Code {
		t.Errorf("the order waits because of %q", p.Reason)
	}
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
		w.Etching.Unrelayed = func(kind etching.Kind, _ bool) string {
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
		if p := w.want(o, etching.Pending); len(p.Txs) != 1 || p.ReasonCode != fault.RuneOrderWaits.Code {
			t.Errorf("a transaction was signed, or the reason is %q: %+v", p.Reason, p.Txs)
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

// A node relays no inscriptions: an etching with one is refused before payment, and the error says so. One without is
// accepted. An order with an inscription that was accepted before waits, and says so before it is paid, too.
func TestInscriptionsAreRefusedBeforePayment(t *testing.T) {
	w := newWorld(t)
	r := w.etchRequest()
	r.Inscribes, r.ContentType, r.Content = true, "text/plain", "aG93bA=="
	earlier := w.create(etching.Request{Etch: r})
	w.Etching.Unrelayed = func(_ etching.Kind, inscribes bool) string {
		if inscribes {
			return "OP_IF is not allowed"
		}
		return ""
	}
	if p := w.want(earlier, etching.New); p.ReasonCode != fault.RuneOrderWaits.Code {
		t.Errorf("the order waits because of %q", p.Reason)
	}
	delegates := w.etchRequest()
	delegates.Delegate = strings.Repeat("ab", 32) + "i0"
	for _, request := range []*etching.EtchRequest{r, delegates} {
		for _, call := range []func() error{
			func() error { _, err := w.Etching.Estimate(t.Context(), etching.Request{Etch: request}); return err },
			func() error { _, err := w.Etching.Create(t.Context(), etching.Request{Etch: request}); return err },
		} {
			var f *fault.Error
			if err := call(); !errors.As(err, &f) || f.Code != fault.RuneInscriptionRefused.Code {
				t.Errorf("got %v, want RuneInscriptionRefused", err)
			}
		}
	}
	o := w.create(etching.Request{Etch: w.etchRequest()})
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	if p := w.want(o, etching.Complete); p.Reason != "" {
		t.Errorf("a complete order has the reason %q", p.Reason)
	}
}
