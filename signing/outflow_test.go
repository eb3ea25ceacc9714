package signing

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"moonfund/signer"
	"moonfund/store"
	"moonfund/testkit"
)

// Two servers on one PostgreSQL database, each with its own data folder, count each other's signatures.
func TestServersShareOutflows(t *testing.T) {
	address := testkit.NewDatabase(t)
	server := func() signer.Outflows {
		db, err := store.Open(t.Context(), address)
		testkit.Must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		return SharedOutflows(signer.OutflowFile(filepath.Join(t.TempDir(), OutflowFile)), db)
	}
	first, second := server(), server()
	let := signer.Outflow{At: time.Now().UTC().Truncate(time.Second), Account: 3, Inputs: []string{"a:0"}, Runes: 7,
		Sats: 9}
	testkit.Must(t, first.Store([]signer.Outflow{let}))
	if got, err := second.Load(); err != nil || len(got) != 1 || got[0].Runes != 7 || got[0].Sats != 9 {
		t.Errorf("the other server's outflows: %+v, %v", got, err)
	}
}

// A single server stores outflows only in its data folder.
func TestServerAloneKeepsOutflows(t *testing.T) {
	db, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	testkit.Must(t, err)
	defer db.Close()
	if _, file := SharedOutflows(signer.OutflowFile(filepath.Join(t.TempDir(), OutflowFile)),
		db).(signer.OutflowFile); !file {
		t.Error("a single server stores its outflows elsewhere")
	}
	if err := db.PutNote(t.Context(), "x", "y"); !errors.Is(err, store.ErrNotShared) {
		t.Errorf("reading a note on a database of one server: %v", err)
	}
	if _, err := db.Note(t.Context(), "x"); !errors.Is(err, store.ErrNotShared) {
		t.Errorf("writing a note on a database of one server: %v", err)
	}
}
