package signer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// PauseFile is the signer's own pause switch: while the file exists nothing is
// signed, and its text says why. It lies in the signer's folder, out of reach of
// the server that asks for signatures.
type PauseFile string

// Why returns the reason of the pause, "" when there is none. A file that cannot
// be read is an error, and stops signing as well.
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

// Set pauses, for a reason.
func (f PauseFile) Set(why string) error {
	temporary, err := writeTemporary(string(f), []byte(why+"\n"))
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, string(f)); err != nil {
		os.Remove(temporary)
		return err
	}
	return syncFolder(string(f))
}

// Lift ends the pause. It reports whether there was one.
func (f PauseFile) Lift() (bool, error) {
	err := os.Remove(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, syncFolder(string(f))
}
