package main

import (
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/signer"
	"moonfund/store"
)

// BenchmarkFigures measures what docs/performance.md promises and prints each
// figure beside the bare work of the database or the decoder, in one run.
// `make bench` runs it; ordinary test runs do not.
func BenchmarkFigures(b *testing.B) {
	for range b.N {
		var t figures
		defer t.print()
		few, many := filled(b, 1_000), filled(b, manyUnits(b))
		t.reads(b, few, many)
		t.actions(b, few)
		t.blocks(b)
		t.epoch(b, many)
	}
}

// manyUnits is the size of the large ledger; UNITS=20000 makes a run shorter.
func manyUnits(b *testing.B) int {
	text := os.Getenv("UNITS")
	if text == "" {
		return 1_000_000
	}
	n, err := strconv.Atoi(text)
	must(b, err)
	return n
}

// figure is one line of the table: ours and the bare work, in the same unit.
type figure struct{ what, ours, bare, ratio, target string }

type figures []figure

// rate adds a figure of which more is better.
func (t *figures) rate(what string, ours, bare float64) {
	*t = append(*t, figure{what, fmt.Sprintf("%.0f/s", ours), fmt.Sprintf("%.0f/s", bare), fmt.Sprintf("%.2f", ours/bare), "at least 0.5"})
}

// bound adds a figure that stays below a limit.
func (t *figures) bound(what, ours, limit string) {
	*t = append(*t, figure{what, ours, "", "", "below " + limit})
}

func (t *figures) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nfigure\tours\tbare\tratio\ttarget")
	for _, f := range *t {
		fmt.Fprintln(w, strings.Join([]string{f.what, f.ours, f.bare, f.ratio, f.target}, "\t"))
	}
	_ = w.Flush()
}

// ledgerFile is a database that was filled, and the server over it.
type ledgerFile struct {
	*house
	path  string
	units int
}

// unitsEach is how many units every wallet of a filled ledger has.
const unitsEach = 4

// wallet is the ordinals address of a wallet of a filled ledger.
func (l ledgerFile) wallet(i int) string { return fmt.Sprintf("bcrt1p%058d", i%(l.units/unitsEach)) }

// filled opens a server over a ledger of n staked units with their deposits and
// their journal, at a block that is deep behind the end of epoch 0.
func filled(b *testing.B, n int) ledgerFile {
	b.Helper()
	l := opened(b)
	l.units = n
	began := time.Now()
	l.exec(b, `PRAGMA synchronous = OFF`, `PRAGMA cache_size = -200000`, fmt.Sprintf(`
		INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase, seen_at,
			height, vanished, spent_by, spent_ours, spent_height)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT lower(hex(randomblob(32))), 0, 'lobo', 'stake', 'address ' || i, printf('bcrt1p%%058d', i / %d), randomblob(34),
			546, 100000 + i %% 977, '', 0, 0, 1, 1, 0, '', 0, -1 FROM n`, n-1, unitsEach), `
		INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to, unlock_epoch,
			reward_epoch, order_id, stage_before, txid, vout, created_at)
		SELECT community, txid || ':' || vout, rowid, owner, 'STAKE', runes, 'STAKED', 0, 0, -1, -1, -1, '', '', txid, vout, 1
		FROM custody WHERE kind = 'stake'`, `
		INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind, cause_id, at)
		SELECT number, community, id, owner, 'deposited', 'rune', amount, 'outside', 'STAKED', 'block', '', 1 FROM unit`,
		`INSERT INTO counter (name, value) VALUES ('journal', (SELECT COUNT(*) FROM unit)), ('unit', (SELECT COUNT(*) FROM unit))
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		`INSERT INTO block (height, hash, prev, time) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
			SELECT i, 'hash ' || i, 'hash ' || (i - 1), i FROM n`,
		`INSERT INTO boundary (community, epoch, cut) VALUES ('lobo', 0, 5), ('lobo', 1, 10)`,
		`INSERT INTO epoch_account (community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash, settled_at)
			VALUES ('lobo', 0, 1000000000000, 1000000000000, 0, 0, 0, -1, '', 0)`,
		`ANALYZE`, `PRAGMA wal_checkpoint(TRUNCATE)`)
	b.Logf("a ledger of %d units: %s", n, time.Since(began).Round(time.Millisecond))
	return l
}

// opened builds a server over an empty ledger; its node is never asked.
func opened(b *testing.B) ledgerFile {
	b.Helper()
	dir := b.TempDir()
	network, err := chain.NetworkByName("regtest")
	must(b, err)
	text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	must(b, err)
	manifest, err := community.Read("lobo.toml", text, "regtest")
	must(b, err)
	manifest.Rune.ID, manifest.Genesis = "1:1", time.Now().UTC().Add(-manifest.EpochLength/2)
	keys, err := signer.NewKeyFile(filepath.Join(dir, "keys.json"), "only for figures")
	must(b, err)
	path := filepath.Join(dir, "ledger.db")
	db, err := store.Open(b.Context(), "sqlite:"+path)
	must(b, err)
	b.Cleanup(func() { _ = db.Close() })
	rate := amount.SatPerVB(2)
	h, err := build(settings{
		network: network, data: dir, store: db, keys: keys, manifests: []community.Manifest{manifest},
		domains: []string{"localhost"}, start: 1, dev: true, log: slog.New(slog.DiscardHandler), clock: &clock{},
		rates: &rates{fixed: &rate, policy: chain.FeePolicy{Fallback: rate, Min: rate, Max: rate}},
	})
	must(b, err)
	must(b, h.bind(b.Context()))
	h.actions.Ready = func() error { return nil }
	return ledgerFile{house: h, path: path}
}

// raw opens the database beside the server, with the server's own durability.
func (l ledgerFile) raw(b *testing.B) *sql.DB {
	b.Helper()
	return rawFile(b, l.path)
}

func rawFile(b *testing.B, path string) *sql.DB {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(10000)")
	must(b, err)
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = db.Close() })
	return db
}

func (l ledgerFile) exec(b *testing.B, statements ...string) {
	b.Helper()
	db := l.raw(b)
	defer db.Close()
	for _, statement := range statements {
		_, err := db.ExecContext(b.Context(), statement)
		must(b, err)
	}
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
