package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/setup"
	"moonfund/internal/server"
	"moonfund/internal/testkit"
)

// parse returns the commands with the settings of the arguments and the environment.
func parse(t *testing.T, args ...string) (cli commands, err error) {
	t.Helper()
	parser, err := kong.New(&cli, parserOptions()...)
	testkit.Must(t, err)
	_, err = parser.Parse(args)
	return cli, err
}

func TestEmptySettingIsNotGiven(t *testing.T) {
	for _, name := range []string{"BACKUPS", "KEY", "SIGNER", "METRICS", "NODE_COOKIE", "NETWORK"} {
		t.Setenv("MOONFUND_"+name, "")
	}
	testkit.Must(t, dropEmptySettings())
	cli, err := parse(t, "serve", "--communities", t.TempDir(), "--domain", "example.org")
	if err != nil {
		t.Fatal(err)
	}
	if s := cli.Serve; s.Backups != "" || s.Key != "" || s.Signer != "" || s.Cookie != "" || s.Network != "mainnet" {
		t.Errorf("backups %q, key %q, signer %q, cookie %q, network %q", s.Backups, s.Key, s.Signer, s.Cookie, s.Network)
	}
	if _, err := parse(t, "serve", "--communities", t.TempDir(), "--domain", "example.org", "--backups="); err == nil ||
		!strings.Contains(err.Error(), "--backups: is empty") {
		t.Errorf("parse of an empty path: got error %v", err)
	}
}

// TestServeReadsTheCollector checks that the server refuses a wrong address for its traces.
func TestServeReadsTheCollector(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318")
	err := serveCommand{}.addTasks(t.Context(), &server.Config{})
	if err == nil || !strings.Contains(err.Error(), "OTEL_EXPORTER_OTLP_ENDPOINT must begin with http") {
		t.Errorf("error %v", err)
	}
}

func TestSignerWinsOverKeyOfTheSettings(t *testing.T) {
	t.Setenv("MOONFUND_KEY", "/etc/moonfund/moonfund.key")
	t.Setenv("MOONFUND_SIGNER", "/run/moonsigner/socket")
	cli, err := parse(t, "serve", "--communities", t.TempDir(), "--domain", "example.org")
	if err != nil || cli.Serve.Key != "" || cli.Serve.Signer != "/run/moonsigner/socket" {
		t.Errorf("key %q, signer %q: %v", cli.Serve.Key, cli.Serve.Signer, err)
	}
	for line, key := range map[string]func(commands) string{
		"init":                            func(c commands) string { return c.Init.Key },
		"ledger adopt --search --why kit": func(c commands) string { return c.Ledger.Adopt.Key },
		"treasury descriptors lobo":       func(c commands) string { return c.Treasury.Descriptors.Key },
	} {
		t.Setenv("MOONFUND_COMMUNITIES", t.TempDir())
		cli, err := parse(t, append(strings.Fields(line), "--data", t.TempDir())...)
		if err != nil || key(cli) != "" {
			t.Errorf("%s: key %q, error %v", line, key(cli), err)
		}
	}
	both := keySource{key: "/a", signer: "/b"}
	if _, err := openSigning(t.Context(), both, chain.Network{}, nil); err == nil ||
		!strings.Contains(err.Error(), "both given") {
		t.Errorf("openSigning with a key file and a signer: got error %v", err)
	}
}

func TestByIsTheUserWithoutUSER(t *testing.T) {
	t.Setenv("USER", "")
	cli, err := parse(t, "treasury", "credit", "lobo", "--why", "first funding")
	if by := cli.Treasury.Credit.By; err != nil || by == "" {
		t.Errorf("the default of --by is %q, error %v", by, err)
	}
}

// TestAuditThatCanNotBeMadeExitsWith2 checks the exit code of an audit that could not be completed. TestOperator checks
// the exit code of a violation.
func TestAuditThatCanNotBeMadeExitsWith2(t *testing.T) {
	for _, args := range [][]string{
		{"audit", "--data", t.TempDir()},
		{"audit", "--data", t.TempDir(), "--network", "regtest", "--node-url", "http://127.0.0.1:1"},
		{"epoch", "verify", "3", "--data", t.TempDir(), "--network", "regtest", "--node-url", "http://127.0.0.1:1"},
	} {
		_, err := command(t, "", args...)
		var coded kong.ExitCoder
		if !errors.As(err, &coded) || coded.ExitCode() != 2 {
			t.Errorf("command %v: got error %v, want one with exit code 2", args, err)
		}
	}
}

// TestSettingsFile checks that a settings file sets variables, and that the environment takes precedence.
func TestSettingsFile(t *testing.T) {
	for _, name := range []string{"MOONFUND_DOMAIN", "MOONFUND_COMMUNITIES", "MOONFUND_NETWORK"} {
		t.Setenv(name, "") // restored after the test
		testkit.Must(t, os.Unsetenv(name))
	}
	t.Setenv("MOONFUND_NETWORK", "signet")
	file := filepath.Join(t.TempDir(), "moonfund.env")
	text := "MOONFUND_DOMAIN=example.org\nMOONFUND_COMMUNITIES=/etc/communities\nMOONFUND_NETWORK=mainnet\n"
	testkit.Must(t, os.WriteFile(file, []byte(text), 0o600))
	cli, err := parse(t, "--settings", file, "doctor")
	testkit.Must(t, err)
	d := cli.Doctor
	if d.Communities != "/etc/communities" || len(d.Domain) != 1 || d.Domain[0] != "example.org" || d.Network != "signet" {
		t.Errorf("communities %q, domain %q, network %q", d.Communities, d.Domain, d.Network)
	}
}

// TestDoctorsExitCodes checks that the exit codes of a failed check, wrong settings and warnings differ.
func TestDoctorsExitCodes(t *testing.T) {
	if troubled(setup.Fail).ExitCode() != 1 || troubled(setup.Warn).ExitCode() != 3 {
		t.Errorf("exit codes: %d for fail, %d for warn", troubled(setup.Fail).ExitCode(), troubled(setup.Warn).ExitCode())
	}
	_, err := command(t, "", "doctor", "--communities", t.TempDir(), "--domain", "example.org", "--network", "moon")
	if coded := kong.ExitCoder(nil); !errors.As(err, &coded) || coded.ExitCode() != 2 {
		t.Errorf("doctor with wrong settings: got error %v", err)
	}
	text, err := command(t, "", "doctor", "--communities", t.TempDir(), "--domain", "example.org", "--json",
		"--data", t.TempDir(), "--node-url", nobody)
	var findings []setup.Finding
	if err == nil || json.Unmarshal([]byte(text), &findings) != nil || setup.Worst(findings) != setup.Fail {
		t.Errorf("doctor --json: error %v, output\n%s", err, text)
	}
}

func TestVersionJSON(t *testing.T) {
	text, err := command(t, "", "version", "--json")
	var got versionView
	if err != nil || json.Unmarshal([]byte(text), &got) != nil || got.Version != version || got.Arch != runtime.GOARCH {
		t.Errorf("moonfund version --json prints %s, error %v", text, err)
	}
}

func TestUnitFile(t *testing.T) {
	text, err := command(t, "", "unit-file")
	if err != nil || !strings.Contains(text, "ExecStart=/usr/bin/moonfund serve") {
		t.Errorf("error %v, output\n%s", err, text)
	}
}
