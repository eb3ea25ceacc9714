package store

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// A copy is the ledger as text: JSON lines that are the same for SQLite and PostgreSQL and can be loaded into either.
// The first line is the header. Each table then has one line with its name and columns, and one line per row, in which
// integers are numbers and bytes are base64. The last line has the number of rows.

// copyFormat is the format in the header of a copy.
const copyFormat = "moonfund ledger copy"

type copyHead struct {
	Format string `json:"format"`
	Schema int64  `json:"schema"`
}

type copyTable struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	Bytes   []int    `json:"bytes,omitempty"` // indexes of the columns that hold bytes
}

type copyEnd struct {
	Rows int64 `json:"rows"`
}

// notCopied are tables that are not part of the ledger: the lease belongs to the running servers, a restored ledger
// must not send old notifications again, and subscriptions belong to the push key, which a backup does not contain.
var notCopied = []string{"lease", "outbox", "outbox_sink", "outbox_delivery", "push_subscription"}

// Schema returns the version of the database's schema: the number of its last migration.
func (s *Store) Schema(ctx context.Context) (int64, error) {
	provider, err := s.provider()
	if err != nil {
		return 0, err
	}
	version, err := provider.GetDBVersion(ctx)
	if err != nil {
		return 0, fmt.Errorf("store: the schema's version: %w", err)
	}
	return version, nil
}

// Copy writes a snapshot of all rows of the ledger, while servers continue to write. It returns the number of rows.
func (s *Store) Copy(ctx context.Context, to io.Writer) (rows int64, err error) {
	schema, err := s.Schema(ctx)
	if err != nil {
		return 0, err
	}
	tx, err := s.reader.BeginTx(ctx, &s.engine.view)
	if err != nil {
		return 0, fmt.Errorf("store: copy: %w", err)
	}
	defer tx.Rollback() // the transaction only reads
	tables, err := s.tables(ctx, tx)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(to, 1<<16)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(copyHead{copyFormat, schema}); err != nil {
		return 0, err
	}
	for _, t := range tables {
		n, err := copyRows(ctx, tx, t, lines)
		if err != nil {
			return rows, fmt.Errorf("store: copy of %s: %w", t.Table, err)
		}
		rows += n
	}
	if err := lines.Encode(copyEnd{rows}); err != nil {
		return rows, err
	}
	return rows, out.Flush()
}

// tables returns the tables of a copy, ordered by name.
func (s *Store) tables(ctx context.Context, tx *sql.Tx) (tables []copyTable, err error) {
	rows, err := tx.QueryContext(ctx, s.engine.columns)
	if err != nil {
		return nil, fmt.Errorf("store: tables: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column, kind string
		if err := rows.Scan(&table, &column, &kind); err != nil {
			return nil, fmt.Errorf("store: tables: %w", err)
		}
		if strings.HasPrefix(table, "goose") || slices.Contains(notCopied, table) {
			continue
		}
		if len(tables) == 0 || tables[len(tables)-1].Table != table {
			tables = append(tables, copyTable{Table: table})
		}
		t := &tables[len(tables)-1]
		if kind == "BLOB" || kind == "bytea" {
			t.Bytes = append(t.Bytes, len(t.Columns))
		}
		t.Columns = append(t.Columns, column)
	}
	return tables, rows.Err()
}

// copyRows writes the rows of a table in the order of its first columns, which contain its key, so that copies of the
// same state are identical.
func copyRows(ctx context.Context, tx *sql.Tx, t copyTable, to *json.Encoder) (n int64, err error) {
	if err := to.Encode(t); err != nil {
		return 0, err
	}
	key := make([]string, min(3, len(t.Columns)))
	for i := range key {
		key[i] = fmt.Sprint(i + 1)
	}
	rows, err := tx.QueryContext(ctx,
		`SELECT `+strings.Join(t.Columns, ", ")+` FROM `+t.Table+` ORDER BY `+strings.Join(key, ", "))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	values, into := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
		for _, i := range t.Bytes {
			if text, _ := values[i].([]byte); len(text) == 0 {
				values[i] = []byte{} // SQLite returns nil for it, which would become null
			}
		}
		if err := to.Encode(values); err != nil { // []byte becomes base64
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// Load fills a new database at a URL from a copy and migrates it to this program's schema. If pause is not nil, the
// ledger is paused from the first commit on, and a search for deposits is due (see StakeSearch). Load returns an error,
// and inserts no rows, if the database is not empty, or if the copy is incomplete or newer than this program.
func Load(ctx context.Context, url string, from io.Reader, pause *Pause) error {
	s, err := connect(url)
	if err != nil {
		return err
	}
	return errors.Join(s.load(ctx, from, pause), s.Close())
}

// Pause is a pause of everything. When it ends, deadlines are extended by the time since Since.
type Pause struct {
	Reason string
	Since  time.Time
}

func (s *Store) load(ctx context.Context, from io.Reader, pause *Pause) error {
	if err := s.reachable(ctx); err != nil {
		return err
	}
	c := &copyReader{lines: json.NewDecoder(bufio.NewReaderSize(from, 1<<16))}
	c.lines.UseNumber()
	var head copyHead
	if err := c.lines.Decode(&head); err != nil || head.Format != copyFormat {
		return errors.New("this is not a copy of a ledger")
	}
	done, err := s.alone(ctx)
	if err != nil {
		return err
	}
	defer done()
	provider, err := s.provider()
	if err != nil {
		return err
	}
	if err := s.prepare(ctx, provider, head.Schema); err != nil {
		return err
	}
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := s.fill(ctx, tx, c); err != nil {
		return errors.Join(fmt.Errorf("the copy can't be read: %w", err), tx.Rollback())
	}
	if pause != nil {
		for name, value := range map[string]string{
			PauseAll: pause.Reason, PauseAll + sinceSuffix: pause.Since.UTC().Format(time.RFC3339),
		} {
			if err := s.newTx(ctx, tx).PutSetting(ctx, name, value); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}
		if err := s.newTx(ctx, tx).PutStakeSearch(ctx, StakeSearch{Due: true}); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("store: migration: %w", err)
	}
	return nil
}

// prepare migrates an empty database to the schema of the copy.
func (s *Store) prepare(ctx context.Context, provider *goose.Provider, schema int64) error {
	current, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("store: the schema's version: %w", err)
	}
	if schema > newest {
		return fmt.Errorf("the copy has schema %d, newer than this program's %d: use a newer moonfund", schema, newest)
	}
	if current > 0 {
		if held, err := s.holdsLedger(ctx); err != nil || held || current > schema {
			return errors.Join(err, errors.New("the database is not empty: a copy can only be loaded into a new one"))
		}
	}
	if _, err := provider.UpTo(ctx, schema); err != nil {
		return fmt.Errorf("store: migration: %w", err)
	}
	return nil
}

// fill inserts the rows of a copy into empty tables.
func (s *Store) fill(ctx context.Context, tx *sql.Tx, c *copyReader) error {
	known, err := s.tables(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range known {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+t.Table); err != nil {
			return err
		}
	}
	for {
		t, more, err := c.table()
		if err != nil || !more {
			return err
		}
		i := slices.IndexFunc(known, func(k copyTable) bool { return fmt.Sprint(k) == fmt.Sprint(t) })
		if i < 0 {
			return fmt.Errorf("it has a table %q that is not in this schema, or has other columns", t.Table)
		}
		known = slices.Delete(known, i, i+1)
		if err := c.insert(ctx, tx, t); err != nil {
			return fmt.Errorf("%s: %w", t.Table, err)
		}
	}
}
