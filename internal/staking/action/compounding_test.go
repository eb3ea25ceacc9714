package action_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// instructed returns a world where Anna staked and compounds automatically, with an older claimable reward.
func instructed(t *testing.T) (w *testkit.World, older string) {
	w = testkit.NewWorld(t)
	_, older = w.Rewarded(w.Anna, 5000)
	w.Act(w.Anna, action.AutoCompound)
	return w, older
}

// settle ends the current epoch and settles it.
func settle(w *testkit.World) {
	w.Helper()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
}

func TestAutoCompound(t *testing.T) {
	w, older := instructed(t)
	settle(w)
	w.WantStage(older, ledger.Claimable)
	compounded := w.Units(w.Anna, ledger.PendingStake)
	if len(compounded) != 1 {
		t.Fatalf("%d rewards are compounded:\n%s", len(compounded), w.Rows(`SELECT * FROM auto_compound`))
	}
	w.NextEpoch()
	w.WantStage(compounded[0], ledger.Staked)
	w.Audit()

	w.Act(w.Anna, action.EndAutoCompound)
	before := len(w.Units(w.Anna, ledger.Claimable))
	w.Settle(ledger.SettleDepth)
	if got := len(w.Units(w.Anna, ledger.Claimable)); got != before+1 {
		t.Errorf("after its end %d rewards are claimable, before %d", got, before)
	}
	w.Audit()
	_, err := w.TryAct(w.Anna, action.EndAutoCompound)
	if !errors.Is(err, fault.Refuse(fault.NotCompounding)) && !strings.Contains(err.Error(), "compounded") {
		t.Errorf("ending it twice: %v", err)
	}
}

// TestAutoCompoundExpires checks that an instruction covers exactly the epochs that it names.
func TestAutoCompoundExpires(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Rewarded(w.Anna, 5000)
	requested, err := w.Actions.PostCompounding(t.Context(), testkit.Prefix, w.Anna.Pair(), action.AutoCompound, 2, "")
	testkit.Must(t, err)
	request := action.SignRequest{Wallet: w.Anna.Pair(), ActionID: requested.ActionID, Type: action.AutoCompound,
		Signature: w.Anna.Sign(requested.Message)}
	for range 2 { // the second submission returns the first result
		if _, err = w.Actions.Sign(t.Context(), testkit.Prefix, request); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		settle(w)
	}
	rows := w.Rows(`SELECT subject FROM journal WHERE event = 'compound' AND cause_kind = 'instruction'`)
	if strings.Count(rows, "reward:") != 2 {
		t.Errorf("compounded rewards: %s", rows)
	}
	if got := w.Rows(`SELECT ended_at FROM auto_compound WHERE ended_at = 0`); got != "" {
		t.Errorf("it is active after its last epoch: %s", got)
	}
	w.Audit()
}

// TestAutoCompoundReplaced checks that a new instruction replaces the old one without a gap, and that an instruction
// that was requested before an epoch settled is refused.
func TestAutoCompoundReplaced(t *testing.T) {
	w, _ := instructed(t)
	stale, err := w.Ask(w.Anna, action.AutoCompound)
	testkit.Must(t, err)
	end, err := w.Ask(w.Anna, action.EndAutoCompound)
	testkit.Must(t, err)
	settle(w)
	sign := func(kind action.Type, r action.Requested) error {
		_, err := w.Actions.Sign(t.Context(), testkit.Prefix, action.SignRequest{
			Wallet: w.Anna.Pair(), ActionID: r.ActionID, Type: kind, Signature: w.Anna.Sign(r.Message)})
		return err
	}
	if sign(action.AutoCompound, stale) == nil {
		t.Error("an instruction from a settled epoch on was accepted")
	}
	w.Act(w.Anna, action.AutoCompound)
	if sign(action.EndAutoCompound, end) == nil {
		t.Error("the end of a replaced instruction was accepted")
	}
	settle(w)
	if got := len(w.Units(w.Anna, ledger.Claimable)); got != 1 {
		t.Errorf("%d rewards are claimable", got)
	}
	if _, err := w.TryAct(w.Bert, action.EndAutoCompound); err == nil {
		t.Error("another owner ended it")
	}
	w.Audit()
}

// TestAutoCompoundSkipsOrders checks that a reward on an order is not compounded, even after the order has closed.
func TestAutoCompoundSkipsOrders(t *testing.T) {
	w, older := instructed(t)
	o := w.Act(w.Anna, action.Claim, older).Order
	settle(w)
	if unit := w.Unit(older); unit.Stage == ledger.PendingStake || o == nil {
		t.Errorf("a reward on an order is %s", unit.Stage)
	}
	settle(w) // by now the order has expired
	w.WantStage(older, ledger.Claimable)
	w.Audit()
}

// TestAutoCompoundAfterRestore checks that a restore from a backup ends the instructions that were signed before it.
func TestAutoCompoundAfterRestore(t *testing.T) {
	w, _ := instructed(t)
	restored := w.Restored(w.Backup())
	testkit.Must(t, restored.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.RecordIncident(t.Context(), "", store.IncidentRestore, "from the backup", restored.Clock.Now())
	}))
	before := len(restored.Units(restored.Anna, ledger.Claimable))
	settle(restored)
	if got := len(restored.Units(restored.Anna, ledger.Claimable)); got != before+1 {
		t.Errorf("%d rewards are claimable, before %d", got, before)
	}
	rows := restored.Rows(`SELECT event, cause_kind FROM journal WHERE asset = 'instruction' AND to_account = 'ENDED'`)
	if !strings.Contains(rows, ledger.CompoundingRestored) {
		t.Errorf("its end: %s", rows)
	}
	restored.Audit()
	restored.Clock.Advance(time.Second)
	restored.Act(restored.Anna, action.AutoCompound)
	settle(restored)
	restored.Audit()
}

// TestAutoCompoundAfterRestoreInParts checks that several transactions end the instructions after a restore, and that
// nothing is compounded before all of them have ended.
func TestAutoCompoundAfterRestoreInParts(t *testing.T) {
	w, _ := instructed(t)
	signed := w.Clock.Now()
	w.Change(func(tx *store.Tx) error {
		for i := range 200 {
			id := fmt.Sprintf("instruction %03d", i)
			if err := tx.InsertInstruction(t.Context(), ledger.Instruction{ID: id, Community: testkit.Prefix, Owner: id,
				First: 1, Last: 12, Signed: signed.Add(-time.Second)}); err != nil {
				return err
			}
		}
		return tx.RecordIncident(t.Context(), "", store.IncidentRestore, "from the backup", signed)
	})
	for part, want := range []struct {
		active int
		done   bool
	}{{101, false}, {1, false}, {0, false}, {0, true}} {
		w.Change(func(tx *store.Tx) error {
			units, done, err := w.Ledger.ApplyInstructions(t.Context(), tx.LedgerTx(), testkit.Prefix,
				testkit.MomentAt(w.Clock.Now()), func() bool { return false })
			if len(units) > 0 || done != want.done {
				t.Errorf("part %d: %d units are compounded, done %t", part, len(units), done)
			}
			return err
		})
		if active := w.Rows(`SELECT COUNT(*) AS active FROM auto_compound WHERE ended_at = 0`); !strings.Contains(active,
			fmt.Sprintf("active=%d ", want.active)) {
			t.Errorf("after part %d: %s, want %d", part, active, want.active)
		}
	}
}

// TestEndAutoCompoundInPause checks that an instruction can end but not begin while everything is paused, so that
// nothing is compounded after the pause.
func TestEndAutoCompoundInPause(t *testing.T) {
	w, older := instructed(t)
	w.Update(func(tx *store.Tx) error {
		return tx.Pause(t.Context(), store.PauseAll, "a test", w.Clock.Now())
	})
	settle(w)
	for _, kind := range []action.Type{action.AutoCompound, action.Compound} {
		if _, err := w.TryAct(w.Anna, kind, older); !errors.Is(err, fault.Refuse(fault.Paused)) {
			t.Errorf("%s in a pause: %v", kind, err)
		}
	}
	w.Act(w.Anna, action.EndAutoCompound)
	if _, err := w.TryAct(w.Anna, action.EndAutoCompound); !errors.Is(err, fault.Refuse(fault.NotCompounding)) {
		t.Errorf("ending it twice: %v", err)
	}
	w.Update(func(tx *store.Tx) error {
		_, err := tx.Resume(t.Context(), store.PauseAll, ledger.Cause{Kind: "operator", ID: "test", At: w.Clock.Now()})
		return err
	})
	w.Settle(ledger.SettleDepth)
	if got := w.Units(w.Anna, ledger.PendingStake); len(got) != 0 {
		t.Errorf("after the pause %v is compounded", got)
	}
	w.Audit()
}
