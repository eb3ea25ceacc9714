package engine

import (
	"database/sql"
	"os"
	"strings"
	"testing"
)

// Still is a snapshot of a database. Copies of it are independent.
type Still struct {
	file []byte // content of the file of SQLite
	rows *rows  // PostgreSQL
}

// Freeze returns a snapshot of a database of New. A SQLite database must have no connections.
func Freeze(t testing.TB, address string) Still {
	t.Helper()
	if file, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		alone(t, file)
		content, err := os.ReadFile(file)
		must(t, err)
		return Still{file: content}
	}
	c, err := started()
	must(t, err)
	held, err := c.shelf.find(address).read(t.Context(), c.tables)
	must(t, err)
	return Still{rows: held}
}

// Copy returns the URL of a new database with the content of the snapshot.
func (s Still) Copy(t testing.TB) string {
	t.Helper()
	if s.rows != nil {
		c, err := started()
		must(t, err)
		return c.lend(t, s.rows)
	}
	return lendFile(t, s.file)
}

// alone merges the write-ahead log into the database file.
func alone(t testing.TB, file string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(10000)")
	must(t, err)
	defer db.Close()
	var busy, pages, moved int
	must(t, db.QueryRowContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved))
	if busy != 0 {
		t.Fatalf("%s has open connections", file)
	}
}
