package audit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/figures"
)

const (
	benchTip   = 30
	benchOwner = 4 // units per owner
	auditLimit = time.Minute
)

// BenchmarkAudit measures an audit of a running server after a block, on a ledger with UNITS staked units (default
// 1,000,000), their deposits, addresses and journal, and an epoch that settled with all of them. Meanwhile another
// process serves the reads of wallets' pages from the same ledger. It fails if an audit takes longer than auditLimit,
// or the reads longer than readLimit. `make bench` runs it.
func BenchmarkAudit(b *testing.B) {
	if address := os.Getenv(readerEnv); address != "" {
		readUntilClosed(b, address)
		return
	}
	n := 1_000_000
	if text := os.Getenv("UNITS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		check(b, err)
	}
	if address := os.Getenv(fillEnv); address != "" {
		l := benchLedger{B: b, address: address}
		l.fill(n)
		return
	}
	for range b.N {
		l := benchLedger{B: b, address: engine.New(b, nil)}
		g := l.filled(n)
		debug.FreeOSMemory()
		before := resident(b)
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // reset the peak memory on Linux; unknown elsewhere
		for _, name := range []string{"first", "second"} {
			readers := startReads(b, l.address, n)
			began, used := time.Now(), processorTime(b)
			p, err := g.Begin(b.Context())
			check(b, err)
			held := time.Since(began)
			report, err := p.Run(b.Context())
			check(b, err)
			if !report.OK() || report.Checked.Units != n {
				b.Fatalf("%d units, %.3v", report.Checked.Units, report.Violations)
			}
			took, spent := time.Since(began), processorTime(b)-used
			what := fmt.Sprintf("the %s audit of %d units beside the server", name, n)
			figures.Report(b, figures.Figure{
				Name: what, Database: figures.Current(), Value: took.Seconds(), Limit: auditLimit.Seconds(), Unit: "s",
				Beside: fmt.Sprintf("%.1f s of processor time", spent.Seconds()),
			})
			readers.report(b, what)
			figures.Report(b, figures.Figure{
				Name: what + ", the follower waits", Database: figures.Current(), Value: held.Seconds() * 1000, Limit: 100,
				Unit: "ms",
			})
			figures.Report(b, figures.Figure{
				Name: what + ", memory", Database: figures.Current(), Value: float64(peak(b) >> 20), Unit: "MiB",
				Beside: fmt.Sprintf("%d MiB before", before>>20),
			})
		}
	}
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// processorTime returns the processor time of this process and of PostgreSQL, on all processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano()+used.Stime.Nano()) + engine.ProcessorTime()
}

func resident(b *testing.B) int64 { return memory(b, "VmRSS:") }
func peak(b *testing.B) int64     { return memory(b, "VmHWM:") }

// memory returns a field of Linux's memory statistics of this process, in bytes, or 0 elsewhere.
func memory(b *testing.B, name string) (bytes int64) {
	b.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), name)
	_, err = fmt.Sscan(rest, &bytes)
	check(b, err)
	return bytes << 10
}

// benchNode serves only headers, because every block was walked before.
type benchNode struct{ Node }

func (benchNode) Best(context.Context) (chainhash.Hash, int64, error) {
	return benchHash(benchTip), benchTip, nil
}

func (benchNode) BlockHash(_ context.Context, height int64) (chainhash.Hash, error) {
	return benchHash(height), nil
}

func benchHash(n int64) (hash chainhash.Hash) {
	var text [8]byte
	binary.BigEndian.PutUint64(text[:], uint64(n))
	return sha256.Sum256(text[:])
}

type benchLedger struct {
	*testing.B
	address string
	tx      *sql.Tx
}

func (l *benchLedger) exec(text string, args ...any) {
	_, err := l.tx.Exec(text, args...)
	check(l.B, err)
}

// fillEnv names the ledger that a process fills.
const fillEnv = "AUDIT_FILL"

// filled returns a Checker of a filled ledger, which has walked the ledger's chain. Another process fills the ledger,
// so that the measured process does not include that memory.
func (l *benchLedger) filled(n int) *Checker {
	filling := exec.CommandContext(l.Context(), os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkAudit$",
		"-test.benchtime=1x")
	filling.Env = append(os.Environ(), fillEnv+"="+l.address, "MOONFUND_TEST_ENGINE=sqlite") // it starts no PostgreSQL
	if output, err := filling.CombinedOutput(); err != nil {
		l.Fatalf("the ledger was not filled: %v: %s", err, output)
	}
	engine.Settle(l.B, l.address)
	reading, err := Open(l.address)
	check(l.B, err)
	l.Cleanup(func() { _ = reading.Close() })
	network, err := chain.NetworkByName("regtest")
	check(l.B, err)
	g := NewChecker(reading, benchNode{}, Config{Rules: runes.RulesFor(network), Start: 1})
	l.Cleanup(func() { check(l.B, g.Close()) })
	check(l.B, g.chain.reset(g.Config))
	l.walk(g.chain, n)
	return g
}

// walk adds the headers of the chain and the outputs of the deposits.
func (l *benchLedger) walk(walked *chainState, n int) {
	for height := int64(1); height <= benchTip; height++ {
		walked.headers = append(walked.headers, benchHeader(height))
	}
	stakes := &purpose{community: "lobo", kind: "stake"}
	for i := range n {
		txid, _, script := l.deposit(i)
		point, _ := pointOf(txid + ":0")
		walked.outputs[point] = &output{
			purpose: stakes, script: scriptOf(script), value: 546, height: 2, spentHeight: chain.None,
			balances: []runes.Balance{{ID: runes.ID{Block: 1, Tx: 1}, Amount: uint128.From64(uint64(benchAmount(i)))}},
		}
	}
}

// deposit returns the transaction, the address and the script of a deposit.
func (l *benchLedger) deposit(i int) (txid string, to address.Address, script []byte) {
	key := benchHash(int64(1_000 + i))
	to, err := address.NewAddressTaproot(key[:], &chaincfg.RegressionNetParams)
	check(l.B, err)
	script, err = txscript.PayToAddrScript(to)
	check(l.B, err)
	return hex.EncodeToString(key[:]), to, script
}

func benchHeader(height int64) header {
	return header{height, benchHash(height).String(), benchHash(height - 1).String(), 1000 * height}
}

// fill writes the ledger.
func (l *benchLedger) fill(n int) {
	s, err := store.Open(l.Context(), l.address)
	check(l.B, err)
	check(l.B, s.Close())
	db := l.open()
	l.tx, err = db.Begin()
	check(l.B, err)
	restore := engine.DropIndexes(l.B, l.address, l.tx)
	l.frame(n)
	l.units(n)
	restore()
	check(l.B, l.tx.Commit())
	check(l.B, db.Close())
	s, err = store.Open(l.Context(), l.address) // with the write-ahead log
	check(l.B, err)
	check(l.B, s.Close())
}

// open opens the ledger for writes that need be neither durable at once nor atomic.
func (l *benchLedger) open() *sql.DB {
	driver, source := "pgx", l.address
	if file, isSQLite := strings.CutPrefix(l.address, "sqlite:"); isSQLite {
		driver, source = "sqlite", "file:"+file+
			"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=cache_size(-400000)"
	}
	db, err := sql.Open(driver, source)
	check(l.B, err)
	return db
}

// frame writes the chain, the calendar and the epochs. Epoch 0 settled after block 10.
func (l *benchLedger) frame(n int) {
	l.exec(`INSERT INTO community (prefix, rune_id, account, network) VALUES ('lobo', '1:1', 0, 'regtest')`)
	for height := int64(1); height <= benchTip; height++ {
		h := benchHeader(height)
		l.exec(`INSERT INTO block (height, hash, prev, time) VALUES ($1, $2, $3, $4)`, h.height, h.hash, h.prev, h.time)
	}
	l.exec(`INSERT INTO setting (name, value) VALUES ('epoch_length:lobo', '5000s')`)
	l.exec(`INSERT INTO epoch_anchor (community, epoch, starts_at) VALUES ('lobo', 0, 6000)`)
	staked := 0
	for i := range n {
		staked += benchAmount(i)
	}
	l.exec(`INSERT INTO staked_total (community, amount) VALUES ('lobo', $1)`, staked)
	for epoch := range 5 {
		l.exec(`INSERT INTO boundary (community, epoch, cut) VALUES ('lobo', $1, $2)`, epoch, 5+5*epoch)
		l.exec(`INSERT INTO epoch_account (community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash,
			settled_at)
			VALUES ('lobo', $1, 0, 0, 0, 0, 0, -1, '', 1)`, epoch)
	}
	l.exec(`UPDATE epoch_account SET settled = 1, staked = $1, cut = 10, cut_hash = $2 WHERE epoch = 0`, staked,
		benchHash(10).String())
	l.exec(`INSERT INTO counter (name, value) VALUES ('journal', $1) ON CONFLICT (name) DO UPDATE
		SET value = excluded.value`, 2*n)
}

func benchAmount(i int) int { return 100_000 + i%977 }

// units writes staked units with their deposits, addresses and postings, from a table with a row for each unit.
func (l *benchLedger) units(n int) {
	l.exec(`CREATE TEMPORARY TABLE deposit (i BIGINT, txid TEXT, address TEXT, owner TEXT, script BYTEA, amount BIGINT)`)
	deposits := l.inserter("deposit", 6)
	for i := range n {
		txid, to, script := l.deposit(i)
		deposits.add(i, txid, to.EncodeAddress(), fmt.Sprintf("bcrt1p%058d", i/benchOwner), script, benchAmount(i))
	}
	deposits.flush()
	for _, statement := range fromDeposits {
		l.exec(statement)
	}
	l.exec(`DROP TABLE deposit`)
}

// fromDeposits writes the rows of all deposits, each table in the order of its primary key.
var fromDeposits = []string{
	`INSERT INTO watch (number, script, community, kind, ref, owner)
		SELECT 100 + i, script, 'lobo', 'stake', address, owner FROM deposit ORDER BY i`,
	`INSERT INTO stake_address (address, community, position, leaf_key, delay, owner, payment, action_id, created_at)
		SELECT address, 'lobo', i, 'ff', 1000, owner, '', '', 1 FROM deposit ORDER BY address`,
	`INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
			seen_at, height, vanished, spent_by, spent_ours, spent_height)
		SELECT txid, 0, 'lobo', 'stake', address, owner, script, 546, amount, '', 0, 0, 1, 2, 0, '', 0, -1 FROM deposit
		ORDER BY txid`,
	`INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
			unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)
		SELECT 'lobo', txid || ':0', 1 + i, owner, 'STAKE', amount, 'STAKED', 0, 0, -1, -1, -1, '', '', txid, 0, 1
		FROM deposit ORDER BY txid`,
	`INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind,
			cause_id, at)
		SELECT 2 * i + step, 'lobo', txid || ':0', owner, 'deposited', 'rune', amount, origin, target, 'block', '', 1
		FROM deposit, (SELECT 1 AS step, 'outside' AS origin, 'PENDING_STAKE' AS target
			UNION ALL SELECT 2, 'PENDING_STAKE', 'STAKED') AS steps
		ORDER BY 2 * i + step`,
	`INSERT INTO epoch_input (community, epoch, unit_id, owner, amount)
		SELECT 'lobo', 0, txid || ':0', owner, amount FROM deposit ORDER BY owner, txid`,
	`INSERT INTO epoch_reward (community, epoch, owner, stake, reward, unit_id)
		SELECT 'lobo', 0, owner, SUM(amount), 0, '' FROM deposit GROUP BY owner ORDER BY owner`,
}

// inserter inserts many rows by one prepared statement.
type inserter struct {
	l         *benchLedger
	table     string
	columns   int
	statement *sql.Stmt // of rowsPerInsert rows
	args      []any
}

// rowsPerInsert keeps the arguments of a statement below the limits of both databases.
const rowsPerInsert = 100

func (l *benchLedger) inserter(table string, columns int) *inserter {
	i := &inserter{l: l, table: table, columns: columns}
	var err error
	i.statement, err = l.tx.Prepare(i.text(rowsPerInsert))
	check(l.B, err)
	return i
}

// text returns a statement that inserts rows.
func (i *inserter) text(rows int) string {
	var text strings.Builder
	separator := "INSERT INTO " + i.table + " VALUES ("
	for n := range rows * i.columns {
		fmt.Fprintf(&text, "%s$%d", separator, n+1)
		separator = ", "
		if (n+1)%i.columns == 0 {
			separator = "), ("
		}
	}
	return text.String() + ")"
}

func (i *inserter) add(args ...any) {
	if i.args = append(i.args, args...); len(i.args) == rowsPerInsert*i.columns {
		_, err := i.statement.Exec(i.args...)
		check(i.l.B, err)
		i.args = i.args[:0]
	}
}

// flush inserts the rows that are left.
func (i *inserter) flush() {
	if len(i.args) > 0 {
		i.l.exec(i.text(len(i.args)/i.columns), i.args...)
	}
	check(i.l.B, i.statement.Close())
}
