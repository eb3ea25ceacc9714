package signer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// PauseFile is the signer's own pause switch: while the file exists nothing is
// signed, and its text says who wanted that and why. It lies in the signer's
// folder, out of reach of the server that asks for signatures. Beside it lies the
// record of everything that was done with the switch.
type PauseFile string

// The commands of a record's lines.
const (
	PauseCommand  = "signer pause"
	ResumeCommand = "signer resume"
)

// RecordLine is one use of the pause switch.
type RecordLine struct {
	At      time.Time `json:"at"`
	By      string    `json:"by"` // who
	Command string    `json:"command"`
	Why     string    `json:"why"`
	Detail  string    `json:"detail"` // of a resume: the pause that it ended
}

// Why returns who paused and for what reason, "" when nobody did. A file that
// cannot be read is an error, and stops signing as well.
func (f PauseFile) Why() (string, error) {
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("signer: pause switch: %w", err)
	}
	if why := strings.TrimSpace(string(data)); why != "" {
		return why, nil
	}
	return "no reason was given", nil
}

// Since returns when the switch was set. It is only called while Why gives a reason.
func (f PauseFile) Since() (time.Time, error) {
	info, err := os.Stat(string(f))
	if err != nil {
		return time.Time{}, fmt.Errorf("signer: pause switch: %w", err)
	}
	return info.ModTime().UTC(), nil
}

// Set pauses, and then records it: what can't be recorded is paused all the same,
// and the error says so.
func (f PauseFile) Set(by, why string, at time.Time) error {
	temporary, err := writeTemporary(string(f), []byte(by+": "+why+"\n"))
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, string(f)); err != nil {
		os.Remove(temporary)
		return err
	}
	if err := syncFolder(string(f)); err != nil {
		return err
	}
	if err := f.append(RecordLine{At: at, By: by, Command: PauseCommand, Why: why}); err != nil {
		return fmt.Errorf("signer: paused, but that could not be recorded: %w", err)
	}
	return nil
}

// Lift records the end of the pause, and then ends it: what can't be recorded stays
// paused. It returns the reason of the pause, "" when there was none and nothing was done.
func (f PauseFile) Lift(by, why string, at time.Time) (was string, err error) {
	if was, err = f.Why(); err != nil || was == "" {
		return was, err
	}
	if err := f.append(RecordLine{At: at, By: by, Command: ResumeCommand, Why: why, Detail: was}); err != nil {
		return was, fmt.Errorf("signer: still paused, since it could not be recorded: %w", err)
	}
	if err := os.Remove(string(f)); err != nil {
		return was, err
	}
	return was, syncFolder(string(f))
}

func (f PauseFile) recordPath() string { return filepath.Join(filepath.Dir(string(f)), "record.jsonl") }

// append adds one line, on a line of its own also where a crash has cut off the last one.
func (f PauseFile) append(line RecordLine) error {
	line.At = line.At.UTC().Truncate(time.Second)
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if before, err := os.ReadFile(f.recordPath()); err == nil && len(before) > 0 && before[len(before)-1] != '\n' {
		text = append([]byte{'\n'}, text...)
	}
	file, err := os.OpenFile(f.recordPath(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return syncFolder(f.recordPath())
}

// Record returns everything that was done with the switch, oldest first. A line
// that was cut off or changed by hand is there as it stands, as a Detail alone.
func (f PauseFile) Record() (lines []RecordLine, err error) {
	data, err := os.ReadFile(f.recordPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("signer: record: %w", err)
	}
	for text := range strings.Lines(string(data)) {
		var line RecordLine
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			line = RecordLine{Detail: strings.TrimSpace(text)}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// PauseState is whether the signer is paused, and what was done with its pause switch.
type PauseState struct {
	Paused bool         `json:"paused"`
	Reason string       `json:"reason"`
	Since  time.Time    `json:"since,omitzero"`
	Record []RecordLine `json:"record"` // newest first
}

// State reads the switch and its record.
func (f PauseFile) State() (s PauseState, err error) {
	if s.Reason, err = f.Why(); err != nil {
		return s, err
	}
	if s.Record, err = f.Record(); err != nil {
		return s, err
	}
	slices.Reverse(s.Record)
	s.Record = append([]RecordLine{}, s.Record...) // [] rather than null
	if s.Paused = s.Reason != ""; s.Paused {
		s.Since, err = f.Since()
	}
	return s, err
}
