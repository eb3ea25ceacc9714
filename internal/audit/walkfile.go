package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"moonfund/internal/bitcoin/runes"
)

// walkLayout is the version of the tables and of the meaning of their rows. A file of another layout is replaced.
const walkLayout = 2

// walkTables are the tables of a walk's file. Outpoints, runes and entries are in the encodings of package runes.
const walkTables = `
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE header (
    height INTEGER PRIMARY KEY, hash TEXT NOT NULL, prev TEXT NOT NULL, time INTEGER NOT NULL
);
CREATE TABLE entry (id TEXT PRIMARY KEY, name TEXT NOT NULL, entry BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX entry_name ON entry (name);
CREATE TABLE balance (outpoint BLOB PRIMARY KEY, holding BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE list (tx BLOB PRIMARY KEY, balances BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE undo (height INTEGER PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE output (
    outpoint BLOB PRIMARY KEY, community TEXT NOT NULL, kind TEXT NOT NULL, ref TEXT NOT NULL, script BLOB NOT NULL,
    value INTEGER NOT NULL, height INTEGER NOT NULL, balances BLOB NOT NULL, coinbase INTEGER NOT NULL,
    untracked INTEGER NOT NULL, spent_by TEXT NOT NULL, spent_height INTEGER NOT NULL, by_community INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE mined (txid TEXT PRIMARY KEY, height INTEGER NOT NULL) WITHOUT ROWID;
`

// walkFile stores a walk in an SQLite file of its own, so that a restarted server reads only the blocks since, and the
// runes of millions of outputs need no memory. Its rows can be computed again from the node's blocks: if the file is
// missing, damaged, or of another ledger, the audit walks the whole chain again.
//
// A walkFile is used by one goroutine at a time. After an error every method returns that error, until rollback.
type walkFile struct {
	db       *sql.DB
	conn     *sql.Conn // the only one, because a temporary file belongs to its connection
	prepared map[string]*sql.Stmt
	writing  bool // in a transaction
	err      error
}

// errLayout is returned for a file whose tables are of another layout.
var errLayout = errors.New("its tables are of another version")

// openWalkFile opens or creates a file. It replaces a damaged file and a file of another layout. Without a path the
// file is temporary. The file is locked until close: two servers can't share it.
func openWalkFile(path string) (*walkFile, error) {
	f, err := tryWalkFile(path)
	if errors.Is(err, errLayout) || isDamaged(err) {
		if err := deleteWalkFile(path); err != nil {
			return nil, err
		}
		f, err = tryWalkFile(path)
	}
	if hasCode(err, sqlite3.SQLITE_BUSY) {
		err = fmt.Errorf("another server uses it; give each server a data folder of its own (%w)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("audit: %s: %w", path, err)
	}
	return f, nil
}

func tryWalkFile(path string) (*walkFile, error) {
	if path != "" { // SQLite would let every user of the machine read a new file
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(file.Chmod(0o600), file.Close()); err != nil {
			return nil, err
		}
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=locking_mode(EXCLUSIVE)"+
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-32768)")
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	f := &walkFile{db: db, conn: conn, prepared: map[string]*sql.Stmt{}}
	if err := f.create(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// create creates the tables of a new file. It returns errLayout for a file with other tables.
func (f *walkFile) create() error {
	ctx, layout := context.Background(), 0
	err := f.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&layout)
	if err == nil && layout == 0 { // a new file
		_, err = f.conn.ExecContext(ctx, fmt.Sprintf("BEGIN; %s PRAGMA user_version = %d; COMMIT", walkTables, walkLayout))
	} else if err == nil && layout != walkLayout {
		err = errLayout
	}
	return err
}

// close closes the file, and deletes it if it is temporary.
func (f *walkFile) close() error {
	if f == nil {
		return nil
	}
	for _, s := range f.prepared {
		_ = s.Close()
	}
	return errors.Join(f.conn.Close(), f.db.Close())
}

// isDamaged reports whether an error means that a file is not an intact SQLite file, or that one of its rows can't be
// decoded.
func isDamaged(err error) bool {
	return hasCode(err, sqlite3.SQLITE_CORRUPT) || hasCode(err, sqlite3.SQLITE_NOTADB) || errors.Is(err, runes.ErrEncoding)
}

// hasCode reports whether an error is one of SQLite's with a primary result code.
func hasCode(err error, code int) bool {
	var failed *sqlite.Error
	return errors.As(err, &failed) && failed.Code()&0xff == code
}

// deleteWalkFile deletes a file and SQLite's files beside it. A temporary file deletes itself.
func deleteWalkFile(path string) (err error) {
	if path == "" {
		return nil
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if failed := os.Remove(path + suffix); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// begin begins a transaction, unless one is open.
func (f *walkFile) begin() error {
	if f.writing {
		return f.err
	}
	f.writing = true
	return f.exec("BEGIN IMMEDIATE")
}

// commit ends the transaction, if one is open.
func (f *walkFile) commit() error {
	if !f.writing {
		return f.err
	}
	err := f.exec("COMMIT")
	f.writing = err != nil
	return err
}

// rollback discards the open transaction and the error.
func (f *walkFile) rollback() {
	if f.writing {
		f.err = nil
		_ = f.exec("ROLLBACK")
	}
	f.writing, f.err = false, nil
}

// statement returns the prepared statement of a query.
func (f *walkFile) statement(query string) (*sql.Stmt, error) {
	if s := f.prepared[query]; s != nil || f.err != nil {
		return s, f.err
	}
	s, err := f.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, f.failed(err)
	}
	f.prepared[query] = s
	return s, nil
}

func (f *walkFile) failed(err error) error {
	f.err = fmt.Errorf("audit: the file of the walk: %w", err)
	return f.err
}

func (f *walkFile) exec(query string, args ...any) error {
	s, err := f.statement(query)
	if err != nil {
		return err
	}
	if _, err := s.ExecContext(context.Background(), args...); err != nil {
		return f.failed(err)
	}
	return nil
}

// row reads the first row of a query into fields, and reports whether there is one.
func (f *walkFile) row(query string, args []any, fields ...any) (bool, error) {
	s, err := f.statement(query)
	if err != nil {
		return false, err
	}
	if err := s.QueryRowContext(context.Background(), args...).Scan(fields...); errors.Is(err, sql.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, f.failed(err)
	}
	return true, nil
}

// each reads the rows of a query into fields, and calls visit after each.
func (f *walkFile) each(query string, args, fields []any, visit func() error) error {
	s, err := f.statement(query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(context.Background(), args...)
	if err != nil {
		return f.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(fields...); err != nil {
			return f.failed(err)
		}
		if err := visit(); err != nil {
			return f.failed(err)
		}
	}
	if err := rows.Err(); err != nil {
		return f.failed(err)
	}
	return nil
}

// state returns a value of the file, "" if it was never set.
func (f *walkFile) state(name string) (value string, err error) {
	_, err = f.row("SELECT value FROM state WHERE name = ?", []any{name}, &value)
	return value, err
}

func (f *walkFile) setState(name, value string) error {
	return f.exec("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", name, value)
}
