// Package backup writes the ledger and the files that a server needs into one archive, and restores them after checking
// that the archive is complete and unchanged. The archive is a ZIP file. Its last entry, backup.json, describes it and
// lists the SHA-256 of every other entry.
package backup

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"moonfund/internal/store"
)

const (
	format    = "moonfund backup"
	version   = 1
	aboutName = "backup.json"
)

// About describes a backup. It is the content of backup.json.
type About struct {
	Format      string    `json:"format"`
	Version     int       `json:"version"`
	Made        time.Time `json:"made"`
	Program     string    `json:"program"` // version of moonfund that wrote the backup
	Networks    []string  `json:"networks"`
	Communities []string  `json:"communities"`
	Height      int64     `json:"height"` // last block in the ledger, chain.None before the first
	Block       string    `json:"block"`  // hash of that block
	Rows        int64     `json:"rows"`   // number of ledger rows
	Files       []File    `json:"files"`
}

// File is one entry of a backup.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
}

// Writer adds entries to a backup.
type Writer struct {
	About About
	to    *zip.Writer
}

// Write creates a backup at path, with access for its owner only, and returns its description. It returns an error if
// the file exists. The backup appears at path only once it is complete and synced to disk. fill adds the entries and
// may set fields of About.
func Write(path string, fill func(*Writer) error) (About, error) {
	if _, err := os.Lstat(path); err == nil {
		return About{}, fmt.Errorf("%s exists already: a backup never overwrites a file", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return About{}, fmt.Errorf("the backup can't be written: %w", store.Advise(err, path))
	}
	defer os.Remove(file.Name())
	w := &Writer{About: About{Format: format, Version: version}, to: zip.NewWriter(file)}
	err = fill(w)
	if err == nil {
		err = w.finish()
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return About{}, fmt.Errorf("the backup can't be written: %w", store.Advise(err, path))
	}
	if err := os.Link(file.Name(), path); err != nil {
		return About{}, fmt.Errorf("the backup can't be written: %w", store.Advise(err, path))
	}
	return w.About, syncFolder(filepath.Dir(path))
}

// Add adds an entry, whose content write writes. The name is a relative path with slashes.
func (w *Writer) Add(name string, write func(io.Writer) error) error {
	entry, err := w.to.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.About.Made})
	if err != nil {
		return err
	}
	sum := &checksumWriter{to: entry, hash: sha256.New()}
	if err := write(sum); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.About.Files = append(w.About.Files, File{name, sum.size, hex.EncodeToString(sum.hash.Sum(nil))})
	return nil
}

// AddFile copies a file from disk into an entry. It returns an error if the file does not exist.
func (w *Writer) AddFile(name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return w.Add(name, func(to io.Writer) error {
		_, err := io.Copy(to, file)
		return err
	})
}

// finish adds the description as the last entry and completes the archive.
func (w *Writer) finish() error {
	text, err := json.MarshalIndent(w.About, "", "  ")
	if err != nil {
		return err
	}
	entry, err := w.to.Create(aboutName)
	if err != nil {
		return err
	}
	if _, err := entry.Write(text); err != nil {
		return err
	}
	return w.to.Close()
}

// checksumWriter counts and hashes the bytes that it passes to another writer.
type checksumWriter struct {
	to   io.Writer
	hash hash.Hash
	size int64
}

// Write implements io.Writer.
func (s *checksumWriter) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	s.hash.Write(p[:n])
	s.size += int64(n)
	return n, err
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Archive is a backup whose entries have all been verified.
type Archive struct {
	About About
	from  *zip.ReadCloser
}

// Open opens a backup and verifies the size and SHA-256 of every entry. It returns an error if the file is missing,
// incomplete or changed, or is of another version of the format.
func Open(path string) (*Archive, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s", path)
	}
	from, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not a complete backup: %w", path, err)
	}
	a := &Archive{from: from}
	if err := a.check(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s is not a complete backup: %w", path, err), from.Close())
	}
	return a, nil
}

func (a *Archive) check() error {
	about, err := a.from.Open(aboutName)
	if err != nil {
		return fmt.Errorf("it has no %s", aboutName)
	}
	defer about.Close()
	if err := json.NewDecoder(about).Decode(&a.About); err != nil {
		return fmt.Errorf("%s: %w", aboutName, err)
	}
	if a.About.Format != format || a.About.Version != version {
		return fmt.Errorf("it is %q version %d, this program reads %q version %d",
			a.About.Format, a.About.Version, format, version)
	}
	if found, want := len(a.from.File), len(a.About.Files)+1; found != want {
		return fmt.Errorf("it has %d entries, not %d", found, want)
	}
	for _, f := range a.About.Files {
		entry, err := a.Entry(f.Name)
		if err != nil {
			return err
		}
		sum := &checksumWriter{to: io.Discard, hash: sha256.New()}
		_, err = io.Copy(sum, entry)
		if err = errors.Join(err, entry.Close()); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if sum.size != f.Size || hex.EncodeToString(sum.hash.Sum(nil)) != f.SHA256 {
			return fmt.Errorf("%s differs from its checksum", f.Name)
		}
	}
	return nil
}

// Entry opens an entry. It returns an error if there is no such entry, or if the name is not a local path, so that a
// restore can't write outside of the target folder.
func (a *Archive) Entry(name string) (io.ReadCloser, error) {
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%q is not the name of an entry", name)
	}
	entry, err := a.from.Open(name)
	if err != nil {
		return nil, fmt.Errorf("it has no %s", name)
	}
	return entry, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.from.Close() }
