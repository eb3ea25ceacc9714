package follower_test

import (
	"context"
	"testing"

	"moonfund/internal/testkit"
)

// After a block of stakes, the database's statistics are updated once, and not again until the tables grew by a tenth.
func TestStatisticsFollowGrowth(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Forget() // a follower that has recorded nothing
	updated := 0
	analyze := w.Follower.Analyze
	w.Follower.Analyze = func(ctx context.Context) error {
		updated++
		return analyze(ctx)
	}
	_, script := w.StakeAddress(w.Anna, 5000)
	for _, step := range []struct{ stakes, want int }{{2000, 0}, {2000, 1}, {100, 1}, {2200, 1}, {2200, 2}} {
		w.Send(stakes(w, repeated(step.stakes, script), testkit.MinimumStake))
		w.Step()
		if updated != step.want {
			t.Errorf("after %d more stakes: the statistics were updated %d times, want %d", step.stakes, updated, step.want)
		}
	}
}
