package signer

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

// ErrOutflowsLost means that the key has signed before and its outflow file is missing. The limits cannot be enforced
// without it.
var ErrOutflowsLost = errors.New("signer: the record of what was signed in the last 24 hours is missing, and this " +
	"key has signed before: if the key was moved, run moonfund signer adopt, which moves its records too; if this is " +
	"the wrong folder, or its disk is not mounted, correct that; only if the record is lost, run " +
	"moonfund signer confirm-limits --data FOLDER --why TEXT")

// firstStart is the content of an outflow file from the first start until Begin.
const firstStart = "null\n"

// StartedOutflows is an outflow file that must exist.
type StartedOutflows struct {
	File OutflowFile

	mu *sync.Mutex // held by Store and Begin
}

// StartOutflows creates or continues an outflow file. started is the path of a marker that is stored beside the key, in
// another folder than the outflow file, and records that the outflow file existed. If both are missing, this is the
// first start and both are created. If only the outflow file is missing, Load returns ErrOutflowsLost until an operator
// confirms the loss (see PauseFile.ConfirmLimits).
func StartOutflows(file OutflowFile, started string) (StartedOutflows, error) {
	outflows := StartedOutflows{File: file, mu: new(sync.Mutex)}
	_, err := os.Stat(started)
	before := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return outflows, err
	}
	if _, err := outflows.Load(); errors.Is(err, ErrOutflowsLost) {
		if before {
			return outflows, nil
		}
		// Write the outflow file before the marker: after a crash in between, the next start is a first start again and
		// nothing is lost.
		if err := ReplaceFile(string(file), []byte(firstStart)); err != nil {
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

// Begin ends the first start. hasSigned says that the ledger, which is known only now, has payouts: then the key was
// moved here without its records, and Load returns ErrOutflowsLost until the records follow or an operator confirms
// their loss. A server that wrongly says so only stops its own payouts. After the first start Begin does nothing.
func (o StartedOutflows) Begin(hasSigned bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	isFirst, err := o.File.isFirstStart()
	if err != nil || !isFirst {
		return err
	}
	if hasSigned {
		return os.Remove(string(o.File))
	}
	return o.File.Store([]Outflow{})
}

// isFirstStart reports whether the file was created by a first start and nothing was stored since.
func (f OutflowFile) isFirstStart() (bool, error) {
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return IsFirstStart(data), err
}

// IsFirstStart reports whether an outflow file with this content was created by a first start that has not ended.
func IsFirstStart(data []byte) bool { return string(data) == firstStart }

// Store implements Outflows.
func (o StartedOutflows) Store(kept []Outflow) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.File.Store(kept)
}

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
	if err := f.Append(RecordLine{At: at, By: by, Command: ConfirmCommand, Why: why}); err != nil {
		return err
	}
	return file.Store([]Outflow{})
}
