package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/signer"
	"moonfund/internal/testkit"
)

// TestSignerPauseIsRecorded checks that the status shows who paused and resumed the signer, when and why.
func TestSignerPauseIsRecorded(t *testing.T) {
	t.Setenv("USER", "anna")
	folder := t.TempDir()
	signers := func(answer string, args ...string) (string, error) {
		return command(t, answer, append([]string{"signer"}, append(args, "--data", folder)...)...)
	}
	status := func(paused bool, reason string, lines int) []signer.RecordLine {
		t.Helper()
		var view signer.PauseState
		text, err := signers("", "status", "--json")
		testkit.Must(t, err)
		testkit.Must(t, json.Unmarshal([]byte(text), &view))
		if view.Paused != paused || view.Reason != reason || view.Since.IsZero() == paused || len(view.Record) != lines {
			t.Fatalf("signer status is wrong: %s", text)
		}
		return view.Record
	}
	status(false, "", 0)
	_, err := signers("", "pause", "--why", " the server behaves strangely ")
	testkit.Must(t, err)
	status(true, "anna: the server behaves strangely", 1)
	if _, err := signers("", "pause", "--why", "again", "--by", "bert"); err == nil ||
		!strings.Contains(err.Error(), "paused already, since 20") {
		t.Errorf("second pause: got error %v", err)
	}
	for _, answer := range []string{"", "no\n", "y\n"} {
		if _, err := signers(answer, "resume", "--why", "found"); !errors.Is(err, terminal.ErrDeclined) {
			t.Errorf("resume after the answer %q: got error %v, want ErrDeclined", answer, err)
		}
	}
	status(true, "anna: the server behaves strangely", 1)
	_, err = signers("yes\n", "resume", "--why", "it was the disk", "--by", "bert")
	testkit.Must(t, err)
	record := status(false, "", 2)
	if last := record[0]; last.By != "bert" || last.Command != signer.ResumeCommand || last.Why != "it was the disk" ||
		last.Detail != "anna: the server behaves strangely" || last.At.IsZero() {
		t.Errorf("the log ends with %+v", last)
	}
	if first := record[1]; first.By != "anna" || first.Command != signer.PauseCommand ||
		first.Why != "the server behaves strangely" || first.At.IsZero() {
		t.Errorf("the log begins with %+v", first)
	}
	if _, err := signers("", "resume", "--yes", "--why", "again"); err == nil ||
		!strings.Contains(err.Error(), "is not paused") {
		t.Errorf("second resume: got error %v", err)
	}
	status(false, "", 2)
	testkit.Must(t, os.WriteFile(filepath.Join(folder, "paused"), nil, 0o600)) // pause by creating the file by hand
	status(true, "no reason was given", 2)
	text, err := signers("", "resume", "--yes", "--why", "right again", "--json")
	if err != nil || !strings.Contains(text, `"paused": false`) {
		t.Errorf("resume --json: output %s, error %v", text, err)
	}
	shown, err := signers("", "status")
	if err != nil || !strings.Contains(shown, "Not paused") || strings.Count(shown, "signer resume") != 2 ||
		!strings.Contains(shown, "it was the disk") {
		t.Errorf("status after the resume: output %s, error %v", shown, err)
	}
}
