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
	if _, err := OpenLedger(t.Context(), "sqlite:"+missing, nil); !errors.Is(err, ErrNoLedger) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := os.Stat(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was created: %v", err)
	}
	for _, address := range []string{engine.New(t, nil), engine.New(t, migrated)} { // one after an interrupted Create
		if _, err := OpenLedger(t.Context(), address, nil); !errors.Is(err, ErrNoLedger) {
			t.Errorf("an empty database: %v", err)
		}
		id, err := Create(t.Context(), address)
		must(t, err)
		if got := idOf(t, address); got != id || len(id) < 20 {
			t.Errorf("opened as %q, created as %q", got, id)
		}
		if _, err := Create(t.Context(), address); err == nil || !strings.Contains(err.Error(), "holds a ledger already") {
			t.Errorf("created twice: %v", err)
		}
		if err := Load(t.Context(), address, strings.NewReader(savedCopy(t)), nil); err == nil ||
			!strings.Contains(err.Error(), "not empty") {
			t.Errorf("loading into another ledger: %v", err)
		}
		copied := engine.New(t, nil)
		must(t, Load(t.Context(), copied, strings.NewReader(copyOf(t, openAt(t, address))), nil))
		if got := idOf(t, copied); got != id {
			t.Errorf("a copy has the id %q, want %q", got, id)
		}
	}
}

// idOf opens a ledger as a server does, and returns its id.
func idOf(t *testing.T, address string) (id string) {
	t.Helper()
	s, err := OpenLedger(t.Context(), address, nil)
	must(t, err)
	defer func() { must(t, s.Close()) }()
	must(t, s.View(t.Context(), func(tx *Tx) (err error) {
		id, err = tx.LedgerID(t.Context())
		return err
	}))
	return id
}
