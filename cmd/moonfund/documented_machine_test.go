package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// The users of the machine: of the service, and of a separate signer.
const (
	serviceUser = 64_999
	signerUser  = 64_998
)

// machine is the template of a machine with the package: its paths, user and settings, and a ledger with work for the
// operator. No node answers there. Every command runs as root on a copy, without the server.
type machine struct {
	cli
	template, program string
	values            map[string]string // of the placeholders in commands
}

// settings of the machine. The last lines are a receiver of notifications and addresses that are free.
const machineSettings = `MOONFUND_DATA=/var/lib/moonfund
MOONFUND_KEY=/var/lib/moonfund/keys/moonfund.key
MOONFUND_COMMUNITIES=/etc/moonfund/communities
MOONFUND_BACKUPS=/var/backups/moonfund
MOONFUND_DOMAIN=localhost
MOONFUND_NETWORK=regtest
MOONFUND_NODE_URL=http://127.0.0.1:1
MOONFUND_NODE_USER=moonfund
MOONFUND_NODE_PASSWORD=secret
MOONFUND_LISTEN=127.0.0.1:1
MOONFUND_CONSOLE=127.0.0.1:0
MOONFUND_NOTIFY_WEBHOOK_SECRET=/etc/moonfund/webhook.secret
MOONFUND_NOTIFY_WEBHOOK=`

// newMachine prepares the template.
func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{cli: cli{testkit.NewWorld(t)}, template: t.TempDir(),
		program: filepath.Join(t.TempDir(), "moonfund"), values: map[string]string{}}
	build := exec.Command("go", "build", "-o", m.program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // nothing else is in the root
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	m.work()
	m.install()
	return m
}

// work brings the ledger into the states for which commands are documented, and sets the values of their placeholders.
func (m *machine) work() {
	m.Helper()
	testkit.Identify(m.World)
	unit, _ := m.Deposit(m.Bert, 70_000)
	kit, err := json.Marshal(kitOf(m.World, m.Bert, unit))
	testkit.Must(m, err)
	m.write("root/kit.json", string(kit))
	m.AllowWithdrawals(m.Cleo.Payment.Text)
	m.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	m.AddTreasurySats(30_000)
	m.earns(150_000)
	m.SetServiceFee(testkit.ServiceFee)
	m.exportsReturn()
	b := m.Busy()
	m.Update(func(tx *store.Tx) error {
		if err := tx.QueueDeliveries(m.Context(), "webhook", time.Now()); err != nil {
			return err
		}
		return tx.BeginCondition(m.Context(), store.EventBackup, store.SubjectBackups, store.EventData{})
	})
	var live []decisions.PayoutView
	m.read(&live, "payout", "list", "--status", "live")
	other, err := signer.NewKeyFile(m.path("root/other.key"), passed)
	testkit.Must(m, err)
	xpub, err := other.AccountXpub(0, m.Network)
	testkit.Must(m, err)
	rewards := m.Units(m.Bert, ledger.Claimable)
	for name, value := range map[string]string{
		"ORDER": b.Audited.ID, "PAYING": b.Paying.ID, "PAYOUT": live[0].ID, "TXID": b.Sent.PayoutTx,
		"UNEXPLAINED": b.Unexplained, "OUTPUT": b.Quarantined, "UNIT": b.Audited.UnitIDs[0],
		"REWARD": rewards[0], "SECOND": rewards[1], "ADDRESS": m.Cleo.Payment.Text, "OWNER": m.Anna.Ordinals.Text,
		"XPUB": xpub, "COMMUNITY": testkit.Prefix, "PREFIX": testkit.Prefix,
	} {
		m.values[name] = value
	}
}

// exportsReturn has a return exported and signed by hand, and writes both files.
func (m *machine) exportsReturn() {
	m.Helper()
	t := m.TB.(*testing.T)
	flags := m.exporting(t)
	o := *m.Act(m.Anna, action.Withdraw, m.Unlocked(m.Anna, 5_000)).Order
	sent := m.Send(m.Transfer(m.Anna, o.Script, 777))
	m.Settle(ledger.SettleDepth)
	m.values["RETURNED"] = sent.ID.String() + ":0"
	draft, signed := m.path("root/payout.psbt"), m.path("root/signed.psbt")
	testkit.Must(m, os.MkdirAll(filepath.Dir(draft), 0o700))
	text, err := m.carried("payout", "export", m.values["RETURNED"], draft, "--by", "olga", "--why", "by hand")
	if err != nil {
		m.Fatalf("payout export: %v\n%s", err, text)
	}
	if text, err = command(t, "", append([]string{"signer", "sign", draft, signed}, flags...)...); err != nil {
		m.Fatalf("signer sign: %v\n%s", err, text)
	}
}

// install writes the files of the package, the server, root and a separate signer.
func (m *machine) install() {
	m.Helper()
	t := m.TB.(*testing.T)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	genesis, _ := testkit.Calendar()
	communities := folder{m.cli, m.path("etc/moonfund/communities")}
	testkit.Must(m, os.MkdirAll(communities.dir, 0o755))
	manifest := communities.ofWorld(testkit.Prefix, testkit.Rune.String(), genesis)
	key, err := os.ReadFile(worldKey(t))
	testkit.Must(m, err)
	ledgerFile, err := os.ReadFile(strings.TrimPrefix(engine.Copy(t, m.Backup()), "sqlite:"))
	testkit.Must(m, err)
	secret := base64.StdEncoding.EncodeToString([]byte("a secret of a test, 32 bytes...."))
	for path, text := range map[string]string{
		"etc/passwd": fmt.Sprintf("root:x:0:0::/root:/bin/sh\nmoonfund:x:%d:%d::/:/bin/sh\nsigner:x:%d:%d::/:/bin/sh\n",
			serviceUser, serviceUser, signerUser, signerUser),
		"etc/group":                   fmt.Sprintf("root:x:0:\nmoonfund:x:%d:\nsigner:x:%d:\n", serviceUser, signerUser),
		"etc/moonfund/moonfund.env":   machineSettings + receiver.URL + "\n",
		"etc/moonfund/webhook.secret": "whsec_" + secret, "etc/moonfund/communities/lobo.toml": manifest,
		"root/communities/lobo.toml": manifest, "root/moonfund.key": string(key),
		"root/bear.toml":                     communities.manifest("bear", 0, "2:1", testkit.Genesis.AddDate(4, 0, 0)),
		"var/lib/moonfund/keys/moonfund.key": string(key), "var/lib/moonfund/ledger.db": string(ledgerFile),
		"var/lib/signer/communities/lobo.toml": manifest, "var/lib/signer/signer/.keep": "",
		"var/backups/moonfund/.keep": "", "tmp/.keep": "", "run/moonsigner/.keep": "",
	} {
		m.write(path, text)
	}
	keyPlace{t, m.path("var/lib/signer/moonfund.key"), m.path("var/lib/signer/data")}.used()
	testkit.Must(m, os.Chmod(m.path("tmp"), 0o777|os.ModeSticky))
	testkit.Must(m, os.Chmod(m.path("root"), 0o700))
	for _, path := range []string{"etc/moonfund", "etc/moonfund/communities", "etc/passwd", "etc/group",
		"etc/moonfund/communities/lobo.toml", "etc/moonfund/webhook.secret"} {
		info, err := os.Stat(m.path(path))
		testkit.Must(m, err)
		testkit.Must(m, os.Chmod(m.path(path), info.Mode()|0o444))
	}
	m.give("var/lib/moonfund", serviceUser)
	m.give("var/backups/moonfund", serviceUser)
	m.give("var/lib/signer", signerUser)
	m.give("run/moonsigner", signerUser)
}

// path returns a path of the template.
func (m *machine) path(name string) string { return filepath.Join(m.template, name) }

// write writes a file of the template.
func (m *machine) write(name, text string) {
	m.Helper()
	testkit.Must(m, os.MkdirAll(filepath.Dir(m.path(name)), 0o755))
	testkit.Must(m, os.WriteFile(m.path(name), []byte(text), 0o600))
}

// give gives a folder with its files to a user.
func (m *machine) give(name string, user int) {
	m.Helper()
	testkit.Must(m, filepath.WalkDir(m.path(name), func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, user, user)
	}))
}

// terminals limits the number of commands that run at once. Some wait ten seconds for a server.
var terminals = make(chan struct{}, 24)

// types types a line on a terminal of a copy of the machine, as root. left is a file of the server, if the command left
// one there that does not belong to the service's user.
func (m *machine) types(ctx context.Context, c documentedCase, line string) (output, left string, err error) {
	terminals <- struct{}{}
	defer func() { <-terminals }()
	root, err := os.MkdirTemp("", "machine")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(root)
	folder := c.at
	if folder == "" {
		folder = "/root"
	}
	wrapper := fmt.Sprintf("#!/bin/sh\nexec unshare --root='%s' --wd='%s' /usr/bin/moonfund \"$@\"\n", root, folder)
	environment := []string{"PATH=" + filepath.Join(root, "bin") + ":" + os.Getenv("PATH"), "HOME=/root", "USER=olga",
		"SHELL=/bin/sh", "TERM=dumb", terminal.PassphraseVariable + "=" + passed,
		terminal.NewPassphraseVariable + "=" + passed + "2"}
	before := exec.CommandContext(ctx, "sh", "-ec", `cd "$1"; chmod 755 .; cp -a "$2/." .; mkdir -p usr/bin bin
		ln "$3" usr/bin/ || cp "$3" usr/bin/; printf %s "$4" >bin/moonfund; chmod 755 bin/moonfund; `+c.first,
		"sh", root, m.template, m.program, wrapper)
	before.Env = environment
	if text, err := before.CombinedOutput(); err != nil {
		return string(text), "", fmt.Errorf("before it: %w", err)
	}
	if c.until != "" {
		line = "exec " + line // so that Ctrl-C is for no shell
	}
	typed := exec.CommandContext(ctx, "script", "--quiet", "--return", "--command", line, "/dev/null")
	typed.Env = environment
	output, err = c.outputOf(typed)
	return output, foreign(filepath.Join(root, "var/lib/moonfund"), filepath.Join(root, "var/backups/moonfund")), err
}

// outputOf runs a command, types what it asks for (a reason and a confirmation) or Ctrl-C, and returns its output.
func (c documentedCase) outputOf(command *exec.Cmd) (text string, err error) {
	keyboard, noKeyboard := command.StdinPipe()
	screen, noScreen := command.StdoutPipe()
	if err := errors.Join(noKeyboard, noScreen, command.Start()); err != nil {
		return "", err
	}
	press := func(keys string) {
		_, _ = io.WriteString(keyboard, keys) // a command that has ended reads none
		_ = keyboard.Close()
	}
	if c.until == "" {
		press("yes\nyes\n")
	}
	for buffer := make([]byte, 4096); err == nil; {
		var n int
		n, err = screen.Read(buffer)
		text += string(buffer[:n])
		if c.until != "" && strings.Contains(text, c.until) {
			c.until = ""
			press("\x03")
		}
	}
	return strings.ReplaceAll(text, "\r", ""), command.Wait()
}

// foreign returns a file in the folders that does not belong to the service's user, or "".
func foreign(folders ...string) (wrong string) {
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // a file may be removed meanwhile
			}
			if info, err := entry.Info(); err == nil && info.Sys().(*syscall.Stat_t).Uid != serviceUser {
				wrong = path
			}
			return nil
		})
	}
	return wrong
}
