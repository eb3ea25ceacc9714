package server

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
)

const (
	indexedAtOnce  = 500
	indexBlocks    = 60
	indexTransfers = 800
	indexEmpty     = 100     // blocks after them; an audit of so many blocks is a first one
	mainnetBlocks  = 137_000 // from block 840,000, the first with runes, to 2026-11-24
)

// BenchmarkIndex measures blocks with an index of 20,000,000 outputs that hold runes: 4,000 transactions, of which 800
// spend two random outputs of the index each. It reports the hours that all blocks since block 840,000 take at the
// measured rate. The real rate is higher, because the index of mainnet grows meanwhile and most outputs are spent soon.
// Then it measures the first audit of this ledger, which nobody has used, and the next one.
// `make bench-index` limits the memory of the process and of its cached files to 500 MiB.
func BenchmarkIndex(b *testing.B) {
	const size = 20_000_000
	for range b.N {
		l := opened(b, engine.New(b, nil))
		plantIndex(b, l, size)
		whole := madeChain(b, indexBlocks, indexTransfers, func(n int) [2]wire.OutPoint {
			random := func(n int) wire.OutPoint { return indexed(size, uint64(n)*2_654_435_761%size) }
			return [2]wire.OutPoint{random(2 * n), random(2*n + 1)}
		})
		whole = extended(b, whole, indexEmpty)
		node := &growingChain{rawChain: whole, grown: 1}
		config := l.Follower.Config
		config.Node, config.Start, config.Lead, config.Audit, config.Inspect = node, 0, nil, nil, nil
		config.Transact = func(ctx context.Context, fn func(follower.Tx) error) error {
			return l.Store.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		}
		f := follower.New(config)
		step := func(grown int) {
			node.grown = grown
			_, err := f.Step(b.Context())
			must(b, err)
			if tip := f.State().Tip.Height; int(tip) != grown-1 {
				b.Fatalf("the follower's tip is block %d", tip)
			}
		}
		limitMemory(b)
		step(1) // the first block also reads the index
		began, used := time.Now(), processorTime()
		step(indexBlocks)
		each := time.Since(began) / (indexBlocks - 1)
		b.Logf("%s a block, %s of it processor time", each.Round(time.Millisecond),
			((processorTime() - used) / (indexBlocks - 1)).Round(time.Millisecond))
		reportBound(b, "mainnet's blocks at the rate with 20,000,000 outputs take", (each * mainnetBlocks).Hours(), 12, "h")
		reportBound(b, "memory of the process then", float64(resident()>>20), 500, "MiB")
		step(len(whole))
		l.auditTwice(b, node, config)
		reportBound(b, "memory of the process after the audits", float64(resident()>>20), 500, "MiB")
	}
}

// auditTwice measures the first audit of a ledger and the next one.
func (l ledgerFile) auditTwice(b *testing.B, node audit.Node, config follower.Config) {
	db, err := audit.Open(l.address)
	must(b, err)
	defer db.Close()
	checker := audit.NewChecker(db, node, audit.Config{
		Rules: config.Rules, Start: config.Start, WalkFile: filepath.Join(b.TempDir(), "audit.db"),
	})
	defer checker.Close()
	for _, name := range []string{"first", "next"} {
		began, used := time.Now(), processorTime()
		report, err := checker.Check(b.Context())
		must(b, err)
		if !report.OK() {
			b.Fatalf("the %s audit: %v", name, report.Violations)
		}
		took := time.Since(began)
		b.Logf("the %s audit: %s of processor time", name, (processorTime() - used).Round(time.Millisecond))
		reportBound(b, "the "+name+" audit with that index takes", took.Seconds(), 600, "s")
	}
}

// indexed returns output n of an index of a size. The outputs are in the order of their rows.
func indexed(size, n uint64) wire.OutPoint {
	hash := numberHash(n)
	binary.BigEndian.PutUint64(hash[:], n*(1<<63/size*2))
	return wire.OutPoint{Hash: chainhash.Hash(hash)}
}

// plantIndex fills the index with outputs that hold one rune each.
func plantIndex(b *testing.B, l ledgerFile, size uint64) {
	id := runes.ID{Block: 1, Tx: 1}
	must(b, l.Store.Update(b.Context(), func(tx *store.Tx) error {
		return tx.Runes(b.Context()).PutRuneEntry(runes.Entry{ID: id, Premine: uint128.From64(1000 * size)})
	}))
	balances := runes.EncodeBalances([]runes.Balance{{ID: id, Amount: uint128.From64(1000)}})
	db := raw(b, l.address)
	_, err := db.ExecContext(b.Context(), `PRAGMA synchronous = OFF`)
	must(b, err)
	tx, err := db.BeginTx(b.Context(), nil)
	must(b, err)
	insert, err := tx.PrepareContext(b.Context(), `INSERT INTO rune_balance (outpoint, balances) VALUES `+
		strings.TrimSuffix(strings.Repeat("(?, ?),", indexedAtOnce), ","))
	must(b, err)
	values := make([]any, 2*indexedAtOnce)
	for from := uint64(0); from < size; from += indexedAtOnce {
		for i := range uint64(indexedAtOnce) {
			values[2*i], values[2*i+1] = runes.EncodeOutPoint(indexed(size, from+i)), balances
		}
		_, err := insert.ExecContext(b.Context(), values...)
		must(b, err)
	}
	must(b, tx.Commit())
	_, err = db.ExecContext(b.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`)
	must(b, err)
	must(b, db.Close())
}

// limitMemory moves the process to the memory cgroup that MOONFUND_BENCH_CGROUP names, which then limits the memory of
// the process.
func limitMemory(b *testing.B) {
	group := os.Getenv("MOONFUND_BENCH_CGROUP")
	if group == "" {
		b.Log("the memory is not limited")
		return
	}
	debug.FreeOSMemory()
	must(b, os.WriteFile(group+"/cgroup.procs", fmt.Append(nil, os.Getpid()), 0o600))
}
