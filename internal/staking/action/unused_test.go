package action_test

import (
	"testing"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// An unused action is deleted a day after it expired; a used one is kept. The action of a stake address is deleted when
// the address expires.
func TestUnusedActionsAreDeleted(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	kept := func(id string) bool {
		t.Helper()
		return w.Rows(`SELECT id FROM action WHERE id = $1`, id) != ""
	}
	id := w.Staked(w.Anna, 5000)
	unlocked := w.Unlocked(w.Anna, 6000)
	address, _ := w.StakeAddress(w.Bert, 5000)
	o := *w.Act(w.Anna, action.Withdraw, unlocked).Order
	w.WantStatus(o.ID, order.Pending)
	used := w.Rows(`SELECT * FROM action WHERE used_at <> 0 ORDER BY id`)
	first := post(w, w.Anna, action.Unstake, id)
	cancel, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
	testkit.Must(t, err)
	w.Clock.Advance(time.Second)
	later := post(w, w.Anna, action.Unstake, id)

	w.Clock.Advance(action.Validity + 24*time.Hour - time.Second) // the first two expired a day ago
	w.Step()
	for _, issued := range []action.Requested{first, cancel, later} {
		if !kept(issued.ActionID) {
			t.Errorf("deleted less than a day after it expired: %q", issued.Message)
		}
	}
	_, err = sign(w, signing(w, w.Anna, action.Unstake, first))
	refused(t, err, fault.ActionExpired)
	w.Clock.Advance(time.Second)
	w.Step()
	if kept(first.ActionID) || kept(cancel.ActionID) || !kept(later.ActionID) {
		t.Errorf("kept: %t, %t, %t, want the last", kept(first.ActionID), kept(cancel.ActionID), kept(later.ActionID))
	}

	// A proof of a deleted action changes nothing, whether this server still caches the action or not.
	before := w.Dump() + w.Rows(`SELECT * FROM journal ORDER BY number`)
	for range 2 {
		_, err = sign(w, signing(w, w.Anna, action.Unstake, first))
		refused(t, err, fault.ActionUnknown)
		_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
			Wallet: w.Anna.Pair(), ActionID: cancel.ActionID, Signature: w.Anna.Sign(cancel.Message),
		}, o.ID)
		refused(t, err, fault.ActionUnknown)
		w.Restart()
		w.Step()
	}
	if after := w.Dump() + w.Rows(`SELECT * FROM journal ORDER BY number`); after != before {
		t.Error("a proof of a deleted action changed the ledger")
	}

	w.Clock.Advance(365 * 24 * time.Hour)
	w.Step()
	if kept(later.ActionID) || kept(address.ActionID) {
		t.Errorf("kept a year later: second intent %t, stake address %t, want neither", kept(later.ActionID),
			kept(address.ActionID))
	}
	if rows := w.Rows(`SELECT * FROM action WHERE used_at <> 0 ORDER BY id`); rows != used {
		t.Errorf("the used actions are\n%s\nwant\n%s", rows, used)
	}
	w.Audit()
}
