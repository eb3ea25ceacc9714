package main

import (
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// TestRefusedIsShown checks that commands show a refusal by the node until the node accepts the payout.
func TestRefusedIsShown(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 50_000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Node.FailSend(&chain.Refusal{Code: -26, Reason: "tokens-runes"}, false)
	w.Settle(1)
	sent := w.WantStatus(o.ID, order.Sent)
	commands := [][]string{
		{"payout", "show", sent.PayoutTx}, {"payout", "show", "--json", sent.PayoutTx},
		{"order", "show", o.ID}, {"order", "show", "--json", o.ID},
	}
	for _, command := range commands {
		if text := w.must(command...); !strings.Contains(text, "tokens-runes") {
			t.Errorf("%v does not show the refusal: %s", command, text)
		}
	}
	w.Node.FailSend(nil, false)
	w.Settle(1)
	for _, command := range commands {
		if text := w.must(command...); strings.Contains(text, "tokens-runes") {
			t.Errorf("%v still shows the refusal: %s", command, text)
		}
	}
}
