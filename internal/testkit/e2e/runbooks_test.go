package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// runbooks performs the runbooks of docs/operations on one server, whose node is reached through a proxy.
type runbooks struct {
	*rehearsal
	node   *nodeProxy
	signer *signerProcess // from the runbook "signer" on
	parent *testing.T     // its environment holds for all runbooks
	text   string         // of the runbook that is performed, with single spaces
	lines  []string       // its lines
}

// runbookUnits is the number of units that the runbooks withdraw.
const runbookUnits = 31

// TestRunbooks performs the runbooks of docs/operations that need a whole server: each causes its incident, types the
// commands of the page, and ends when a payout is delivered again. The key moves to a signer and is stolen last.
func TestRunbooks(t *testing.T) {
	r := newRunbooks(t)
	for _, book := range []struct {
		name    string
		perform func(*runbooks)
	}{
		{"stuck-payout", (*runbooks).stuckPayouts},
		{"refused-payouts", (*runbooks).refusedPayouts},
		{"audit-orders", (*runbooks).ordersInAudit},
		{"node-down", (*runbooks).nodeDown},
		{"behind", (*runbooks).ledgerBehind},
		{"corrupt-database", (*runbooks).corruptDatabase},
		{"stops", (*runbooks).auditStops},
		{"restore", (*runbooks).restoresBackup},
		{"reward-runway", (*runbooks).treasuryLow},
		{"notifications", (*runbooks).notNotified},
		{"signer", (*runbooks).nothingIsSigned},
		{"stolen-key", (*runbooks).stolenKey},
	} {
		if !t.Run(book.name, func(t *testing.T) { r.perform(t, book.name, book.perform) }) {
			break // the next runbook expects a server that pays
		}
	}
	r.devServer.stop()
	r.network.stop()
}

// perform performs a runbook as a test, and then has a payout delivered and the ledger audited.
func (r *runbooks) perform(t *testing.T, name string, book func(*runbooks)) {
	r.within(t)
	defer r.within(r.parent)
	r.text, r.lines = runbook(t, name)
	book(r)
	r.delivers()
	r.shell("moonfund audit")
}

// within makes t the test of the world.
func (r *runbooks) within(t *testing.T) {
	r.t, r.network.t, r.devServer.t = t, t, t
	if r.erin != nil {
		r.erin.t = t
	}
}

// runbook returns the text of a runbook, with single spaces, and its lines.
func runbook(t *testing.T, name string) (text string, lines []string) {
	t.Helper()
	read, err := os.ReadFile("../../../docs/operations/" + name + ".md")
	must(t, err)
	for line := range strings.Lines(string(read)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(strings.Fields(string(read)), " "), lines
}

// newRunbooks starts a node, a miner and a server with a treasury, and has a staker unlock units. Epochs are real time.
func newRunbooks(t *testing.T) *runbooks {
	r := &runbooks{rehearsal: newRehearsal(t, ""), parent: t}
	r.node = newNodeProxy(t, os.Getenv("MOONFUND_NODE_URL"))
	t.Setenv("MOONFUND_NODE_URL", r.node.url)
	t.Setenv("BITCOIN_CLI_LOGIN", os.Getenv("MOONFUND_NODE_USER")+":"+os.Getenv("MOONFUND_NODE_PASSWORD"))
	t.Setenv("PATH", bitcoinCLI(t, r.node.target)+":"+os.Getenv("PATH"))
	t.Setenv("MOONFUND_COMMUNITIES", manifest(t,
		"genesis = 2026-01-07T00:00:00Z", "genesis = "+time.Now().UTC().Add(time.Second).Format(time.RFC3339),
		`epoch_length = "3m"`, fmt.Sprintf("epoch_length = %q", guideEpoch),
		`reward_budget = "100000000000"`, `reward_budget = "1000000000"`,
		"[rune]", "[rune]\nid = \""+r.network.runeID()+"\""))
	for _, dir := range []string{os.Getenv("MOONFUND_BACKUPS"), filepath.Dir(os.Getenv("MOONFUND_KEY"))} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	r.shell(`moonfund key new "$MOONFUND_KEY"`)
	r.shell("moonfund init")
	r.devServer.run("serve")
	r.fundTreasury()
	r.shell(`moonfund treasury credit lobo --why "first funding"`)
	r.unlocks(runbookUnits)
	return r
}

// unlocks has a new staker unlock units of 10 LOBO.
func (r *runbooks) unlocks(count int) {
	r.t.Helper()
	r.erin = newStaker(r.devServer.site, "erin", segwit, taproot)
	for range count {
		r.erin.endow(10 * lobo)
	}
	r.network.mine(1)
	for range count {
		r.held = append(r.held, r.erin.stake(10*lobo).ID)
	}
	r.mineUntil("all is staked", func() bool { return len(r.erin.in("STAKED")) == count })
	r.erin.act("UNSTAKE", r.held...)
	r.mineUntil("all is unlocked", func() bool { return len(r.erin.in("UNLOCKED")) == count })
}

// types runs a command as the runbook has it, and returns its output, which must contain want. words are pairs of a
// placeholder and its value.
func (r *runbooks) types(want, line string, words ...string) string {
	r.t.Helper()
	r.says(line)
	if line == "moonfund serve" {
		r.devServer.run("serve")
		r.follows()
		return ""
	}
	output := r.shell(strings.NewReplacer(words...).Replace(line))
	if !strings.Contains(output, want) {
		r.t.Fatalf("%s: want %q in\n%s", line, want, output)
	}
	return output
}

// says fails the test unless the runbook has the command.
func (r *runbooks) says(line string) {
	r.t.Helper()
	if !strings.Contains(r.text, "`"+line+"`") && !slices.Contains(r.lines, line) {
		r.t.Fatalf("the runbook has no command %q", line)
	}
}

// next returns an unlocked unit that no runbook used.
func (r *runbooks) next() (id string) {
	id, r.held = r.held[0], r.held[1:]
	return id
}

// withdraws withdraws and pays a unit.
func (r *runbooks) withdraws() order {
	r.t.Helper()
	o := *r.erin.act("WITHDRAW", r.next())
	r.erin.pay(o, o.Total)
	return o
}

// delivers has a payout delivered.
func (r *runbooks) delivers() {
	r.t.Helper()
	before := r.erin.balance()
	r.goesOnTo(r.withdraws(), "DELIVERED")
	if got := r.erin.balance() - before; got != 10*lobo {
		r.t.Errorf("the payout delivered %d base units, want %d", got, 10*lobo)
	}
}

// becomes mines blocks until an order has the status, and returns it.
func (r *runbooks) becomes(o order, status string) order {
	r.t.Helper()
	r.goesOnTo(o, status)
	return r.erin.order(o.ID)
}
