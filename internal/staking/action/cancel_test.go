package action_test

import (
	"reflect"
	"testing"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// A used cancel returns its order only to the owner: a signature of another key or of another text gets no order and
// changes nothing.
func TestForgedReplayOfACancel(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	issued, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
	testkit.Must(t, err)
	cancel := func(signature string) (order.Order, error) {
		return w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
			Wallet: w.Anna.Pair(), ActionID: issued.ActionID, Signature: signature,
		}, o.ID)
	}
	signature := w.Anna.Sign(issued.Message)
	_, err = cancel(signature)
	testkit.Must(t, err)
	before := w.Dump() + w.Rows(`SELECT * FROM journal`)
	forged := func(signature string, want fault.Sentence, args ...any) {
		t.Helper()
		shown, err := cancel(signature)
		refused(t, err, want, args...)
		if !reflect.DeepEqual(shown, order.Order{}) {
			t.Errorf("a forged proof returned the order: %+v", shown)
		}
	}
	forged(w.Bert.Sign(issued.Message), fault.SignatureWrong, w.Anna.Ordinals.Text)
	forged(w.Anna.Sign(issued.Message+" "), fault.SignatureWrong, w.Anna.Ordinals.Text)
	forged("", fault.SignatureNeeded)
	forged("AA==", fault.SignatureMalformed)
	if after := w.Dump() + w.Rows(`SELECT * FROM journal`); after != before {
		t.Errorf("a forged proof changed the ledger:\n%s\nbefore:\n%s", after, before)
	}
	again, err := cancel(signature)
	if err != nil || again.ID != o.ID || again.Status != order.Canceled {
		t.Errorf("repeated proof of the owner: got %+v, %v", again, err)
	}
}

// The proof of a cancel is valid only for the order that it names.
func TestCancelOfAnotherOrder(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	a, _ := w.Deposit(w.Anna, 5000)
	b := w.Unlocked(w.Anna, 6000)
	w.Act(w.Anna, action.Unstake, a)
	w.NextEpoch()
	w.NextEpoch()
	first, second := *w.Act(w.Anna, action.Withdraw, a).Order, *w.Act(w.Anna, action.Withdraw, b).Order
	issued, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), first.ID, "")
	testkit.Must(t, err)
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: issued.ActionID, Signature: w.Anna.Sign(issued.Message),
	}, second.ID)
	refused(t, err, fault.ActionUnknown)
	w.WantStatus(first.ID, order.Pending)
	w.WantStatus(second.ID, order.Pending)
}
