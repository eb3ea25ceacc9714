package ledger_test

import (
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// A reward whose claim is paid but not delivered when an epoch begins earns nothing.
func TestClaimedRewardEarnsNothing(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	staked, reward := w.Rewarded(w.Anna, 50_000)
	claim := w.Act(w.Anna, action.Claim, reward).Order
	w.Pay(w.Anna, *claim, claim.Due())
	w.Settle(1)
	w.WantStage(reward, ledger.BatchLocked)
	w.NextEpoch()
	if got := w.Unit(reward).EligibleEpoch; got != chain.None {
		t.Errorf("eligible epoch of a claimed reward: got %d, want none", got)
	}
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	inputs := w.Rows(`SELECT unit_id FROM epoch_input WHERE epoch = 3`)
	if want := "unit_id=" + staked + " \n"; inputs != want {
		t.Errorf("units rewarded in epoch 3: got\n%swant\n%s", inputs, want)
	}
	w.Audit()
}
