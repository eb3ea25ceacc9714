package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/internal/store/backup"
	"moonfund/internal/testkit"
)

// TestServerMakesBackups checks that a leading server makes a backup immediately and then periodically, and that each
// backup is complete.
func TestServerMakesBackups(t *testing.T) {
	w := testkit.NewWorld(t)
	data, key, communities := safe(t)
	folder, leads := t.TempDir(), false
	var mu sync.Mutex
	command := serveCommand{Data: data, Key: key, Communities: communities}
	command.Backups, command.BackupEvery = folder, time.Millisecond
	s := command.schedule(w.Store, slog.New(slog.DiscardHandler))
	made := func() []string {
		files, err := filepath.Glob(filepath.Join(folder, "moonfund-*.zip"))
		testkit.Must(t, err)
		return files
	}
	ctx, stop := context.WithCancel(t.Context())
	var kept sync.WaitGroup
	kept.Go(func() {
		s.Run(ctx, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return leads
		})
	})
	if files := made(); len(files) > 0 {
		t.Errorf("backups made by a server that does not lead: %v", files)
	}
	mu.Lock()
	leads = true
	mu.Unlock()
	deadline := time.After(30 * time.Second)
	for len(made()) < 2 {
		select {
		case <-deadline:
			t.Fatalf("%d backups were made before the deadline, want 2", len(made()))
		case <-time.After(20 * time.Millisecond):
		}
	}
	stop()
	kept.Wait()
	for _, file := range made() {
		archive, err := backup.Open(file)
		testkit.Must(t, err)
		if len(archive.About.Files) != 5 {
			t.Errorf("the archive contains %+v, want 5 files", archive.About.Files)
		}
		testkit.Must(t, archive.Close())
	}
	(*backup.Schedule)(nil).Run(t.Context(), nil) // no backups are configured
}

func TestBackupFlags(t *testing.T) {
	for _, row := range []struct {
		flags  backupFlags
		reason string
	}{
		{backupFlags{}, ""}, {backupFlags{t.TempDir(), time.Hour, "true"}, ""},
		{backupFlags{"/no/such/folder", time.Hour, ""}, "is not a folder"},
		{backupFlags{t.TempDir(), time.Second, ""}, "at least 1m"},
		{backupFlags{BackupCommand: "true"}, "need --backups"},
	} {
		if err := row.flags.check(); (err == nil) != (row.reason == "") ||
			(err != nil && !strings.Contains(err.Error(), row.reason)) {
			t.Errorf("check of %+v: got error %v, want %q", row.flags, err, row.reason)
		}
	}
}
