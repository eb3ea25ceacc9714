package engine

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// Still is what a database held at some time. Copies of it share nothing with it
// or with one another.
type Still struct {
	file string // on SQLite: of a database that nobody changes any more
	rows *rows  // on PostgreSQL
}

// Freeze keeps what a database that New made ready holds. On SQLite nobody may be
// connected to it, and it must stay as it is for as long as it is copied.
func Freeze(t testing.TB, address string) Still {
	t.Helper()
	if file, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		return Still{file: file}
	}
	c, err := started()
	must(t, err)
	held, err := c.shelf.find(address).read(t.Context(), c.tables)
	must(t, err)
	return Still{rows: held}
}

// Copy returns the address of a copy.
func (s Still) Copy(t testing.TB) string {
	t.Helper()
	if s.rows != nil {
		c, err := started()
		must(t, err)
		return c.lend(t, s.rows)
	}
	copied := filepath.Join(quickFolder(t), "copy.db")
	db, err := sql.Open("sqlite", "file:"+s.file+"?_pragma=busy_timeout(10000)") // others copy at the same time
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), `VACUUM INTO '`+copied+`'`)
	must(t, err)
	return "sqlite:" + copied
}
