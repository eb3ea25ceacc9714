package audit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
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

	"moonfund/chain"
	"moonfund/runes"
	"moonfund/store"
	"moonfund/testkit/engine"
	"moonfund/testkit/figures"
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

// inserter collects rows, to insert many in one statement.
type inserter struct {
	l         *benchLedger
	statement string // up to VALUES
	row       string // with a ? for each argument
	rows      []string
	args      []any
}

// rowsPerInsert keeps the arguments of a statement below the limits of both databases.
const rowsPerInsert = 100

func (l *benchLedger) inserter(statement, row string) *inserter {
	return &inserter{l: l, statement: statement, row: row}
}

func (i *inserter) add(args ...any) {
	var row strings.Builder
	parts := strings.Split(i.row, "?")
	for n, part := range parts {
		row.WriteString(part)
		if n < len(parts)-1 {
			fmt.Fprintf(&row, "$%d", len(i.args)+n+1)
		}
	}
	i.rows, i.args = append(i.rows, row.String()), append(i.args, args...)
	if len(i.rows) == rowsPerInsert {
		i.flush()
	}
}

// flush inserts the rows that are left.
func (i *inserter) flush() {
	if len(i.rows) > 0 {
		i.l.exec(i.statement+" VALUES "+strings.Join(i.rows, ", "), i.args...)
	}
	i.rows, i.args = nil, nil
}

func (l *benchLedger) exec(text string, args ...any) {
	_, err := l.tx.Exec(text, args...)
	check(l.B, err)
}

// filled writes the ledger and returns a Checker that has walked the ledger's chain.
func (l *benchLedger) filled(n int) *Checker {
	s, err := store.Open(l.Context(), l.address)
	check(l.B, err)
	check(l.B, s.Close())
	db := l.open()
	l.tx, err = db.Begin()
	check(l.B, err)
	network, err := chain.NetworkByName("regtest")
	check(l.B, err)
	config := Config{Rules: runes.RulesFor(network), Start: 1}
	walked := newChainState(config)
	l.frame(&walked, n)
	l.units(&walked, n)
	check(l.B, l.tx.Commit())
	check(l.B, db.Close())
	engine.Settle(l.B, l.address)
	reading, err := Open(l.address)
	check(l.B, err)
	l.Cleanup(func() { _ = reading.Close() })
	g := NewChecker(reading, benchNode{}, config)
	g.chain = walked
	return g
}

// open opens the ledger for writes that need not be durable at once.
func (l *benchLedger) open() *sql.DB {
	driver, source := "pgx", l.address
	if file, isSQLite := strings.CutPrefix(l.address, "sqlite:"); isSQLite {
		driver, source = "sqlite", "file:"+file+"?_pragma=synchronous(OFF)&_pragma=cache_size(-400000)"
	}
	db, err := sql.Open(driver, source)
	check(l.B, err)
	return db
}

// frame writes the chain, the calendar and the epochs. Epoch 0 settled after block 10.
func (l *benchLedger) frame(walked *chainState, n int) {
	l.exec(`INSERT INTO community (prefix, rune_id, account, network) VALUES ('lobo', '1:1', 0, 'regtest')`)
	for height := int64(1); height <= benchTip; height++ {
		h := header{height, benchHash(height).String(), benchHash(height - 1).String(), 1000 * height}
		l.exec(`INSERT INTO block (height, hash, prev, time) VALUES ($1, $2, $3, $4)`, h.height, h.hash, h.prev, h.time)
		walked.headers = append(walked.headers, h)
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

// units writes staked units with their deposits, addresses and postings.
func (l *benchLedger) units(walked *chainState, n int) {
	watch := l.inserter(`INSERT INTO watch (number, script, community, kind, ref, owner)`,
		`(?, ?, 'lobo', 'stake', ?, ?)`)
	keys := l.inserter(`INSERT INTO stake_address (address, community, position, leaf_key, delay, owner, payment,
		action_id, created_at)`, `(?, 'lobo', ?, 'ff', 1000, ?, '', '', 1)`)
	custody := l.inserter(`INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine,
		booked, coinbase, seen_at, height, vanished, spent_by, spent_ours, spent_height)`,
		`(?, 0, 'lobo', 'stake', ?, ?, ?, 546, ?, '', 0, 0, 1, 2, 0, '', 0, -1)`)
	unit := l.inserter(`INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch,
		staked_to, unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)`,
		`('lobo', ?, ?, ?, 'STAKE', ?, 'STAKED', 0, 0, -1, -1, -1, '', '', ?, 0, 1)`)
	journal := l.inserter(`INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account,
		to_account, cause_kind, cause_id, at)`,
		`(?, 'lobo', ?, ?, 'deposited', 'rune', ?, ?, ?, 'block', '', 1)`)
	input := l.inserter(`INSERT INTO epoch_input (community, epoch, unit_id, owner, amount)`, `('lobo', 0, ?, ?, ?)`)
	reward := l.inserter(`INSERT INTO epoch_reward (community, epoch, owner, stake, reward, unit_id)`,
		`('lobo', 0, ?, ?, 0, '')`)
	stakes, stake := &purpose{community: "lobo", kind: "stake"}, 0
	for i := range n {
		key := benchHash(int64(1_000 + i))
		to, err := address.NewAddressTaproot(key[:], &chaincfg.RegressionNetParams)
		check(l.B, err)
		script, err := txscript.PayToAddrScript(to)
		check(l.B, err)
		owner, txid, amount := fmt.Sprintf("bcrt1p%058d", i/benchOwner), hex.EncodeToString(key[:]), benchAmount(i)
		id := txid + ":0"
		watch.add(100+i, script, to.EncodeAddress(), owner)
		keys.add(to.EncodeAddress(), i, owner)
		custody.add(txid, to.EncodeAddress(), owner, script, amount)
		unit.add(id, 1+i, owner, amount, txid)
		journal.add(2*i+1, id, owner, amount, "outside", "PENDING_STAKE")
		journal.add(2*i+2, id, owner, amount, "PENDING_STAKE", "STAKED")
		input.add(id, owner, amount)
		if stake += amount; i%benchOwner == benchOwner-1 || i == n-1 {
			reward.add(owner, stake)
			stake = 0
		}
		point, _ := pointOf(id)
		walked.outputs[point] = &output{
			purpose: stakes, script: scriptOf(script), value: 546, height: 2, spentHeight: chain.None,
			balances: []runes.Balance{{ID: runes.ID{Block: 1, Tx: 1}, Amount: uint128.From64(uint64(amount))}},
		}
	}
	for _, i := range []*inserter{watch, keys, custody, unit, journal, input, reward} {
		i.flush()
	}
}
