package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// profitable returns a world with a surplus of runes and sats, whose signer may withdraw to Cleo's payment address.
func profitable(t *testing.T) cli {
	t.Helper()
	w := cli{testkit.NewWorld(t)}
	w.AllowWithdrawals(w.Cleo.Payment.Text)
	w.earns(60_000)
	return w
}

// earns delivers an order whose service fee is surplus.
func (w cli) earns(fee amount.Sats) {
	w.Helper()
	w.SetServiceFee(fee)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(18)
}

func TestTreasurySurplus(t *testing.T) {
	w := profitable(t)
	var v decisions.SurplusView
	w.read(&v, "treasury", "surplus", "lobo")
	if v.SurplusSats != 60_000 || v.SurplusRunes != 38_000_000 || v.Runes.NextBudget != testkit.Budget ||
		v.Runes.Running != testkit.Budget {
		t.Errorf("treasury surplus: got %+v", v)
	}
	text := w.must("treasury", "surplus", "lobo")
	for _, line := range []string{"0.38  surplus (38000000 base units)", "0.01  budget of the next epoch",
		"60000  surplus, from which", "0  fee account"} {
		if !strings.Contains(text, line) {
			t.Errorf("the output does not contain %q:\n%s", line, text)
		}
	}
	w.refused("the ledger has no community", "treasury", "surplus", "nothing")
}

func TestTreasuryWithdraw(t *testing.T) {
	w := profitable(t)
	withdraw := func(more ...string) []string {
		return append([]string{"treasury", "withdraw", "lobo", "--why", "earned", "--by", "olga", "--wait", "0s"}, more...)
	}
	to := []string{"--to", w.Cleo.Payment.Text}
	for _, args := range [][]string{
		withdraw(to...), withdraw(append(to, "--sats", "1000", "--runes", "5")...), withdraw("--sats", "1000"),
		withdraw(append(to, "--sats", "1.5")...), withdraw(append(to, "--runes", "0.1")...),
	} {
		if _, err := w.command("", args...); err == nil {
			t.Errorf("command %v succeeded, want an error", args)
		}
	}
	w.refused("no address on regtest", withdraw("--sats", "1000", "--to", "bc1nobody")...)
	w.refused("at least 546", withdraw(append(to, "--sats", "545")...)...)
	w.refused("more than 0", withdraw(append(to, "--sats=-5")...)...)
	w.refused("60001 sats are more than the surplus of 60000:\nRunes:", withdraw(append(to, "--sats", "60001")...)...)
	w.refused("38000001 base units are more than the surplus of 38000000",
		withdraw(append(to, "--runes", "38000001")...)...)
	w.refused("the ledger has no community", "treasury", "withdraw", "x", "--sats", "1000", "--to", w.Cleo.Payment.Text,
		"--why", "x", "--by", "olga")
	text := w.must(withdraw(append(to, "--sats", "20000", "--dry-run")...)...)
	if !strings.Contains(text, "20000 sats leave the treasury of lobo for good, to "+w.Cleo.Payment.Text) ||
		!strings.Contains(text, "60000  surplus") {
		t.Errorf("output of the dry run:\n%s", text)
	}
	if _, err := w.command("no\n", withdraw(append(to, "--sats", "20000")...)...); !errors.Is(err, terminal.ErrDeclined) {
		t.Errorf("declined withdrawal: got error %v, want ErrDeclined", err)
	}
	if n := w.Rows(`SELECT COUNT(*) AS n FROM operator_request`); n != "n=0 \n" {
		t.Errorf("requests after a declined withdrawal: got %s, want none", n)
	}
	text, err := w.command("yes\n", withdraw(append(to, "--sats", "20000")...)...)
	testkit.Must(t, err)
	if !strings.Contains(text, "is recorded") {
		t.Errorf("treasury withdraw: output %q", text)
	}
	w.refused("is not carried out yet", withdraw(append(to, "--sats", "20000", "--yes")...)...)
	w.Step()
	var sent []decisions.PayoutView
	if w.read(&sent, "payout", "list", "--kind", "withdrawal"); len(sent) != 1 {
		t.Fatalf("payout list --kind withdrawal: got %+v, want one", sent)
	}
	if text := w.must("find", sent[0].Versions[0].Txid); !strings.Contains(text, "withdrawal of surplus") {
		t.Errorf("find does not contain the withdrawal:\n%s", text)
	}
	if text := w.must("log"); !strings.Contains(text, "treasury withdraw") || !strings.Contains(text, "treasury:lobo") {
		t.Errorf("the log does not contain the withdrawal:\n%s", text)
	}
	w.must("payout", "bump", sent[0].ID, "--why", "stuck", "--by", "olga", "--yes", "--wait", "0s")
	w.Settle(14)
	w.Audit()
	var left decisions.SurplusView
	w.read(&left, "treasury", "surplus", "lobo")
	if want := 40_000 - sent[0].Versions[0].Fee; left.SurplusSats != want {
		t.Errorf("surplus: got %d sats, want %d", left.SurplusSats, want)
	}
}

// TestWithdrawalPreviewIsRepeated checks that nothing is requested if the surplus changes while the operator reads the
// preview.
func TestWithdrawalPreviewIsRepeated(t *testing.T) {
	w := profitable(t)
	plan := decisions.WithdrawalPlan{Community: "lobo"}
	plan.Sats, plan.To = 20_000, w.Cleo.Payment.Text
	_, err := decisions.Withdraw(decisions.Author{By: "olga", Why: "earned"}, plan).Make(t.Context(), w.Store,
		func(string) error {
			w.AddTreasurySats(10_000)
			return nil
		})
	if !errors.Is(err, decisions.ErrChanged) {
		t.Errorf("withdrawal after a change of the surplus: got error %v, want ErrChanged", err)
	}
}

// TestWithdrawalOnBtcd withdraws sats to an address that the signer was not started with: the output explains how to
// sign by hand, and btcd accepts the transaction. Then the signer is started with an address, and signs a withdrawal of
// runes automatically.
func TestWithdrawalOnBtcd(t *testing.T) {
	testkit.OnBtcd(t)
	w := cli{testkit.NewWorld(t)}
	flags := w.exporting(t)
	w.earns(60_000)
	dir := t.TempDir()
	draft, signed := filepath.Join(dir, "w.psbt"), filepath.Join(dir, "w.signed.psbt")
	withdraw := []string{"treasury", "withdraw", "lobo", "--why", "earned", "--by", "olga", "--yes", "--sats", "20000",
		"--to", w.Anna.Payment.Text}
	if text, err := w.carried(withdraw...); err == nil || !strings.Contains(err.Error(), "--by-hand") ||
		!strings.Contains(err.Error(), "withdrawal addresses of this signer") {
		t.Fatalf("withdrawal to another address: output %s, error %v", text, err)
	}
	if text, err := w.carried(append(withdraw, "--by-hand", draft)...); err != nil ||
		!strings.Contains(text, "moonfund payout import treasury:lobo") {
		t.Fatalf("export of the withdrawal: output %s, error %v", text, err)
	}
	text, err := command(t, "", append([]string{"signer", "sign", draft, signed}, flags...)...)
	if err != nil || !strings.Contains(text, "20000 sats to "+w.Anna.Payment.Text) ||
		!strings.Contains(text, "moonfund payout import treasury:lobo") {
		t.Fatalf("signer sign: output %s, error %v", text, err)
	}
	imports := []string{"payout", "import", "treasury:lobo", signed, "--yes", "--by", "olga", "--why", "by hand"}
	if text, err := w.carried(imports...); err != nil {
		t.Fatalf("payout import: output %s, error %v", text, err)
	}
	if text, err := w.carried(imports...); err == nil || !strings.Contains(err.Error(), "stored already") {
		t.Fatalf("second import: output %s, error %v", text, err)
	}
	w.Audit()
	w.Settle(3)
	var sent []decisions.PayoutView
	if w.read(&sent, "payout", "list", "--kind", "withdrawal"); len(sent) != 1 || sent[0].Status != payout.Confirmed {
		t.Fatalf("btcd did not accept the withdrawal: %+v", sent)
	}
	w.AllowWithdrawals(w.Cleo.Payment.Text)
	if text, err := w.carried("treasury", "withdraw", "lobo", "--why", "earned", "--by", "olga", "--yes",
		"--runes", "1000000", "--to", w.Cleo.Payment.Text); err != nil {
		t.Fatalf("withdrawal to a configured address: output %s, error %v", text, err)
	}
	w.Settle(15)
	w.Audit()
	if w.read(&sent, "payout", "list", "--kind", "withdrawal"); len(sent) != 2 || sent[0].Status != payout.Final ||
		sent[1].Status != payout.Final {
		t.Fatalf("payout list --kind withdrawal: got %+v, want two final ones", sent)
	}
}
