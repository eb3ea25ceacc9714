package backup

import (
	"os"
	"path/filepath"
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
