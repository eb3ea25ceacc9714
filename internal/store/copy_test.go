package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"

	"moonfund/internal/testkit/engine"
)

// firstCopy returns the copy of a ledger of the first schema with rows in every table.
func firstCopy(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/first/ledger.jsonl")
	must(t, err)
	return string(text)
}

func copyOf(t *testing.T, s *Store) string {
	t.Helper()
	var text bytes.Buffer
	_, err := s.Copy(t.Context(), &text)
	must(t, err)
	return text.String()
}

// A copy can be loaded into SQLite and PostgreSQL, and the copy of the loaded ledger is identical.
func TestCopyAndLoad(t *testing.T) {
	first := engine.New(t, nil)
	must(t, Load(t.Context(), first, strings.NewReader(firstCopy(t)), nil))
	s := openAt(t, first)
	_, err := s.writer.ExecContext(t.Context(), `INSERT INTO statement_reserve
		(community, sequence, owner, txid, vout, kind, script, value, runes)
		VALUES ('lobo', 1, '', '', 0, 'inputs', $1, 0, 0)`, []byte{}) // an empty text of bytes
	must(t, err)
	text := copyOf(t, s)
	for kind, address := range map[string]string{
		"the same kind": engine.New(t, nil), "SQLite": "sqlite:" + filepath.Join(t.TempDir(), "x.db"),
		"PostgreSQL": engine.NewPostgres(t, nil),
	} {
		must(t, Load(t.Context(), address, strings.NewReader(text), nil))
		if copyOf(t, openAt(t, address)) != text {
			t.Errorf("the copy of a copy on %s differs", kind)
		}
		if err := Load(t.Context(), address, strings.NewReader(text), nil); err == nil ||
			!strings.Contains(err.Error(), "not empty") {
			t.Errorf("loading a second time: %v", err)
		}
	}
	must(t, s.Update(t.Context(), func(tx *Tx) error { return tx.PutSetting(t.Context(), "a", "ü\x01\"<&>\n") }))
	if text = copyOf(t, s); !strings.Contains(text, `"ü\u0001\"<&>\n"`) {
		t.Error("a text with special characters is not in the copy")
	}
}

// A copy is consistent while others write.
func TestCopyIsOneInstant(t *testing.T) {
	s := open(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	written := make(chan error, 1)
	go func() {
		for n := 0; ctx.Err() == nil; n++ {
			if err := s.Update(ctx, func(tx *Tx) error {
				return errors.Join(tx.PutSetting(ctx, "one", fmt.Sprint(n)), tx.PutSetting(ctx, "two", fmt.Sprint(n)))
			}); err != nil && ctx.Err() == nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	for range 20 {
		values := map[string]string{}
		for line := range strings.Lines(copyOf(t, s)) {
			var row []string
			if json.Unmarshal([]byte(line), &row) == nil && len(row) == 2 {
				values[row[0]] = row[1]
			}
		}
		if values["one"] != values["two"] {
			t.Fatalf("an inconsistent copy: %v", values)
		}
	}
	stop()
	must(t, <-written)
}

// Load rejects incomplete and unknown copies and leaves no rows.
func TestLoadRefuses(t *testing.T) {
	whole := firstCopy(t)
	lines := strings.SplitAfter(whole, "\n")
	for name, row := range map[string]struct{ copied, reason string }{
		"nothing":            {"", "not a copy of a ledger"},
		"something else":     {"{\"format\":\"tar\"}\n", "not a copy of a ledger"},
		"cut off":            {strings.Join(lines[:len(lines)-20], ""), "ends too early"},
		"without its end":    {strings.Join(lines[:len(lines)-2], ""), "ends too early"},
		"with a row missing": {strings.Join(append(append([]string{}, lines[:3]...), lines[4:]...), ""), "rows of"},
		"a newer one":        {strings.Replace(whole, `"schema":1`, `"schema":999`, 1), "newer than this program's"},
		"an unknown table":   {strings.Replace(whole, `"table":"block"`, `"table":"blocks"`, 1), `"blocks"`},
		"another column":     {strings.Replace(whole, `"cut_hash"`, `"hash"`, 1), "other columns"},
		"a row too short":    {strings.Replace(whole, `["lobo",0,`, `[0,`, 1), "columns"},
		"a wrong value":      {strings.Replace(whole, `["lobo",0,`, `["lobo",null,`, 1), "neither a number nor a text"},
		"a fraction":         {strings.Replace(whole, `["lobo",0,`, `["lobo",0.5,`, 1), "boundary"},
	} {
		address := engine.New(t, nil)
		err := Load(t.Context(), address, strings.NewReader(row.copied), nil)
		if err == nil || !strings.Contains(err.Error(), row.reason) {
			t.Errorf("%s: %v; want %q", name, err, row.reason)
			continue
		}
		if s := openAt(t, address); strings.Contains(copyOf(t, s), `"lobo"`) {
			t.Errorf("%s: rows were kept", name)
		}
	}
}

// The first schema is frozen. A database that was created with it migrates to the same schema as a new database.
func TestMigratesFromTheFirstSchema(t *testing.T) {
	frozen, err := os.ReadFile("testdata/first/schema.sql")
	must(t, err)
	address := engine.New(t, nil)
	s, err := connect(address)
	must(t, err)
	provider, err := goose.NewProvider(s.engine.goose, s.writer, fstest.MapFS{
		"0001_first.sql": {Data: []byte(s.engine.schema(string(frozen)))},
	})
	must(t, err)
	_, err = provider.Up(t.Context())
	must(t, err)
	must(t, s.Close())
	must(t, Load(t.Context(), address, strings.NewReader(firstCopy(t)), nil))

	s = openAt(t, address)
	if got, want := columnsOf(t, s), columnsOf(t, open(t)); got != want {
		t.Errorf("a migrated database has\n%s\na new one\n%s", got, want)
	}
	var rows, all int
	text, table := copyOf(t, s), ""
	for line := range strings.Lines(firstCopy(t)) {
		if name, isTable := strings.CutPrefix(line, `{"table":"`); isTable {
			table, _, _ = strings.Cut(name, `"`)
		}
		if !strings.HasPrefix(line, "[") || table == "rune_balance" || table == "rune_entry" { // TestRuneRows
			continue
		}
		all++
		if strings.Contains(text, strings.TrimSuffix(line, "]\n")) { // later schemas may add columns
			rows++
		}
	}
	if rows != all {
		t.Errorf("%d rows of %d are unchanged", rows, all)
	}
	var staked, summed int64
	must(t, s.reader.QueryRowContext(t.Context(), `SELECT (SELECT amount FROM staked_total), (SELECT SUM(amount) FROM unit
		WHERE stage = 'STAKED')`).Scan(&staked, &summed))
	if staked != summed || staked == 0 {
		t.Errorf("total staked: %d, want %d", staked, summed)
	}
}

func columnsOf(t *testing.T, s *Store) string {
	t.Helper()
	tx, err := s.reader.BeginTx(t.Context(), nil)
	must(t, err)
	defer tx.Rollback()
	tables, err := s.tables(t.Context(), tx)
	must(t, err)
	return fmt.Sprint(tables)
}
