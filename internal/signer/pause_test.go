package signer

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestPauseRecord checks that the record lists operator, time and reason of each pause and resume, also after a crash
// during a write.
func TestPauseRecord(t *testing.T) {
	file := PauseFile(filepath.Join(t.TempDir(), "paused"))
	if lines, err := file.Record(); len(lines) != 0 || err != nil {
		t.Errorf("Record before any use: got %v, %v, want none", lines, err)
	}
	at := time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC)
	must(t, file.Set("anna", "the laptop was stolen", at))
	if since, err := file.Since(); err != nil || time.Since(since) > time.Hour {
		t.Errorf("Since: got %s, %v", since, err)
	}
	_, err := file.Lift("bert", "it was found", at.Add(time.Hour))
	must(t, err)
	record := filepath.Join(filepath.Dir(string(file)), "record.jsonl")
	text, err := os.ReadFile(record)
	must(t, err)
	must(t, os.WriteFile(record, append(text, `{"at":"2026-`...), 0o600))
	must(t, file.Set("anna", "two lines\nof a \"reason\"", at.Add(2*time.Hour)))
	want := []RecordLine{
		{At: at, By: "anna", Command: PauseCommand, Why: "the laptop was stolen"},
		{At: at.Add(time.Hour), By: "bert", Command: ResumeCommand, Why: "it was found",
			Detail: "anna: the laptop was stolen"},
		{Detail: `{"at":"2026-`},
		{At: at.Add(2 * time.Hour), By: "anna", Command: PauseCommand, Why: "two lines\nof a \"reason\""},
	}
	if lines, err := PauseFile(string(file)).Record(); err != nil || !reflect.DeepEqual(lines, want) {
		t.Errorf("Record: got %+v, %v, want %+v", lines, err, want)
	}
}

// TestPauseWithoutRecord checks that a pause begins, but does not end, if the record cannot be written.
func TestPauseWithoutRecord(t *testing.T) {
	folder := t.TempDir()
	file := PauseFile(filepath.Join(folder, "paused"))
	must(t, os.Mkdir(filepath.Join(folder, "record.jsonl"), 0o700))
	if err := file.Set("anna", "x", time.Now()); err == nil || !strings.Contains(err.Error(), "paused, but") {
		t.Errorf("Set without a record: got error %v", err)
	}
	if _, err := file.Lift("anna", "y", time.Now()); err == nil || !strings.Contains(err.Error(), "still paused") {
		t.Errorf("Lift without a record: got error %v", err)
	}
	if why, err := file.Why(); why != "anna: x" || err != nil {
		t.Errorf("Why without a record: got %q, %v", why, err)
	}
	if _, err := file.Record(); err == nil {
		t.Error("no error for an unreadable record")
	}
}
