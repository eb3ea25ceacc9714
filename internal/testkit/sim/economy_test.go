package sim

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"moonfund/internal/testkit"
)

// TestSimEconomyWithdrawals runs random scenarios in which units with outputs can be recovered so late that they can be
// withdrawn by economy delivery. In TestSim, only rewards can be claimed by it.
func TestSimEconomyWithdrawals(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(2000)
	start := snapshotOf(t, w, 0)
	scenarios, operations := size()
	var sent atomic.Int64
	count := func(w *testkit.World) {
		rows := w.Rows(`SELECT id FROM payment_order WHERE reason = 'WITHDRAW' AND limit_at > 0 AND payout_id <> ''`)
		sent.Add(int64(strings.Count(rows, "\n")))
	}
	if *seeds == 0 {
		scenarios = min(scenarios, 6)
	}
	plans := make([]Plan, scenarios)
	for i := range plans {
		plans[i] = Plan{Seed: *first + uint64(i), Steps: operations, Unaudited: isUnaudited(i), finished: count}
	}
	run := RunAll(t, start, plans, 1, os.Stderr)
	for _, out := range run.Broken {
		t.Errorf("seed %d, step %d: %s\nto repeat it: go test ./internal/testkit/sim -run TestSimEconomyWithdrawals "+
			"-seeds 1 -first %d -steps %d\n%s", out.Seed, out.At, out.Broken, out.Seed, out.Steps, strings.Join(out.Did, "\n"))
	}
	if scenarios*operations >= 800 && sent.Load() == 0 && !t.Failed() {
		t.Error("no unit with an output was withdrawn by economy delivery")
	}
}
