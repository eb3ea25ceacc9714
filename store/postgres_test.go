package store

import (
	"strings"
	"testing"

	"moonfund/fault"
	"moonfund/testkit/engine"
)

// The error for an invalid database is returned on opening, and never contains the password.
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

// The error for a database that can't be reached differs from an internal error: the caller may retry.
func TestUnreachableDatabase(t *testing.T) {
	s, err := connect("postgres://anna@127.0.0.1:1/moonfund")
	must(t, err)
	s.group = newGroupCommit()
	nothing := func(*Tx) error { return nil }
	for name, err := range map[string]error{"View": s.View(t.Context(), nothing),
		"Update": s.Update(t.Context(), nothing)} {
		if f := fault.From(err); f.Kind != fault.Unavailable || strings.Contains(f.Message, "127.0.0.1") {
			t.Errorf("%s: %v becomes %d %q", name, err, f.Kind, f.Message)
		}
	}
	must(t, s.Close())
}
