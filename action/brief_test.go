package action_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/action"
	"moonfund/chain"
	"moonfund/fault"
	"moonfund/ledger"
	"moonfund/message"
	"moonfund/order"
	"moonfund/store"
	"moonfund/testkit"
)

// mostStored is what an unsigned intent may take, its entries in the indexes of the table included.
const mostStored = 1024

// stored returns the bytes of an intent's row and of its entries in two indexes.
func stored(t *testing.T, w *testkit.World, id string) int {
	t.Helper()
	row := w.Rows(`SELECT id, community, type, payment, ordinals, unit_ids, amount, order_id, message, created_at,
		expires_at, used_at,
		signature, signer, txid FROM action WHERE id = $1`, id)
	if row == "" {
		t.Fatalf("no action %s", id)
	}
	return len(row) + len(id) + 8 + 8 + 8 // id and expiry again, each with a row number
}

// many gives a wallet n more staked units, in one go. The chain does not have them.
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
			if unit, err = ledger.Move(t.Context(), tx, unit, ledger.Deposited, ledger.Any, cause, nil); err != nil {
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

// Whatever an intent is about, it takes at most 1 KB until it is signed, and its message is found again by a server
// that does not remember it: with one unit, 900 units of 1,000 in any order, and of a cancel.
func TestUnsignedIntentsAreSmall(t *testing.T) {
	w := testkit.NewWorld(t)
	all := many(t, w, w.Anna, 1_000)
	for _, id := range all[:3] {
		w.WantStage(id, ledger.Staked)
	}
	scattered := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return strings.HasSuffix(id, ":1") })
	few := []string{all[9], all[2], all[500]}
	for name, units := range map[string][]string{"one": all[:1], "few": few, "a range": all[:900],
		"every other": scattered} {
		asked := post(w, w.Anna, action.Unstake, units...)
		size := stored(t, w, asked.ActionID)
		t.Logf("%s: %d units, %d bytes; the message alone has %d", name, len(units), size, len(asked.Message))
		if size > mostStored {
			t.Errorf("%s: an intent of %d units takes %d bytes", name, len(units), size)
		}
	}
	asked := post(w, w.Anna, action.Unstake, scattered...)
	w.Restart()
	if _, err := sign(w, signing(w, w.Anna, action.Unstake, asked)); err != nil {
		t.Fatal(err)
	}
	for i, id := range all {
		want := ledger.PendingUnlock
		if i%3 == 1 {
			want = ledger.Staked
		}
		w.WantStage(id, want)
	}
	row := w.Rows(`SELECT message, unit_ids FROM action WHERE id = $1`, asked.ActionID)
	if !strings.Contains(row, "Nonce: "+asked.ActionID) || !strings.Contains(row, scattered[0]) {
		t.Errorf("stored of a signed action: %.300s", row)
	}
}

// A cancel is stored in brief as well, names the order as it was, and is no less true when more was paid since.
func TestCancelIsFoundAgain(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 6000)).Order
	asked, err := w.Actions.AskCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	testkit.Must(t, err)
	if size := stored(t, w, asked.ActionID); size > mostStored {
		t.Errorf("%d bytes", size)
	}
	w.Pay(w.Anna, o, o.Due()/2)
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	w.Restart()
	w.Step()
	request := action.SignRequest{Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Bert.Sign(asked.Message)}
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, request, o.ID)
	refused(t, err, fault.SignatureWrong, w.Anna.Ordinals.Text)
	request.Signature = w.Anna.Sign(asked.Message)
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, request, o.ID)
	testkit.Must(t, err)
	w.WantStatus(o.ID, order.Canceled)
	w.Audit()
}

// A server that does not remember an intent refuses a signature of another message, and a message that no longer holds.
func TestBriefRefusesWhatWasNotIssued(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
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
		t.Error("a message of the epoch before was accepted")
	}
	w.WantStage(id, ledger.Staked)
}

// A message that was issued before intents were stored in brief has its row in full, and is still good.
func TestFullIntentIsStillGood(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
	id := w.Staked(w.Anna, 5000)
	asked := post(w, w.Anna, action.Unstake, id)
	w.Update(func(tx *store.Tx) error {
		a, err := tx.Action(t.Context(), asked.ActionID)
		if err != nil {
			return err
		}
		if a.Message != "" || a.Brief == "" {
			t.Errorf("stored: %+v", a)
		}
		intent, err := message.Parse(asked.Message)
		testkit.Must(t, err)
		intent.Nonce = strings.Repeat("e", 32)
		a.ID, a.Brief, a.Message, a.UnitIDs = intent.Nonce, "", intent.Text(), []string{id}
		asked = action.Requested{ActionID: a.ID, Message: a.Message}
		return tx.InsertAction(t.Context(), a)
	})
	w.Clock.Advance(time.Minute)
	_, err := sign(w, signing(w, w.Anna, action.Unstake, asked))
	testkit.Must(t, err)
	w.WantStage(id, ledger.PendingUnlock)
	w.Audit()
}
