package action_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// mostStored is the maximum size in bytes of an unsigned action in the database, with its index entries.
const mostStored = 1024

// stored returns the size in bytes of an action's row and of its entries in two indexes.
func stored(t *testing.T, w *testkit.World, id string) int {
	t.Helper()
	row := w.Rows(`SELECT id, community, type, payment, ordinals, unit_ids, amount, order_id, message, created_at,
		expires_at, used_at,
		signature, signer, txid FROM action WHERE id = $1`, id)
	if row == "" {
		t.Fatalf("no action %s", id)
	}
	return len(row) + len(id) + 8 + 8 + 8 // id and expiry again in the indexes, each with a row number
}

// many inserts n staked units for a wallet into the database only; they are not on the chain.
func many(t *testing.T, w *testkit.World, of *testkit.Wallet, n int) (ids []string) {
	t.Helper()
	like := w.Unit(w.Staked(of, 5000))
	w.Update(func(tx *store.Tx) error {
		for i := range n {
			unit := like
			unit.ID, unit.Stage, unit.EligibleEpoch = fmt.Sprintf("%064x:%d", i+1, i%3), "", chain.None
			point, err := ledger.ParseOutPoint(unit.ID)
			if err != nil {
				return err
			}
			unit.OutPoint = point
			cause := ledger.Cause{Kind: "block", ID: "test", At: w.Clock.Now()}
			unit.Stage = ledger.PendingStake
			if err := tx.InsertUnit(t.Context(), unit); err != nil {
				return err
			}
			if unit, err = ledger.Move(t.Context(), tx, unit, ledger.BecameEligible, ledger.Any, cause, func(u *ledger.Unit) {
				u.EligibleEpoch = 0
			}); err != nil {
				return err
			}
			ids = append(ids, unit.ID)
		}
		return nil
	})
	return ids
}

// An unsigned action takes at most 1 KB, and a server that does not cache it renders its message again. It is tested
// with one unit, three units in any order, and up to 900 of 1,000 units.
func TestUnsignedActionsAreSmall(t *testing.T) {
	w := testkit.NewWorld(t)
	all := many(t, w, w.Anna, 1_000)
	for _, id := range all[:3] {
		w.WantStage(id, ledger.Staked)
	}
	scattered := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return strings.HasSuffix(id, ":1") })
	few := []string{all[9], all[2], all[500]}
	for name, units := range map[string][]string{"one": all[:1], "few": few, "a range": all[:900],
		"every other": scattered} {
		issued := post(w, w.Anna, action.Unstake, units...)
		size := stored(t, w, issued.ActionID)
		t.Logf("%s: %d units take %d bytes; the message alone takes %d", name, len(units), size, len(issued.Message))
		if size > mostStored {
			t.Errorf("%s: an intent of %d units takes %d bytes", name, len(units), size)
		}
	}
	issued := post(w, w.Anna, action.Unstake, scattered...)
	w.Restart()
	if _, err := sign(w, signing(w, w.Anna, action.Unstake, issued)); err != nil {
		t.Fatal(err)
	}
	for i, id := range all {
		want := ledger.PendingUnlock
		if i%3 == 1 {
			want = ledger.Staked
		}
		w.WantStage(id, want)
	}
	row := w.Rows(`SELECT message, unit_ids FROM action WHERE id = $1`, issued.ActionID)
	if !strings.Contains(row, "Nonce: "+issued.ActionID) || !strings.Contains(row, scattered[0]) {
		t.Errorf("stored row of a signed action: %.300s", row)
	}
}

// A cancel is also stored as a brief. Its message names the order's state when it was issued, and stays valid after
// further payments.
func TestCancelInBrief(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 6000)).Order
	issued, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
	testkit.Must(t, err)
	if size := stored(t, w, issued.ActionID); size > mostStored {
		t.Errorf("the cancel takes %d bytes", size)
	}
	w.Pay(w.Anna, o, o.Due()/2)
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	w.Restart()
	w.Step()
	request := action.SignRequest{Wallet: w.Anna.Pair(), ActionID: issued.ActionID, Signature: w.Bert.Sign(issued.Message)}
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, request, o.ID)
	refused(t, err, fault.SignatureWrong, w.Anna.Ordinals.Text)
	request.Signature = w.Anna.Sign(issued.Message)
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, request, o.ID)
	testkit.Must(t, err)
	w.WantStatus(o.ID, order.Canceled)
	w.Audit()
}

// A server that does not cache an action refuses a signature of another message, and of a message that is out of date.
func TestBriefRefusesOtherMessages(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	first, second := post(w, w.Anna, action.Unstake, id), post(w, w.Anna, action.Unstake, id)
	w.Restart()
	w.Step()
	swapped := signing(w, w.Anna, action.Unstake, first)
	swapped.ActionID = second.ActionID
	_, err := sign(w, swapped)
	refused(t, err, fault.SignatureWrong, w.Anna.Ordinals.Text)
	w.NextEpoch() // the message names another epoch
	_, err = sign(w, signing(w, w.Anna, action.Unstake, first))
	if err == nil {
		t.Error("a message of the previous epoch was accepted")
	}
	w.WantStage(id, ledger.Staked)
}

// An action that is stored in full can be signed.
func TestActionInFull(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	issued := post(w, w.Anna, action.Unstake, id)
	w.Update(func(tx *store.Tx) error {
		a, err := tx.Action(t.Context(), issued.ActionID)
		if err != nil {
			return err
		}
		if a.Message != "" || a.Brief == "" {
			t.Errorf("the issued action is not stored in brief: %+v", a)
		}
		intent, err := message.Parse(issued.Message)
		testkit.Must(t, err)
		intent.Nonce = strings.Repeat("e", 32)
		a.ID, a.Brief, a.Message, a.UnitIDs = intent.Nonce, "", intent.Text(), []string{id}
		issued = action.Requested{ActionID: a.ID, Message: a.Message}
		return tx.InsertAction(t.Context(), a)
	})
	w.Clock.Advance(time.Minute)
	_, err := sign(w, signing(w, w.Anna, action.Unstake, issued))
	testkit.Must(t, err)
	w.WantStage(id, ledger.PendingUnlock)
	w.Audit()
}
