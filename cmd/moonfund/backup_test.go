package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/store/backup"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// safe returns a folder with a server's files besides its ledger.
func safe(t *testing.T) (data, key, communities string) {
	t.Helper()
	data, communities = t.TempDir(), manifestsOf(t)
	key = filepath.Join(data, "moonfund.key")
	_, err := signer.NewKeyFile(key, "a passphrase")
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(filepath.Join(data, signing.OutflowFile), []byte("[]\n"), 0o600))
	testkit.Must(t, os.WriteFile(filepath.Join(data, signing.HeadFile), []byte("{}"), 0o600))
	return data, key, communities
}

func manifestsOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "lobo.toml"), []byte("prefix = \"lobo\"\n"), 0o600))
	return dir
}

// restored restores a backup to a new database and returns a server on the restored ledger.
func (w cli) restored(t *testing.T, file, address string) (cli, string) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "new")
	if _, err := command(t, "no\n", "restore", file, "--data", data, "--database", address, "--by", "olga", "--why",
		"the disk died"); !errors.Is(err, terminal.ErrDeclined) {
		t.Errorf("declined restore: got error %v, want ErrDeclined", err)
	}
	if text, err := command(t, "yes\n", "restore", file, "--data", data, "--database", address, "--by", "olga", "--why",
		"the disk died"); err != nil || !strings.Contains(text, "resume all") {
		t.Fatalf("restore: error %v, output\n%s", err, text)
	}
	return cli{w.At(address)}, data
}

// TestBackupAndRestore makes a backup while an order is unpaid. Then the order is paid and delivered, and the server is
// lost. The restored ledger, on either engine, is paused with a reason, detects the delivery on the chain, and does not
// pay twice.
func TestBackupAndRestore(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	first, second := w.Unlocked(w.Anna, 5000), w.Unlocked(w.Bert, 4000)
	o, waiting := *w.Act(w.Anna, action.Withdraw, first).Order, *w.Act(w.Bert, action.Withdraw, second).Order
	data, key, communities := safe(t)
	file := filepath.Join(t.TempDir(), "night.zip")
	var made backup.About
	w.read(&made, "backup", file, "--data", data, "--key", key, "--communities", communities)
	folder := t.TempDir()
	t.Setenv("MOONFUND_BACKUPS", folder)
	if text := w.must("backup"); !strings.HasPrefix(text, "Wrote "+filepath.Join(folder, "by-hand-20")) {
		t.Errorf("backup without a file printed %q", text)
	}
	t.Setenv("MOONFUND_BACKUPS", "")
	testkit.Must(t, dropEmptySettings())
	w.refused("name the file to write, or set MOONFUND_BACKUPS", "backup")
	if made.Rows == 0 || len(made.Files) != 5 || len(made.Communities) != 1 ||
		strings.Join(made.Networks, " ") != w.Network.Name || made.Block == "" {
		t.Errorf("backup: got %+v", made)
	}
	w.Pay(w.Anna, o, o.Due())
	w.Settle(4)
	sent := w.WantStatus(o.ID, order.Delivered).PayoutTx

	for kind, address := range map[string]string{"SQLite": engine.New(t, nil), "PostgreSQL": engine.NewPostgres(t, nil)} {
		again, folder := w.restored(t, file, address)
		for _, name := range []string{signing.OutflowFile, signing.HeadFile, "keys/moonfund.key", "communities/lobo.toml"} {
			if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("restored file %s is missing or has another mode than 0600: %v", name, err)
			}
		}
		_, err := signer.OpenKeyFile(filepath.Join(folder, "keys/moonfund.key"), "a passphrase")
		testkit.Must(t, err)
		again.Step()
		again.WantStatus(waiting.ID, order.Pending)
		again.WantStatus(o.ID, order.Sent) // the delivery is found on the chain while the server is paused
		again.wantPause("restored by olga from the backup of", made.Made)
		if text := again.must("log"); !strings.Contains(text, "the disk died") || !strings.Contains(text, "night.zip") {
			t.Errorf("the log does not contain the restore:\n%s", text)
		}
		again.must("resume", "all", "--yes", "--by", "olga", "--why", "the audit is clean")
		again.wantIncidents(store.IncidentResume, store.IncidentRestore)
		again.Step()
		if got := again.WantStatus(o.ID, order.Delivered).PayoutTx; got != sent {
			t.Errorf("%s: the order is delivered by %s, want %s", kind, got, sent)
		}
		again.Check()
	}
}

// wantIncidents checks the kinds of the newest public incidents, newest first.
func (w cli) wantIncidents(want ...string) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		all, err := tx.Incidents(w.Context(), testkit.Prefix, len(want))
		for i, kind := range want {
			if len(all) != len(want) || all[i].Kind != kind {
				w.Errorf("newest incidents: %+v, want %v", all, want)
				break
			}
		}
		return err
	})
}

// wantPause checks that everything is paused for a reason, and that deadlines are extended from an instant on.
func (w cli) wantPause(reason string, from time.Time) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		got, since, err := tx.PausedSince(w.Context(), store.PauseAll)
		if !strings.Contains(got, reason) || !since.Equal(from) {
			w.Errorf("paused since %s: %q", since, got)
		}
		return err
	})
}

func TestBackupRefuses(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	testkit.Identify(w.World)
	data, key, communities := safe(t)
	taken := filepath.Join(data, signing.OutflowFile)
	for _, row := range []struct {
		reason string
		args   []string
	}{
		{"exists already", []string{"backup", taken}},
		{"can't be written", []string{"backup", filepath.Join(data, "no", "such", "folder.zip")}},
		{"is not a key file", []string{"backup", filepath.Join(data, "b.zip"), "--key", taken}},
		{"is not a key file", []string{"backup", filepath.Join(data, "b.zip"), "--key", filepath.Join(data, "nothing")}},
		{"there is no manifest", []string{"backup", filepath.Join(data, "b.zip"), "--communities", data}},
		{"name the file to write", []string{"backup"}},
	} {
		w.refused(row.reason, row.args...)
	}
	if _, err := command(t, "", "backup", filepath.Join(data, "b.zip"), "--data", t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "there is no ledger") {
		t.Errorf("backup without a ledger: got error %v", err)
	}
	file := filepath.Join(data, "b.zip")
	text := w.must("backup", file, "--key", key)
	if !strings.Contains(text, "Not included: the manifests (--communities)") {
		t.Errorf("backup without --communities: output %q", text)
	}
	w.must("backup", filepath.Join(data, "whole.zip"), "--data", data, "--communities", communities)
	w.refusedRestores(t, data, file)
}

func (w cli) refusedRestores(t *testing.T, data, file string) {
	t.Helper()
	torn := filepath.Join(data, "torn.zip")
	whole, err := os.ReadFile(file)
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(torn, whole[:len(whole)/2], 0o600))
	empty := engine.New(t, nil)
	asked := []string{"--yes", "--by", "olga", "--why", "test"}
	for _, row := range []struct {
		reason string
		args   []string
	}{
		{"--why is empty", []string{"restore", file, "--database", empty}},
		{"--why is empty", []string{"restore", file, "--why", "", "--by", "olga", "--database", empty}},
		{"there is no file", append([]string{"restore", "nothing.zip", "--database", empty}, asked...)},
		{"not a complete backup", append([]string{"restore", torn, "--database", empty}, asked...)},
		{"not a complete backup", append([]string{"restore", filepath.Join(data, signing.OutflowFile), "--database", empty},
			asked...)},
		{"not empty", append([]string{"restore", file, "--data", t.TempDir(), "--database", w.URL()}, asked...)},
	} {
		if _, err := command(t, "", row.args...); err == nil || !strings.Contains(err.Error(), row.reason) {
			t.Errorf("command %v: got error %v, want %q", row.args, err, row.reason)
		}
	}
	// A restore into a folder with a ledger sets that aside, and keeps the signer's records, which are newer.
	folder := filepath.Join(t.TempDir(), "new")
	heads := filepath.Join(folder, signing.HeadFile)
	for _, olds := range []int{0, 1} {
		args := append([]string{"restore", filepath.Join(data, "whole.zip"), "--data", folder}, asked...)
		text, err := command(t, "", args...)
		if err != nil || !strings.Contains(text, "sudo cp "+folder+"/communities/*") {
			t.Errorf("restore into a folder: error %v, output %s", err, text)
		}
		ledgers, err := filepath.Glob(filepath.Join(folder, "before-restore-*", "ledger.db"))
		if err != nil || len(ledgers) != olds {
			t.Errorf("old ledgers: %v (%v), want %d", ledgers, err, olds)
		}
		kept, err := os.ReadFile(heads)
		if want := []string{"{}", "newer"}[olds]; err != nil || string(kept) != want {
			t.Errorf("the last statements: %q (%v), want %q", kept, err, want)
		}
		testkit.Must(t, os.WriteFile(heads, []byte("newer"), 0o600))
	}
	release, err := store.Lock("sqlite:" + filepath.Join(folder, "ledger.db"))
	testkit.Must(t, err)
	defer release()
	if _, err := command(t, "", append([]string{"restore", file, "--data", folder}, asked...)...); err == nil ||
		!strings.Contains(err.Error(), "another server works on") {
		t.Errorf("restore below a running server: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(folder, ".restoring*")); err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v", left)
	}
}

// TestDamagedFile checks that a damaged database is reported, and that no command creates a new ledger in its place.
func TestDamagedFile(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"garbage": strings.Repeat("not a database ", 1000),
		"empty pages": strings.Repeat("\x00", 8192)} {
		path := filepath.Join(folder, "ledger.db")
		testkit.Must(t, os.WriteFile(path, []byte(content), 0o600))
		for _, args := range [][]string{{"order", "list"}, {"backup", filepath.Join(folder, "b.zip")},
			{"audit", "--network", "regtest"}} {
			if _, err := command(t, "", append(args, "--data", folder)...); err == nil ||
				!strings.Contains(err.Error(), "not a database") {
				t.Errorf("%s, command %v: error %v, want one about the damaged database", name, args, err)
			}
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != content {
			t.Errorf("%s: the file changed: %v", name, err)
		}
	}
}
