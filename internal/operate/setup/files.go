package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is a file to write.
type File struct {
	Path  string
	Text  string
	Mode  fs.FileMode
	Owner *Owner // nil: the user who runs the program
	What  string // for the preview
	Keep  bool   // an existing file is never replaced
}

// Owner is a user and a group of the system.
type Owner struct{ UID, GID int }

// Existing returns the paths among the files that exist already.
func Existing(files []File) (paths []string) {
	for _, f := range files {
		if _, err := os.Lstat(f.Path); err == nil {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Write writes the files. It writes and syncs all of them to temporary files before it renames the first. Without
// overwrite it replaces no existing file. The error lists the files that are in place.
func Write(files []File, overwrite bool) error {
	var temporary, placed []string
	defer func() {
		for _, path := range temporary {
			_ = os.Remove(path) // fails for files that are renamed already
		}
	}()
	for _, f := range files {
		path, err := f.prepare()
		if err != nil {
			return fmt.Errorf("%s: %s. Nothing was written. %s", f.Path, reason(err), writeAdvice(err))
		}
		temporary = append(temporary, path)
	}
	for i, f := range files {
		if err := place(temporary[i], f.Path, overwrite && !f.Keep); err != nil {
			return fmt.Errorf("%s: %w. %s", f.Path, err, written(placed))
		}
		placed = append(placed, f.Path)
	}
	return nil
}

func written(placed []string) string {
	if len(placed) == 0 {
		return "Nothing was written"
	}
	return "Complete are: " + strings.Join(placed, ", ")
}

// prepare writes and syncs a temporary file beside the path, with the file's owner and mode.
func (f File) prepare() (path string, err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
		return "", err
	}
	temporary, err := os.CreateTemp(filepath.Dir(f.Path), ".moonfund-*")
	if err != nil {
		return "", err
	}
	_, err = temporary.WriteString(f.Text)
	if err == nil && f.Owner != nil {
		err = temporary.Chown(f.Owner.UID, f.Owner.GID)
	}
	err = errors.Join(err, temporary.Chmod(f.Mode), temporary.Sync(), temporary.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(temporary.Name()))
	}
	return temporary.Name(), nil
}

// place renames a temporary file to its path. A link, unlike a rename, never replaces a file.
func place(temporary, path string, overwrite bool) error {
	var err error
	if overwrite {
		err = os.Rename(temporary, path)
	} else {
		err = os.Link(temporary, path)
	}
	if errors.Is(err, fs.ErrExist) {
		return errors.New("exists already; --overwrite replaces it")
	}
	return err
}
