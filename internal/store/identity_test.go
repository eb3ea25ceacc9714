package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/testkit/engine"
)

// Only Create creates a ledger: opening a database without a ledger changes nothing.
func TestLedgerIsCreatedOnPurpose(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "ledger.db")
	if _, err := OpenLedger(t.Context(), "sqlite:"+missing); !errors.Is(err, ErrNoLedger) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := os.Stat(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was created: %v", err)
	}
	for _, address := range []string{engine.New(t, nil), engine.New(t, migrated)} { // one after an interrupted Create
		if _, err := OpenLedger(t.Context(), address); !errors.Is(err, ErrNoLedger) {
			t.Errorf("an empty database: %v", err)
		}
		id, err := Create(t.Context(), address)
		must(t, err)
		if got := upgraded(t, address); got != id || len(id) < 20 {
			t.Errorf("opened as %q, created as %q", got, id)
		}
		if _, err := Create(t.Context(), address); err == nil || !strings.Contains(err.Error(), "holds a ledger already") {
			t.Errorf("created twice: %v", err)
		}
		if err := Load(t.Context(), address, strings.NewReader(firstCopy(t)), nil); err == nil ||
			!strings.Contains(err.Error(), "not empty") {
			t.Errorf("loading into another ledger: %v", err)
		}
		copied := engine.New(t, nil)
		must(t, Load(t.Context(), copied, strings.NewReader(copyOf(t, openAt(t, address))), nil))
		if got := upgraded(t, copied); got != id {
			t.Errorf("a copy has the id %q, want %q", got, id)
		}
	}
}

// A schema is not migrated while a server of another version leads.
func TestUpgradeUnderALeader(t *testing.T) {
	address := engine.NewPostgres(t, nil)
	_, err := Create(t.Context(), address)
	must(t, err)
	s := openAt(t, address)
	lease := s.Lease()
	must(t, lease.Seize(t.Context()))
	_, err = s.writer.ExecContext(t.Context(), `DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id)
		FROM goose_db_version)`)
	must(t, err)
	refused := make(chan error)
	go func() {
		_, err := OpenLedger(t.Context(), address)
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
