package main

import (
	"strings"
	"testing"

	"moonfund/action"
	"moonfund/chain"
	"moonfund/order"
	"moonfund/testkit"
)

// A payout that the node does not accept is shown wherever an operator or its owner looks, until the node accepts it.
func TestRefusedIsShown(t *testing.T) {
	w, g := watched(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 50_000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Node.FailSend(&chain.Refusal{Code: -26, Reason: "tokens-runes"}, false)
	w.Settle(1)
	sent := w.WantStatus(o.ID, order.Sent)
	shown := func() map[string]string {
		h := wired(w, g)
		status, err := standing{h}.Status(t.Context())
		testkit.Must(t, err)
		orders, err := views{h}.Orders(t.Context(), testkit.Prefix, action.Wallet{Ordinals: w.Anna.Ordinals.Text})
		testkit.Must(t, err)
		all := map[string]string{
			"payout show": office{w}.must("payout", "show", sent.PayoutTx), "payout show --json": office{w}.must("payout", "show", "--json", sent.PayoutTx),
			"order show": office{w}.must("order", "show", o.ID), "order show --json": office{w}.must("order", "show", "--json", o.ID),
		}
		if status.Refused > 0 {
			all["/status"] = *status.RefusedReason
		}
		if orders[0].Refusal != nil {
			all["the order"] = orders[0].Refusal.Reason
		}
		if !strings.Contains(scraped(w, g), "moonfund_transactions_refused 0") {
			all["/metrics"] = "tokens-runes"
		}
		return all
	}
	now := shown()
	for _, where := range []string{"payout show", "payout show --json", "order show", "order show --json", "/status", "the order", "/metrics"} {
		if !strings.Contains(now[where], "tokens-runes") {
			t.Errorf("%s does not say it: %s", where, now[where])
		}
	}
	w.Node.FailSend(nil, false)
	w.Settle(1)
	for where, text := range shown() {
		if strings.Contains(text, "tokens-runes") {
			t.Errorf("%s still says it: %s", where, text)
		}
	}
}
