package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/testkit/engine"
)

func open(t *testing.T) *Store { return openAt(t, engine.New(t, migrated)) }

func openAt(t *testing.T, address string) *Store {
	t.Helper()
	s, err := Open(t.Context(), address)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func migrated(address string) error {
	s, err := Open(context.Background(), address)
	if err != nil {
		return err
	}
	return s.Close()
}

func onSQLite(t *testing.T) *Store { return openAt(t, "sqlite:"+filepath.Join(t.TempDir(), "x.db")) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func schema(t *testing.T, e dialect) string {
	t.Helper()
	files, err := e.files()
	must(t, err)
	names, err := fs.Glob(files, "*.sql")
	must(t, err)
	var all strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		must(t, err)
		all.Write(text)
	}
	return all.String()
}

// The schema has one text. For SQLite the types are replaced and the tables are strict; PostgreSQL gets the text
// unchanged.
func TestSchemaTranslates(t *testing.T) {
	lite, postgres := schema(t, sqliteEngine), schema(t, postgresEngine)
	tables := strings.Count(postgres, "CREATE TABLE")
	if tables == 0 || strings.Count(lite, ") STRICT") != tables || strings.Contains(lite[strings.Index(lite, "CREATE"):],
		"BIGINT") {
		t.Errorf("%d tables, %d of them strict", tables, strings.Count(lite, ") STRICT"))
	}
	if strings.Contains(postgres[strings.Index(postgres, "CREATE"):], "STRICT") || !strings.Contains(postgres, "BYTEA") {
		t.Error("PostgreSQL's text is changed")
	}
	s := onSQLite(t)
	var strict, all int
	row := s.reader.QueryRowContext(t.Context(),
		`SELECT SUM(strict), COUNT(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
			AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'goose%'`)
	must(t, row.Scan(&strict, &all))
	if strict != tables || all != tables {
		t.Errorf("%d of %d tables are strict, want %d", strict, all, tables)
	}
	if _, err := s.writer.ExecContext(t.Context(), `INSERT INTO setting (name, value) VALUES ('a', x'00')`); err == nil {
		t.Error("a strict table accepted a value of another type")
	}
}

func TestPragmas(t *testing.T) {
	s := onSQLite(t)
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1",
		"busy_timeout": "10000"} {
		var got string
		must(t, s.writer.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&got))
		if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestOpenAgain(t *testing.T) {
	url := engine.New(t, nil)
	s, err := Open(t.Context(), url)
	must(t, err)
	must(t, s.Update(t.Context(), func(tx *Tx) error { return tx.PutSetting(t.Context(), "kept", "yes") }))
	must(t, s.Ping(t.Context()))
	must(t, s.Close())
	s, err = Open(t.Context(), url)
	must(t, err)
	must(t, s.View(t.Context(), func(tx *Tx) error {
		if value, err := tx.Setting(t.Context(), "kept"); err != nil || value != "yes" {
			t.Errorf("the setting: got %q, %v, want yes", value, err)
		}
		return nil
	}))
	must(t, s.Close())
}

func TestBadAddresses(t *testing.T) {
	for _, url := range []string{"", "mysql://x", "moonfund.db", "sqlite:/no/such/folder/x.db"} {
		if s, err := Open(t.Context(), url); err == nil {
			t.Errorf("%q was opened", url)
			_ = s.Close()
		}
	}
	if _, err := Open(t.Context(), "postgres://user:secret@host:port/x"); err == nil ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("the error contains a password: %v", err)
	}
}

// A failed transaction changes nothing, a View can't write, and a reader reads one committed state.
func TestTransactions(t *testing.T) {
	s, ctx := open(t), t.Context()
	broken := errors.New("broken")
	err := s.Update(ctx, func(tx *Tx) error {
		must(t, tx.PutSetting(ctx, "a", "1"))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error of the update: got %v, want the error of fn", err)
	}
	if err := s.View(ctx, func(tx *Tx) error { return tx.PutSetting(ctx, "a", "2") }); err == nil {
		t.Error("a View wrote")
	}
	must(t, s.View(ctx, func(tx *Tx) error {
		before, err := tx.Setting(ctx, "a")
		must(t, err)
		must(t, s.Update(ctx, func(tx *Tx) error { return tx.PutSetting(ctx, "a", "3") }))
		after, err := tx.Setting(ctx, "a")
		if before != "" || after != "" {
			t.Errorf("one view read %q and %q", before, after)
		}
		return err
	}))
	must(t, s.View(ctx, func(tx *Tx) error {
		value, err := tx.Setting(ctx, "a")
		if value != "3" {
			t.Errorf("a new view read %q", value)
		}
		return err
	}))
	func() {
		defer func() { _ = recover() }()
		_ = s.Update(ctx, func(*Tx) error { panic("a bug") })
	}()
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.PutSetting(ctx, "a", "4") }))
}

func TestParallelUpdates(t *testing.T) {
	s, ctx := open(t), t.Context()
	const writers = 32
	done := make(chan error, writers)
	for range writers {
		go func() {
			done <- s.Update(ctx, func(tx *Tx) error {
				_, err := tx.NextStakePosition(ctx, "lobo")
				return err
			})
		}()
	}
	for range writers {
		must(t, <-done)
	}
	must(t, s.Update(ctx, func(tx *Tx) error {
		n, err := tx.NextStakePosition(ctx, "lobo")
		if n != writers+1 {
			t.Errorf("position %d after %d", n, writers)
		}
		return err
	}))
}

func binding() Binding {
	start := time.Date(2026, 11, 4, 0, 0, 0, 0, time.UTC)
	return Binding{
		Prefix: "lobo", RuneID: "1:1", Account: 3, Network: "regtest",
		Calendar: epoch.Calendar{Anchors: []epoch.Anchor{{Epoch: 0, Start: start}}, Length: time.Hour},
		Name:     "LOBO", MinimumStake: 1000,
	}
}

// The fixed values of a ledger's community can't change. The error names the key and both values.
func TestBind(t *testing.T) {
	s, ctx := open(t), t.Context()
	bind := func(b Binding) error { return s.Update(ctx, func(tx *Tx) error { return tx.Bind(ctx, b) }) }
	must(t, bind(binding()))
	must(t, bind(binding()))
	for key, change := range map[string]func(*Binding){
		"rune_id":      func(b *Binding) { b.RuneID = "2:1" },
		"account":      func(b *Binding) { b.Account = 4 },
		"network":      func(b *Binding) { b.Network = "mainnet" },
		"genesis":      func(b *Binding) { b.Calendar.Anchors[0].Start = b.Calendar.Anchors[0].Start.Add(time.Hour) },
		"epoch_length": func(b *Binding) { b.Calendar.Length = 2 * time.Hour },
		// Signed messages contain the name. Every later audit, reorg and rebuild judges deposits by the minimum stake.
		"name":          func(b *Binding) { b.Name = "Lobo" },
		"minimum_stake": func(b *Binding) { b.MinimumStake++ },
	} {
		b := binding()
		change(&b)
		if err := bind(b); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("another %s: %v", key, err)
		}
	}
	b := binding()
	b.Calendar.Manual = true
	if err := bind(b); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("epochs by hand: %v", err)
	}
}

func TestCalendar(t *testing.T) {
	s, ctx := open(t), t.Context()
	b := binding()
	next := epoch.Anchor{Epoch: 1, Start: b.Calendar.Anchors[0].Start.Add(time.Minute)}
	must(t, s.Update(ctx, func(tx *Tx) error {
		if _, err := tx.Calendar(ctx, "lobo"); err == nil {
			t.Error("a calendar without a community")
		}
		must(t, tx.Bind(ctx, b))
		must(t, tx.PutAnchor(ctx, "lobo", next))
		c, err := tx.Calendar(ctx, "lobo")
		if fmt.Sprint(c) != fmt.Sprint(epoch.Calendar{Anchors: append(b.Calendar.Anchors, next), Length: time.Hour}) {
			t.Errorf("calendar: %+v", c)
		}
		return err
	}))
	must(t, s.Update(ctx, func(tx *Tx) error {
		b.Prefix, b.Calendar.Manual = "other", true
		must(t, tx.Bind(ctx, b))
		c, err := tx.Calendar(ctx, "other")
		if !c.Manual || len(c.Anchors) != 1 {
			t.Errorf("calendar by hand: %+v", c)
		}
		return err
	}))
}

func TestChain(t *testing.T) {
	s, ctx := open(t), t.Context()
	must(t, s.Update(ctx, func(tx *Tx) error {
		tip, err := tx.Tip(ctx)
		must(t, err)
		if tip.Height != chain.None {
			t.Errorf("the tip without blocks: %+v", tip)
		}
		for height := range int64(3) {
			must(t, tx.PutHeader(ctx, ledger.Header{
				Height: height, Hash: fmt.Sprint("hash ", height), Prev: fmt.Sprint("hash ", height-1),
				Time: time.Unix(height, 0).UTC(),
			}))
		}
		return nil
	}))
	if s.Update(ctx, func(tx *Tx) error { return tx.PutHeader(ctx, ledger.Header{Height: 2, Hash: "other"}) }) == nil {
		t.Error("two blocks at one height")
	}
	must(t, s.Update(ctx, func(tx *Tx) error {
		tip, err := tx.Tip(ctx)
		must(t, err)
		at, err := tx.HeaderAt(ctx, 2)
		must(t, err)
		if tip != at || tip.Hash != "hash 2" || tip.Prev != "hash 1" || !tip.Time.Equal(time.Unix(2, 0)) {
			t.Errorf("tip: %+v, at its height: %+v", tip, at)
		}
		must(t, tx.DeleteHeader(ctx, 2))
		if _, err := tx.HeaderAt(ctx, 2); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("a deleted header: got %v, want ErrNotFound", err)
		}
		last, err := tx.LastBoundary(ctx, "lobo")
		must(t, err)
		if last.Epoch != chain.None {
			t.Errorf("the last boundary without any: %+v", last)
		}
		for n := range int64(3) {
			must(t, tx.PutBoundary(ctx, ledger.Boundary{Community: "lobo", Epoch: n, Cut: 5 * min(n, 1)}))
		}
		must(t, tx.PutBoundary(ctx, ledger.Boundary{Community: "other", Epoch: 9, Cut: 99}))
		if last, err = tx.LastBoundary(ctx, "lobo"); err != nil || last.Epoch != 2 || last.Cut != 5 {
			t.Errorf("last: %+v, %v", last, err)
		}
		both, err := tx.BoundariesAt(ctx, 5)
		must(t, err)
		if len(both) != 2 || both[0].Epoch != 2 || both[1].Epoch != 1 {
			t.Errorf("at one cut: %+v, want the latest epoch first", both)
		}
		must(t, tx.DeleteBoundary(ctx, both[0]))
		if _, err := tx.BoundaryOf(ctx, "lobo", 2); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("a deleted boundary: got %v, want ErrNotFound", err)
		}
		b, err := tx.BoundaryOf(ctx, "lobo", 1)
		if b != both[1] {
			t.Errorf("the other boundary: got %+v", b)
		}
		return err
	}))
}

// Only the owner of a ledger file can read it and SQLite's additional files, whatever the mode of the folder.
func TestLedgerIsItsOwners(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o755))
	openAt(t, "sqlite:"+filepath.Join(dir, "x.db"))
	files, err := os.ReadDir(dir)
	must(t, err)
	if len(files) < 2 {
		t.Errorf("files: %v", files)
	}
	for _, file := range files {
		info, err := file.Info()
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %s", file.Name(), info.Mode())
		}
	}
}

// OpenWithoutMigration creates no ledger.
func TestOpenWithoutMigration(t *testing.T) {
	url := engine.New(t, nil)
	for range 2 { // the first call changes nothing
		if _, err := OpenWithoutMigration(t.Context(), url); !errors.Is(err, ErrNoLedger) {
			t.Errorf("an empty database: %v", err)
		}
	}
	must(t, migrated(url))
	s, err := OpenWithoutMigration(t.Context(), url)
	must(t, err)
	must(t, s.Update(t.Context(), func(tx *Tx) error { return tx.PutSetting(t.Context(), "kept", "yes") }))
	must(t, s.Close())
}
