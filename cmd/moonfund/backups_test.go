package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/backup"
	"moonfund/testkit"
)

// A leading server makes a backup at once and then again and again; each is whole.
func TestServerMakesBackups(t *testing.T) {
	w := testkit.NewWorld(t)
	data, key, communities := safe(t)
	folder, leads := t.TempDir(), false
	var mu sync.Mutex
	b := &backups{folder: folder, every: time.Millisecond, log: slog.New(slog.DiscardHandler), leads: func() bool {
		mu.Lock()
		defer mu.Unlock()
		return leads
	}}
	b.Data, b.Database, b.Key, b.Communities = data, w.URL(), key, communities
	ctx, stop := context.WithCancel(t.Context())
	var kept sync.WaitGroup
	kept.Go(func() { b.keep(ctx, w.Store) })
	if made, err := b.made(); err != nil || len(made) > 0 {
		t.Errorf("made by one that does not lead: %v, %v", made, err)
	}
	mu.Lock()
	leads = true
	mu.Unlock()
	deadline := time.After(30 * time.Second)
	for made := 0; made < 2; {
		all, err := b.made()
		testkit.Must(t, err)
		made = len(all)
		select {
		case <-deadline:
			t.Fatalf("%d backups", made)
		case <-time.After(20 * time.Millisecond):
		}
	}
	stop()
	kept.Wait()
	all, err := b.made()
	testkit.Must(t, err)
	for _, at := range all {
		archive, err := backup.Open(filepath.Join(folder, at.Format(backupName)))
		testkit.Must(t, err)
		if len(archive.About.Files) != 4 {
			t.Errorf("it holds %+v", archive.About.Files)
		}
		testkit.Must(t, archive.Close())
	}
	(*backups)(nil).keep(t.Context(), nil) // none are asked for
}

// The newest are kept, then one a day; what people put there stays.
func TestOldBackupsAreRemoved(t *testing.T) {
	b := &backups{folder: t.TempDir()}
	newest := time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)
	put := func(name string) { testkit.Must(t, os.WriteFile(filepath.Join(b.folder, name), nil, 0o600)) }
	for hour := range 60 * 24 {
		put(newest.Add(-time.Duration(hour) * time.Hour).Format(backupName))
	}
	put("moonfund-before-the-update.zip")
	put("holiday.jpg")
	testkit.Must(t, b.prune())
	all, err := b.made()
	testkit.Must(t, err)
	if len(all) != keptBackups+keptDays-2 || !all[len(all)-1].Equal(newest) { // the newest span two of the days
		t.Errorf("%d are kept, the newest %s", len(all), all[len(all)-1])
	}
	for _, at := range all[:len(all)-keptBackups] {
		if at.Hour() != 23 {
			t.Errorf("of %s the one of %d o'clock is kept", at.Format(time.DateOnly), at.Hour())
		}
	}
	for _, name := range []string{"moonfund-before-the-update.zip", "holiday.jpg"} {
		if _, err := os.Stat(filepath.Join(b.folder, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestBackupFlags(t *testing.T) {
	for _, row := range []struct {
		flags  backupFlags
		reason string
	}{
		{backupFlags{}, ""}, {backupFlags{t.TempDir(), time.Hour}, ""}, {backupFlags{"/no/such/folder", time.Hour}, "is no folder"},
		{backupFlags{t.TempDir(), time.Second}, "at least 1m"},
	} {
		if err := row.flags.check(); (err == nil) != (row.reason == "") || (err != nil && !strings.Contains(err.Error(), row.reason)) {
			t.Errorf("%+v: %v; want %q", row.flags, err, row.reason)
		}
	}
}
