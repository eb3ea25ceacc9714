package signer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFile writes a file with mode 0600, completely or not at all, even if the machine fails meanwhile.
func ReplaceFile(path string, data []byte) error {
	temporary, err := writeTemporary(path, data)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return syncFolder(path)
}

// writeNew writes a file that must not exist, completely or not at all: creating a hard link to a finished temporary
// file fails if the name exists.
func writeNew(path string, data []byte) error {
	temporary, err := writeTemporary(path, data)
	if err != nil {
		return err
	}
	defer os.Remove(temporary)
	if err := os.Link(temporary, path); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", path, ErrKeyFileExists)
	} else if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	return syncFolder(path)
}

// writeTemporary writes and syncs a file with mode 0600 in the folder of path.
func writeTemporary(path string, data []byte) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// syncFolder syncs path's folder, which makes a new file name durable.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
