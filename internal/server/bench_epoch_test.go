package server

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
)

// measureEpoch measures the settlement of an epoch with every unit of a ledger, in comparison with inserting the same
// rows by INSERT … SELECT, each on its own copy of the ledger, the recording of the epoch's statement, and the peak
// memory of the process during both. It returns the last ledger whose epoch it closed, which exists until keep ends.
func measureEpoch(b, keep *testing.B, l ledgerFile) (closed ledgerFile) {
	var rounds []round
	var longest, recording time.Duration
	var most int64
	var spent round
	for range min(max(2, 100_000/l.units), 5) {
		if closed.Server != nil {
			engine.Remove(b, closed.address)
		}
		bare, end := bareEpoch(b, engine.Copy(b, l.address))
		ours := opened(b, engine.Copy(keep, l.address))
		debug.FreeOSMemory()
		rounds = append(rounds, race(l.units, &spent, func() {
			peak := watchMemory()
			began := time.Now()
			must(b, ours.settle(b.Context()))
			longest, most = max(longest, time.Since(began)), max(most, peak())
		}, bare))
		end()
		peak, began := watchMemory(), time.Now()
		must(b, ours.recordStatement(b.Context()))
		recording, most = max(recording, time.Since(began)), max(most, peak())
		must(b, ours.Store.Close())
		closed, closed.units = ours, l.units
	}
	spent.log(b, l.units*len(rounds))
	reportRate(b, fmt.Sprintf("closing an epoch, of %d units", l.units), rounds)
	reportWithin(b, fmt.Sprintf("closing an epoch of %d units takes", l.units), longest, 15*time.Second)
	reportWithin(b, fmt.Sprintf("recording its statement, of %d units", l.units), recording, 15*time.Second)
	reportBound(b, fmt.Sprintf("memory of the process during both, %d units", l.units), float64(most>>20), 350, "MiB")
	return closed
}

// closedEpoch returns a copy of a ledger with a closed epoch.
func closedEpoch(b *testing.B, l ledgerFile) ledgerFile {
	closed := opened(b, engine.Copy(b, l.address))
	must(b, closed.settle(b.Context()))
	must(b, closed.recordStatement(b.Context()))
	must(b, closed.Store.Close())
	closed.units = l.units
	return closed
}

// settle settles the epoch that is due.
func (l ledgerFile) settle(ctx context.Context) error {
	return l.Store.Update(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err == nil {
			_, _, err = l.Ledger.Settle(ctx, tx.LedgerTx(), "lobo", tip, time.Unix(100, 0))
		}
		return err
	})
}

// recordStatement records the statement of the epoch, in the transaction after the settlement.
func (l ledgerFile) recordStatement(ctx context.Context) error {
	return l.Store.Update(ctx, func(tx *store.Tx) error { return l.Ledger.RecordStatement(ctx, tx.LedgerTx(), "lobo") })
}

// bareEpoch inserts the rows of a settlement without computing exact shares.
func bareEpoch(b *testing.B, address string) (work, end func()) {
	db := raw(b, address)
	must(b, db.PingContext(b.Context()))
	return func() {
			tx, err := db.BeginTx(b.Context(), nil)
			must(b, err)
			for _, statement := range []string{
				`INSERT INTO epoch_input SELECT community, 0, id, owner, amount FROM unit
			WHERE community = 'lobo' AND +eligible_epoch >= 0 AND +eligible_epoch <= 0 AND (staked_to = -1 OR staked_to > 0)
				ORDER BY owner, number`,
				`INSERT INTO epoch_reward SELECT community, 0, owner, SUM(amount), SUM(amount) / 100, 'reward:0:' || substr(owner,
					49)
			FROM epoch_input WHERE community = 'lobo' AND epoch = 0 GROUP BY community, owner`,
				`INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
					unlock_epoch,
			reward_epoch, order_id, stage_before, txid, vout, created_at)
			SELECT community, unit_id, 10000000 + ROW_NUMBER() OVER (), owner, 'REWARD', reward, 'CLAIMABLE', 0, -1, -1, -1, 0,
				'', '', '', 0, 1
			FROM epoch_reward`,
				`INSERT INTO journal SELECT 10000000 + ROW_NUMBER() OVER (), community, unit_id, owner, 'rewarded', 'rune', reward,
					'outside', 'CLAIMABLE', 'epoch', '0', 1
			FROM epoch_reward`,
			} {
				_, err := tx.ExecContext(b.Context(), statement)
				must(b, err)
			}
			must(b, tx.Commit())
		}, func() {
			must(b, db.Close())
			engine.Remove(b, address)
		}
}

// watchMemory samples the process's resident memory until peak is called, which returns the maximum in bytes.
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
