package server

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/chaincfg/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/figures"
)

// BenchmarkFigures measures figures of docs/performance.md, each beside the time of the plain database or decoder for
// the same work, and reports them. It fails if a target is missed. `make bench` runs it; ordinary test runs do not.
func BenchmarkFigures(b *testing.B) {
	if address := os.Getenv(victimEnv); address != "" {
		writeUntilKilled(b, address)
	}
	if address := os.Getenv(fillEnv); address != "" {
		var units int
		_, err := fmt.Sscan(os.Getenv(fillUnitsEnv), &units)
		must(b, err)
		ledgerFile{address: address, units: units, owners: ownersOf(b, units/unitsEach)}.insert(b)
		return
	}
	for range b.N {
		many := sync.OnceValue(func() ledgerFile { return filled(b, manyUnits(b)) })
		var closed ledgerFile
		for _, part := range []struct {
			name    string
			measure func(*testing.B)
		}{
			// This part comes first, so that its memory does not include the memory of other parts.
			{"epoch", func(part *testing.B) { closed = measureEpoch(part, b, many()) }},
			{"reads", func(b *testing.B) { measureReads(b, filled(b, 1_000), many()) }},
			{"actions", measureActions},
			{"blocks", measureBlocks},
			{"ready", func(part *testing.B) {
				if closed.Server == nil { // a run of this part alone
					closed = closedEpoch(b, many())
				}
				measureReady(part, closed)
			}},
		} {
			b.Run(part.name, part.measure)
		}
	}
}

// manyUnits returns the number of units in the large ledger. UNITS=20000 shortens a run.
func manyUnits(b *testing.B) int {
	text := os.Getenv("UNITS")
	if text == "" {
		return 1_000_000
	}
	n, err := strconv.Atoi(text)
	must(b, err)
	return n
}

// leastRatio is the minimum of our speed divided by the speed of the plain work.
const leastRatio = 0.5

// round is one round of a comparison: items per second of our code and of the plain work.
type round struct{ ours, bare float64 }

// race runs n items of our code and then n items of the plain work. It adds the processor time of each to spent,
// because other processes disturb it least.
func race(n int, spent *round, ours, bare func()) round {
	timed := func(work func(), cpu *float64) float64 {
		began, used := time.Now(), processorTime()
		work()
		*cpu += (processorTime() - used).Seconds()
		return float64(n) / time.Since(began).Seconds()
	}
	r := round{ours: timed(ours, &spent.ours)}
	r.bare = timed(bare, &spent.bare)
	return r
}

// processorTime returns the processor time of the process and of PostgreSQL so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano()+usage.Stime.Nano()) + engine.ProcessorTime()
}

// log prints the processor time per item.
func (s round) log(b *testing.B, n int) {
	each := func(seconds float64) time.Duration {
		return time.Duration(seconds / float64(n) * 1e9).Round(time.Microsecond)
	}
	b.Logf("processor time each: ours %s, bare %s", each(s.ours), each(s.bare))
}

// reportRate reports the speed of our code relative to the plain work. Our code and the plain work alternate, so that
// other processes disturb both alike. The result uses the medians of the rounds.
func reportRate(b *testing.B, what string, rounds []round) {
	middle := func(of func(round) float64) float64 {
		values := make([]float64, len(rounds))
		for i, r := range rounds {
			values[i] = of(r)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	figures.Report(b, figures.Figure{
		Name: what + ", relative to the bare work", Database: figures.Current(),
		Value: middle(func(r round) float64 { return r.ours / r.bare }), Limit: leastRatio, Least: true, Unit: "times",
		Beside: fmt.Sprintf("%.0f/s, bare %.0f/s", middle(func(r round) float64 { return r.ours }),
			middle(func(r round) float64 { return r.bare })),
	})
}

// reportLeast reports a figure with a minimum per second.
func reportLeast(b *testing.B, what string, ours, least float64) {
	figures.Report(b, figures.Figure{
		Name: what, Database: figures.Current(), Value: ours, Limit: least, Least: true, Unit: "/s",
	})
}

// reportWithin reports a duration with an upper limit.
func reportWithin(b *testing.B, what string, ours, limit time.Duration) {
	value, most, unit := ours.Seconds(), limit.Seconds(), "s"
	if limit < time.Second {
		value, most, unit = value*1000, most*1000, "ms"
	}
	reportBound(b, what, value, most, unit)
}

// reportBound reports a number with an upper limit; unit is the unit of both.
func reportBound(b *testing.B, what string, ours, limit float64, unit string) {
	figures.Report(b, figures.Figure{Name: what, Database: figures.Current(), Value: ours, Limit: limit, Unit: unit})
}

// ledgerFile is a filled database and a server on it.
type ledgerFile struct {
	*Server
	address string
	units   int
	owners  []string // the ordinals addresses of its wallets, sorted
}

// unitsEach is the number of units of every wallet in a filled ledger.
const unitsEach = 4

// wallet returns the ordinals address of a wallet in a filled ledger.
func (l ledgerFile) wallet(i int) string { return l.owners[i%len(l.owners)] }

// ownersOf returns n addresses, sorted, so that the rows of an owner are adjacent in the tables.
func ownersOf(b *testing.B, n int) []string {
	owners := make([]string, n)
	for i := range owners {
		key := sha256.Sum256(strconv.AppendInt(nil, int64(i), 10))
		to, err := address.NewAddressTaproot(key[:], &chaincfg.RegressionNetParams)
		must(b, err)
		owners[i] = to.EncodeAddress()
	}
	slices.Sort(owners)
	return owners
}

// ownerStatements returns statements that create a table of numbered addresses.
func ownerStatements(owners []string) []string {
	statements := []string{`CREATE TABLE bench_owner (n BIGINT NOT NULL PRIMARY KEY, address TEXT NOT NULL)`}
	rows := make([]string, len(owners))
	for i, owner := range owners {
		rows[i] = fmt.Sprintf("(%d, '%s')", i, owner)
	}
	for part := range slices.Chunk(rows, 1_000) {
		statements = append(statements, `INSERT INTO bench_owner (n, address) VALUES `+strings.Join(part, ", "))
	}
	return statements
}

// expressions are SQL expressions that differ between the engines, for a row with the integer i.
type expressions struct{ txid, script string }

func currentExpressions() expressions {
	if engine.Current() == engine.Postgres {
		return expressions{"encode(sha256(int8send(i)), 'hex')", "'\x5120'::bytea || sha256(int8send(i))"}
	}
	return expressions{"lower(hex(randomblob(32)))", "randomblob(34)"}
}

// padded is an SQL expression of a number, filled with zeros on the left.
func padded(number string, width int) string {
	return fmt.Sprintf("substr('%s' || (%s), length(CAST(%[2]s AS TEXT)) + 1)", strings.Repeat("0", width), number)
}

// filled opens a server on a ledger with n staked units, their deposits and their journal, at a block far enough after
// the end of epoch 0 for its settlement.
func filled(b *testing.B, n int) ledgerFile {
	b.Helper()
	l := opened(b, engine.New(b, nil))
	l.units, l.owners = n, ownersOf(b, n/unitsEach)
	began := time.Now()
	if engine.Current() == engine.Postgres {
		l.insert(b)
	} else {
		l.insertElsewhere(b)
	}
	engine.Settle(b, l.address)
	b.Logf("a ledger of %d units: %s", n, time.Since(began).Round(time.Millisecond))
	return l
}

// The environment variables with the URL and the number of units of the ledger that a process fills.
const fillEnv, fillUnitsEnv = "FIGURES_FILL", "FIGURES_FILL_UNITS"

// insertElsewhere is insert in another process, so that no figure includes the memory that SQLite takes for it.
func (l ledgerFile) insertElsewhere(b *testing.B) {
	b.Helper()
	filling := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkFigures$",
		"-test.benchtime=1x")
	filling.Env = append(os.Environ(), fillEnv+"="+l.address, fmt.Sprintf("%s=%d", fillUnitsEnv, l.units))
	if output, err := filling.CombinedOutput(); err != nil {
		b.Fatalf("the ledger was not filled: %v: %s", err, output)
	}
}

// insert inserts the rows of a filled ledger.
func (l ledgerFile) insert(b *testing.B) {
	b.Helper()
	e := currentExpressions()
	l.fill(b, append(ownerStatements(l.owners), fmt.Sprintf(`
		INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
			seen_at,
			height, vanished, spent_by, spent_ours, spent_height)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT %s, 0, 'lobo', 'stake', 'address ' || i,
			(SELECT address FROM bench_owner WHERE n = i / %d), %s,
			546, 100000 + i %% 977, '', 0, 0, 1, 1, 0, '', 0, -1 FROM n`, l.units-1, e.txid, unitsEach, e.script),
		`DROP TABLE bench_owner`, `
		INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
			unlock_epoch,
			reward_epoch, order_id, stage_before, txid, vout, created_at)
		SELECT community, txid || ':' || vout, ROW_NUMBER() OVER (ORDER BY owner, txid), owner, 'STAKE', runes, 'STAKED', 0,
			0, -1, -1, -1, '', '', txid, vout, 1
		FROM custody WHERE kind = 'stake' ORDER BY owner, txid`, `
		INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind,
			cause_id, at)
		SELECT number, community, id, owner, 'deposited', 'rune', amount, 'outside', 'STAKED', 'block', '', 1 FROM unit`,
		`INSERT INTO counter (name, value) VALUES ('journal', (SELECT COUNT(*) FROM unit)), ('unit', (SELECT COUNT(*)
			FROM unit))
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		`INSERT INTO staked_total (community, amount) SELECT community, SUM(amount) FROM unit GROUP BY community`,
		`INSERT INTO block (height, hash, prev, time) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
			WHERE i < 20)
			SELECT i, 'hash ' || i, 'hash ' || (i - 1), i FROM n`,
		`INSERT INTO boundary (community, epoch, cut) VALUES ('lobo', 0, 5), ('lobo', 1, 10)`,
		`INSERT INTO epoch_account (community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash, settled_at)
			VALUES ('lobo', 0, 1000000000000, 1000000000000, 0, 0, 0, -1, '', 0)`)...)
}

// opened returns a server on a ledger, which is created if it does not exist. The server never calls its node.
func opened(b testing.TB, address string) ledgerFile {
	b.Helper()
	db, err := store.Open(b.Context(), address)
	must(b, err)
	b.Cleanup(func() { _ = db.Close() })
	s, err := New(figureConfig(b, b.TempDir(), db))
	must(b, err)
	must(b, s.Bind(b.Context()))
	s.Actions.Ready = func() error { return nil }
	return ledgerFile{Server: s, address: address}
}

// figuresKeys are the keys of every server of a run, because a ledger can only be reopened with the same keys.
var figuresKeys *signer.Keys

func figureConfig(b testing.TB, dir string, db *store.Store) Config {
	b.Helper()
	network, err := chain.NetworkByName("regtest")
	must(b, err)
	text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	must(b, err)
	manifest, err := community.Read("lobo.toml", text, "regtest")
	must(b, err)
	manifest.Rune.ID, manifest.Genesis = "1:1", figuresGenesis(manifest)
	if figuresKeys == nil {
		figuresKeys, err = signer.NewKeyFile(filepath.Join(b.TempDir(), "keys.json"), "only for figures")
		must(b, err)
	}
	manifests := []community.Manifest{manifest}
	source, err := signing.Own(figuresKeys, "", network, manifests)
	must(b, err)
	return Config{
		Network: network, Data: dir, Store: db, Signing: source, Communities: manifests, Domains: []string{"localhost"},
		Rules: runes.RulesFor(network), Dev: true, Log: slog.New(slog.DiscardHandler), Clock: clock.New(),
		Rates: feerate.Fixed(amount.SatPerVB(2)),
	}
}

// figuresBegan is the time for which every server of a run assumes that half of the first epoch has passed.
var figuresBegan = time.Now().UTC().Truncate(time.Second)

func figuresGenesis(m community.Manifest) time.Time { return figuresBegan.Add(-m.EpochLength / 2) }

// raw opens a database on a second connection, with the server's durability settings.
func raw(b *testing.B, address string) *sql.DB {
	b.Helper()
	driver, source := "pgx", address
	if file, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		driver, source = "sqlite", "file:"+file+
			"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(10000)&_pragma=cache_size(-64000)"
	}
	db, err := sql.Open(driver, source)
	must(b, err)
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = db.Close() })
	return db
}

// exec executes statements whose results need not be durable at once.
func (l ledgerFile) exec(b *testing.B, statements ...string) {
	b.Helper()
	l.run(b, func(db *sql.DB) { execAll(b, db, statements) })
}

// fill is exec for statements that insert many rows. It creates the indexes afterwards.
func (l ledgerFile) fill(b *testing.B, statements ...string) {
	b.Helper()
	l.run(b, func(db *sql.DB) {
		restore := engine.DropIndexes(b, l.address, db)
		execAll(b, db, statements)
		restore()
	})
}

// run calls fn with a connection whose changes need not be durable at once.
func (l ledgerFile) run(b *testing.B, fn func(db *sql.DB)) {
	b.Helper()
	db := raw(b, l.address)
	defer db.Close()
	before, after := []string{`PRAGMA synchronous = OFF`, `PRAGMA cache_size = -200000`},
		[]string{`PRAGMA wal_checkpoint(TRUNCATE)`}
	if engine.Current() == engine.Postgres {
		before, after = []string{`SET synchronous_commit = off`}, nil
	}
	execAll(b, db, before)
	fn(db)
	execAll(b, db, after)
}

func execAll(b *testing.B, db *sql.DB, statements []string) {
	b.Helper()
	for _, statement := range statements {
		_, err := db.ExecContext(b.Context(), statement)
		must(b, err)
	}
}

func must(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
