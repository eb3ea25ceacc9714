package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
)

// packageVariable is the environment variable with the path of a .deb for this machine. `make first-stake` sets it.
const packageVariable = "MOONFUND_PACKAGE"

// packageUser is the id of the service's user in the clean root.
const packageUser = 64_999

// packaged is a folder in which only the package is unpacked, as the root of every command.
type packaged struct {
	t       *testing.T
	root    string
	network *devServer // only its node, miner and faucet are used
	server  *devServer
	began   time.Time
}

// TestPackage unpacks the .deb into a clean root and starts the server there like the unit: as the user moonfund, with
// the files that `moonfund setup` wrote and the passphrase as a credential. It continues until the first stake earns,
// and stops the server. It logs the time of each step.
func TestPackage(t *testing.T) {
	deb := os.Getenv(packageVariable)
	if deb == "" {
		t.Skip(packageVariable + " names no .deb")
	}
	if os.Getuid() != 0 {
		t.Skip("a clean root needs root")
	}
	p := &packaged{t: t, root: t.TempDir(), network: newDevServer(t, ""), server: prepareDevServer(t), began: time.Now()}
	p.server.controls = p.network.port
	p.unpack(deb)
	p.done("unpack the package")
	p.setUp()
	p.done("moonfund setup: key, settings, manifest")
	if made := p.moonfund("init", "--yes"); !strings.Contains(made, "Created the ledger") {
		t.Fatalf("moonfund init printed %s", made)
	}
	p.done("moonfund init")
	sent := p.serve()
	p.done("moonfund serve, until it is ready")
	p.answersVersion()
	p.fund()
	p.done("fund the treasury and book it")
	p.firstStake()
	p.done("the first stake, until it earns")
	if audited := p.moonfund("audit"); !strings.Contains(audited, "no violation") {
		t.Errorf("moonfund audit printed %s", audited)
	}
	p.server.stop()
	if got := sent(); !strings.Contains(got, "READY=1") || !strings.Contains(got, "STOPPING=1") {
		t.Errorf("systemd was sent %q", got)
	}
	p.done("audit and stop")
	p.network.stop()
}

// done logs the duration of a step.
func (p *packaged) done(step string) {
	p.t.Logf("%6.1f s  %s", time.Since(p.began).Seconds(), step)
	p.began = time.Now()
}

// unpack extracts the package into the root, and creates the user and the folders that its scripts would create.
func (p *packaged) unpack(deb string) {
	p.t.Helper()
	must(p.t, os.Chmod(p.root, 0o755))
	if output, err := exec.Command("dpkg-deb", "--extract", deb, p.root).CombinedOutput(); err != nil {
		p.t.Fatalf("dpkg-deb: %v\n%s", err, output)
	}
	for _, folder := range []string{"etc", "tmp", "run/credentials", "var/lib/moonfund", "var/backups/moonfund"} {
		must(p.t, os.MkdirAll(filepath.Join(p.root, folder), 0o755))
	}
	for _, folder := range []string{"run", "run/credentials", "var/lib/moonfund", "var/backups/moonfund"} {
		must(p.t, os.Chown(filepath.Join(p.root, folder), packageUser, packageUser))
	}
	p.write("etc/passwd", fmt.Sprintf("moonfund:x:%d:%d::/var/lib/moonfund:/usr/sbin/nologin\n", packageUser, packageUser))
	p.write("etc/group", fmt.Sprintf("moonfund:x:%d:\n", packageUser))
}

func (p *packaged) write(path, text string) {
	p.t.Helper()
	must(p.t, os.WriteFile(filepath.Join(p.root, path), []byte(text), 0o644))
}

// setUp runs `moonfund setup` as root, as the guide says. The checks of the disk and the clock may fail on the machine
// of a test.
func (p *packaged) setUp() {
	p.t.Helper()
	var running struct{ Node chain.ClientConfig }
	text, err := os.ReadFile(filepath.Join(p.network.data, "running.json"))
	must(p.t, err)
	must(p.t, json.Unmarshal(text, &running))
	p.write("tmp/password", running.Node.Password)
	p.write("tmp/terms.md", "# Who runs this\n\nOlga does.\n")
	genesis := time.Now().UTC().Add(time.Second).Format(time.RFC3339)
	command := exec.Command("chroot", p.root, "/usr/bin/moonfund", "setup", "--yes", "--despite-checks",
		"--network", "regtest", "--node-url", running.Node.URL, "--node-user", running.Node.User,
		"--node-password-file", "/tmp/password", "--domain", "localhost", "--contact", "help@example.org",
		"--rune", p.network.runeID(), "--name", "LOBO", "--prefix", prefix, "--budget", "10000", "--genesis", genesis,
		"--epoch-length", guideEpoch.String(), "--terms", "/tmp/terms.md", "--key-kind", "new",
		"--listen", fmt.Sprintf("127.0.0.1:%d", p.server.port))
	command.Env = []string{"MOONFUND_PASSPHRASE=" + devPassphrase, "USER=olga"}
	output, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "Written. Next:") {
		p.t.Fatalf("moonfund setup: %v\n%s", err, output)
	}
	// systemd reads the passphrase as root and hands it to the service.
	passphrase, err := os.ReadFile(filepath.Join(p.root, "etc/moonfund/passphrase"))
	must(p.t, err)
	p.write("run/credentials/passphrase", string(passphrase))
}

// command is a command of the package, run like the server by the unit.
func (p *packaged) command(arguments ...string) *exec.Cmd {
	command := exec.Command("chroot", append([]string{fmt.Sprintf("--userspec=%d:%d", packageUser, packageUser), p.root,
		"/usr/bin/moonfund", "--settings", "/etc/moonfund/moonfund.env"}, arguments...)...)
	command.Env = []string{
		"MOONFUND_PASSPHRASE_FILE=/run/credentials/passphrase", "NOTIFY_SOCKET=/run/notify", "USER=olga",
	}
	return command
}

func (p *packaged) moonfund(arguments ...string) string {
	p.t.Helper()
	output, err := p.command(arguments...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("moonfund %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output)
}

// serve starts the server. It returns a function that returns the messages of the server to systemd.
func (p *packaged) serve() func() string {
	p.t.Helper()
	path := filepath.Join(p.root, "run/notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	must(p.t, err)
	must(p.t, os.Chown(path, packageUser, packageUser))
	p.server.started(p.command("serve"))
	return func() string {
		defer socket.Close()
		must(p.t, socket.SetReadDeadline(time.Now().Add(time.Second)))
		all, next := "", make([]byte, 4096)
		for !strings.Contains(all, "STOPPING=1") {
			n, err := socket.Read(next)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				break
			}
			must(p.t, err)
			all += string(next[:n]) + "\n"
		}
		return all
	}
}

var versionPrinted = regexp.MustCompile(`^moonfund (\S+) \(commit (\w+)\)`)

// answersVersion checks that /status names the version and the commit that --version prints.
func (p *packaged) answersVersion() {
	p.t.Helper()
	printed := p.moonfund("--version")
	want := versionPrinted.FindStringSubmatch(printed)
	var status struct{ Version, Commit string }
	p.server.get("status", &status)
	if want == nil || status.Version != want[1] || !strings.HasPrefix(status.Commit, want[2]) {
		p.t.Errorf("/status: %+v; --version: %s", status, printed)
	}
}

// fund sends runes and sats to the treasury and books them.
func (p *packaged) fund() {
	p.t.Helper()
	var treasury struct {
		Runes    string `json:"runes_address"`
		Sats     string `json:"sats_address"`
		Unbooked []struct{ Height int64 }
	}
	show := func() {
		output, err := p.command("treasury", "show", prefix, "--json").Output()
		must(p.t, err)
		must(p.t, json.Unmarshal(output, &treasury))
	}
	show()
	p.network.dev("faucet", fields{"address": treasury.Runes, "runes": int64(100_000) * lobo, "prefix": prefix}, nil)
	p.network.dev("faucet", fields{"address": treasury.Sats, "sats": 100_000}, nil)
	p.network.mine(3)
	await(p.t, patience, "the deposits of the treasury are confirmed", func() bool {
		show()
		return len(treasury.Unbooked) == 2 && treasury.Unbooked[0].Height > 0 && treasury.Unbooked[1].Height > 0
	})
	p.moonfund("treasury", "credit", prefix, "--yes", "--why", "first funding")
}

// firstStake stakes with a new wallet and waits until the stake earns.
func (p *packaged) firstStake() {
	p.t.Helper()
	erin := newStaker(p.server.site, "erin", segwit, taproot)
	erin.endow(10 * lobo)
	p.network.mine(1)
	id := erin.stake(10 * lobo).ID
	deadline := time.Now().Add(patience)
	for erin.stage(id) != "STAKED" {
		if time.Now().After(deadline) {
			p.t.Fatalf("the stake does not earn\n%s", p.server.tail())
		}
		p.network.mine(1)
		await(p.t, patience, "the server follows the chain", func() bool { return !p.server.catchingUp() })
	}
}
