package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"moonfund/internal/operate/setup"
	"moonfund/internal/operate/terminal"
)

// setUp runs `moonfund setup` on a terminal and answers its questions. The paths of this test are flags.
func (r *rehearsal) setUp() {
	r.t.Helper()
	folder := filepath.Dir(os.Getenv("MOONFUND_COMMUNITIES"))
	terms := filepath.Join(r.t.TempDir(), "terms.md")
	must(r.t, os.WriteFile(terms, []byte("# Who runs this\n\nOlga does.\n"), 0o600))
	typed := []string{
		os.Getenv("MOONFUND_NODE_USER"), "another password", os.Getenv("MOONFUND_NODE_USER"),
		os.Getenv("MOONFUND_NODE_PASSWORD"), "https://localhost", "localhost", "olga@example.org", "WOLF", r.network.runeID(),
		"LOBO", "", "", "10000", "10000", "", terms, os.Getenv("MOONFUND_BACKUPS"), "yes",
	}
	command := exec.Command("script", "--quiet", "--return", "--command", "moonfund setup --unit none --service-user root"+
		" --listen "+os.Getenv("MOONFUND_LISTEN")+" --folder "+terminal.Quote(folder)+" --node-url "+
		os.Getenv("MOONFUND_NODE_URL")+" --epoch-length "+guideEpoch.String()+" --prefix "+prefix+" --key-kind new --key "+
		terminal.Quote(os.Getenv("MOONFUND_KEY"))+" --data "+terminal.Quote(os.Getenv("MOONFUND_DATA")), "/dev/null")
	command.Stdin = strings.NewReader(strings.Join(typed, "\n") + "\n")
	output, err := command.CombinedOutput()
	if err != nil {
		r.t.Fatalf("moonfund setup: %v\n%s", err, output)
	}
	for _, words := range []string{
		"the node refuses the user", "it must be a host name", `"WOLF" is neither`, "% per year",
		"If you mean it, type it again", "ok    policy", "Written. Next:",
	} {
		if !strings.Contains(string(output), words) {
			r.t.Errorf("the output of moonfund setup does not contain %q:\n%s", words, output)
		}
	}
	if strings.Contains(string(output), devPassphrase) {
		r.t.Error("the output of moonfund setup contains the passphrase")
	}
}

// settingsSuffice checks that setup wrote the settings of this test, and that a command needs no other settings.
func (r *rehearsal) settingsSuffice() {
	file := filepath.Join(filepath.Dir(os.Getenv("MOONFUND_COMMUNITIES")), "moonfund.env")
	settings, err := setup.ReadSettings(file)
	must(r.t, err)
	for name, value := range settings {
		if own := os.Getenv(name); own != value && own != "" {
			r.t.Errorf("%s is %q in the settings, %q here", name, value, own)
		}
	}
	for _, name := range []string{"DATA", "KEY", "NODE_PASSWORD", "DOMAIN", "NETWORK", "BACKUPS"} {
		if settings["MOONFUND_"+name] == "" {
			r.t.Errorf("the settings have no MOONFUND_%s", name)
		}
	}
	r.shell("env -u MOONFUND_COMMUNITIES moonfund --settings " + terminal.Quote(file) + " manifest check")
}

var genesisLine = regexp.MustCompile(`(?m)^genesis = .*$`)

// editManifest sets the genesis to the current time, and limits of payouts that suit epochs of a few seconds.
func (r *rehearsal) editManifest() {
	path := filepath.Join(os.Getenv("MOONFUND_COMMUNITIES"), prefix+".toml")
	text, err := os.ReadFile(path)
	must(r.t, err)
	genesis := time.Now().UTC().Add(time.Second).Format("2006-01-02T15:04:05Z")
	edited := genesisLine.ReplaceAllString(string(text), `genesis = "`+genesis+`"`+"\noperator_custody = true") +
		"\n[limits]\npayout_max_wait = \"0s\"\ndaily_outflow = \"400000000000000\"\n" // a day has many epochs
	must(r.t, os.WriteFile(path, []byte(edited), 0o600))
}

// examine runs `moonfund doctor`. It accepts warnings, because the machine of a test may have no time server and only
// one disk.
func (r *rehearsal) examine() {
	r.t.Helper()
	r.follows()
	output, err := exec.Command("moonfund", "doctor").CombinedOutput()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 3) {
		r.t.Fatalf("moonfund doctor: %v\n%s", err, output)
	}
	for _, words := range []string{"ok    node", "ok    ledger", "ok    manifests", "ok    server", "ok    key",
		"ok    notify     webhook"} {
		if !strings.Contains(string(output), words) {
			r.t.Errorf("the output of moonfund doctor does not contain %q:\n%s", words, output)
		}
	}
}

// reload changes the contact and the service fee in the manifest and sends SIGHUP. Only the contact may change. A
// manifest with a syntax error must change nothing.
func (r *rehearsal) reload() {
	path := filepath.Join(os.Getenv("MOONFUND_COMMUNITIES"), prefix+".toml")
	text, err := os.ReadFile(path)
	must(r.t, err)
	write := func(words ...string) {
		must(r.t, os.WriteFile(path, []byte(strings.NewReplacer(words...).Replace(string(text))), 0o600))
		must(r.t, r.devServer.process.Process.Signal(syscall.SIGHUP))
	}
	write("olga@example.org", "help@example.org", "service_fee = 1500", "service_fee = 1501")
	shown := func() (contact string, fee int64) {
		var about struct {
			Contact    string
			ServiceFee int64 `json:"service_fee"`
		}
		r.devServer.get("community", &about)
		return about.Contact, about.ServiceFee
	}
	await(r.t, patience, "the manifest is reloaded", func() bool {
		contact, _ := shown()
		return contact == "help@example.org"
	})
	if _, fee := shown(); fee != 1500 {
		r.t.Errorf("the service fee changed to %d", fee)
	}
	write("contact = ", "contact == ")
	await(r.t, patience, "the broken manifest is refused", func() bool {
		return strings.Contains(r.devServer.tail(), "not reloaded, and nothing changed")
	})
	must(r.t, os.WriteFile(path, text, 0o600))
}
