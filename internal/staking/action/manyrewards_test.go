package action_test

import (
	"fmt"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A COMPOUND that names no units is about the oldest MostCompounded, and the next one about the rest.
func TestCompoundOfManyRewards(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Unlocked(w.Anna, 5000)
	w.Update(func(tx *store.Tx) error {
		var rewards []ledger.Unit
		for i := range action.MostCompounded + 3 {
			rewards = append(rewards, ledger.Unit{ID: fmt.Sprintf("reward:%d:many", i), Community: testkit.Prefix,
				Owner: w.Anna.Ordinals.Text, Origin: ledger.FromReward, Amount: 1, Stage: ledger.Claimable,
				EligibleEpoch: chain.None, StakedTo: chain.None, UnlockEpoch: chain.None, RewardEpoch: int64(i)})
		}
		return tx.InsertUnit(t.Context(), rewards...)
	})
	w.Act(w.Anna, action.Compound)
	left := w.Units(w.Anna, ledger.Claimable)
	if len(left) != 3 || left[0] != fmt.Sprintf("reward:%d:many", action.MostCompounded) {
		t.Errorf("after the first: got %v, want the three newest", left)
	}
	w.Act(w.Anna, action.Compound)
	if left := w.Units(w.Anna, ledger.Claimable); len(left) > 0 {
		t.Errorf("after the second: got %v, want none", left)
	}
}
