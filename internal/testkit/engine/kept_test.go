package engine

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"moonfund/internal/store/hosts"
)

// session returns a pool of one connection and the process that serves it.
func session(t *testing.T, address string, open func(*hosts.Hosts) *sql.DB) (db *sql.DB, process int) {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	must(t, err)
	db = open(hosts.New(config, nil))
	t.Cleanup(func() { _ = db.Close() })
	must(t, db.QueryRow(`SELECT pg_backend_pid()`).Scan(&process))
	return db, process
}

// TestServersKeepConnections checks that a server gets the connections of an earlier one, without its locks, and that
// neither broken ones nor those with other settings or an open transaction are reused.
func TestServersKeepConnections(t *testing.T) {
	address := NewPostgres(t, prepared)
	writing := func(h *hosts.Hosts) *sql.DB { return h.Pool(1) }
	reading := func(h *hosts.Hosts) *sql.DB { return h.ReadingPool(1) }
	first, process := session(t, address, writing)
	_, err := first.Exec(`SELECT pg_advisory_lock(7)`)
	must(t, err)
	must(t, first.Close())
	reader, readers := session(t, address, reading)
	if _, err := reader.Exec(`DELETE FROM unit`); err == nil || readers == process {
		t.Fatalf("a reader, process %d after %d, can write", readers, process)
	}
	must(t, reader.Close())
	second, again := session(t, address, writing)
	var locks int
	must(t, second.QueryRow(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'`).Scan(&locks))
	if again != process || locks != 0 {
		t.Fatalf("process %d with %d locks, want %d without", again, locks, process)
	}
	for _, left := range []string{`BEGIN`, `SELECT pg_terminate_backend(pg_backend_pid())`} {
		_, _ = second.Exec(left)
		must(t, second.Close())
		if second, again = session(t, address, writing); again == process {
			t.Fatalf("the connection is reused after %s", left)
		}
		process = again
	}
	must(t, second.Close())
	if _, again = session(t, NewPostgres(t, nil), writing); again == process {
		t.Fatal("a connection to another database is reused")
	}
}

// many is a statement that fills many pages.
const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
	INSERT INTO unit SELECT 'unit ' || i, i FROM n`

// TestFilesAreReused checks that a reused SQLite database has the content of a new copy and the connections of the
// earlier one, and that a file which a test damaged is not reused.
func TestFilesAreReused(t *testing.T) {
	done, err := reuseFiles()
	must(t, err)
	t.Cleanup(done)
	fresh, err := prepareFile(t, func(address string) error {
		db := open(t, address, "&_pragma=journal_mode(WAL)")
		_, err := db.Exec(`CREATE TABLE unit (id TEXT PRIMARY KEY, amount BIGINT NOT NULL); CREATE TABLE note (text TEXT NOT
			NULL); INSERT INTO note VALUES ('fresh')`)
		return errors.Join(err, db.Close())
	})
	must(t, err)
	const grownTo = "fresh:0 unit 1:1 unit 10:10 "
	var large Still
	first := ""
	t.Run("first", func(t *testing.T) {
		first = lendFile(t, fresh)
		Damage(t, first, many)
		large = Freeze(t, first)
	})
	for name, c := range map[string]struct {
		content    []byte
		want, left string // the first rows, and the statement after which the file is reused
	}{
		"grown":            {fresh, "fresh:0 ", many},
		"shrunk":           {large.file, grownTo, `DELETE FROM unit`},
		"unchanged":        {large.file, grownTo, `SELECT 1`},
		"in a transaction": {fresh, "fresh:0 ", `BEGIN IMMEDIATE; DELETE FROM note`},
	} {
		for range 2 {
			t.Run(name, func(t *testing.T) {
				again, integrity := lendFile(t, c.content), ""
				if again != first || !strings.HasPrefix(holds(t, again), c.want) {
					t.Errorf("%s holds %.40s", again, holds(t, again))
				}
				must(t, Connect(t, first).QueryRow(`PRAGMA integrity_check`).Scan(&integrity))
				if n := len(lentFileOf(strings.TrimPrefix(first, "sqlite:")).idle.conns); n == 0 || integrity != "ok" {
					t.Errorf("%d kinds of connections are kept; integrity: %s", n, integrity)
				}
				Damage(t, first, c.left)
			})
		}
	}
	for name, c := range map[string]struct {
		damage func(t *testing.T, file string)
		reused bool // the file may be reused: what was damaged may also be in the write-ahead log
	}{
		"another schema": {func(t *testing.T, file string) {
			Damage(t, "sqlite:"+file, `CREATE TABLE more (id INTEGER)`)
		}, false},
		"moved":       {func(t *testing.T, file string) { must(t, os.Rename(file, file+".old")) }, false},
		"overwritten": {func(t *testing.T, file string) { must(t, os.WriteFile(file, []byte("no database"), 0o600)) }, true},
	} {
		used := ""
		t.Run(name, func(t *testing.T) {
			used = lendFile(t, fresh)
			c.damage(t, strings.TrimPrefix(used, "sqlite:"))
		})
		t.Run(name+", next", func(t *testing.T) {
			if next := lendFile(t, fresh); next == used && !c.reused || holds(t, next) != "fresh:0 " {
				t.Errorf("%s after %s holds %q", next, used, holds(t, next))
			}
		})
	}
}
