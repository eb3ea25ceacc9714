package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"moonfund/store"
)

// epoch measures the settlement of an epoch with every unit of a ledger, against
// the same rows by plain INSERT … SELECT, and the memory of the whole process.
func (t *figures) epoch(b *testing.B, l ledgerFile) {
	l.exec(b, `PRAGMA wal_checkpoint(TRUNCATE)`)
	twin := l.path + ".twin"
	copyFile(b, twin, l.path)
	bare := bareEpoch(b, twin)
	must(b, os.Remove(twin))

	debug.FreeOSMemory()
	peak := watchMemory()
	began := time.Now()
	must(b, l.store.Update(b.Context(), func(tx *store.Tx) error {
		_, err := l.book.Settle(b.Context(), tx, time.Unix(100, 0))
		return err
	}))
	took := time.Since(began)
	memory := peak()
	t.rate(fmt.Sprintf("closing an epoch, of %d units", l.units), float64(l.units)/took.Seconds(), float64(l.units)/bare.Seconds())
	t.bound("closing that epoch takes", took.Round(10*time.Millisecond).String(), "30s")
	t.bound("closing that epoch, memory of the whole process", fmt.Sprintf("%d MiB", memory>>20), "500 MiB")
}

// bareEpoch makes the rows of a settlement, without the exact split.
func bareEpoch(b *testing.B, path string) time.Duration {
	db := rawFile(b, path)
	defer db.Close()
	tx, err := db.BeginTx(b.Context(), nil)
	must(b, err)
	began := time.Now()
	for _, statement := range []string{
		`INSERT INTO epoch_input SELECT community, 0, id, owner, amount FROM unit_view
			WHERE community = 'lobo' AND eligible_epoch >= 0 AND eligible_epoch <= 0 AND (staked_to = -1 OR staked_to > 0)
			AND vanished = 0 AND NOT (contested = 1 AND spent_height >= 0 AND spent_height <= 10)`,
		`INSERT INTO epoch_reward SELECT community, 0, owner, SUM(amount), SUM(amount) / 100, 'reward:0:' || substr(owner, 40)
			FROM epoch_input WHERE community = 'lobo' AND epoch = 0 GROUP BY owner`,
		`INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to, unlock_epoch,
			reward_epoch, order_id, stage_before, txid, vout, created_at)
			SELECT community, unit_id, 10000000 + rowid, owner, 'REWARD', reward, 'CLAIMABLE', 0, -1, -1, -1, 0, '', '', '', 0, 1 FROM epoch_reward`,
		`INSERT INTO journal SELECT 10000000 + rowid, community, unit_id, owner, 'rewarded', 'rune', reward, 'outside', 'CLAIMABLE', 'epoch', '0', 1
			FROM epoch_reward`,
	} {
		_, err := tx.ExecContext(b.Context(), statement)
		must(b, err)
	}
	must(b, tx.Commit())
	return time.Since(began)
}

func copyFile(b *testing.B, to, from string) {
	b.Helper()
	source, err := os.Open(from)
	must(b, err)
	defer source.Close()
	target, err := os.Create(to)
	must(b, err)
	_, err = io.Copy(target, source)
	must(b, err)
	must(b, target.Close())
}

// watchMemory looks at the process's resident memory until the result is called, which returns the peak in bytes.
func watchMemory() (peak func() int64) {
	stop, done := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, resident())
			select {
			case <-tick.C:
			case <-stop:
				done <- most
				return
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-done
	}
}

func resident() (bytes int64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &bytes); err == nil {
			return bytes << 10
		}
	}
	return 0
}
