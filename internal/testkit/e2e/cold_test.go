package e2e

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestColdSigning checks that a withdrawal above the community's limit waits until the operator signs it by hand, with
// a command that needs neither the server nor a network.
func TestColdSigning(t *testing.T) {
	t.Setenv("USER", "the operator")
	limit := []string{"daily_outflow", "cold_above = \"100000000000\"\ndaily_outflow"}
	h := newDevServer(t, "", "--communities", manifest(t, limit...))
	p := newStaker(h.site, "Cora", segwit, taproot)
	const units = 1_001 * lobo
	o := p.act("WITHDRAW", p.unlock(h, units)...)
	p.pay(*o, o.Total)
	h.mine(1)
	p.wantStatus(o.ID, "PAID")

	dir := t.TempDir()
	draft, signed := filepath.Join(dir, "payout.psbt"), filepath.Join(dir, "payout.signed.psbt")
	h.refuses("the ledger has no order", "payout", "export", "nobody", draft, "--why", "test")
	printed := h.printed("payout", "export", o.ID, draft, "--why", "more than the server may sign")
	h.refuses("is not overwritten", "payout", "export", o.ID, draft, "--why", "test")
	h.refuses("not signed by all", "payout", "import", o.ID, draft, "--yes", "--why", "test")
	h.refuses("not a PSBT", "payout", "import", o.ID, filepath.Join(h.data, "keys.json"), "--yes", "--why", "test")

	manifests := manifest(t, append(limit, "[rune]", "[rune]\nid = \""+h.runeID()+"\"")...)
	said := h.runPrinted(printed, "moonfund signer sign", manifests)
	if !strings.Contains(said, p.ordinals.text) {
		t.Errorf("the output of signer sign does not contain the recipient:\n%s", said)
	}
	h.toBinary(signed)
	if said := h.runPrinted(printed, "moonfund payout import", manifests); !strings.Contains(said, "is carried out") {
		t.Errorf("payout import: %s", said)
	}
	p.awaitSent(o.ID)
	h.refuses("it is stored already", "payout", "import", o.ID, signed, "--yes", "--why", "again")
	h.mine(3)
	p.awaitStatus(o.ID, "DELIVERED")
	if got := p.balance(); got != units {
		t.Errorf("the wallet holds %d, want %d", got, units)
	}
	h.audit()
}

// runPrinted runs the line of printed that contains the command, and returns its output. It replaces the placeholders
// by the paths of this test and adds --yes.
func (h *devServer) runPrinted(printed, command, manifests string) string {
	h.t.Helper()
	start := strings.Index(printed, command)
	if start < 0 {
		h.t.Fatalf("no command %q in:\n%s", command, printed)
	}
	line, _, _ := strings.Cut(printed[start:], "\n")
	line = strings.NewReplacer("moonfund ", h.programs.moonfund+" ", "--key moonfund.key",
		"--key "+filepath.Join(h.data, "keys.json"),
		"--communities communities", "--communities "+manifests).Replace(line)
	run := exec.Command("sh", "-c", line+" --yes")
	run.Env = append(os.Environ(), "MOONFUND_PASSPHRASE="+devPassphrase, "MOONFUND_NETWORK=regtest",
		"MOONFUND_DATA="+h.data)
	said, err := run.CombinedOutput()
	if err != nil {
		h.t.Fatalf("%s: %v\n%s", line, err, said)
	}
	return string(said)
}

// printed runs an operator command and returns its output.
func (h *devServer) printed(arguments ...string) string {
	h.t.Helper()
	said, err := exec.Command(h.programs.moonfund, h.onLedger(arguments)...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("moonfund %s: %v\n%s", strings.Join(arguments, " "), err, said)
	}
	return string(said)
}

// toBinary converts a base64 PSBT file to the binary format of BIP-174, which other wallets write.
func (h *devServer) toBinary(file string) {
	h.t.Helper()
	text, err := os.ReadFile(file)
	must(h.t, err)
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	must(h.t, err)
	must(h.t, os.WriteFile(file, raw, 0o600))
}

// signByHand signs an exported payout with the server's key file and returns the command's output.
func (h *devServer) signByHand(draft, signed, manifests string) string {
	h.t.Helper()
	return h.runPrinted("moonfund signer sign "+draft+" "+signed+" --key moonfund.key --communities communities",
		"moonfund signer sign", manifests)
}
