package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/testkit/engine"
)

// atVersion returns a new database at an earlier version of the schema.
func atVersion(t *testing.T, version int64) (address string, s *Store) {
	t.Helper()
	address = engine.New(t, nil)
	s, err := connect(address)
	must(t, err)
	provider, err := s.provider()
	must(t, err)
	_, err = provider.UpTo(t.Context(), version)
	must(t, err)
	return address, s
}

// oldRow inserts a row of the rune index in the schema before runeRowsVersion.
func oldRow(t *testing.T, s *Store, out wire.OutPoint, text string) {
	t.Helper()
	_, err := s.writer.ExecContext(t.Context(), `INSERT INTO rune_balance (outpoint, balances) VALUES ($1, $2)`,
		out.String(), text)
	must(t, err)
}

func indexOf(t *testing.T, s *Store, read func(runes.Store) error) {
	t.Helper()
	must(t, s.View(t.Context(), func(tx *Tx) error { return read(tx.Runes(t.Context())) }))
}

// The first schema's rune index is the same after the migration to binary rows.
func TestRuneRows(t *testing.T) {
	address := engine.New(t, nil)
	must(t, Load(t.Context(), address, strings.NewReader(firstCopy(t)), nil))
	s := openAt(t, address)
	table, compared := "", map[string]int{}
	indexOf(t, s, func(index runes.Store) error {
		for line := range strings.Lines(firstCopy(t)) {
			if name, isTable := strings.CutPrefix(line, `{"table":"`); isTable {
				table, _, _ = strings.Cut(name, `"`)
				continue
			}
			var row []string
			if !strings.HasPrefix(table, "rune_") || json.Unmarshal([]byte(line), &row) != nil {
				continue
			}
			switch table {
			case "rune_balance":
				want, err := readBalances(row[1])
				must(t, err)
				point, err := wire.NewOutPointFromString(row[0])
				must(t, err)
				if got, err := runes.BalancesOf(index, *point); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %v, %v, want %v", row[0], got, err, want)
				}
				compared[table]++
			case "rune_entry":
				var want runes.Entry
				must(t, json.Unmarshal([]byte(row[2]), &want))
				if got, found, err := index.RuneEntryByName(want.Name); err != nil || !found || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %v, %t, %v, want %v", row[0], got, found, err, want)
				}
				compared[table]++
			}
		}
		return nil
	})
	if compared["rune_balance"] < 10 || compared["rune_entry"] == 0 {
		t.Errorf("compared only %v", compared)
	}
}

// An index of more rows than are converted at once is converted whole, also if the migration was interrupted after it
// created the new tables.
func TestManyRuneRows(t *testing.T) {
	const rows = 10_001
	address, s := atVersion(t, runeRowsVersion-2)
	point := func(i int) wire.OutPoint {
		return wire.OutPoint{Hash: chainhash.HashH(binary.AppendVarint(nil, int64(i))), Index: uint32(i)}
	}
	tx, err := s.writer.BeginTx(t.Context(), nil)
	must(t, err)
	for i := range rows {
		text, err := writeBalances([]runes.Balance{{ID: runes.ID{Block: 7}, Amount: uint128.From64(uint64(i + 1))},
			{ID: runes.ID{Block: 7, Tx: 3}, Amount: uint128.Max}})
		must(t, err)
		_, err = tx.ExecContext(t.Context(), `INSERT INTO rune_balance (outpoint, balances) VALUES ($1, $2)`,
			point(i).String(), text)
		must(t, err)
	}
	must(t, tx.Commit())
	provider, err := s.provider()
	must(t, err)
	_, err = provider.UpTo(t.Context(), runeRowsVersion-1)
	must(t, err)
	must(t, s.Close())
	s = openAt(t, address)
	seen := 0
	must(t, s.View(t.Context(), func(tx *Tx) error {
		return tx.EachRuneOutput(t.Context(), func(wire.OutPoint) { seen++ })
	}))
	if seen != rows {
		t.Errorf("%d rows of %d", seen, rows)
	}
	indexOf(t, s, func(index runes.Store) error {
		for _, i := range []int{0, 4_999, 5_000, rows - 1} {
			got, err := runes.BalancesOf(index, point(i))
			if err != nil || len(got) != 2 || got[0].Amount != uint128.From64(uint64(i+1)) || got[1].Amount != uint128.Max {
				t.Errorf("row %d: got %v, %v", i, got, err)
			}
		}
		return nil
	})
}

// A row that can't be read stops the migration with an error that names it, and all old rows stay. Once the row is
// repaired, the migration succeeds.
func TestDamagedRuneRow(t *testing.T) {
	for _, text := range []string{"", `[`, `[{"id":"1","amount":"1"}]`, `[{"id":"1:1","amount":"-1"}]`,
		`[{"id":"1:1","amount":"0"}]`, `[{"id":"1:2","amount":"1"},{"id":"1:1","amount":"1"}]`} {
		address, s := atVersion(t, runeRowsVersion-2)
		good, bad := wire.OutPoint{Index: 1}, wire.OutPoint{Index: 2}
		oldRow(t, s, good, `[{"id":"1:1","amount":"5000"}]`)
		oldRow(t, s, bad, text)
		must(t, s.Close())
		for range 2 {
			if _, err := Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), bad.String()) {
				t.Errorf("%q: %v; want an error that names the row", text, err)
			}
		}
		if n := engine.Damage(t, address, `UPDATE rune_balance SET balances = '[{"id":"1:1","amount":"7"}]'
			WHERE outpoint = '`+bad.String()+`'`); n != 1 {
			t.Fatalf("%d rows repaired", n)
		}
		s = openAt(t, address)
		indexOf(t, s, func(index runes.Store) error {
			for point, want := range map[wire.OutPoint]uint64{good: 5000, bad: 7} {
				if got, err := runes.BalancesOf(index, point); err != nil || len(got) != 1 || !got[0].Amount.Equals64(want) {
					t.Errorf("%s: got %v, %v, want %d", point, got, err, want)
				}
			}
			return nil
		})
	}
}

// Damaged binary rows are errors, not other values.
func TestUnreadableRuneRow(t *testing.T) {
	s := open(t)
	point := wire.OutPoint{Index: 3}
	for _, data := range [][]byte{{}, {1}, {1, 1, 1, 0}, {1, 0, 1, 5}, {1, 1, 1, 5, 0}, {2, 1, 1, 5, 1, 1, 5}} {
		must(t, s.Update(t.Context(), func(tx *Tx) error {
			_, err := tx.db.ExecContext(context.Background(), `INSERT INTO rune_balance (outpoint, balances) VALUES ($1, $2)
				ON CONFLICT (outpoint) DO UPDATE SET balances = excluded.balances`, runes.EncodeOutPoint(point), data)
			return err
		}))
		indexOf(t, s, func(index runes.Store) error {
			if got, err := runes.BalancesOf(index, point); err == nil || !strings.Contains(err.Error(), point.String()) {
				t.Errorf("%x: got %v, %v, want an error that names the output", data, got, err)
			}
			return nil
		})
	}
}
