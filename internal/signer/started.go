package signer

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// ErrOutflowsLost means that the key has signed before and its outflow file is missing. The
// limits cannot be enforced without it.
var ErrOutflowsLost = errors.New("signer: the record of what was signed in the last 24 hours is missing, and this " +
	"key has signed before. " +
	"If this is the wrong folder, or its disk is not mounted, correct that. If the file is really lost, run: " +
	"moonfund signer confirm-limits --data FOLDER --why TEXT")

// StartedOutflows is an outflow file that must exist.
type StartedOutflows struct{ File OutflowFile }

// StartOutflows creates or continues an outflow file. started is the path of a marker that is stored beside the key, in
// another folder than the outflow file, and records that the outflow file existed. If both are missing, this is the
// first start and both are created. If only the outflow file is missing, Load returns ErrOutflowsLost until an operator
// confirms the loss (see PauseFile.ConfirmLimits).
func StartOutflows(file OutflowFile, started string) (StartedOutflows, error) {
	outflows := StartedOutflows{file}
	_, err := os.Stat(started)
	before := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return outflows, err
	}
	if _, err := outflows.Load(); errors.Is(err, ErrOutflowsLost) {
		if before {
			return outflows, nil
		}
		// Write the outflow file before the marker: after a crash in between, the next start
		// is a first start again and nothing is lost.
		if err := file.Store([]Outflow{}); err != nil {
			return outflows, err
		}
	} else if err != nil {
		return outflows, err
	}
	if before {
		return outflows, nil
	}
	err = writeNew(started, []byte("The key beside this file has signed. Where its record of the last 24 hours is "+
		"missing, it was lost.\n"))
	if errors.Is(err, ErrKeyFileExists) { // another process created it concurrently
		err = nil
	}
	return outflows, err
}

// Load implements Outflows.
func (o StartedOutflows) Load() ([]Outflow, error) {
	if _, err := os.Stat(string(o.File)); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrOutflowsLost
	}
	return o.File.Load()
}

// Store implements Outflows.
func (o StartedOutflows) Store(kept []Outflow) error { return o.File.Store(kept) }

// ConfirmCommand is the command of the record line that confirms the loss of an outflow file.
const ConfirmCommand = "signer confirm-limits"

// ErrOutflowsExist means that the outflow file exists, so there is no loss to confirm.
var ErrOutflowsExist = errors.New("signer: the record of the last 24 hours exists: nothing has to be confirmed")

// ConfirmLimits records that an operator confirms the loss of an outflow file, and then creates an empty one. The 24
// hour limits start from zero. It returns ErrOutflowsExist if the file exists.
func (f PauseFile) ConfirmLimits(file OutflowFile, by, why string, at time.Time) error {
	if _, err := os.Stat(string(file)); err == nil {
		return ErrOutflowsExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.append(RecordLine{At: at, By: by, Command: ConfirmCommand, Why: why}); err != nil {
		return err
	}
	return file.Store([]Outflow{})
}
