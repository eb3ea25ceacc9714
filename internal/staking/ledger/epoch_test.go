package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A deposit is rewarded from the first epoch whose cut is at least two blocks above the deposit's block, so that the
// deposit has three confirmations at the cut.
func TestDepositQualifiesByItsBlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, script := w.StakeAddress(w.Anna, 5000)
	twin := w.Copy()
	var ids []string
	for range 5 {
		ids = append(ids, w.Send(w.Transfer(w.Anna, script, 5000)).ID.String()+":0")
		w.Settle(1)
	}
	cut := w.Node.Height()
	w.NextEpoch()
	for _, id := range ids {
		unit := w.Unit(id)
		if want := unit.Height <= cut-2; want != (unit.Stage == ledger.Staked) || want != (unit.EligibleEpoch == 1) {
			t.Errorf("block %d, cut %d: %s from epoch %d on", unit.Height, cut, unit.Stage, unit.EligibleEpoch)
		}
	}
	if n := len(w.Units(w.Anna, ledger.Staked)); n != 3 {
		t.Errorf("got %d eligible units, want 3", n)
	}
	// A server that follows the chain later, even after another boundary, gets the same result.
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	twin.Step()
	if a, b := w.Dump(), twin.Dump(); a != b {
		t.Errorf("ledger of a late follower: got\n%s\nwant\n%s", b, a)
	}
}

// A pending stake is always listed: in the mempool, in a block, after a boundary that comes too early for the stake,
// after a restart of the server, and after a reorg of the boundary.
func TestPendingStakeStaysListed(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, _ := w.Deposit(w.Anna, 5000)
	pending := func() {
		t.Helper()
		if got := w.Units(w.Anna, ledger.PendingStake); len(got) != 1 || got[0] != id {
			t.Fatalf("pending stakes: got %v, want %s", got, id)
		}
	}
	w.Step()
	pending()
	w.NextEpoch() // in its first block
	pending()
	w.Restart()
	w.Step()
	pending()
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	pending()
	w.Settle(4)
	pending()
	w.NextEpoch()
	w.WantStage(id, ledger.Staked)
}

// rewards returns an epoch's rewards as "owner name=reward".
func rewards(w *testkit.World, epoch int64) string {
	w.Helper()
	var all []string
	w.Update(func(tx *store.Tx) error {
		list, err := tx.Rewards(w.Context(), testkit.Prefix, epoch)
		for _, r := range list {
			for name, wallet := range map[string]*testkit.Wallet{"anna": w.Anna, "bert": w.Bert, "cleo": w.Cleo} {
				if wallet.Ordinals.Text == r.Owner {
					all = append(all, fmt.Sprintf("%s=%d", name, r.Reward))
				}
			}
		}
		return err
	})
	return strings.Join(all, " ")
}

func account(w *testkit.World, epoch int64) (a ledger.Account) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		a, err = tx.AccountOf(w.Context(), testkit.Prefix, epoch)
		return err
	})
	return a
}

func TestRewardsAndTheirAccount(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.Deposit(w.Anna, 3000)
	w.Deposit(w.Bert, 1000)
	w.Settle(4)
	w.NextEpoch()
	w.Deposit(w.Cleo, 50_000) // too late for epoch 1
	w.Settle(4)
	w.NextEpoch()
	for n := int64(1); n < ledger.SettleDepth-1; n++ { // The boundary's block is the second confirmation of the cut.
		if account(w, 1).Settled {
			t.Fatalf("settled after %d blocks", n)
		}
		w.Settle(1)
	}
	a := account(w, 1)
	if !a.Settled || a.Reserved != testkit.Budget || a.Rewarded != testkit.Budget || a.Staked != 4000 || a.CutHash == "" {
		t.Errorf("account: got %+v", a)
	}
	if got := rewards(w, 1); !strings.Contains(got, "anna=750000") || !strings.Contains(got, "bert=250000") ||
		strings.Contains(got, "cleo") {
		t.Errorf("rewards: got %s", got)
	}
	if a := account(w, 0); !a.Settled || a.Rewarded != 0 || a.Staked != 0 {
		t.Errorf("account of epoch 0, which has no stakes: %+v", a)
	}
	units := w.Units(w.Anna, ledger.Claimable)
	if len(units) != 1 || w.Unit(units[0]).RewardEpoch != 1 || !w.Unit(units[0]).Virtual() {
		t.Errorf("claimable: got %v", units)
	}
}

// An epoch settles once: further steps, a restart and direct calls of Settle change nothing.
func TestSettleIsIdempotent(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.Rewarded(w.Anna, 5000)
	before := w.Dump()
	for range 3 {
		w.Restart()
		w.Step()
		w.Update(func(tx *store.Tx) error {
			tip, err := tx.Tip(t.Context())
			testkit.Must(t, err)
			made, _, err := w.Ledger.Settle(t.Context(), tx.LedgerTx(), testkit.Prefix, tip, w.Clock.Now())
			if len(made) > 0 {
				t.Errorf("Settle paid an epoch again: %v", made)
			}
			return err
		})
	}
	if after := w.Dump(); after != before {
		t.Error("a second settlement changed the ledger")
	}
}

// UNSTAKE ends the rewards with the previous epoch; rewards for earlier epochs are paid.
func TestUnstakedEarnsNothingForTheRunningEpoch(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	a := w.Staked(w.Anna, 5000) // earns in epoch 1
	b := w.Staked(w.Bert, 5000) // earns from epoch 2 on
	w.Act(w.Anna, action.Unstake, a)
	unit := w.Unit(a)
	if unit.StakedTo != 2 || unit.UnlockEpoch != 4 {
		t.Errorf("unit: got %+v", unit)
	}
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	if got := rewards(w, 1); got != "anna=1000000" {
		t.Errorf("rewards of epoch 1: got %s", got)
	}
	if got := rewards(w, 2); got != "bert=1000000" {
		t.Errorf("rewards of epoch 2: got %s", got)
	}
	w.WantStage(a, ledger.PendingUnlock)
	w.NextEpoch()
	w.WantStage(a, ledger.Unlocked)
	w.WantStage(b, ledger.Staked)
}

// RESTAKE and COMPOUND earn from the epoch after the running one.
func TestNotBefore(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	staked, reward := w.Rewarded(w.Anna, 5000) // epoch 2 runs
	w.Act(w.Anna, action.Compound, reward)
	w.WantStage(reward, ledger.PendingStake)
	w.NextEpoch()
	unit := w.Unit(reward)
	if unit.Stage != ledger.Staked || unit.EligibleEpoch != 3 {
		t.Errorf("compounded: got %+v", unit)
	}
	w.Act(w.Anna, action.Unstake, staked) // in epoch 3
	w.NextEpoch()
	w.NextEpoch()
	w.WantStage(staked, ledger.Unlocked)
	w.Settle(ledger.SettleDepth)
	w.Act(w.Anna, action.Restake, staked) // in epoch 5
	unit = w.Unit(staked)
	if unit.Stage != ledger.PendingStake || unit.NotBefore != 6 || unit.StakedTo != chain.None ||
		unit.EligibleEpoch != chain.None {
		t.Errorf("restaked: got %+v", unit)
	}
	w.NextEpoch()
	if unit = w.Unit(staked); unit.Stage != ledger.Staked || unit.EligibleEpoch != 6 {
		t.Errorf("after the boundary: got %+v", unit)
	}
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	if a := account(w, 5); a.Staked != testkit.Budget {
		t.Errorf("stake rewarded in epoch 5: got %s", a.Staked)
	}
	if a := account(w, 6); a.Staked != testkit.Budget+5000 {
		t.Errorf("stake rewarded in epoch 6: got %s", a.Staked)
	}
}

// A COMPOUND after an epoch starts by the clock, but before the boundary's block, belongs to the new epoch.
func TestCompoundBetweenClockAndBlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, reward := w.Rewarded(w.Anna, 5000) // epoch 2 runs
	w.Clock.Set(testkit.Genesis.Add(3*testkit.EpochLength + time.Second))
	w.Act(w.Anna, action.Compound, reward)
	w.Settle(1) // the boundary's block
	w.WantStage(reward, ledger.PendingStake)
	w.NextEpoch()
	if unit := w.Unit(reward); unit.Stage != ledger.Staked || unit.EligibleEpoch != 4 {
		t.Errorf("unit: got %+v", unit)
	}
}

// The reserved budget of an epoch is at most the treasury minus the amounts that are owed or reserved.
func TestShortTreasury(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.Staked(w.Anna, 5000)
	leave := func(n amount.Runes) {
		w.Update(func(tx *store.Tx) error {
			outputs, err := tx.TreasuryOutputs(t.Context(), testkit.Prefix, ledger.RunesKind)
			for i, output := range outputs {
				output.Runes = 0
				if i == 0 {
					output.Runes = n
				}
				if err := tx.PutOutput(t.Context(), output); err != nil {
					return err
				}
			}
			return err
		})
	}
	leave(1_700_000) // 1,000,000 are reserved for the running epoch 1
	w.NextEpoch()
	if a := account(w, 2); a.Reserved != 700_000 || a.Planned != testkit.Budget {
		t.Errorf("epoch 2: got %+v", a)
	}
	w.Settle(ledger.SettleDepth) // epoch 1 settles, and its 1,000,000 are owed
	w.NextEpoch()
	if a := account(w, 3); a.Reserved != 0 {
		t.Errorf("epoch 3: got %+v", a)
	}
	w.Settle(ledger.SettleDepth)
	if a := account(w, 2); !a.Settled || a.Rewarded != 700_000 {
		t.Errorf("epoch 2: got %+v", a)
	}
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	if a := account(w, 3); !a.Settled || a.Rewarded != 0 || a.Staked != 5000 {
		t.Errorf("epoch 3: got %+v", a)
	}
	if n := len(w.Units(w.Anna, ledger.Claimable)); n != 2 {
		t.Errorf("got %d rewards, want 2, because a reward of 0 has no unit", n)
	}
}

// After two epochs without blocks, both boundaries are at one block. A reorg of that block after the first epoch
// settled settles nothing twice.
func TestTwoBoundariesInOneBlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.Staked(w.Anna, 5000)
	w.Clock.Set(testkit.Genesis.Add(4 * testkit.EpochLength)) // epochs 2, 3 and 4 begin at one block
	w.Settle(ledger.SettleDepth - 1)
	for n := int64(1); n <= 3; n++ {
		if a := account(w, n); !a.Settled || a.Staked != 5000 || a.Rewarded != testkit.Budget {
			t.Errorf("epoch %d: %+v", n, a)
		}
	}
	if n := len(w.Units(w.Anna, ledger.Claimable)); n != 3 {
		t.Fatalf("got %d rewards, want 3", n)
	}
	w.Node.Rewind(5)
	w.Settle(8)
	for n := int64(1); n <= 3; n++ {
		if a := account(w, n); !a.Settled || a.Rewarded != testkit.Budget {
			t.Errorf("after the reorg, epoch %d: %+v", n, a)
		}
	}
	if n := len(w.Units(w.Anna, ledger.Claimable)); n != 3 {
		t.Errorf("after the reorg: got %d rewards, want 3", n)
	}
	if a := account(w, 4); a.Settled || a.Reserved != testkit.Budget {
		t.Errorf("account of the running epoch: %+v", a)
	}
}

// A spend that is no payout excludes a unit from an epoch only if its block is at or below the cut.
func TestRecoveryAroundTheCut(t *testing.T) {
	for _, late := range []bool{false, true} {
		w := testkit.NewWorld(t).InjectFaults()
		id := w.Staked(w.Anna, 5000)
		w.Staked(w.Bert, 5000)
		w.NextEpoch()
		recovery := w.Recover(w.Anna, id) // in epoch 3, for which both are staked
		if !late {
			w.Send(recovery)
		}
		w.Settle(1)
		w.NextEpoch()
		if late {
			w.Send(recovery)
		}
		w.Settle(ledger.SettleDepth)
		want := amount.Runes(5000)
		if late {
			want = 10_000
		}
		if a := account(w, 3); !a.Settled || a.Staked != want {
			t.Errorf("late=%v: %+v", late, a)
		}
		w.WantStage(id, ledger.Withdrawn)
	}
}
