package engine

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// lentFile is a SQLite database that tests reuse one after the other, so that its connections keep the schema and the
// statements that they have parsed.
type lentFile struct {
	path   string
	file   os.FileInfo
	keeper *sql.DB // one connection, which compares and replaces pages
	idle   idle    // connections of closed servers
}

// files are the lent files of a test program. The folder is "" unless the program's tests reuse files.
var files struct {
	sync.Mutex
	folder string
	free   []*lentFile
	all    map[string]*lentFile // by path
}

// reuseFiles makes tests reuse SQLite databases until done is called.
func reuseFiles() (done func(), err error) {
	in := memory()
	if in == "" {
		return func() {}, nil
	}
	folder, err := os.MkdirTemp(in, "moonfund-tests-")
	if err != nil {
		return nil, err
	}
	files.folder, files.all = folder, map[string]*lentFile{}
	return func() {
		for _, f := range files.all {
			f.end()
		}
		files.folder, files.free, files.all = "", nil, nil
		_ = os.RemoveAll(folder)
	}, nil
}

// lentFileOf returns the lent file of a data source name, "file:PATH?…", or nil.
func lentFileOf(dsn string) *lentFile {
	path, _, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	files.Lock()
	defer files.Unlock()
	return files.all[path]
}

// lendFile returns the URL of a SQLite database with this content, until the test ends.
func lendFile(t testing.TB, content []byte) string {
	t.Helper()
	if files.folder == "" {
		file := filepath.Join(quickFolder(t), "a folder's file.db")
		must(t, os.WriteFile(file, content, 0o600))
		return "sqlite:" + file
	}
	f := takeFile()
	for ; f != nil; f = takeFile() {
		if f.isUnmoved() && f.putRight(t.Context(), content) == nil {
			break
		}
		f.end() // the test damaged it, or left a transaction
	}
	if f == nil {
		var err error
		f, err = newLentFile(content)
		must(t, err)
	}
	t.Cleanup(func() {
		files.Lock()
		defer files.Unlock()
		files.free = append(files.free, f)
	})
	return "sqlite:" + f.path
}

func takeFile() *lentFile {
	files.Lock()
	defer files.Unlock()
	n := len(files.free) - 1
	if n < 0 {
		return nil
	}
	f := files.free[n]
	files.free = files.free[:n]
	return f
}

func newLentFile(content []byte) (*lentFile, error) {
	files.Lock()
	defer files.Unlock()
	dir := filepath.Join(files.folder, strconv.Itoa(len(files.all)))
	f := &lentFile{path: filepath.Join(dir, "a folder's file.db")}
	err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(f.path, content, 0o600))
	if err != nil {
		return nil, err
	}
	if f.file, err = os.Stat(f.path); err != nil {
		return nil, err
	}
	if f.keeper, err = sql.Open("sqlite", "file:"+f.path+"?_txlock=immediate"); err != nil {
		return nil, err
	}
	f.keeper.SetMaxOpenConns(1)
	files.all[f.path] = f
	return f, nil
}

func (f *lentFile) end() {
	f.idle.end()
	_ = f.keeper.Close() // nothing uses it
}

// isUnmoved reports whether the path still names the file.
func (f *lentFile) isUnmoved() bool {
	file, err := os.Stat(f.path)
	return err == nil && os.SameFile(file, f.file)
}

// Offsets in a SQLite file: https://www.sqlite.org/fileformat.html
const (
	pageSizeAt     = 16
	schemaCookieAt = 40
)

// errOtherSchema is returned for a file whose schema a test has changed. If another test changes it differently, the
// connections could not see that.
var errOtherSchema = errors.New("engine: the schema differs")

// putRight gives the database this content, page by page.
func (f *lentFile) putRight(ctx context.Context, wanted []byte) error {
	if _, err := f.keeper.ExecContext(ctx, `PRAGMA shrink_memory`); err != nil { // reads all pages from the files
		return err
	}
	tx, err := f.keeper.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after the commit without effect
	size := int(binary.BigEndian.Uint16(wanted[pageSizeAt:]))
	number, wrong, err := wrongPages(ctx, tx, wanted, size)
	if err != nil {
		return err
	}
	pages := len(wanted) / size
	for n := number + 1; n <= pages; n++ {
		wrong = append(wrong, n)
	}
	const put = `INSERT INTO sqlite_dbpage (pgno, data) VALUES (?, ?)`
	for _, n := range wrong {
		if _, err := tx.ExecContext(ctx, put, n, wanted[(n-1)*size:n*size]); err != nil {
			return err
		}
	}
	if number > pages {
		if _, err := tx.ExecContext(ctx, put, pages+1, nil); err != nil { // truncates the file
			return err
		}
	}
	return tx.Commit()
}

// wrongPages returns the number of pages of a database, and the numbers of those that differ from the wanted content.
func wrongPages(ctx context.Context, tx *sql.Tx, wanted []byte, size int) (number int, wrong []int, err error) {
	found, err := tx.QueryContext(ctx, `SELECT pgno, data FROM sqlite_dbpage`)
	if err != nil {
		return 0, nil, err
	}
	defer found.Close()
	var page sql.RawBytes
	for found.Next() {
		if err := found.Scan(&number, &page); err != nil {
			return 0, nil, err
		}
		if number == 1 && !bytes.Equal(page[schemaCookieAt:][:4], wanted[schemaCookieAt:][:4]) {
			return 0, nil, errOtherSchema
		}
		if number*size <= len(wanted) && !bytes.Equal(page, wanted[(number-1)*size:number*size]) {
			wrong = append(wrong, number)
		}
	}
	return number, wrong, found.Err()
}
