package server

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/community"
	"moonfund/internal/testkit"
)

const reloadable = `prefix = "wolf"
name = "Wolf"
token = "W"
account = 0
genesis = 2026-12-02T00:00:00Z
reward_budget = 1
minimum_stake = 1
service_fee = 100
`

// reloading returns a server with one community, whose manifest is in dir. said is the server's log.
func reloading(t *testing.T) (s *Server, dir string, said *strings.Builder) {
	t.Helper()
	dir, said = t.TempDir(), &strings.Builder{}
	writeManifest(t, dir, reloadable)
	manifests, err := community.LoadDir(dir, "mainnet")
	if err != nil {
		t.Fatal(err)
	}
	return &Server{hub: api.NewHub(time.Now()), Config: Config{
		Network: chain.Network{Name: "mainnet"}, Domains: []string{"example.org"}, Scheme: "https", Communities: manifests,
		Log: slog.New(slog.NewTextHandler(said, nil)),
	}}, dir, said
}

func writeManifest(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "wolf.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func reloadedManifest(t *testing.T, s *Server) community.Manifest {
	t.Helper()
	m, err := s.manifest("wolf")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestReload(t *testing.T) {
	s, dir, said := reloading(t)
	writeManifest(t, dir, strings.Replace(reloadable, "service_fee = 100", "service_fee = 200", 1)+
		"contact = \"help@example.org\"\nimage = \"logo.svg\"\n")
	if err := s.Reload(dir); err == nil || reloadedManifest(t, s).Contact != "" {
		t.Errorf("a missing picture: %v, contact %q", err, reloadedManifest(t, s).Contact)
	}
	logo := `<svg xmlns="http://www.w3.org/2000/svg"/>`
	if err := os.WriteFile(filepath.Join(dir, "logo.svg"), []byte(logo), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(dir); err != nil {
		t.Fatal(err)
	}
	m := reloadedManifest(t, s)
	site, _ := s.site("wolf.example.org")
	if m.Contact != "help@example.org" || site.Contact != m.Contact || m.ServiceFee != 100 || len(site.Pictures) != 1 {
		t.Errorf("contact %q, fee %d, %d pictures", m.Contact, m.ServiceFee, len(site.Pictures))
	}
	for _, words := range []string{"change only when the server is restarted",
		"keys=[service_fee]", "wolf:[image contact]",
		"no terms are published"} {
		if !strings.Contains(said.String(), words) {
			t.Errorf("the log does not contain %q: %s", words, said)
		}
	}
	said.Reset()
	writeManifest(t, dir, reloadable+"contact = \"nobody\"\n")
	if err := s.Reload(dir); err == nil || reloadedManifest(t, s).Contact != "help@example.org" {
		t.Errorf("an invalid manifest: %v, contact %q", err, reloadedManifest(t, s).Contact)
	}
	writeManifest(t, dir, strings.Replace(reloadable, `prefix = "wolf"`, `prefix = "cub"`, 1))
	if err := s.Reload(dir); err != nil || !strings.Contains(said.String(), "added=[cub] removed=[wolf]") {
		t.Errorf("another community: %v, %s", err, said)
	}
	if _, served := s.site("wolf.example.org"); !served || reloadedManifest(t, s).Contact != "help@example.org" {
		t.Error("the community is no longer served")
	}
}

// TestReloadOnSignal reloads at a signal, and again after an invalid manifest.
func TestReloadOnSignal(t *testing.T) {
	s, dir, _ := reloading(t)
	lines := make(chan string, 10)
	s.Log = slog.New(slog.NewTextHandler(lineWriter(lines), nil))
	signals := make(chan os.Signal)
	go s.ReloadOn(t.Context(), signals, dir)
	for _, step := range []struct{ more, said, contact string }{
		{"contact = \"a@example.org\"", "the manifests are reloaded", "a@example.org"},
		{"contact = nothing", "not reloaded, and nothing changed", "a@example.org"},
		{"contact = \"b@example.org\"", "the manifests are reloaded", "b@example.org"},
	} {
		writeManifest(t, dir, reloadable+step.more+"\n")
		signals <- syscall.SIGHUP
		for line := ""; !strings.Contains(line, step.said); {
			line = <-lines
		}
		if got := reloadedManifest(t, s).Contact; got != step.contact {
			t.Errorf("after %q: contact %q", step.more, got)
		}
	}
}

type lineWriter chan string

func (w lineWriter) Write(text []byte) (int, error) {
	w <- string(text)
	return len(text), nil
}

// TestNotifySystemd checks the notifications that systemd receives.
func TestNotifySystemd(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	listener, err := net.ListenPacket("unixgram", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	t.Setenv("NOTIFY_SOCKET", socket)
	s, _, _ := reloading(t)
	s.notify("READY=1")
	received := make([]byte, 100)
	n, _, err := listener.ReadFrom(received)
	if err != nil || string(received[:n]) != "READY=1" {
		t.Errorf("received %q, %v", received[:n], err)
	}
	s.Store = testkit.NewWorld(t).Store
	t.Setenv("WATCHDOG_USEC", "200000")
	t.Setenv("WATCHDOG_PID", strconv.Itoa(os.Getpid()))
	go s.watchdog(t.Context())
	for range 2 {
		if n, _, err = listener.ReadFrom(received); err != nil || string(received[:n]) != "WATCHDOG=1" {
			t.Errorf("received %q, %v", received[:n], err)
		}
	}
}
