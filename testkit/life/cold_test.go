package life

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A withdrawal above the community's limit waits until its operator has signed it
// by hand, with a command that needs neither the server nor a network.
func TestColdSigning(t *testing.T) {
	t.Setenv("USER", "the operator")
	limit := []string{"daily_outflow", "cold_above = \"100000000000\"\ndaily_outflow"}
	h := newHouse(t, "", "--communities", manifest(t, limit...))
	p := newStaker(h.site, "Cora", segwit, taproot)
	const units = 1_001 * lobo
	o := p.act("WITHDRAW", p.unlock(h, units)...)
	p.pay(*o, o.Total)
	h.mine(1)
	p.wantStatus(o.ID, "PAID")

	dir := t.TempDir()
	draft, signed := filepath.Join(dir, "payout.psbt"), filepath.Join(dir, "signed.psbt")
	h.refuses("the ledger knows no order", "payout", "export", "nobody", draft, "--why", "test")
	h.operate(`"file": "`+draft+`"`, "payout", "export", o.ID, draft, "--why", "more than the server may sign", "--json")
	h.refuses("is not overwritten", "payout", "export", o.ID, draft, "--why", "test")
	h.refuses("not signed by all", "payout", "import", o.ID, draft, "--yes", "--why", "test")
	h.refuses("not a PSBT", "payout", "import", o.ID, filepath.Join(h.data, "keys.json"), "--yes", "--why", "test")

	said := h.signByHand(draft, signed, manifest(t, append(limit, "[rune]", "[rune]\nid = \""+h.runeID()+"\"")...))
	if !strings.Contains(said, p.ordinals.text) {
		t.Errorf("it does not say who gets it:\n%s", said)
	}
	h.operate("is carried out", "payout", "import", o.ID, signed, "--yes", "--why", "signed by hand")
	p.awaitSent(o.ID)
	h.refuses("taken in already", "payout", "import", o.ID, signed, "--yes", "--why", "again")
	h.mine(3)
	p.awaitStatus(o.ID, "DELIVERED")
	if got := p.balance(); got != units {
		t.Errorf("the wallet holds %d, want %d", got, units)
	}
	h.audit()
}

// signByHand signs an exported payout with the server's key file, and returns what it said.
func (h *house) signByHand(draft, signed, manifests string) string {
	h.t.Helper()
	sign := exec.Command(h.programs.moonfund, "signer", "sign", draft, signed, "--network", "regtest", "--yes",
		"--communities", manifests, "--key", filepath.Join(h.data, "keys.json"))
	sign.Env = append(os.Environ(), "MOONFUND_PASSPHRASE="+devPassphrase)
	said, err := sign.CombinedOutput()
	if err != nil {
		h.t.Fatalf("signer sign: %v\n%s", err, said)
	}
	return string(said)
}
