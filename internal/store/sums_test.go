package store

import (
	"testing"

	"moonfund/internal/staking/ledger"
)

// SumsOf counts the units of the owner and community in each stage, and nothing else.
func TestSums(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		sums, err := tx.SumsOf(ctx, "lobo", anna.Ordinals)
		same(t, "of no units", sums, err, Sums{})
		for i, stage := range []ledger.Stage{ledger.PendingStake, ledger.Staked, ledger.PendingUnlock, ledger.Unlocked,
			ledger.Claimable, ledger.POLocked, ledger.POClaimed, ledger.PendingWithdraw, ledger.BatchLocked,
			ledger.Withdrawn} {
			for j, who := range [][2]string{{"lobo", anna.Ordinals}, {"lobo", "other"}, {"wolf", anna.Ordinals}} {
				u := unit(10*i + j)
				u.Stage, u.Amount, u.Community, u.Owner = stage, 1<<i, who[0], who[1]
				must(t, tx.InsertUnit(ctx, u))
			}
		}
		sums, err = tx.SumsOf(ctx, "lobo", anna.Ordinals)
		same(t, "by stage", sums, err, Sums{Units: 10, PendingStake: 1, Staked: 2, PendingUnlock: 4, Unlocked: 8,
			Claimable: 16, AllStaked: 4})
	})
}
