package store

import (
	"strings"
	"testing"

	"moonfund/testkit/engine"
)

// What is wrong with a database is said before anything is begun, and never its password.
func TestBadDatabases(t *testing.T) {
	if engine.Current() != engine.Postgres {
		t.Log("SQLite's are in TestBadAddresses")
		return
	}
	good := engine.New(t, migrated)
	for name, test := range map[string]struct{ address, want string }{
		"nobody listens": {"postgres://anna:secret@127.0.0.1:1/moonfund", "can't be opened"},
		"unknown":        {strings.Replace(good, "@/", "@/no", 1), "can't be opened"},
		"unsafe":         {good + "&synchronous_commit=off", "synchronous_commit is off"},
	} {
		s, err := Open(t.Context(), test.address)
		if err == nil {
			must(t, s.Close())
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
