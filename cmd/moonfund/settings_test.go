package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"moonfund/chain"
	"moonfund/testkit"
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
		t.Errorf("an empty path: %v", err)
	}
}

func TestSignerWinsOverKeyOfTheSettings(t *testing.T) {
	t.Setenv("MOONFUND_KEY", "/etc/moonfund/moonfund.key")
	t.Setenv("MOONFUND_SIGNER", "/run/moonsigner/socket")
	cli, err := parse(t, "serve", "--communities", t.TempDir(), "--domain", "example.org")
	if err != nil || cli.Serve.Key != "" || cli.Serve.Signer != "/run/moonsigner/socket" {
		t.Errorf("key %q, signer %q: %v", cli.Serve.Key, cli.Serve.Signer, err)
	}
	both := keySource{key: "/a", signer: "/b"}
	if _, err := openSigning(t.Context(), both, chain.Network{}, nil); err == nil ||
		!strings.Contains(err.Error(), "both given") {
		t.Errorf("two flags: %v", err)
	}
}

func TestByIsTheUserWithoutUSER(t *testing.T) {
	t.Setenv("USER", "")
	cli, err := parse(t, "treasury", "credit", "lobo", "--why", "first funding")
	if by := cli.Treasury.Credit.By; err != nil || by == "" {
		t.Errorf("by %q: %v", by, err)
	}
}

// TestAuditThatCanNotBeMadeExitsWith2 checks the exit code of an audit that could not be completed; TestOperator checks
// the one of a violation.
func TestAuditThatCanNotBeMadeExitsWith2(t *testing.T) {
	for _, args := range [][]string{
		{"audit", "--data", t.TempDir()},
		{"audit", "--data", t.TempDir(), "--network", "regtest", "--node-url", "http://127.0.0.1:1"},
		{"epoch", "verify", "3", "--data", t.TempDir(), "--network", "regtest", "--node-url", "http://127.0.0.1:1"},
	} {
		_, err := command(t, "", args...)
		var coded kong.ExitCoder
		if !errors.As(err, &coded) || coded.ExitCode() != 2 {
			t.Errorf("%v: %v", args, err)
		}
	}
}
