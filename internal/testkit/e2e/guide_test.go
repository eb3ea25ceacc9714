package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
)

// rehearsal runs the commands of the operator's guide, with a node, a miner and a staker's wallet.
type rehearsal struct {
	t         *testing.T
	network   *devServer // only its node, miner and faucet are used
	devServer *devServer // the operator's own server
	erin      *staker
	words     map[string]string // values of the guide's placeholders, which are in capitals
	orders    map[string]order
	held      []string // ids of erin's units
	notified  *receiver
}

// step is a part of the guide: functions to run before its commands, and texts that the commands must print.
type step struct {
	before map[string]func() // by the start of the command
	prints map[string]string
	after  func()
}

// block is a fenced block of commands with the name of its step.
type block struct {
	name  string
	lines []string
}

var rehearsed = regexp.MustCompile("(?ms)^\\*Rehearsed: ([a-z]+)\\*\n\n```sh\n(.*?)^```$")

// guide returns the command blocks of the operator's guide and of the reference, in order.
func guide(t *testing.T) (blocks []block) {
	t.Helper()
	var text []byte
	for _, page := range []string{"operator.md", "reference.md"} {
		part, err := os.ReadFile("../../../docs/guide/" + page)
		must(t, err)
		text = append(text, part...)
	}
	for _, found := range rehearsed.FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, block{found[1], strings.Split(strings.TrimSpace(found[2]), "\n")})
	}
	if all := strings.Count(string(text), "```sh\n"); all != len(blocks) {
		t.Fatalf("the guide has %d blocks of commands, but only %d are marked as rehearsed", all, len(blocks))
	}
	return blocks
}

// TestGuide runs the commands of the operator's guide: open a community, run three epochs, decide about orders in
// AUDIT, replace a stuck payout, restart, lose the disk, restore a backup and rebuild from the chain. No balance may be
// lost. If a node of the Core family is given, the commands also run on that node.
func TestGuide(t *testing.T) {
	nodes := map[string]string{"btcd": ""}
	if core := os.Getenv(coreVariable); core != "" {
		nodes["core"] = core
	}
	for on, node := range nodes {
		t.Run(on, func(t *testing.T) { rehearse(t, node) })
	}
}

func rehearse(t *testing.T, node string) {
	r := newRehearsal(t, node)
	steps := r.steps()
	for _, b := range guide(t) {
		s, known := steps[b.name]
		if !known {
			t.Fatalf("the test has no step %q", b.name)
		}
		delete(steps, b.name)
		for _, line := range b.lines {
			r.perform(s, line)
		}
		if s.after != nil {
			s.after()
		}
	}
	for name := range steps {
		t.Errorf("the guide has no step %q", name)
	}
	r.devServer.stop()
	r.network.stop()
}

func newRehearsal(t *testing.T, node string) *rehearsal {
	network := newDevServer(t, node)
	r := &rehearsal{t: t, network: network, devServer: prepareDevServer(t), words: map[string]string{},
		orders: map[string]order{}}
	r.devServer.controls = network.port
	var running struct{ Node chain.ClientConfig }
	text, err := os.ReadFile(filepath.Join(network.data, "running.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &running))
	home := t.TempDir()
	for name, value := range map[string]string{
		"DATA": filepath.Join(home, "data"), "COMMUNITIES": filepath.Join(home, "etc", "communities"),
		"KEY":    filepath.Join(home, "keys", "moonfund.key"),
		"DOMAIN": "localhost", "NETWORK": "regtest", "LISTEN": fmt.Sprintf("127.0.0.1:%d", r.devServer.port), "FALLBACK": "3",
		"BACKUPS": filepath.Join(home, "backups"), "NODE_URL": running.Node.URL, "NODE_USER": running.Node.User,
		"NODE_PASSWORD": running.Node.Password, "PASSPHRASE": devPassphrase,
	} {
		t.Setenv("MOONFUND_"+name, value)
	}
	r.notified = newReceiver(t)
	t.Setenv("USER", "olga")
	t.Setenv("PATH", filepath.Dir(network.programs.moonfund)+":"+os.Getenv("PATH"))
	return r
}

// perform runs one line of the guide and confirms every preview.
func (r *rehearsal) perform(s step, line string) {
	r.t.Helper()
	line = strings.TrimPrefix(line, "sudo ") // this test's user owns all files
	for prefix, before := range s.before {
		if strings.HasPrefix(line, prefix) {
			before()
		}
	}
	for _, word := range slices.Backward(slices.Sorted(maps.Keys(r.words))) {
		line = strings.ReplaceAll(line, " "+word+" ", " "+r.words[word]+" ")
		line = strings.TrimSuffix(line, " "+word) + map[bool]string{true: " " + r.words[word]}[strings.HasSuffix(line,
			" "+word)]
	}
	switch line {
	case "moonfund serve", "systemctl enable --now moonfund":
		r.devServer.run("serve")
		return
	case "moonfund setup":
		r.setUp()
		return
	case "moonfund doctor":
		r.examine()
		return
	}
	output := r.shell(line)
	for prefix, want := range s.prints {
		if strings.HasPrefix(line, prefix) && !strings.Contains(output, want) {
			r.t.Fatalf("%s: want %q in\n%s", line, want, output)
		}
	}
}

// shell runs a line, confirms every preview, and returns its output.
func (r *rehearsal) shell(line string) string {
	r.t.Helper()
	command := exec.Command("bash", "-e", "-c", line)
	command.Stdin = strings.NewReader("yes\n")
	output, err := command.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", line, err, output)
	}
	return string(output)
}

// refused runs a line that must fail with the given text.
func (r *rehearsal) refused(want, line string) {
	r.t.Helper()
	command := exec.Command("bash", "-c", line)
	command.Stdin = strings.NewReader("yes\n")
	if output, err := command.CombinedOutput(); err == nil || !strings.Contains(string(output), want) {
		r.t.Errorf("%s: %v, want %q in\n%s", line, err, want, output)
	}
}

// readJSON runs a command and decodes its JSON output.
func (r *rehearsal) readJSON(into any, arguments ...string) {
	r.t.Helper()
	output, err := exec.Command("moonfund", append(arguments, "--json")...).Output()
	must(r.t, err)
	must(r.t, json.Unmarshal(output, into))
}

// mineUntil mines blocks until a condition holds, and fails the test after the patience.
func (r *rehearsal) mineUntil(what string, holds func() bool) {
	r.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(400 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		r.network.mine(1)
		select {
		case <-deadline:
			r.t.Fatalf("not within %s: %s\n%s", patience, what, r.devServer.tail())
		case <-tick.C:
		}
	}
}

func (r *rehearsal) goesOnTo(o order, status string) {
	r.t.Helper()
	r.mineUntil("order "+o.ID+" is "+status, func() bool {
		now := r.erin.order(o.ID).Status
		return now == status || (status == "DELIVERED" && now == "CONSOLIDATED") // some blocks later
	})
}

// follows waits until the server has reached the tip of its node.
func (r *rehearsal) follows() {
	r.t.Helper()
	await(r.t, patience, "the server follows the chain", func() bool { return !r.devServer.catchingUp() })
}
