package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/chain"
	"moonfund/console"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/testkit"
)

// Two servers on one PostgreSQL database, each with a data folder of its own, know what the other let out.
func TestServersShareOutflows(t *testing.T) {
	address := testkit.NewDatabase(t)
	server := func() signer.Outflows {
		db, err := store.Open(t.Context(), address)
		testkit.Must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		return outflows(signer.OutflowFile(filepath.Join(t.TempDir(), outflowFile)), db)
	}
	first, second := server(), server()
	let := signer.Outflow{At: time.Now().UTC().Truncate(time.Second), Account: 3, Inputs: []string{"a:0"}, Runes: 7, Sats: 9}
	testkit.Must(t, first.Store([]signer.Outflow{let}))
	if got, err := second.Load(); err != nil || len(got) != 1 || got[0].Runes != 7 || got[0].Sats != 9 {
		t.Errorf("the other server knows %+v, %v", got, err)
	}
}

// A server alone keeps them in its data folder.
func TestServerAloneKeepsOutflows(t *testing.T) {
	db, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	testkit.Must(t, err)
	defer db.Close()
	if _, file := outflows(signer.OutflowFile(filepath.Join(t.TempDir(), outflowFile)), db).(signer.OutflowFile); !file {
		t.Error("a server alone keeps its outflows elsewhere")
	}
	if err := db.Note(t.Context(), "x", "y"); !errors.Is(err, store.ErrAlone) {
		t.Errorf("a note where nobody reads it: %v", err)
	}
	if _, err := db.Noted(t.Context(), "x"); !errors.Is(err, store.ErrAlone) {
		t.Errorf("a note where nobody writes it: %v", err)
	}
}

// A person confirms by a command that the record of the last 24 hours is lost. Where it is there, nothing is changed.
func TestConfirmLimits(t *testing.T) {
	t.Setenv("USER", "anna")
	network, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	folder, key := t.TempDir(), filepath.Join(t.TempDir(), "moonfund.key")
	start := func() signer.Outflows {
		t.Helper()
		own, err := startOutflows(folder, key, network, slog.New(slog.DiscardHandler))
		testkit.Must(t, err)
		return own
	}
	testkit.Must(t, start().Store([]signer.Outflow{{Runes: 7}}))
	if _, err := command(t, "", "signer", "confirm-limits", "--data", folder, "--why", "x", "--yes"); !errors.Is(err, signer.ErrOutflowsThere) {
		t.Errorf("confirmed what is not lost: %v", err)
	}
	testkit.Must(t, os.Remove(filepath.Join(folder, outflowFile)))
	if _, err := start().Load(); !errors.Is(err, signer.ErrOutflowsLost) {
		t.Errorf("after its loss: %v", err)
	}
	if _, err := command(t, "no\n", "signer", "confirm-limits", "--data", folder, "--why", "x"); !errors.Is(err, console.ErrDeclined) {
		t.Errorf("declined: %v", err)
	}
	if _, err := command(t, "yes\n", "signer", "confirm-limits", "--data", folder, "--why", "a broken disk"); err != nil {
		t.Error(err)
	}
	if kept, err := start().Load(); err != nil || len(kept) != 0 {
		t.Errorf("%+v, %v", kept, err)
	}
	if text, err := command(t, "", "signer", "status", "--data", folder); err != nil || !strings.Contains(text, "a broken disk") {
		t.Errorf("%s, %v", text, err)
	}
}
