package inquiry_test

import (
	"testing"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// TestInstruction checks the description of an owner's instruction while it is active and after each end.
func TestInstruction(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Rewarded(w.Anna, 5000)
	if a := found(w, w.Anna.Ordinals.Text); len(codes(a)) == 0 {
		t.Error("nothing about an owner without an instruction")
	}
	w.Act(w.Anna, action.AutoCompound)
	found(w, w.Anna.Ordinals.Text, "Automatic compounding", "On since", "which the owner signed",
		"Next: the reward of epoch")
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	found(w, w.Anna.Payment.Text, "On since", "Rewards that it staked: 1.")
	w.Act(w.Anna, action.EndAutoCompound)
	found(w, w.Anna.Ordinals.Text, "Off.", "its owner ended it", "Rewards that it staked: 1.")
}
