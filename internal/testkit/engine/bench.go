package engine

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// benchmarks reports whether this run runs benchmarks. The flags must have been parsed.
func benchmarks() bool {
	f := flag.Lookup("test.bench")
	return f != nil && f.Value.String() != ""
}

// Copy returns the URL of a copy of a database of New, which is removed when the test ends. On PostgreSQL it ends the
// connections to the original.
func Copy(t testing.TB, address string) string {
	t.Helper()
	if file, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		db := open(t, address, "")
		_, err := db.ExecContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`)
		must(t, err)
		must(t, db.Close())
		to := filepath.Join(t.TempDir(), "copy.db")
		must(t, copyFile(to, file))
		return "sqlite:" + to
	}
	c, err := started()
	must(t, err)
	original := databaseName(t, address)
	_, err = c.admin.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`,
		original)
	must(t, err)
	return c.database(t, original)
}

func copyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		return err
	}
	return target.Close()
}

// Remove removes a database of New or Copy before the end of the test.
func Remove(t testing.TB, address string) {
	t.Helper()
	if file, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		must(t, os.Remove(file))
		return
	}
	c, err := started()
	must(t, err)
	must(t, c.drop(databaseName(t, address)))
}

func databaseName(t testing.TB, address string) string {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	must(t, err)
	return config.Database
}

// Settle brings a filled PostgreSQL database into the state after autovacuum and a checkpoint.
func Settle(t testing.TB, address string) {
	t.Helper()
	if strings.HasPrefix(address, "sqlite:") {
		return
	}
	conn, err := pgx.Connect(t.Context(), address)
	must(t, err)
	defer conn.Close(context.Background())
	for _, statement := range []string{`VACUUM ANALYZE`, `CHECKPOINT`} {
		_, err := conn.Exec(t.Context(), statement)
		must(t, err)
	}
}

// Statements executes statements, as *sql.DB and *sql.Tx do.
type Statements interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// DropIndexes drops all indexes that are no constraints, and returns a function that creates them again, because
// sorting all rows for an index takes a fraction of the time of inserting each row into it.
func DropIndexes(t testing.TB, address string, db Statements) (restore func()) {
	t.Helper()
	query := `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid`
	if !strings.HasPrefix(address, "sqlite:") {
		query = `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
			AND indexname NOT IN (SELECT conname FROM pg_constraint)`
	}
	rows, err := db.QueryContext(t.Context(), query)
	must(t, err)
	var names, definitions []string
	for rows.Next() {
		var name, definition string
		must(t, rows.Scan(&name, &definition))
		names, definitions = append(names, name), append(definitions, definition)
	}
	must(t, rows.Err())
	must(t, rows.Close())
	exec := func(statement string) {
		t.Helper()
		_, err := db.ExecContext(t.Context(), statement)
		must(t, err)
	}
	for _, name := range names {
		exec("DROP INDEX " + name)
	}
	return func() {
		for _, definition := range definitions {
			exec(definition)
		}
	}
}

// ticksPerSecond is the unit of processor times in /proc on every architecture of Linux that Go supports.
const ticksPerSecond = 100

// ProcessorTime returns the processor time that the PostgreSQL cluster of the benchmarks has used, 0 if there is none
// or the system has no /proc.
func ProcessorTime() time.Duration {
	shared.Lock()
	c := shared.cluster
	shared.Unlock()
	if c == nil {
		return 0
	}
	total := ticks(c.pid, 4) // its own time and the time of its children that exited, in user and kernel mode
	for _, pid := range childrenOf(c.pid) {
		total += ticks(pid, 2)
	}
	return total
}

// ProcessTime returns the processor time that a process has used, 0 if it has exited or the system has no /proc.
func ProcessTime(pid int) time.Duration { return ticks(pid, 2) }

// ticks returns the sum of the first n processor times of a process in /proc.
func ticks(pid, n int) (sum time.Duration) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil { // the process may have exited
		return 0
	}
	for _, field := range strings.Fields(string(text[slices.Index(text, ')')+1:]))[11 : 11+n] {
		var ticks int64
		_, _ = fmt.Sscan(field, &ticks) // the kernel writes numbers
		sum += time.Duration(ticks) * time.Second / ticksPerSecond
	}
	return sum
}
