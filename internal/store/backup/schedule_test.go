package backup

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The schedule keeps the newest backups and one per day, and never deletes other files.
func TestOldBackupsAreRemoved(t *testing.T) {
	s := &Schedule{folder: t.TempDir()}
	newest := time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)
	put := func(name string) {
		if err := os.WriteFile(filepath.Join(s.folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for hour := range 60 * 24 {
		put(newest.Add(-time.Duration(hour) * time.Hour).Format(fileFormat))
	}
	put("moonfund-before-the-update.zip")
	put("holiday.jpg")
	if err := s.prune(); err != nil {
		t.Fatal(err)
	}
	all, err := s.made()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != keptBackups+keptDays-2 || !all[len(all)-1].Equal(newest) { // the newest backups span two days
		t.Errorf("%d backups are kept, the newest %s", len(all), all[len(all)-1])
	}
	for _, at := range all[:len(all)-keptBackups] {
		if at.Hour() != 23 {
			t.Errorf("on %s the backup of %d o'clock is kept", at.Format(time.DateOnly), at.Hour())
		}
	}
	for _, name := range []string{"moonfund-before-the-update.zip", "holiday.jpg"} {
		if _, err := os.Stat(filepath.Join(s.folder, name)); err != nil {
			t.Error(err)
		}
	}
}

// The command runs after each backup, without the server's settings. Its failure is returned and recorded, and the time
// of the last copy is known after a restart, which copies the newest backup if it is not copied.
func TestBackupsAreCopied(t *testing.T) {
	t.Setenv("MOONFUND_NODE_PASSWORD", "secret")
	folder, other := t.TempDir(), t.TempDir()
	write := func(_ context.Context, file string) (About, error) {
		return About{}, os.WriteFile(file, []byte("zip"), 0o600)
	}
	start := func(command string) *Schedule {
		s := NewSchedule(folder, time.Hour, write, slog.New(slog.DiscardHandler))
		s.CopyWith(command)
		return s
	}
	first := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	if err := start(`test -z "$MOONFUND_NODE_PASSWORD" && cp "$BACKUP" "`+other+`"`).make(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	name := first.Format(fileFormat)
	if text, err := os.ReadFile(filepath.Join(other, name)); err != nil || string(text) != "zip" {
		t.Errorf("the copy is %q, error %v", text, err)
	}
	s := start("echo no route to host; exit 3")
	if err := s.make(t.Context(), first.Add(time.Hour)); !errors.Is(err, ErrCopy) {
		t.Errorf("a command that fails: got error %v, want ErrCopy", err)
	}
	if at, known := s.Copied(); !known || !at.Equal(first) || !s.Latest().Equal(first.Add(time.Hour)) {
		t.Errorf("the last copy is of %s, the last backup of %s", at, s.Latest())
	}
	last, err := ReadCopy(folder)
	if err != nil || last.File != name || !strings.Contains(last.Error, "exit status 3: no route to host") {
		t.Errorf("the record is %+v, error %v", last, err)
	}
	s = start(`cp "$BACKUP" "` + other + `"`)
	if err := s.copyNewest(t.Context()); err != nil {
		t.Fatal(err)
	}
	newest := first.Add(time.Hour)
	if _, err := os.Stat(filepath.Join(other, newest.Format(fileFormat))); err != nil {
		t.Errorf("the newest backup is not copied at the start: %v", err)
	}
	if at, _ := s.Copied(); !at.Equal(newest) {
		t.Errorf("the last copy is of %s, want %s", at, newest)
	}
	s.command = "exit 3"
	if err := s.copyNewest(t.Context()); err != nil {
		t.Errorf("it is copied again: %v", err)
	}
	const failure = "exit status 3"
	s = start("echo no; exit 3")
	s.copied.Store(first.Unix())
	s.polls = time.Millisecond
	var leads atomic.Bool
	results := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	s.OnResult(func(_ context.Context, err error) {
		s.command = ""
		leads.Store(false)
		results <- err
	})
	var runs sync.WaitGroup
	followed := make(chan struct{}) // receives when Run has seen that the server does not lead
	runs.Go(func() {
		s.Run(ctx, func() bool {
			if leads.Load() {
				return true
			}
			select {
			case followed <- struct{}{}:
			default:
			}
			return false
		})
	})
	for _, want := range []string{failure, ""} {
		<-followed
		leads.Store(true) // a server that leads only later copies it, too
		if err := <-results; (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("the copy ended with %v, want %q", err, want)
		}
	}
	cancel()
	runs.Wait()
	if _, known := start("").Copied(); known {
		t.Error("a copy is known without a command")
	}
}
