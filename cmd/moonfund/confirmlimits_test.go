package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/testkit"
)

// TestConfirmLimits checks that an operator can confirm that the record of the last 24 hours is lost, and that the
// command changes nothing if the record exists.
func TestConfirmLimits(t *testing.T) {
	t.Setenv("USER", "anna")
	network, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	folder, key := t.TempDir(), filepath.Join(t.TempDir(), "moonfund.key")
	start := func() signer.Outflows {
		t.Helper()
		own, err := signing.StartOutflows(folder, key, network, slog.New(slog.DiscardHandler))
		testkit.Must(t, err)
		return own
	}
	testkit.Must(t, start().Store([]signer.Outflow{{Runes: 7}}))
	if _, err := command(t, "", "signer", "confirm-limits", "--data", folder, "--why", "x", "--yes"); !errors.Is(err,
		signer.ErrOutflowsExist) {
		t.Errorf("confirm-limits of an existing record: got error %v", err)
	}
	testkit.Must(t, os.Remove(filepath.Join(folder, signing.OutflowFile)))
	if _, err := start().Load(); !errors.Is(err, signer.ErrOutflowsLost) {
		t.Errorf("Load after the loss of the record: got error %v", err)
	}
	if _, err := command(t, "no\n", "signer", "confirm-limits", "--data", folder, "--why", "x"); !errors.Is(err,
		terminal.ErrDeclined) {
		t.Errorf("declined confirmation: got error %v, want ErrDeclined", err)
	}
	if _, err := command(t, "yes\n", "signer", "confirm-limits", "--data", folder, "--why", "a broken disk"); err != nil {
		t.Error(err)
	}
	if kept, err := start().Load(); err != nil || len(kept) != 0 {
		t.Errorf("outflows after the confirmation: got %+v, %v, want none", kept, err)
	}
	if text, err := command(t, "", "signer", "status", "--data", folder); err != nil ||
		!strings.Contains(text, "a broken disk") {
		t.Errorf("signer status does not show the reason: output %s, error %v", text, err)
	}
}
