package signer

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestDeletedOutflowFileIsNoFirstStart checks that a deleted outflow file is not treated as a first start: both a
// running signer and a restarted one refuse to sign until an operator confirms the loss.
func TestDeletedOutflowFileIsNoFirstStart(t *testing.T) {
	w := newWorld(t)
	w.limit(1_000, 1_000_000)
	file, marker := OutflowFile(filepath.Join(t.TempDir(), "outflow.json")), filepath.Join(t.TempDir(), "key.started")
	start := func() {
		t.Helper()
		outflows, err := StartOutflows(file, marker)
		must(t, err)
		w.config.Outflows = outflows
	}
	start()
	client := w.overSocket()
	_, err := client.Sign(t.Context(), w.claimOf(900))
	must(t, err)
	must(t, os.Remove(string(file)))
	if tx, err := client.Sign(t.Context(), w.claimOf(900)); tx != nil || !refusedFor(err, LimitsLost) {
		t.Errorf("running signer: got error %v", err)
	}
	start()
	if tx, err := w.overSocket().Sign(t.Context(), w.claimOf(900)); tx != nil || !refusedFor(err, LimitsLost) {
		t.Errorf("restarted signer: got error %v", err)
	}
	if _, err := os.Stat(string(file)); err == nil {
		t.Error("the start created a new file")
	}
	pause := PauseFile(filepath.Join(t.TempDir(), "paused"))
	must(t, pause.ConfirmLimits(file, "anna", "the disk is broken", w.now))
	_, err = client.Sign(t.Context(), w.claimOf(900))
	must(t, err)
	if _, err := client.Sign(t.Context(), w.claimOf(900)); !refusedFor(err, OverLimit) {
		t.Errorf("limit after the confirmation: got error %v", err)
	}
	if err := pause.ConfirmLimits(file, "anna", "again", w.now); !errors.Is(err, ErrOutflowsExist) {
		t.Errorf("ConfirmLimits of an existing file: got error %v", err)
	}
	lines, err := pause.Record()
	must(t, err)
	if len(lines) != 1 || lines[0].By != "anna" || lines[0].Command != ConfirmCommand ||
		lines[0].Why != "the disk is broken" {
		t.Errorf("the record is %+v", lines)
	}
}

// TestMarkerIsMadeBesideAnOutflowFile checks that an existing outflow file without a marker gets one, and that a first
// start that was interrupted before writing the marker is repeated.
func TestMarkerIsMadeBesideAnOutflowFile(t *testing.T) {
	file, marker := OutflowFile(filepath.Join(t.TempDir(), "outflow.json")), filepath.Join(t.TempDir(), "key.started")
	must(t, file.Store([]Outflow{{Account: 3, Runes: 7}}))
	outflows, err := StartOutflows(file, marker)
	must(t, err)
	if kept, err := outflows.Load(); err != nil || len(kept) != 1 || kept[0].Runes != 7 {
		t.Errorf("Load: got %+v, %v, want the existing outflow", kept, err)
	}
	must(t, os.Remove(string(file)))
	if outflows, err = StartOutflows(file, marker); err != nil {
		t.Fatal(err)
	}
	if _, err := outflows.Load(); !errors.Is(err, ErrOutflowsLost) {
		t.Errorf("after the loss of the file: got error %v", err)
	}
	if _, err := StartOutflows(file, filepath.Join(t.TempDir(), "no-such-folder", "key.started")); err == nil {
		t.Error("StartOutflows succeeded without a marker")
	}
}
