// Package engine provides the databases of tests: SQLite files, and databases in a temporary PostgreSQL cluster.
package engine

import (
	"cmp"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the "pgx" driver
	_ "modernc.org/sqlite"             // the "sqlite" driver

	"moonfund/internal/store/stmtcache"
)

// Engine is a kind of database.
type Engine string

// The engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// variable is the environment variable that selects one engine; by default tests run on both.
const variable = "MOONFUND_TEST_ENGINE"

var only = Engine(os.Getenv(variable))

var current = cmp.Or(only, SQLite)

func init() {
	if current != SQLite && current != Postgres {
		fmt.Fprintf(os.Stderr, "%s is %q; it is %s or %s\n", variable, only, SQLite, Postgres)
		os.Exit(2)
	}
}

// Current returns the engine of the running tests.
func Current() Engine { return current }

// Use selects an engine for the rest of a test that is about that engine only.
func Use(t testing.TB, e Engine) {
	before := current
	current = e
	t.Cleanup(func() { current = before })
}

// OnBoth is the TestMain of a package whose tests must pass on both engines: it runs all tests on SQLite and then on
// PostgreSQL.
func OnBoth(m *testing.M) {
	flag.Parse() // see benchmarks
	done, err := reuseFiles()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, each := range []Engine{SQLite, Postgres} {
		if only != "" && only != each {
			continue
		}
		current = each
		if code := run(m); code != 0 {
			fmt.Fprintf(os.Stderr, "these tests ran on %s\n", each)
			StopPostgres()
			done()
			os.Exit(code)
		}
	}
	StopPostgres()
	done()
}

func run(m *testing.M) int {
	if current == Postgres {
		if _, err := started(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// New returns the URL of an empty database on the current engine. If prepare is not nil, it is called once, and the
// databases are copies of the result.
func New(t testing.TB, prepare func(address string) error) string {
	t.Helper()
	_ = os.Getenv(variable) // go test caches by the variables that a test reads, not that its TestMain reads
	if current == Postgres {
		return NewPostgres(t, prepare)
	}
	if prepare == nil {
		return "sqlite:" + filepath.Join(quickFolder(t), "a folder's file.db")
	}
	initial.Do(func() { initial.content, initial.err = prepareFile(t, prepare) })
	must(t, initial.err)
	return lendFile(t, initial.content)
}

// initial is the SQLite database that New copies.
var initial struct {
	sync.Once
	content []byte
	err     error
}

// prepareFile returns the content of a SQLite file after prepare has closed it.
func prepareFile(t testing.TB, prepare func(address string) error) ([]byte, error) {
	file := filepath.Join(quickFolder(t), "prepared.db")
	if err := prepare("sqlite:" + file); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// quickFolder returns a temporary folder, in memory if possible.
func quickFolder(t testing.TB) string {
	t.Helper()
	in := memory()
	if in == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(in, "moonfund-test-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// enoughMemory is the free space that the databases of tests need in memory. Those of all packages that run at the same
// time take less than a fourth of it.
const enoughMemory = 4 << 30

// memory returns the folder whose files are in memory, or "" if it has too little space. Test databases need not
// survive a power failure: durable writes, and the hundreds of files of each PostgreSQL database, would dominate the
// duration of short tests. Benchmarks measure the disk, too.
func memory() string {
	const folder = "/dev/shm"
	var disk syscall.Statfs_t
	if benchmarks() || syscall.Statfs(folder, &disk) != nil || disk.Bavail*uint64(disk.Bsize) < enoughMemory {
		return ""
	}
	return folder
}

// Reader is a connection pool for the read-only queries of tests.
type Reader struct {
	*sql.DB
	stays bool // Close does nothing: the next test reuses the connections and prepared statements
}

// Read returns the Reader of a database.
func Read(t testing.TB, address string) Reader {
	t.Helper()
	if l := lentAt(address); l != nil {
		return Reader{l.reader, true}
	}
	return Reader{Connect(t, address), false}
}

// Close closes the connections, unless the next test reuses them. Open connections would prevent snapshots of the
// database.
func (r Reader) Close() error {
	if r.stays || r.DB == nil {
		return nil
	}
	return r.DB.Close()
}

// Connect opens a database for read-only queries of a test.
func Connect(t testing.TB, address string) *sql.DB {
	t.Helper()
	db := open(t, address, "&_pragma=query_only(1)")
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Damage executes a statement directly on a database and returns the number of changed rows.
func Damage(t testing.TB, address, statement string) int64 {
	t.Helper()
	if !strings.HasPrefix(address, "sqlite:") {
		statement = bytesLiteral.ReplaceAllString(statement, `'\x$1'::bytea`)
	}
	db := open(t, address, "")
	defer db.Close()
	result, err := db.ExecContext(t.Context(), statement)
	must(t, err)
	rows, err := result.RowsAffected()
	must(t, err)
	return rows
}

// bytesLiteral is SQLite's form of a literal of bytes.
var bytesLiteral = regexp.MustCompile(`\bx'([0-9a-f]*)'`)

func open(t testing.TB, address, pragmas string) *sql.DB {
	t.Helper()
	var db *sql.DB
	var err error
	if file, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		db, err = stmtcache.Open("file:" + file + "?_pragma=busy_timeout(10000)" + pragmas)
	} else {
		db, err = sql.Open("pgx", address)
	}
	must(t, err)
	return db
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
