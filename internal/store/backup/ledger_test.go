package backup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/store/backup"
	"moonfund/internal/testkit"
)

// Restoring a backup creates a paused ledger with the same units, the files, and a line in the operator log. A restore
// never overwrites an existing file.
func TestWriteAndRestore(t *testing.T) {
	w := testkit.NewWorld(t)
	unit := w.Staked(w.Anna, 5000)
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "night.zip")
	for name, text := range map[string]string{"outflow.json": "[]\n", "moonfund.key": "a key",
		"lobo.toml": "prefix = \"lobo\"\n", "._lobo.toml": "a copy that an editor left"} {
		testkit.Must(t, os.WriteFile(filepath.Join(data, name), []byte(text), 0o600))
	}
	source := backup.Source{Data: data, Key: filepath.Join(data, "moonfund.key"), Communities: data, Program: "test"}
	about, err := source.Write(t.Context(), w.Store, file)
	testkit.Must(t, err)
	if want := ", and outflow.json, keys/moonfund.key, communities/lobo.toml"; about.Extras() != want {
		t.Errorf("extras %q, want %q", about.Extras(), want)
	}
	if !strings.HasPrefix(about.Position(), "block ") || about.Communities[0] != testkit.Prefix || about.Rows == 0 {
		t.Errorf("about: %+v", about)
	}
	archive, err := backup.Open(file)
	testkit.Must(t, err)
	defer archive.Close()
	target := backup.Target{Data: filepath.Join(t.TempDir(), "new"), Pause: "restored", Log: store.OperatorLine{
		At: time.Now().UTC(), By: "olga", Command: "restore", Subject: "night.zip", Why: "the disk died",
	}}
	if old, err := target.Restore(t.Context(), archive); err != nil || old != "" {
		t.Fatalf("restore: %v, old ledger in %q", err, old)
	}
	for _, name := range []string{"outflow.json", "keys/moonfund.key", "communities/lobo.toml"} {
		if _, err := os.Stat(filepath.Join(target.Data, name)); err != nil {
			t.Error(err)
		}
	}
	db, err := store.OpenWithoutMigration(t.Context(), "sqlite:"+filepath.Join(target.Data, "ledger.db"))
	testkit.Must(t, err)
	defer db.Close()
	testkit.Must(t, db.View(t.Context(), func(tx *store.Tx) error {
		u, err := tx.Unit(t.Context(), testkit.Prefix, unit)
		testkit.Must(t, err)
		reason, since, err := tx.PausedSince(t.Context(), store.PauseAll)
		testkit.Must(t, err)
		lines, err := tx.OperatorLines(t.Context(), 1<<62, 10)
		testkit.Must(t, err)
		incidents, err := tx.Incidents(t.Context(), testkit.Prefix, 10)
		if len(incidents) != 1 || incidents[0].Kind != store.IncidentRestore ||
			!strings.Contains(incidents[0].Detail, about.Made.UTC().Format(time.RFC3339)) {
			t.Errorf("public incidents: %+v", incidents)
		}
		if u.Stage != ledger.Staked || reason != "restored" || !since.Equal(about.Made) || len(lines) != 1 ||
			lines[0].By != "olga" {
			t.Errorf("restored: %s, paused %q since %s, log %+v", u.Stage, reason, since, lines)
		}
		return err
	}))
	if kept := target.Kept(archive.About); !target.Replaces() || len(kept) != 3 {
		t.Errorf("a second restore keeps %v", kept)
	}
}

// TestWriteNeedsManifests checks that a backup is not written when the given folder contains no manifest.
func TestWriteNeedsManifests(t *testing.T) {
	file := filepath.Join(t.TempDir(), "night.zip")
	_, err := backup.Source{Communities: t.TempDir()}.Write(t.Context(), nil, file)
	if err == nil || !strings.Contains(err.Error(), "there is no manifest") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was written")
	}
}
