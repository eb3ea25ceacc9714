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

// A copy is the ledger as text: JSON lines, the same from either kind of
// database and readable into either. The first line is its head; then each table
// is one line of its name and columns and one line a row, in which integers are
// numbers and bytes are base64; the last line says how many rows there were.

// copyFormat is what the first line of a copy says.
const copyFormat = "moonfund ledger copy"

type copyHead struct {
	Format string `json:"format"`
	Schema int64  `json:"schema"`
}

type copyTable struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	Bytes   []int    `json:"bytes,omitempty"` // places of the columns that hold bytes
}

type copyEnd struct {
	Rows int64 `json:"rows"`
}

// notCopied are tables that say nothing about the ledger: who leads belongs to running servers.
var notCopied = []string{"lease"}

// Schema returns the version of the database's schema.
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

// Copy writes everything that the ledger holds at one instant, while servers go
// on writing. It returns the number of rows.
func (s *Store) Copy(ctx context.Context, to io.Writer) (rows int64, err error) {
	schema, err := s.Schema(ctx)
	if err != nil {
		return 0, err
	}
	tx, err := s.reader.BeginTx(ctx, &s.engine.view)
	if err != nil {
		return 0, fmt.Errorf("store: copy: %w", err)
	}
	defer tx.Rollback() // it only reads
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

// tables lists what a copy holds, in the order of names.
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

// copyRows writes a table. Its first columns are its key, so that two copies of
// one state are the same.
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
		if err := to.Encode(values); err != nil { // []byte becomes base64
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// Load fills a new database at a URL from a copy, and brings it up to this
// program's schema. What is not empty is refused, and so is a copy that is newer
// than this program, or not whole. After an error the database holds no rows. A
// pause, if not nil, begins with the first instant at which there are rows.
func Load(ctx context.Context, url string, from io.Reader, pause *Pause) error {
	s, err := connect(url)
	if err != nil {
		return err
	}
	return errors.Join(s.load(ctx, from, pause), s.Close())
}

// Pause is a pause of everything: why, and the instant from which nobody's time runs.
type Pause struct {
	Reason string
	Since  time.Time
}

func (s *Store) load(ctx context.Context, from io.Reader, pause *Pause) error {
	if err := s.durable(ctx); err != nil {
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
			if err := newTx(ctx, tx, nil).PutSetting(ctx, name, value); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}
		if err := newTx(ctx, tx, nil).PutStakeSearch(ctx, StakeSearch{Due: true}); err != nil {
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

// prepare gives an empty database the schema that a copy was made from.
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
			return errors.Join(err, errors.New("the database is not empty: a copy is only read into a new one"))
		}
	}
	if _, err := provider.UpTo(ctx, schema); err != nil {
		return fmt.Errorf("store: migration: %w", err)
	}
	return nil
}

// fill reads the rows of a copy into tables that hold nothing else.
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
			return fmt.Errorf("it has a table %q that this schema does not know, or with other columns", t.Table)
		}
		known = slices.Delete(known, i, i+1)
		if err := c.insert(ctx, tx, t); err != nil {
			return fmt.Errorf("%s: %w", t.Table, err)
		}
	}
}
