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

// PauseFile is the signer's own pause switch. While the file exists nothing is signed; its text names the operator and
// the reason. It is in the signer's folder, which the server cannot write to. A second file beside it records every use
// of the switch.
type PauseFile string

// The commands of record lines.
const (
	PauseCommand  = "signer pause"
	ResumeCommand = "signer resume"
)

// RecordLine is one use of the pause switch.
type RecordLine struct {
	At      time.Time `json:"at"`
	By      string    `json:"by"` // operator
	Command string    `json:"command"`
	Why     string    `json:"why"`
	Detail  string    `json:"detail"` // of a resume: the pause that it ended
}

// Why returns the operator and the reason of the pause, or "" if the signer is not paused. If the file cannot be read
// it returns an error, which also stops signing.
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

// Since returns the time at which the pause began. It must only be called while Why returns a reason.
func (f PauseFile) Since() (time.Time, error) {
	info, err := os.Stat(string(f))
	if err != nil {
		return time.Time{}, fmt.Errorf("signer: pause switch: %w", err)
	}
	return info.ModTime().UTC(), nil
}

// Set pauses the signer and then records it. If the record fails, the signer is paused and Set returns an error.
func (f PauseFile) Set(by, why string, at time.Time) error {
	if err := ReplaceFile(string(f), []byte(by+": "+why+"\n")); err != nil {
		return err
	}
	if err := f.Append(RecordLine{At: at, By: by, Command: PauseCommand, Why: why}); err != nil {
		return fmt.Errorf("signer: paused, but that could not be recorded: %w", err)
	}
	return nil
}

// Lift records the end of the pause and then ends it. If the record fails, the signer stays paused. It returns the
// reason of the pause, or "" if the signer was not paused.
func (f PauseFile) Lift(by, why string, at time.Time) (was string, err error) {
	if was, err = f.Why(); err != nil || was == "" {
		return was, err
	}
	if err := f.Append(RecordLine{At: at, By: by, Command: ResumeCommand, Why: why, Detail: was}); err != nil {
		return was, fmt.Errorf("signer: still paused, since it could not be recorded: %w", err)
	}
	if err := os.Remove(string(f)); err != nil {
		return was, err
	}
	return was, syncFolder(string(f))
}

// RecordPath returns the path of the record.
func (f PauseFile) RecordPath() string { return filepath.Join(filepath.Dir(string(f)), "record.jsonl") }

// Append adds a line to the record. It starts on a new line even if a crash truncated the last one.
func (f PauseFile) Append(line RecordLine) error {
	line.At = line.At.UTC().Truncate(time.Second)
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if before, err := os.ReadFile(f.RecordPath()); err == nil && len(before) > 0 && before[len(before)-1] != '\n' {
		text = append([]byte{'\n'}, text...)
	}
	file, err := os.OpenFile(f.RecordPath(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
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
	return syncFolder(f.RecordPath())
}

// Record returns every use of the switch, oldest first. A line that cannot be parsed is returned with its text as
// Detail.
func (f PauseFile) Record() (lines []RecordLine, err error) {
	data, err := os.ReadFile(f.RecordPath())
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

// PauseState describes whether the signer is paused, and the uses of its switch.
type PauseState struct {
	Paused bool         `json:"paused"`
	Reason string       `json:"reason"`
	Since  time.Time    `json:"since,omitzero"`
	Record []RecordLine `json:"record"` // newest first
}

// State returns the state of the switch and its record. It returns an error if a file can't be read.
func (f PauseFile) State() (s PauseState, err error) {
	if s.Reason, err = f.Why(); err != nil {
		return s, err
	}
	if s.Record, err = f.Record(); err != nil {
		return s, err
	}
	slices.Reverse(s.Record)
	s.Record = append([]RecordLine{}, s.Record...) // encode an empty record as [], not null
	if s.Paused = s.Reason != ""; s.Paused {
		s.Since, err = f.Since()
	}
	return s, err
}
