package main

import (
	"path/filepath"
	"strings"
	"testing"

	"moonfund/testkit"
)

// Of several servers on one file the first works, and the others say why they don't.
func TestOneServerOnAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	release, err := alone("sqlite:" + path)
	testkit.Must(t, err)
	if _, err := alone("sqlite:" + path); err == nil || !strings.Contains(err.Error(), "another server works on "+path) {
		t.Errorf("a second one: %v", err)
	}
	release()
	release, err = alone("sqlite:" + path)
	testkit.Must(t, err)
	release()
	for range 2 {
		_, err := alone("postgres://somewhere/ledger")
		testkit.Must(t, err)
	}
	if _, err := alone("sqlite:" + filepath.Join(filepath.Dir(path), "no", "ledger.db")); err == nil {
		t.Error("in a folder that does not exist")
	}
}
