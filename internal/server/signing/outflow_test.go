package signing

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"moonfund/internal/signer"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestServersShareOutflows checks that two servers on one PostgreSQL database, each with a separate data folder, count
// each other's signatures.
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
		t.Errorf("outflows of the other server: got %+v, %v", got, err)
	}
}

// TestServerAloneKeepsOutflows checks that a single server stores outflows only in its data folder.
func TestServerAloneKeepsOutflows(t *testing.T) {
	db, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	testkit.Must(t, err)
	defer db.Close()
	if _, file := SharedOutflows(signer.OutflowFile(filepath.Join(t.TempDir(), OutflowFile)),
		db).(signer.OutflowFile); !file {
		t.Error("a single server stores its outflows elsewhere")
	}
	if err := db.PutNote(t.Context(), "x", "y"); !errors.Is(err, store.ErrNotShared) {
		t.Errorf("PutNote in a database of one server: got error %v", err)
	}
	if _, err := db.Note(t.Context(), "x"); !errors.Is(err, store.ErrNotShared) {
		t.Errorf("Note in a database of one server: got error %v", err)
	}
}
