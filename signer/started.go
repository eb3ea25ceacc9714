package signer

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// ErrOutflowsLost means that the record of the last 24 hours is gone: the key has signed before, and the outflow file
// is not there. The limits can't be kept without it.
var ErrOutflowsLost = errors.New("signer: the record of what was signed in the last 24 hours is missing, and this key has signed before. " +
	"If this is the wrong folder, or its disk is not mounted, correct that. If the file is really lost, run: " +
	"moonfund signer confirm-limits --data FOLDER --why TEXT")

// StartedOutflows is an outflow file whose absence is an error.
type StartedOutflows struct{ File OutflowFile }

// StartOutflows begins or goes on with an outflow file. started is the path of a marker that is kept beside the key, so
// not in the folder of the outflow file: it says that there was such a file before. Only where both are missing is this
// the first start, and both are made. Where the file alone is missing, Load fails with ErrOutflowsLost until a person
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
		// The file comes first: a crash before the marker is there makes the next start a first one again, with nothing lost.
		if err := file.Store([]Outflow{}); err != nil {
			return outflows, err
		}
	} else if err != nil {
		return outflows, err
	}
	if before {
		return outflows, nil
	}
	err = writeNew(started, []byte("The key beside this file has signed. Where its record of the last 24 hours is missing, it was lost.\n"))
	if errors.Is(err, ErrKeyFileExists) { // another process made it meanwhile
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

// ConfirmCommand is the command of a record's line that confirms the loss of an outflow file.
const ConfirmCommand = "signer confirm-limits"

// ErrOutflowsThere means that the outflow file exists: there is no loss to confirm.
var ErrOutflowsThere = errors.New("signer: the record of the last 24 hours is there: nothing has to be confirmed")

// ConfirmLimits records that a person confirms the loss of an outflow file, and then begins a new, empty one. From
// then on the limits of 24 hours count anew.
func (f PauseFile) ConfirmLimits(file OutflowFile, by, why string, at time.Time) error {
	if _, err := os.Stat(string(file)); err == nil {
		return ErrOutflowsThere
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.append(RecordLine{At: at, By: by, Command: ConfirmCommand, Why: why}); err != nil {
		return err
	}
	return file.Store([]Outflow{})
}
