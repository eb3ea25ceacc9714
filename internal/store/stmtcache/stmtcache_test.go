package stmtcache

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open returns a database with one connection, and that connection.
func open(t *testing.T) (*sql.DB, *conn) {
	t.Helper()
	db, err := Open("file:" + filepath.Join(t.TempDir(), "a.db"))
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE unit (id INTEGER PRIMARY KEY, note TEXT NOT NULL);
		INSERT INTO unit VALUES (1, 'a'), (2, 'b'); INSERT INTO unit VALUES (3, 'c')`)
	must(t, err)
	single, err := db.Conn(t.Context())
	must(t, err)
	var opened *conn
	must(t, single.Raw(func(c any) error { opened = c.(*conn); return nil }))
	must(t, single.Close())
	if len(opened.idle) != 0 {
		t.Fatalf("a script was kept: %v", opened.idle)
	}
	return db, opened
}

const byID = `SELECT note FROM unit WHERE id >= ? ORDER BY id`

func notes(t *testing.T, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, from int) (all string) {
	t.Helper()
	found, err := db.QueryContext(t.Context(), byID, from)
	must(t, err)
	defer found.Close()
	for found.Next() {
		var note string
		must(t, found.Scan(&note))
		all += note
	}
	must(t, found.Err())
	return all
}

func TestStatementsAreParsedOnce(t *testing.T) {
	db, c := open(t)
	if got := notes(t, db, 2); got != "bc" {
		t.Fatal(got)
	}
	first := c.idle[byID]
	if got := notes(t, db, 3); first == nil || got != "c" || c.idle[byID] != first {
		t.Fatalf("%q, parsed again: %t", got, c.idle[byID] != first)
	}
	const insert = `INSERT INTO unit VALUES (?, ?)`
	for id := range 2 {
		_, err := db.Exec(insert, 10+id, "x")
		must(t, err)
	}
	if len(c.idle) != 2 || c.idle[insert] == nil || notes(t, db, 3) != "cxx" {
		t.Fatalf("%v, %s", c.idle, notes(t, db, 3))
	}
}

// A statement that has open rows is not executed again; its text is parsed a second time.
func TestOneTextTwiceAtOnce(t *testing.T) {
	db, c := open(t)
	tx, err := db.Begin()
	must(t, err)
	outer, err := tx.Query(byID, 1)
	must(t, err)
	var read string
	for outer.Next() {
		var note string
		must(t, outer.Scan(&note))
		read += note + notes(t, tx, 2)
	}
	must(t, outer.Err())
	must(t, outer.Close())
	must(t, tx.Rollback())
	if read != "abcbbccbc" || len(c.idle) != 1 {
		t.Fatalf("%q, %d kept", read, len(c.idle))
	}
}

// A kept statement reads the current tables, even after a change of the schema.
func TestSchemaChanges(t *testing.T) {
	db, _ := open(t)
	const all = `SELECT * FROM unit WHERE id = 1`
	columns := func() int {
		found, err := db.Query(all)
		must(t, err)
		defer found.Close()
		names, err := found.Columns()
		must(t, err)
		return len(names)
	}
	before := columns()
	_, err := db.Exec(`ALTER TABLE unit ADD COLUMN more INTEGER`)
	must(t, err)
	if after := columns(); before != 2 || after != 3 {
		t.Fatalf("%d columns, then %d", before, after)
	}
	_, err = db.Exec(`DROP TABLE unit`)
	must(t, err)
	if _, err := db.Query(byID, 1); err == nil || !strings.Contains(err.Error(), "no such table") {
		t.Fatalf("a query of a deleted table: %v", err)
	}
}

// A failed statement is closed; the next execution of its text and the transaction are not affected.
func TestFailures(t *testing.T) {
	db, c := open(t)
	const insert = `INSERT INTO unit VALUES (?, ?)`
	tx, err := db.Begin()
	must(t, err)
	_, err = tx.Exec(insert, 1, "again")
	if err == nil || len(c.idle) != 0 {
		t.Fatalf("%v, kept: %v", err, c.idle)
	}
	if _, err := tx.Exec(insert, 4); err == nil {
		t.Fatal("an argument is missing")
	}
	if _, err := tx.Exec(`SELEKT`); err == nil {
		t.Fatal("no SQL")
	}
	_, err = tx.Exec(insert, 4, "d")
	must(t, err)
	must(t, tx.Commit())
	ended, cancel := context.WithCancel(t.Context())
	found, err := db.QueryContext(ended, byID, 1)
	must(t, err)
	found.Next()
	cancel()
	_ = found.Close()
	if got := notes(t, db, 1); got != "abcd" {
		t.Fatal(got)
	}
}

func TestFewAreKept(t *testing.T) {
	db, c := open(t)
	for i := range maxIdle + 10 {
		var n int
		must(t, db.QueryRow(fmt.Sprintf(`SELECT %d`, i)).Scan(&n))
		if n != i || len(c.idle) > maxIdle {
			t.Fatalf("%d for %d, %d kept", n, i, len(c.idle))
		}
	}
}

// Close closes the file: SQLite keeps it open as long as a statement is open.
func TestCloseClosesTheFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the open files are read from /proc")
	}
	path := filepath.Join(t.TempDir(), "closed.db")
	db, err := Open("file:" + path)
	must(t, err)
	var n int
	must(t, db.QueryRow(`SELECT count(*) FROM sqlite_schema`).Scan(&n))
	if !isOpen(t, path) {
		t.Fatal("this test does not see open files")
	}
	must(t, db.Close())
	if isOpen(t, path) {
		t.Fatal("the file is open after Close")
	}
}

func isOpen(t *testing.T, path string) bool {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	for _, entry := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && target == path {
			return true
		}
	}
	return false
}
