package audit_test

import (
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/staking/action"
	"moonfund/internal/testkit"
)

// rules has rules of time, amount and state of the ledger, each with a damage that breaks it, for a ledger with a stake
// that is unlocked, one in its cooldown and one that earns. TestCorruption covers orders, payments and payouts.
var rules = []struct {
	rule string
	corruption
}{
	{"a unit waits a whole epoch after the one in which it was unstaked", corruption{audit.Locks,
		`UPDATE unit SET unlock_epoch = staked_to + 1 WHERE stage = 'PENDING_UNLOCK'`}},
	{"and not longer", corruption{audit.Locks,
		`UPDATE unit SET unlock_epoch = staked_to + 3 WHERE stage = 'PENDING_UNLOCK'`}},
	{"the same once it is unlocked", corruption{audit.Locks,
		`UPDATE unit SET unlock_epoch = staked_to + 1 WHERE stage = 'UNLOCKED'`}},
	{"it is unlocked when that epoch is over", corruption{audit.Locks,
		`UPDATE journal SET at = (SELECT MIN(at) FROM journal WHERE event = 'unstake') + 1
			WHERE event = 'cooldown over'`}},
	{"a staked unit has no epoch that ends its cooldown", corruption{audit.Locks,
		`UPDATE unit SET unlock_epoch = eligible_epoch + 2 WHERE stage = 'STAKED'`}},
	{"a unit earns from its first whole epoch", corruption{audit.Backing,
		`UPDATE unit SET eligible_epoch = eligible_epoch - 1 WHERE stage = 'STAKED'`}},
	{"and not later", corruption{audit.Backing,
		`UPDATE unit SET eligible_epoch = eligible_epoch + 1 WHERE stage = 'STAKED'`}},
	{"a unit earns until it is unstaked", corruption{audit.Backing,
		`UPDATE unit SET staked_to = staked_to - 1, unlock_epoch = unlock_epoch - 1 WHERE stage = 'PENDING_UNLOCK'`}},
	{"and not longer", corruption{audit.Backing,
		`UPDATE unit SET staked_to = staked_to + 1, unlock_epoch = unlock_epoch + 1 WHERE stage = 'UNLOCKED'`}},
	{"a unit is as large as its deposit", corruption{audit.Stakes,
		`UPDATE unit SET amount = amount + 1 WHERE stage = 'PENDING_UNLOCK'`}},
	{"a reward is the owner's part of the budget", corruption{audit.Backing,
		`UPDATE epoch_reward SET reward = reward + 1`}},
	{"an epoch settles on its last block", corruption{audit.Backing,
		`UPDATE epoch_account SET cut = cut + 1 WHERE settled = 1`}},
	{"a stage follows the journal", corruption{audit.Journal,
		`UPDATE unit SET stage = 'UNLOCKED' WHERE stage = 'PENDING_UNLOCK'`}},
	{"a signed message takes effect once", corruption{audit.Proofs,
		`UPDATE action SET used_at = expires_at + 1 WHERE type = 'UNSTAKE'`}},
}

func TestRules(t *testing.T) {
	w := newAudited(t)
	first, _ := w.Deposit(w.Anna, 5000)
	w.Deposit(w.Bert, 7000)
	third, _ := w.Deposit(w.Cleo, 6000)
	w.step()
	w.settle(4)
	w.epoch()
	w.epoch()
	w.settle(10)
	w.Act(w.Anna, action.Unstake, first)
	w.epoch()
	w.epoch()
	w.Act(w.Cleo, action.Unstake, third)
	w.settle(10)
	w.epoch()
	w.settle(10)
	whole := w.Checkpoint()
	for i, row := range rules {
		if !isTried(i) {
			continue
		}
		t.Run(row.rule+"/"+row.text, func(t *testing.T) {
			address := whole.Copy(t)
			damage(t, address, row.text)
			report, err := w.run(address, w.Node)
			testkit.Must(t, err)
			wantFound(t, report, row.invariant)
		})
	}
}
