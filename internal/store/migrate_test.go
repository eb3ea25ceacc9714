package store

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"moonfund/internal/testkit/engine"
)

// nextVersion makes this program its next version, with a further migration that adds a table with a row.
func nextVersion(t *testing.T) {
	t.Helper()
	first, err := fs.ReadFile(Migrations(), "migrations/0001_ledger.sql")
	must(t, err)
	t.Cleanup(UseMigrations(fstest.MapFS{
		"migrations/0001_ledger.sql": {Data: first},
		"migrations/0002_next.sql": {Data: []byte(`-- +goose Up
CREATE TABLE next (
    name TEXT NOT NULL PRIMARY KEY
);
INSERT INTO next (name) SELECT name FROM setting WHERE name = 'ledger_id';
`)},
	}))
}

// The next version's server migrates a ledger, and loads a copy of this version. Commands that only read do not
// migrate. This version then refuses the ledger and its copy.
func TestNextVersion(t *testing.T) {
	address, loaded := engine.New(t, nil), engine.New(t, nil)
	id, err := Create(t.Context(), address)
	must(t, err)
	s := openAt(t, address)
	before := copyOf(t, s)
	must(t, s.Close())
	var after string
	t.Run("next", func(t *testing.T) {
		nextVersion(t)
		for range 2 { // the first call changes nothing
			if _, err := OpenWithoutMigration(t.Context(), address); err == nil ||
				!strings.Contains(err.Error(), "older than this program's 2") {
				t.Errorf("opened without a migration: %v", err)
			}
			if _, err := OpenLedger(t.Context(), address, nil); !errors.Is(err, ErrOlder) {
				t.Errorf("opened for a server without a migration: %v", err)
			}
		}
		var kept strings.Builder
		for _, full := range []error{errors.New("the disk is full"), nil} {
			kept.Reset()
			s, err := OpenLedger(t.Context(), address, func(ctx context.Context, s *Store) error {
				_, err := s.Copy(ctx, &kept)
				return errors.Join(err, full)
			})
			if !errors.Is(err, full) || kept.String() != before {
				t.Errorf("a backup before the migration: %v, %s", err, kept.String())
			}
			if err == nil {
				must(t, s.Close())
			} else if _, err := OpenWithoutMigration(t.Context(), address); !errors.Is(err, ErrOlder) {
				t.Errorf("migrated without a backup: %v", err)
			}
		}
		if got := idOf(t, address); got != id {
			t.Errorf("the migrated ledger has the id %q, want %q", got, id)
		}
		must(t, Load(t.Context(), loaded, strings.NewReader(before), nil))
		for _, address := range []string{address, loaded} {
			s, err := OpenWithoutMigration(t.Context(), address)
			must(t, err)
			text := copyOf(t, s)
			must(t, s.Close())
			if !strings.Contains(text, `{"table":"next","columns":["name"]}`+"\n"+`["ledger_id"]`) ||
				after != "" && text != after {
				t.Errorf("the migrated ledger is\n%s", text)
			}
			after = text
		}
	})
	for name, open := range map[string]func() error{
		"Open":                 func() error { _, err := Open(t.Context(), address); return err },
		"OpenLedger":           func() error { _, err := OpenLedger(t.Context(), address, nil); return err },
		"OpenWithoutMigration": func() error { _, err := OpenWithoutMigration(t.Context(), address); return err },
		"Load": func() error {
			return Load(t.Context(), engine.New(t, nil), strings.NewReader(after), nil)
		},
	} {
		if err := open(); err == nil || !strings.Contains(err.Error(), "has schema 2, newer than this program's 1") {
			t.Errorf("%s of a ledger of the next version: %v", name, err)
		}
	}
}

// A schema is not migrated while a server of another version leads.
func TestMigrationUnderALeader(t *testing.T) {
	address := engine.NewPostgres(t, nil)
	_, err := Create(t.Context(), address)
	must(t, err)
	lease := openAt(t, address).Lease()
	must(t, lease.Seize(t.Context()))
	nextVersion(t)
	refused := make(chan error)
	go func() {
		_, err := OpenLedger(t.Context(), address, func(context.Context, *Store) error { return nil })
		refused <- err
	}()
	for {
		select {
		case err := <-refused:
			if err == nil || !strings.Contains(err.Error(), "a server of another version works on this database") {
				t.Errorf("migration under a leader: %v", err)
			}
			return
		default:
			must(t, lease.AcquireOrRenew(t.Context(), ""))
		}
	}
}
