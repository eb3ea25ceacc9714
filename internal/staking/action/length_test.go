package action_test

import (
	"strings"
	"testing"

	"moonfund/internal/signed/message"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// Limits of hardware wallets in bytes of a text, with their sources in docs/messages.md.
const (
	shownByLedger    = 640  // a longer text is shown as its hash
	signedByTrezorT1 = 1024 // a longer text is not signed
)

// messagesOf returns a message of every kind, of a wallet with a P2WPKH and a P2TR address, in a community with a
// statement.
func messagesOf(t *testing.T) map[string]string {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	staked, reward := w.Rewarded(w.Anna, 5000)
	if len(statements(w, t.TempDir())) == 0 {
		t.Fatal("no statement was published")
	}
	all := map[string]string{
		"UNSTAKE":  post(w, w.Anna, action.Unstake, staked).Message,
		"COMPOUND": post(w, w.Anna, action.Compound, reward).Message,
		"CLAIM":    post(w, w.Anna, action.Claim, reward).Message,
	}
	economy := func(kind action.Type, unit string) {
		asked, err := w.Actions.PostEconomy(t.Context(), action.Action{Community: testkit.Prefix, Type: kind,
			Wallet: w.Anna.Pair()}, []string{unit}, "", action.EconomyRequest{Rate: 1500, Days: 1})
		testkit.Must(t, err)
		all[string(kind)+", economy"] = asked.Message
	}
	economy(action.Claim, reward)
	w.Act(w.Anna, action.Unstake, staked)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	economy(action.Withdraw, staked)
	all["RESTAKE"] = post(w, w.Anna, action.Restake, staked).Message
	all["WITHDRAW"] = post(w, w.Anna, action.Withdraw, staked).Message
	o := *w.Act(w.Anna, action.Withdraw, staked).Order
	cancel, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
	testkit.Must(t, err)
	all["CANCEL"] = cancel.Message
	all["AUTO_COMPOUND"] = post(w, w.Anna, action.AutoCompound).Message
	w.Act(w.Anna, action.AutoCompound)
	all["END_AUTO_COMPOUND"] = post(w, w.Anna, action.EndAutoCompound).Message
	return all
}

// longest returns the length of a message if its fields are as long as manifests, addresses and amounts can be, and the
// host has 60 characters.
func longest(t *testing.T, text string) int {
	x, err := message.Parse(text)
	testkit.Must(t, err)
	x.Community, x.Domain, x.Network = strings.Repeat("C", 60), strings.Repeat("d", 60), "testnet4"
	x.Payment, x.Ordinals = strings.Repeat("p", 64), strings.Repeat("o", 64)
	if x.Count > 0 {
		x.Count, x.Sum, x.SumText = 1000, "9223372036854775807", "92233720368.54775807 "+strings.Repeat("T", 20)
	}
	if x.LastEpoch > 0 {
		x.FirstEpoch, x.LastEpoch = 99_999, 100_102
	}
	if x.Rate > 0 {
		x.Rate = 999_999_999 // sats per 1,000 vB
	}
	if x.Action == message.Cancel {
		x.Status, x.Seen = "PENDING_RERATE", 2_100_000_000_000_000
	}
	if text = x.Text(); text == "" {
		t.Fatal(x.Check())
	}
	return len(text)
}

// A Ledger shows the messages of a usual community, except cancels. Every Trezor signs the longest ones.
func TestLengthOfMessages(t *testing.T) {
	for kind, text := range messagesOf(t) {
		if kind != "CANCEL" && len(text) > shownByLedger {
			t.Errorf("%s has %d bytes, more than a Ledger shows", kind, len(text))
		}
		if n := longest(t, text); n > signedByTrezorT1 {
			t.Errorf("%s has up to %d bytes, more than a Trezor Model One signs", kind, n)
		}
	}
}
