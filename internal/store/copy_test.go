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

	"moonfund/internal/testkit/engine"
)

// savedCopy returns the copy of a ledger with some stakes, orders and epochs.
func savedCopy(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/ledger.jsonl")
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
	must(t, Load(t.Context(), first, strings.NewReader(savedCopy(t)), nil))
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
	whole := savedCopy(t)
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
