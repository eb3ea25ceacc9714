package backup

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func written(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "b.zip")
	_, err := Write(path, func(w *Writer) error {
		w.About.Made, w.About.Height = time.Date(2026, 12, 2, 3, 4, 5, 0, time.UTC), 7
		return errors.Join(
			w.Add("ledger.jsonl", func(to io.Writer) error {
				_, err := io.WriteString(to, strings.Repeat("a row\n", 1000))
				return err
			}),
			w.Add("keys/a.key", func(to io.Writer) error {
				_, err := io.WriteString(to, "sealed")
				return err
			}),
		)
	})
	must(t, err)
	return path
}

func TestWriteAndOpen(t *testing.T) {
	path := written(t)
	a, err := Open(path)
	must(t, err)
	defer a.Close()
	entry, err := a.Entry("keys/a.key")
	must(t, err)
	text, err := io.ReadAll(entry)
	must(t, err)
	if string(text) != "sealed" || a.About.Height != 7 || len(a.About.Files) != 2 || a.About.Files[0].Size != 6000 {
		t.Errorf("%q, %+v", text, a.About)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("readable by others: %v, %v", info.Mode(), err)
	}
	for _, name := range []string{"../keys/a.key", "/etc/passwd", "nothing"} {
		if _, err := a.Entry(name); err == nil {
			t.Errorf("opened %q", name)
		}
	}
}

// After an error at any point, any file at the backup's path is a complete backup.
func TestWriteIsWholeOrNothing(t *testing.T) {
	path := written(t)
	before, err := os.ReadFile(path)
	must(t, err)
	if _, err := Write(path, func(*Writer) error {
		return nil
	}); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("writing over an existing backup: %v", err)
	}
	dir := t.TempDir()
	broken := errors.New("the disk is full")
	if _, err := Write(filepath.Join(dir, "b.zip"), func(*Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("after an error: %v", err)
	}
	if _, err := Write(filepath.Join(dir, "no", "b.zip"), func(*Writer) error { return nil }); err == nil {
		t.Error("no error for a folder that does not exist")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the existing backup changed: %v", err)
	}
}

// Open detects a changed or missing byte, unless the byte does not affect the content of the archive.
func TestOpenRefuses(t *testing.T) {
	whole, err := os.ReadFile(written(t))
	must(t, err)
	path := filepath.Join(t.TempDir(), "b.zip")
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "there is no file") {
		t.Errorf("a missing file: %v", err)
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1
		must(t, os.WriteFile(path, changed, 0o600))
		if a, err := Open(path); err == nil { // the byte was a timestamp or an unused ZIP flag
			for _, name := range []string{"ledger.jsonl", "keys/a.key"} {
				entry, err := a.Entry(name)
				must(t, err)
				text, err := io.ReadAll(entry)
				must(t, err)
				if len(text) != 6000 && string(text) != "sealed" {
					t.Fatalf("byte %d: %s reads %q", i, name, text)
				}
			}
			must(t, a.Close())
		}
		must(t, os.WriteFile(path, whole[:i], 0o600))
		if _, err := Open(path); err == nil {
			t.Fatalf("an archive cut off at byte %d was opened", i)
		}
	}
}
