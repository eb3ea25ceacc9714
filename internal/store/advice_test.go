package store

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"moonfund/internal/state"
	"moonfund/internal/testkit/engine"
)

// TestAdvice checks that an error of a file or of a database names its path or server, its owner, and what to do.
func TestAdvice(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "ledger.db")
	denied := &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
	for _, row := range []struct {
		err   error
		wants string
	}{
		{denied, path + " belongs to " + fileOwner(folder) + ", and this program runs as "},
		{fmt.Errorf("the backup can't be written: %w", denied), "Run a command with sudo"},
		{&os.LinkError{Op: "link", New: path, Err: syscall.EROFS}, "The file system of " + path + " is read-only"},
		{&fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}, "The disk of " + path + " is full: free space (df -h "},
	} {
		got := Advise(row.err, "")
		if !strings.Contains(got.Error(), row.wants) || !errors.Is(got, row.err) || Advise(got, "").Error() != got.Error() {
			t.Errorf("%v: got %q, want %q", row.err, got, row.wants)
		}
	}
	for _, err := range []error{nil, state.ErrNotFound, fs.ErrNotExist} {
		if got := Advise(err, path); !errors.Is(got, err) || fmt.Sprint(got) != fmt.Sprint(err) {
			t.Errorf("%v: got %v", err, got)
		}
	}
	node := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	if got := Advise(node, ""); got.Error() != node.Error() {
		t.Errorf("the error of a node: got %v", got)
	}
}

// TestAdviceOfSQLite opens a ledger in a folder on a read-only disk, and one that is no database.
func TestAdviceOfSQLite(t *testing.T) {
	folder := smallDisk(t)
	path := filepath.Join(folder, "ledger.db")
	s, err := Open(t.Context(), "sqlite:"+path)
	must(t, err)
	must(t, s.Close())
	must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	_, err = Open(t.Context(), "sqlite:"+path)
	if err == nil || !strings.Contains(err.Error(), "The file system of "+path+" is read-only") {
		t.Errorf("a read-only disk: %v", err)
	}
	must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size=8m"))
	must(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
	if _, err = Open(t.Context(), "sqlite:"+path); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
		t.Errorf("a damaged file: %v", err)
	}
}

// TestAdviceOfPostgres connects with a wrong password, to a database that does not exist, and to no server.
func TestAdviceOfPostgres(t *testing.T) {
	right, err := url.Parse(engine.NewPostgres(t, nil))
	must(t, err)
	change := func(edit func(*url.URL)) string {
		other := *right
		edit(&other)
		return other.String()
	}
	unknown := change(func(u *url.URL) { u.Path = "/nothing" })
	gone := change(func(u *url.URL) { u.Host, u.RawQuery = "127.0.0.1:1", "" })
	refused := change(func(u *url.URL) { u.User = url.UserPassword("nobody", "wrong") })
	for address, want := range map[string]string{
		unknown: "has no such database: create it with createdb", gone: "127.0.0.1:1 does not answer: start it",
		refused: "refuses the user or the password",
	} {
		if _, err := Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "wrong") {
			t.Errorf("%s: got %v, want %q", address, err, want)
		}
	}
	if got := postgresAdvice("53100", "db:5432"); !strings.Contains(got, "The disk of PostgreSQL at db:5432 is full") {
		t.Errorf("a full disk: %q", got)
	}
}
