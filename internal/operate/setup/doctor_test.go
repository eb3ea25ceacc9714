package setup_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/setup"
	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// installed returns the installation of a server on a world's ledger, and the status that the server returns.
func installed(t *testing.T) (setup.Installation, *api.Status, string) {
	t.Helper()
	testkit.OnBtcd(t)
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 10_000)
	grantSample(w)
	node := w.Faulty() // the services took their steps before, because they wait only briefly for a faulty node
	// The new community must fit the ledger.
	for _, table := range []string{"unit", "community"} {
		engine.Damage(t, w.URL(), "DELETE FROM "+table)
	}
	folder := t.TempDir()
	s, _ := newSetup(t, folder, node.URL)
	testkit.Must(t, s.Collect(t.Context()))
	plan, err := s.Plan()
	testkit.Must(t, err)
	testkit.Must(t, plan.Write(false))
	status := &api.Status{Version: "1.2.3", Paused: api.StatusPausedNone}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/wolf/status" || r.Host != "wolf.example.org" {
			http.NotFound(rw, r)
			return
		}
		_ = json.NewEncoder(rw).Encode(api.StatusReply{Success: true, Data: status})
	}))
	t.Cleanup(server.Close)
	return setup.Installation{
		Network: w.Network, Communities: filepath.Join(s.Folder, "communities"), Data: s.Data, Database: w.URL(), Key: s.Key,
		Node:    chain.NewClient(chain.ClientConfig{URL: node.URL, User: login, Password: login}),
		Backups: s.Backups, BackupEvery: time.Hour, BackupCommand: "true", Domains: []string{"example.org"},
		Listen: strings.TrimPrefix(server.URL, "http://"), Metrics: s.Metrics, Proxies: []string{s.Proxy}, Version: "1.2.3",
		Now: time.Now, Synchronized: func() (bool, error) { return true, nil }, Client: http.DefaultClient,
		Receivers: func() ([]string, error) { return []string{"webhook", "ntfy"}, nil },
	}, status, folder
}

func TestDoctor(t *testing.T) {
	i, status, folder := installed(t)
	backup := filepath.Join(i.Backups, "moonfund-20261123T100000Z.zip")
	testkit.Must(t, os.WriteFile(backup, nil, 0o600))
	copied := func(text string, ago time.Duration) {
		at, err := time.Now().Add(-ago).MarshalText()
		testkit.Must(t, err)
		text = fmt.Sprintf(`{"file":"moonfund-1.zip","at":%q,"error":%q}`, at, text)
		testkit.Must(t, os.WriteFile(filepath.Join(i.Backups, "copied.json"), []byte(text), 0o600))
	}
	copied("", time.Minute)
	examine := func(check string) setup.Finding { return find(t, i.Examine(t.Context()), check) }
	for _, f := range i.Examine(t.Context()) {
		if f.Level != setup.OK && f.Check != "disk" && f.Check != "backups" { // these depend on the machine's disks
			t.Errorf("a finding for a correctly set up server: %+v", f)
		}
	}

	status.Paused = api.StatusPausedAll
	want(t, examine("server"), setup.Fail, "paused: all", "moonfund resume")
	status.Paused, status.CatchingUp = api.StatusPausedNone, true
	want(t, examine("server"), setup.Warn, "follows the chain", "Wait")
	status.CatchingUp, status.Version = false, "1.2.2"
	want(t, examine("server"), setup.Warn, "runs version 1.2.2", "Restart")
	status.Version = "1.2.3"
	status.Stops = []api.Stop{{What: "all", Reason: "is in the ledger"}, {What: "statements",
		Reason: "the record is lost", Runbook: "docs/operations/restore.md"}}
	want(t, examine("stop"), setup.Fail, "No statements are published: the record is lost",
		"Read: moonfund help operations/restore.")
	status.Stops = nil
	away := i
	away.Listen = "127.0.0.1:1"
	want(t, find(t, away.Examine(t.Context()), "server"), setup.Fail, "no server answers", "systemctl start")

	testkit.Must(t, os.Chtimes(backup, time.Time{}, time.Now().Add(-3*time.Hour)))
	want(t, examine("backups"), setup.Fail, "3h0m0s old", "moonfund backup")
	testkit.Must(t, os.Remove(backup))
	want(t, examine("backups"), setup.Warn, "there is no backup")
	copied("no route to host", time.Minute)
	want(t, examine("copies"), setup.Fail, "was not copied: no route to host", "MOONFUND_BACKUP_COMMAND")
	copied("", 3*time.Hour)
	want(t, examine("copies"), setup.Fail, "the newest copy is of")
	testkit.Must(t, os.Remove(filepath.Join(i.Backups, "copied.json")))
	want(t, examine("copies"), setup.Warn, "no backup was copied yet")
	none := i
	none.Backups, none.BackupCommand, none.Metrics = "", "", ""
	want(t, find(t, none.Examine(t.Context()), "copies"), setup.Warn, "not copied to another machine")
	want(t, find(t, none.Examine(t.Context()), "backups"), setup.Warn, "no automatic backups")
	want(t, find(t, none.Examine(t.Context()), "metrics"), setup.Warn, "/metrics is off")
	none.Metrics = "0.0.0.0:9464"
	want(t, find(t, none.Examine(t.Context()), "metrics"), setup.Warn, "from outside")

	want(t, examine("notify"), setup.OK, "webhook, ntfy")
	none.Receivers = func() ([]string, error) { return nil, nil }
	want(t, find(t, none.Examine(t.Context()), "notify"), setup.Warn, "nobody is notified", "MOONFUND_NOTIFY_WEBHOOK")
	none.Receivers = func() ([]string, error) { return nil, errors.New("--notify-ntfy-token: no such file") }
	want(t, find(t, none.Examine(t.Context()), "notify"), setup.Fail, "--notify-ntfy-token", "must be able to read")

	testkit.Must(t, os.Chmod(i.Key, 0o644))
	want(t, examine("key"), setup.Fail, "others may read it", "chmod 600")
	testkit.Must(t, os.WriteFile(i.Key, []byte("{}"), 0o600))
	testkit.Must(t, os.Chmod(i.Key, 0o600))
	want(t, examine("key"), setup.Fail, signer.ErrKeyFile.Error())
	remote := i
	remote.Signer = filepath.Join(folder, "socket")
	want(t, find(t, remote.Examine(t.Context()), "key"), setup.Fail, "does not answer", "moonfund signer run")

	early := i
	early.Now = func() time.Time { return testkit.Genesis.Add(-time.Hour) }
	early.Node = chain.NewClient(chain.ClientConfig{URL: "http://127.0.0.1:1"})
	want(t, find(t, early.Examine(t.Context()), "clock"), setup.Fail, "the ledger was changed at", "timedatectl")
	want(t, find(t, early.Examine(t.Context()), "manifests"), setup.Warn, "was not checked")

	lost := i
	lost.Database = "sqlite:" + filepath.Join(folder, "gone", "ledger.db")
	want(t, find(t, lost.Examine(t.Context()), "ledger"), setup.Fail, "there is no ledger", "moonfund init")
	if _, err := os.Stat(filepath.Join(folder, "gone")); err == nil {
		t.Error("the check created a ledger")
	}

	engine.Damage(t, i.Database, "INSERT INTO community VALUES ('lobo', '1:1', 0, 'regtest')")
	want(t, examine("manifests"), setup.Fail, "account 0 belongs to the community lobo", "before the next restart")
	engine.Damage(t, i.Database, "DELETE FROM community")
	want(t, examine("pauses"), setup.OK, "nothing is paused")
	engine.Damage(t, i.Database, "INSERT INTO setting VALUES ('pause_payouts:wolf', 'audit: a violation')")
	want(t, examine("pauses"), setup.Fail, "payouts:wolf since", "audit: a violation",
		"Read: moonfund help operations/corrupt-database.", "moonfund resume payouts --community wolf")

	manifest := filepath.Join(i.Communities, "wolf.toml")
	text, err := os.ReadFile(manifest)
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(manifest, append(text, []byte("\nname = \"x\"\n")...), 0o600))
	want(t, examine("manifests"), setup.Fail, "wolf.toml", "moonfund manifest example")
	without := regexp.MustCompile("statement_key = .*\n").ReplaceAllString(string(text), "")
	testkit.Must(t, os.WriteFile(manifest, []byte(without), 0o600))
	want(t, examine("statements"), setup.Warn, "has no statement_key", "moonfund key check "+i.Key+" --account 0")
	pictured := strings.Replace(string(text), "[rune]", "image = \"logo.png\"\n\n[rune]", 1)
	testkit.Must(t, os.WriteFile(manifest, []byte(pictured), 0o600))
	want(t, examine("manifests"), setup.Warn, "logo.png")
}

// TestCheckProxy checks a site behind a proxy with TLS.
func TestCheckProxy(t *testing.T) {
	header := ""
	proxy := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if header != "" {
			rw.Header().Set("Strict-Transport-Security", header)
		}
		if strings.HasPrefix(r.URL.Path, "/wolf/") {
			_ = json.NewEncoder(rw).Encode(api.StatusReply{Success: true, Data: &api.Status{}})
			return
		}
		_, _ = rw.Write([]byte("Welcome to nginx!"))
	}))
	t.Cleanup(proxy.Close)
	ends := proxy.Certificate().NotAfter
	site := setup.Site{
		Host: strings.TrimPrefix(proxy.URL, "https://"), Scheme: "https", Prefix: "wolf", Proxied: true,
		Listen: "127.0.0.1:8080",
	}
	now := ends.AddDate(0, -2, 0)
	check := func() setup.Finding { return setup.CheckProxy(t.Context(), proxy.Client(), site, now) }
	want(t, check(), setup.Warn, "Strict-Transport-Security")
	header = "max-age=63072000"
	want(t, check(), setup.OK)
	site.Proxied = false
	want(t, check(), setup.Warn, "MOONFUND_PROXY is not set")
	now = ends.Add(-24 * time.Hour)
	want(t, check(), setup.Warn, "the certificate of", "Renew it")
	site.Prefix = "other"
	want(t, check(), setup.Fail, "another program answers", "examples for nginx")
	want(t, setup.CheckProxy(t.Context(), http.DefaultClient, site, now), setup.Fail, "certificate")
	want(t, setup.CheckName(t.Context(), "wolf.example.invalid"), setup.Warn, "has no address", "*.example.org")
	want(t, setup.CheckName(t.Context(), "localhost"), setup.OK)
}

// TestDoctorComparesStatementKeys checks a manifest's statement key with a signer process: the doctor prints the
// missing line, and reports a wrong key.
func TestDoctorComparesStatementKeys(t *testing.T) {
	i, _, folder := installed(t)
	i.Signer = filepath.Join(folder, "s")
	listener, err := net.Listen("unix", i.Signer)
	testkit.Must(t, err)
	key := statement.Key{1}
	process := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(
		func(rw http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(rw).Encode(signer.Accounts{StatementKeys: map[uint32]statement.Key{0: key}})
		})}
	go func() { _ = process.Serve(listener) }()
	t.Cleanup(func() { _ = process.Close() })
	examine := func() setup.Finding { return find(t, i.Examine(t.Context()), "statements") }

	want(t, examine(), setup.Fail, "is not the signer's, "+key.String())
	manifest := filepath.Join(i.Communities, "wolf.toml")
	text, err := os.ReadFile(manifest)
	testkit.Must(t, err)
	old := regexp.MustCompile("statement_key = .*\n")
	testkit.Must(t, os.WriteFile(manifest, []byte(old.ReplaceAllString(string(text), "")), 0o600))
	line := fmt.Sprintf("statement_key = %q", key)
	want(t, examine(), setup.Warn, "has no statement_key", "wolf: "+line)
	testkit.Must(t, os.WriteFile(manifest, []byte(old.ReplaceAllString(string(text), line+"\n")), 0o600))
	want(t, examine(), setup.OK, "every manifest")
}
