package statement

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Archive is a folder with the files of statements: the signed statement and the details of each, and the document of a
// statement that is being signed.
type Archive string

func (a Archive) path(community string, sequence int64, suffix string) string {
	return filepath.Join(string(a), fmt.Sprintf("%s-%d%s.json", community, sequence, suffix))
}

// The suffixes of an archive's files.
const (
	suffixDetails  = "-details"
	suffixUnsigned = "-unsigned"
)

// PutUnsigned writes the document and the details of a statement before it is signed. The files are durable when it
// returns nil.
func (a Archive) PutUnsigned(d Document, details Details) error {
	document, err := d.Encode()
	if err != nil {
		return err
	}
	text, err := details.Encode()
	if err != nil {
		return err
	}
	if err := a.write(a.path(d.Community, d.Sequence, suffixDetails), text); err != nil {
		return err
	}
	return a.write(a.path(d.Community, d.Sequence, suffixUnsigned), document)
}

// PutSigned writes a signed statement, and removes its document without a signature.
func (a Archive) PutSigned(s Signed) error {
	text, err := s.Encode()
	if err != nil {
		return err
	}
	d := s.Document
	if err := a.write(a.path(d.Community, d.Sequence, ""), text); err != nil {
		return err
	}
	if err := os.Remove(a.path(d.Community, d.Sequence, suffixUnsigned)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Has reports whether the archive has a signed statement.
func (a Archive) Has(community string, sequence int64) bool {
	_, err := os.Stat(a.path(community, sequence, ""))
	return err == nil
}

// Signed reads a signed statement. The error is fs.ErrNotExist if the archive does not have it. The signature is not
// verified.
func (a Archive) Signed(community string, sequence int64) (Signed, error) {
	text, err := os.ReadFile(a.path(community, sequence, ""))
	if err != nil {
		return Signed{}, err
	}
	return ParseSigned(text)
}

// Unsigned reads the document of a statement that was not signed yet, or whose signature was lost.
func (a Archive) Unsigned(community string, sequence int64) (Document, error) {
	text, err := os.ReadFile(a.path(community, sequence, suffixUnsigned))
	if err != nil {
		return Document{}, err
	}
	return Parse(text)
}

// Details reads the details of a statement.
func (a Archive) Details(community string, sequence int64) (Details, error) {
	text, err := os.ReadFile(a.path(community, sequence, suffixDetails))
	if err != nil {
		return Details{}, err
	}
	return ParseDetails(text)
}

// write replaces a file atomically. It is durable when write returns nil.
func (a Archive) write(path string, text []byte) error {
	if err := os.MkdirAll(string(a), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(string(a), ".new-*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
		return err
	}
	folder, err := os.Open(string(a))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
