package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/inquiry"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// command runs a command line with typed answers and returns its output.
func command(t *testing.T, answer string, args ...string) (string, error) {
	t.Helper()
	var cli commands
	parser, err := kong.New(&cli, parserOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return "", err
	}
	in, typed, err := os.Pipe()
	testkit.Must(t, err)
	_, err = io.WriteString(typed, answer)
	testkit.Must(t, err)
	testkit.Must(t, typed.Close())
	printed, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	testkit.Must(t, err)
	stdin, stdout := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = in, printed
	defer func() { os.Stdin, os.Stdout = stdin, stdout }()
	parsed.BindTo(t.Context(), (*context.Context)(nil))
	runErr := parsed.Run()
	text, err := os.ReadFile(printed.Name())
	testkit.Must(t, err)
	return string(text), runErr
}

// cli runs the operator's commands on the ledger of a world.
type cli struct{ *testkit.World }

func (w cli) command(answer string, args ...string) (string, error) {
	w.Helper()
	return command(w.TB.(*testing.T), answer, append(args, "--database", w.URL())...)
}

func (w cli) must(args ...string) string {
	w.Helper()
	text, err := w.command("", args...)
	testkit.Must(w, err)
	return text
}

// refused checks that a command fails with a reason.
func (w cli) refused(reason string, args ...string) {
	w.Helper()
	if text, err := w.command("", args...); err == nil || !strings.Contains(err.Error(), reason) {
		w.Fatalf("%v: %v (%s); want %q", args, err, text, reason)
	}
}

// read runs a command with --json and decodes its output.
func (w cli) read(value any, args ...string) {
	w.Helper()
	testkit.Must(w, json.Unmarshal([]byte(w.must(append(args, "--json")...)), value))
}

func TestOrderCommands(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	o, id := w.OrderInAudit()
	if text := w.must("order", "list", "--status", "audit"); !strings.Contains(text, o.ID) ||
		!strings.Contains(text, "AUDIT") {
		t.Errorf("order list --status audit does not list the order:\n%s", text)
	}
	var none []decisions.OrderView
	if w.read(&none, "order", "list", "--status", "PAID", "--community", "lobo"); len(none) != 0 {
		t.Errorf("order list --status PAID: got %+v, want none", none)
	}
	if _, err := w.command("no\n", "order", "refund", o.ID, "--why", "late", "--by", "olga"); !errors.Is(err,
		terminal.ErrDeclined) {
		t.Errorf("declined refund: got error %v, want ErrDeclined", err)
	}
	w.must("pause", "payouts", "--why", "a look", "--by", "olga")
	text, err := w.command("yes\n", "order", "refund", o.ID, "--why", "late", "--by", "olga", "--wait", "0s")
	testkit.Must(t, err)
	if !strings.Contains(text, "is recorded") || !strings.Contains(text, "`moonfund resume payouts` comes first") ||
		!strings.Contains(text, "olga: a look") {
		t.Errorf("printed %q", text)
	}
	w.must("resume", "payouts", "--why", "done", "--by", "olga", "--yes")
	w.refused("is not carried out yet", "order", "resolve", o.ID, "--why", "late", "--by", "olga", "--yes")
	w.Step()
	w.refused("are refunded", "order", "resolve", o.ID, "--why", "late", "--by", "olga", "--yes")
	w.refused("nothing left to refund", "order", "refund", o.ID, "--why", "late", "--by", "olga", "--yes")
	w.Settle(3)
	var shown decisions.OrderDetail
	w.read(&shown, "order", "show", o.ID)
	if shown.Status != "CANCELED" || len(shown.Refunds) != 1 || len(shown.Requests) != 1 ||
		shown.Requests[0].By != "olga" ||
		len(shown.Log) != 1 || shown.Log[0].Why != "late" || len(shown.Payments) != 1 || !shown.Payments[0].Refunded {
		t.Errorf("order show --json: got %+v", shown)
	}
	if text := w.must("order", "show", o.ID); !strings.Contains(text, "refunded") || !strings.Contains(text, id) {
		t.Errorf("shown:\n%s", text)
	}
	var sent decisions.PayoutView
	w.read(&sent, "payout", "show", shown.Refunds[0].ID, "--hex")
	if sent.Kind != "refund" || sent.Status != "confirmed" || sent.Versions[0].Hex == "" {
		t.Errorf("payout show: got %+v", sent)
	}
	if text := w.must("payout", "show", sent.Versions[0].Txid); !strings.Contains(text, sent.ID) {
		t.Errorf("payout show by the transaction's id:\n%s", text)
	}
	if text := w.must("payout", "list", "--kind", "refund"); !strings.Contains(text, sent.ID) {
		t.Errorf("payout list does not list the refund:\n%s", text)
	}
	if text := w.must("log"); !strings.Contains(text, "order refund") || !strings.Contains(text, "olga") {
		t.Errorf("log:\n%s", text)
	}
}

// TestOrderReview checks that only an order that is being paid can be reviewed.
func TestOrderReview(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	review := []string{"order", "review", o.ID, "--why", "who is this", "--by", "olga", "--yes", "--wait", "0s"}
	w.refused("the order is PENDING", review...)
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.must(review...)
	w.Settle(2)
	w.WantStatus(o.ID, order.Audit)
	text := w.must("order", "show", o.ID)
	for _, want := range []string{
		"you decide: moonfund order refund " + o.ID, "in AUDIT because  an operator wants to review it",
		"operator olga: who is this)", "taken into review by the operator",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("order show does not print %q:\n%s", want, text)
		}
	}
	w.refused("the order is AUDIT", review...)
}

func TestOrderResolve(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	o, id := w.OrderInAudit()
	w.must("order", "resolve", o.ID, "--why", "she paid in full", "--by", "olga", "--yes", "--wait", "0s")
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(id, ledger.Withdrawn)
	var unit decisions.UnitView
	w.read(&unit, "unit", "show", id)
	if unit.Stage != "WITHDRAWN" || unit.Order != o.ID || len(unit.Moves) < 5 {
		t.Errorf("unit show --json: got %+v", unit)
	}
	if text := w.must("unit", "show", id, "--community", "lobo"); !strings.Contains(text, "olga: she paid in full") {
		t.Errorf("unit show does not contain the reason:\n%s", text)
	}
	// The command fails with the reason for which the server refused the request.
	second, _ := w.OrderInAudit()
	w.Act(w.Anna, action.Restake, w.Order(second.ID).UnitIDs...)
	served := make(chan error, 1)
	go func() {
		for {
			if _, err := w.Follower.Step(t.Context()); err != nil {
				served <- err
				return
			}
			if request := w.Rows(`SELECT status FROM operator_request WHERE order_id = ? AND status = 'refused'`,
				second.ID); request != "" {
				served <- nil
				return
			}
		}
	}()
	w.refused("is PENDING_STAKE", "order", "resolve", second.ID, "--why", "late", "--by", "olga", "--yes")
	testkit.Must(t, <-served)
}

func TestEpochCommands(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	w.Rewarded(w.Anna, 5000)
	var epochs []decisions.EpochView
	w.read(&epochs, "epoch", "list", "lobo")
	if len(epochs) != 3 || epochs[0].Settled || !epochs[1].Settled || epochs[1].Owners != 1 ||
		epochs[1].Rewarded != testkit.Budget {
		t.Errorf("epoch list --json: got %+v", epochs)
	}
	if text := w.must("epoch", "list", "lobo"); strings.Count(text, "\n") != 4 {
		t.Errorf("epoch list does not have three epochs:\n%s", text)
	}
	if text := w.must("epoch", "show", "lobo", "1"); !strings.Contains(text, w.Anna.Ordinals.Text) {
		t.Errorf("epoch show does not contain the owner:\n%s", text)
	}
}

// TestPauseAndResume checks that deadlines are extended by a pause of everything, and that a payment that is late only
// because of the pause counts.
func TestPauseAndResume(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	// Commands use the real clock; set the world's clock to it. A unit takes three epochs to unlock.
	w.Clock.Set(time.Now().UTC().Truncate(testkit.EpochLength).Add(-3 * testkit.EpochLength))
	w.Node.Mine()
	w.Step()
	unit := w.Unlocked(w.Anna, 5000)
	w.Clock.Set(time.Now().UTC())
	w.Settle(1)
	o := *w.Act(w.Anna, action.Withdraw, unit).Order
	w.refused("is not paused", "resume", "all", "--why", "x", "--by", "olga", "--yes")
	w.must("pause", "payouts", "--why", "a look", "--by", "olga")
	w.refused("is paused already", "pause", "payouts", "--why", "again", "--by", "olga")
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	if _, err := w.command("no\n", "resume", "payouts", "--why", "done", "--by", "olga"); !errors.Is(err,
		terminal.ErrDeclined) {
		t.Errorf("declined resume: got error %v, want ErrDeclined", err)
	}
	w.must("resume", "payouts", "--why", "done", "--by", "olga", "--yes")
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	if text := w.must("log"); strings.Count(text, "olga") != 2 {
		t.Errorf("log:\n%s", text)
	}
}

// TestTreasuryCreditLeavesOut checks that unconfirmed and quarantined outputs are never booked.
func TestTreasuryCreditLeavesOut(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	held, _ := w.Account.TreasuryRunes()
	sats, _ := w.Account.TreasurySats()
	var before, after decisions.TreasuryView
	w.read(&before, "treasury", "show", "lobo")
	w.Send(w.Transfer(w.Anna, held.Script, 700))
	w.Step()
	credit := []string{"treasury", "credit", "lobo", "--why", "more", "--by", "olga", "--yes"}
	w.refused("unconfirmed deposits wait", credit...)
	w.Settle(1)
	w.Send(w.Transfer(w.Bert, sats.Script, 300))
	w.Settle(1)
	w.Node.Grant(wire.NewTxOut(40_000, sats.Script), wire.NewTxOut(50_000, held.Script))
	w.Step()
	if text := w.must(credit...); text != "Booked 2 outputs.\n" {
		t.Errorf("printed %q", text)
	}
	w.read(&after, "treasury", "show", "lobo")
	if after.Runes-before.Runes != 700 || after.FeeAccount-before.FeeAccount != 40_000 {
		t.Errorf("booked %d base units and %d sats", after.Runes-before.Runes, after.FeeAccount-before.FeeAccount)
	}
	reasons := map[string]amount.Sats{}
	for _, u := range after.Unbooked {
		reasons[u.Reason] = u.Value
	}
	if len(reasons) != 2 || reasons[ledger.RunesForSats] != vault.DustSats || reasons[ledger.SatsForRunes] != 50_000 {
		t.Errorf("outputs that are not booked: got %+v", after.Unbooked)
	}
	var log []decisions.LogLine
	w.read(&log, "log")
	for _, want := range []string{"its runes back rewards", "its sats go to the fee account"} {
		if len(log) != 1 || strings.Count(log[0].Detail, want) != 1 {
			t.Errorf("want %q once in %+v", want, log)
		}
	}
	w.refused("deposits in quarantine never count", credit...)
}

func TestCommandsRefuse(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	o, _ := w.OrderInAudit()
	unknown := strings.Repeat("0", 32)
	for _, row := range []struct {
		reason string
		args   []string
	}{
		{"--why is empty", []string{"order", "refund", o.ID}},
		{"--why is empty", []string{"order", "refund", o.ID, "--why", " ", "--by", "olga", "--yes"}},
		{"--why has a line break", []string{"order", "refund", o.ID, "--why",
			"late\n9  2026-12-02 00:00:00  anna  resume  all  well", "--by", "olga", "--yes"}},
		{"the node is on another network", []string{"audit", "--network", "regtest", "--node-url",
			saying(t, chaincfg.TestNet4Params.GenesisHash, false)}},
		{"--by is empty", []string{"order", "resolve", o.ID, "--why", "late", "--by", "", "--yes"}},
		{"at most 100 bytes", []string{"pause", "all", "--why", "late", "--by", strings.Repeat("o", 101)}},
		{"has no order", []string{"order", "refund", unknown, "--why", "late", "--by", "olga", "--yes"}},
		{"has no order", []string{"order", "show", unknown}},
		{"expected \"<order>\"", []string{"order", "show"}},
		{"--status is", []string{"order", "list", "--status", "LOST"}},
		{"--limit must be", []string{"order", "list", "--limit", "0"}},
		{"has no community", []string{"order", "list", "--community", "wolf"}},
		{"has no community", []string{"payout", "list", "--community", "wolf"}},
		{"--kind must be one of", []string{"payout", "list", "--kind", "gift"}},
		{"has no payout", []string{"payout", "show", unknown}},
		{"has no unit", []string{"unit", "show", "reward:9"}},
		{"has no community", []string{"unit", "show", "reward:9", "--community", "wolf"}},
		{"has no community", []string{"epoch", "list", "wolf"}},
		{"has not begun", []string{"epoch", "show", "lobo", "99"}},
		{"expected a valid 64 bit int", []string{"epoch", "show", "lobo", "first"}},
		{"--limit must be", []string{"log", "--limit=-1"}},
		{"must be one of", []string{"pause", "everything", "--why", "late"}},
		{"is not paused", []string{"resume", "payouts", "--why", "late", "--by", "olga", "--yes"}},
	} {
		w.refused(row.reason, row.args...)
	}
	if _, err := command(t, "", "order", "list", "--data", t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "there is no ledger") {
		t.Errorf("order list without a ledger: got error %v", err)
	}
	if text := w.must("log", "--json"); strings.TrimSpace(text) != "[]" {
		t.Errorf("a refused change is in the log: %s", text)
	}
}

// TestFindCommands checks that owners' units and orders are listed by either address, also while a server runs, and
// that an address without any is an error.
func TestFindCommands(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	o, id := w.OrderInAudit()
	for _, owner := range []string{w.Anna.Ordinals.Text, w.Anna.Payment.Text} {
		if text := w.must("unit", "list", "--owner", owner); !strings.Contains(text, id) {
			t.Errorf("unit list of %s does not list the unit:\n%s", owner, text)
		}
		if text := w.must("order", "list", "--owner", owner); !strings.Contains(text, o.ID) {
			t.Errorf("order list of %s does not list the order:\n%s", owner, text)
		}
		if text := w.must("find", owner); !strings.Contains(text, id) || !strings.Contains(text, o.ID) {
			t.Errorf("find of %s does not contain the unit and the order:\n%s", owner, text)
		}
	}
	var units []decisions.UnitView
	if w.read(&units, "unit", "list", "--owner", w.Anna.Payment.Text, "--stage", "staked"); len(units) != 0 {
		t.Errorf("unit list --stage staked: got %+v, want none", units)
	}
	var answer inquiry.Answer
	if w.read(&answer, "find", id); !answer.Found || answer.Kind != inquiry.Output {
		t.Errorf("find of the unit: got %+v", answer)
	}
	w.refused("no owner has the ordinals or payment address", "unit", "list", "--owner", w.Cleo.Payment.Text)
	w.refused("no owner has the ordinals or payment address", "order", "list", "--owner", "x")
	w.refused("--stage is", "unit", "list", "--owner", w.Anna.Payment.Text, "--stage", "gone")
	w.refused("nothing was found", "find", w.Cleo.Payment.Text)
	text, err := w.command("", "find", w.Cleo.Payment.Text)
	if err == nil || !strings.Contains(text, "It searched: ordinals and payment addresses") {
		t.Errorf("find of an unknown address: error %v, output\n%s", err, text)
	}
}

// A pause by the server is in the log, with its reason.
func TestPauseByTheServerIsLogged(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	w.Update(func(tx *store.Tx) error {
		return tx.PauseByServer(t.Context(), store.PausePayoutsOf("lobo"), "audit: a violation", w.Clock.Now())
	})
	if text := w.must("log"); !strings.Contains(text, "the server") || !strings.Contains(text, "payouts:lobo") ||
		!strings.Contains(text, "audit: a violation") {
		t.Errorf("the log is\n%s", text)
	}
}
