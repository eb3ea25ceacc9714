package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// onLedger adds the flags for the server's ledger.
func (h *devServer) onLedger(arguments []string) []string {
	arguments = append(slices.Clone(arguments), "--data", h.data)
	if h.database != "" {
		arguments = append(arguments, "--database", h.database)
	}
	return arguments
}

// operate runs an operator command; its output must contain want.
func (h *devServer) operate(want string, arguments ...string) {
	h.t.Helper()
	output, err := exec.Command(h.programs.moonfund, h.onLedger(arguments)...).CombinedOutput()
	if err != nil || !strings.Contains(string(output), want) {
		h.t.Fatalf("moonfund %s: %v, want %q\n%s", strings.Join(arguments, " "), err, want, output)
	}
}

// refuses runs an operator command that must fail with want in its output.
func (h *devServer) refuses(want string, arguments ...string) {
	h.t.Helper()
	output, err := exec.Command(h.programs.moonfund, h.onLedger(arguments)...).CombinedOutput()
	if err == nil || !strings.Contains(string(output), want) {
		h.t.Errorf("moonfund %s: %v, want a refusal with %q\n%s", strings.Join(arguments, " "), err, want, output)
	}
}

// readJSON runs a command and decodes its JSON output.
func (h *devServer) readJSON(into any, arguments ...string) {
	h.t.Helper()
	output, err := exec.Command(h.programs.moonfund, append(h.onLedger(arguments), "--json")...).Output()
	must(h.t, err)
	must(h.t, json.Unmarshal(output, into))
}

// TestOperator runs operator commands that replace a stuck payout, return a deposit from quarantine, and show the
// treasury.
func TestOperator(t *testing.T) {
	t.Setenv("USER", "the operator")
	h := newDevServer(t, "")
	erin := newStaker(h.site, "erin", segwit, taproot)
	id := erin.unlock(h, 300_000_000)[0]
	o := *erin.act("WITHDRAW", id)
	erin.pay(o, o.Total)
	h.mine(1)
	sent := erin.awaitSent(o.ID)
	h.bump(erin, sent)

	erin.endow(300_000_000)
	h.mine(1)
	before := erin.balance()
	var target stakeTarget
	erin.post("postDemoStake", erin.stakeRequest(300_000_000), &target)
	small := erin.broadcast(erin.transferRunes(t, erin.rune, 1, target.Address, erin.coins(erin.ordinals),
		erin.coins(erin.payment))) + ":0"
	h.mine(3)
	var held []struct {
		OutPoint, Reason, Owner string
		Returnable              bool
	}
	h.readJSON(&held, "quarantine", "list")
	if len(held) != 1 || held[0].OutPoint != small || held[0].Reason != "below the minimum stake" || !held[0].Returnable ||
		held[0].Owner != erin.ordinals.text {
		t.Fatalf("unexpected outputs in quarantine: %+v", held)
	}
	h.refuses("--why is empty", "quarantine", "return", small, "--yes")
	h.refuses("not in quarantine", "quarantine", "return", o.Units[0], "--yes", "--why", "test")
	h.operate("is carried out", "quarantine", "return", small, "--yes", "--why", "too small a stake")
	h.mine(3)
	if got := erin.balance(); got != before {
		t.Errorf("after the return erin has %d base units, want %d", got, before)
	}
	var treasury struct {
		Runes, Owed, Free, Staked string
		FeeAccount                int64 `json:"fee_account"`
		Quarantined               int
	}
	h.readJSON(&treasury, "treasury", "show", prefix)
	if treasury.Quarantined != 0 || treasury.FeeAccount <= 0 {
		t.Errorf("unexpected treasury: %+v", treasury)
	}
	h.refuses("has no community", "treasury", "show", "nobody")
	h.refuses("there is nothing to book", "treasury", "credit", prefix, "--yes", "--why", "test")
	h.verify()
	h.audit()
}

// verify recomputes an epoch from the published data and the chain.
func (h *devServer) verify() {
	h.t.Helper()
	h.mine(8)
	server := fmt.Sprint("http://127.0.0.1:", h.port)
	from := []string{"epoch", "verify", "1", "--server", server, "--community", prefix, "--data", h.data}
	output, err := exec.Command(h.programs.moonfund, append(from, "--rune", h.runeID())...).CombinedOutput()
	if err != nil || !strings.Contains(string(output), "Every reward is right.") {
		h.t.Errorf("%v\n%s", err, output)
	}
	for want, changed := range map[string][]string{
		"must be the community's rune id": append(from, "--rune", "LOBO"),
		"is not right":                    append(from, "--rune", "1:1"),
		"this epoch hasn't started yet": {"epoch", "verify", "999", "--server", server, "--community", prefix, "--data",
			h.data, "--rune", h.runeID()},
		"does not publish epochs": {"epoch", "verify", "1", "--server", server + "/nobody", "--community", prefix, "--data",
			h.data, "--rune", h.runeID()},
	} {
		output, err := exec.Command(h.programs.moonfund, changed...).CombinedOutput()
		if err == nil || !strings.Contains(strings.ToLower(string(output)), want) {
			h.t.Errorf("%v printed %s, want %q", changed, output, want)
		}
	}
}

// bump replaces a payout that has a low fee rate, and waits for the delivery of its order.
func (h *devServer) bump(p *staker, sent order) {
	h.t.Helper()
	first := *sent.PayoutTx
	h.refuses("refused", "payout", "bump", first, "--yes", "--why", "too early")
	h.dev("feerate", fields{"sat_per_vb": 30}, nil)
	h.refuses("has no payout", "payout", "bump", "nothing", "--yes", "--why", "stuck")
	h.operate("is carried out", "payout", "bump", first, "--yes", "--why", "stuck")
	second := *p.order(sent.ID).PayoutTx
	if second == first {
		h.t.Fatal("the payout was not replaced")
	}
	h.operate(second, "payout", "show", first)
	h.operate("payout bump", "log")
	h.mine(3)
	delivered := p.awaitStatus(sent.ID, "DELIVERED")
	if *delivered.PayoutTx != second || h.confirmations(second) < 3 {
		h.t.Errorf("delivered by %s, want the replacement %s", *delivered.PayoutTx, second)
	}
	h.refuses("it is a delivery and confirmed", "payout", "bump", second, "--yes", "--why", "again")
}
