package follower_test

import (
	"testing"
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// A reward that is compounded by a Step which began in the epoch before earns from the epoch after the running one, as
// one that its owner compounds.
func TestCompoundedByAStepOfTwoEpochs(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 5000)
	w.Act(w.Anna, action.AutoCompound)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth - 3)
	if n := len(w.Units(w.Anna, ledger.PendingStake)); n != 0 {
		t.Fatalf("%d rewards are compounded before the step", n)
	}
	w.Clock.Set(testkit.Genesis.Add(3*testkit.EpochLength - time.Minute))
	w.Node.Mine() // epoch 1 can settle
	began := false
	w.ReadClock = func() (ledger.Moment, error) {
		if began {
			w.Clock.Set(testkit.Genesis.Add(3*testkit.EpochLength + time.Minute))
		}
		began = true
		return testkit.MomentAt(w.Clock.Now()), nil
	}
	w.Step()
	compounded := w.Units(w.Anna, ledger.PendingStake)
	if len(compounded) != 1 || w.Unit(compounded[0]).NotBefore != 4 {
		t.Fatalf("compounded: got %v, want one that earns from epoch 4 on", compounded)
	}
	w.ReadClock = nil
	w.Settle(1)
	w.WantStage(compounded[0], ledger.PendingStake)
	w.NextEpoch()
	w.WantStage(compounded[0], ledger.Staked)
	w.Audit()
}
