package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// exporting makes the world export PSBTs, as a server does, and returns the flags of `signer sign` for its key.
func (w cli) exporting(t *testing.T) (flags []string) {
	t.Helper()
	key := worldKey(t)
	keys, err := signer.OpenKeyFile(key, passed)
	testkit.Must(t, err)
	var sign wiring.Signing
	sign.Accounts.Add(testkit.Prefix, 0)
	var accounts ledger.Communities[vault.Account]
	accounts.Add(testkit.Prefix, w.Account)
	w.Export = sign.Exporter(keys.Fingerprint(), accounts)
	return []string{"--key", key, "--communities", worldManifests(t), "--network", w.Network.Name, "--yes"}
}

// carried runs a command whose request a running server executes.
func (w cli) carried(args ...string) (text string, err error) {
	w.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, err = w.command("", args...)
	}()
	for {
		select {
		case <-done:
			return text, err
		case <-time.After(20 * time.Millisecond):
			w.Step()
		}
	}
}

// TestReturnByHand returns runes at the payment address of an order that exceed the signer's limit. The command waits
// and prints the next command, the operator signs by hand, and btcd accepts the transaction.
func TestReturnByHand(t *testing.T) {
	testkit.OnBtcd(t)
	w := cli{testkit.NewWorld(t)}
	flags := w.exporting(t)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(30_000)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5_000)).Order
	sent := w.Send(w.Transfer(w.Anna, o.Script, 777))
	w.Settle(3)
	w.LimitSigner(776)
	output := wire.OutPoint{Hash: sent.ID}.String()
	draft := filepath.Join(t.TempDir(), "return.psbt")
	signed := strings.TrimSuffix(draft, ".psbt") + ".signed.psbt"

	text, err := w.carried("quarantine", "return", output, "--yes", "--by", "olga", "--why", "a mistake", "--wait", "1s")
	if err != nil || !strings.Contains(text, "moonfund payout export "+output) {
		t.Fatalf("quarantine return above the limit: output %s, error %v", text, err)
	}
	w.refused("not in quarantine", "payout", "export", o.UnitIDs[0], draft, "--by", "olga", "--why", "test")
	text, err = w.carried("payout", "export", output, draft, "--by", "olga", "--why", "above the limit")
	if err != nil || !strings.Contains(text, "moonfund payout import "+output) {
		t.Fatalf("payout export: output %s, error %v", text, err)
	}
	sign := append([]string{"signer", "sign", draft, signed}, flags...)
	text, err = command(t, "", sign...)
	if err != nil || !strings.Contains(text, "Return of output "+output+" to "+w.Anna.Ordinals.Text) ||
		!strings.Contains(text, "777 base units") || !strings.Contains(text, "moonfund payout import "+output) {
		t.Fatalf("signer sign: output %s, error %v", text, err)
	}
	if text, err = w.carried("payout", "import", output, signed, "--yes", "--by", "olga", "--why",
		"signed by hand"); err != nil {
		t.Fatalf("payout import: output %s, error %v", text, err)
	}
	var sentBack []decisions.PayoutView
	if w.read(&sentBack, "payout", "list", "--kind", "return"); len(sentBack) != 1 {
		t.Fatalf("payout list --kind return: got %+v, want one return", sentBack)
	}
	w.Settle(3)
	var all []decisions.QuarantineView
	if w.read(&all, "quarantine", "list", "--all"); len(all) != 1 || all[0].SpentBy != sentBack[0].Versions[0].Txid {
		t.Errorf("quarantine list --all: got %+v, want the returned output", all)
	}
	if w.read(&sentBack, "payout", "list", "--kind", "return"); sentBack[0].Status != payout.Confirmed {
		t.Errorf("btcd did not accept the return: %+v", sentBack)
	}
}
