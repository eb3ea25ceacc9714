package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// Only one server at a time can lock a ledger file. The error of a second server says that another one uses the file.
func TestOneServerOnAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	release, err := store.Lock("sqlite:" + path)
	testkit.Must(t, err)
	if _, err := store.Lock("sqlite:" + path); err == nil ||
		!strings.Contains(err.Error(), "another server works on "+path) {
		t.Errorf("a second lock: %v", err)
	}
	release()
	release, err = store.Lock("sqlite:" + path)
	testkit.Must(t, err)
	release()
	for range 2 {
		_, err := store.Lock("postgres://somewhere/ledger")
		testkit.Must(t, err)
	}
	if _, err := store.Lock("sqlite:" + filepath.Join(filepath.Dir(path), "no", "ledger.db")); err == nil {
		t.Error("a lock in a folder that does not exist")
	}
}
