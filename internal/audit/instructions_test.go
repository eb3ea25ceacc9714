package audit_test

import (
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// badInstructions are states that automatic compounding must never produce: each compounded reward needs a signed,
// active instruction of its owner for the reward's epoch.
var badInstructions = map[string]string{
	"missing action":    `DELETE FROM action WHERE type = 'AUTO_COMPOUND'`,
	"unknown cause":     `UPDATE journal SET cause_id = 'none' WHERE cause_kind = 'instruction'`,
	"clock as cause":    `UPDATE journal SET cause_kind = 'clock' WHERE cause_kind = 'instruction'`,
	"not signed":        `UPDATE action SET used_at = 0 WHERE type = 'AUTO_COMPOUND'`,
	"forged signature":  `UPDATE action SET signature = 'AAAA' WHERE type = 'AUTO_COMPOUND'`,
	"signed by another": `UPDATE action SET signer = payment WHERE type = 'AUTO_COMPOUND'`,
	"of another owner":  `UPDATE action SET ordinals = 'bcrt1qother' WHERE type = 'AUTO_COMPOUND'`,
	"another action":    `UPDATE action SET type = 'COMPOUND' WHERE type = 'AUTO_COMPOUND'`,
	"expired": `UPDATE action SET message = REPLACE(REPLACE(message, 'First epoch: ', 'First epoch: 9'),
		'Last epoch: ', 'Last epoch: 99') WHERE type = 'AUTO_COMPOUND'`,
	"prolonged":      `UPDATE auto_compound SET last_epoch = last_epoch + 1`,
	"begins earlier": `UPDATE auto_compound SET first_epoch = first_epoch - 1`,
	"row is missing": `UPDATE auto_compound SET id = 'none'`,
	"reopened":       `UPDATE auto_compound SET ended_at = 0`,
	"after its end":  `UPDATE journal SET number = number + 1000 WHERE cause_kind = 'instruction'`,
	"end not signed": `UPDATE journal SET cause_kind = 'clock' WHERE event = 'auto compound ended'`,
	"was on an order": `UPDATE journal SET event = 'claim ordered'
		WHERE event = 'rewarded' AND subject IN (SELECT subject FROM journal WHERE cause_kind = 'instruction')`,
}

func TestInstructions(t *testing.T) {
	w := newAudited(t)
	w.Rewarded(w.Anna, 5000)
	w.Act(w.Anna, action.AutoCompound)
	w.epoch()
	w.settle(ledger.SettleDepth)
	if got := len(w.Units(w.Anna, ledger.PendingStake)); got != 1 {
		t.Fatalf("%d rewards are compounded", got)
	}
	w.Act(w.Anna, action.EndAutoCompound)
	w.audit()
	whole := w.Checkpoint()
	for name, text := range badInstructions {
		t.Run(name, func(t *testing.T) {
			address := whole.Copy(t)
			damage(t, address, text)
			report, err := w.run(address, w.Node)
			testkit.Must(t, err)
			wantFound(t, report, audit.Proofs)
		})
	}
}
