package payout_test

import (
	"strings"
	"testing"

	"moonfund/ledger"
	"moonfund/message"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
	"moonfund/testkit"
)

// olderOrder is a paid withdrawal with a random id, as orders had before their ids
// were derived from messages. The message behind it is a genuine one.
func olderOrder(w *testkit.World) (o order.Order) {
	w.Helper()
	unit := w.Unlocked(w.Anna, 5_000)
	bound := withdrawal(w, unit)
	w.Change(func(tx *store.Tx) error {
		_, err := w.Orders.Cancel(w.Context(), tx, bound, bound.ActionID, w.Clock.Now())
		return err
	})
	free := w.Unit(unit)
	w.Change(func(tx *store.Tx) (err error) {
		o, err = w.Orders.Open(w.Context(), tx, order.Request{
			ID: strings.Repeat("0", 32), Community: testkit.Prefix, Reason: ledger.ForWithdraw, Owner: w.Anna.Ordinals.Text,
			Payment: w.Anna.Payment.Text, ActionID: bound.ActionID, Units: []ledger.Unit{free}, Rate: w.Rate,
		}, w.Clock.Now())
		return err
	})
	pay(w, w.Anna, o)
	return w.WantStatus(o.ID, order.Paid)
}

// An order's id is the one that its message gives it.
func TestOrderIDIsDerivedFromTheMessage(t *testing.T) {
	w := testkit.NewWorld(t)
	o := withdrawal(w, w.Unlocked(w.Anna, 5_000))
	w.Update(func(tx *store.Tx) error {
		proof, err := tx.ProofOf(t.Context(), o.ActionID)
		if err == nil && message.OrderID(proof.Text) != o.ID {
			t.Errorf("order %s was opened by the message of order %s", o.ID, message.OrderID(proof.Text))
		}
		return err
	})
}

// The server asks no signer for the payout of an older order. It says that a person
// signs it and how, sends the others meanwhile, and takes the signed one in.
func TestOlderOrderIsSignedByHand(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
	o := olderOrder(w)
	if why := w.Cashier.Waiting()[o.ID]; !strings.Contains(why, "moonfund payout export "+o.ID) {
		t.Errorf("it waits %q", why)
	}
	other := withdrawal(w, w.Unlocked(w.Anna, 6_000))
	pay(w, w.Anna, other)
	w.WantStatus(other.ID, order.Sent)
	w.WantStatus(o.ID, order.Paid)
	process := w.Signer
	w.ByHand()
	signed := elsewhere(w, o.ID, w.Rate)
	w.Signer = process
	if r := handIn(w, o.ID, raw(signed)); r.Status != payout.RequestDone {
		t.Fatalf("handed in: %+v", r)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)

	// A payment that comes after its delivery is refunded by hand, too.
	w.Pay(w.Anna, o, 3_000)
	w.Settle(1)
	ask(w, payout.AskRefund, o.ID)
	wantRequest(w, o.ID, payout.RequestOpen, "moonfund payout export "+o.ID)
	w.ByHand()
	signed = elsewhere(w, o.ID, w.Rate)
	w.Signer = process
	stolen := signed.Copy()
	stolen.TxOut[0].PkScript = w.Cleo.Payment.Script
	if r := handIn(w, o.ID, raw(stolen)); r.Status != payout.RequestRefused || !strings.Contains(r.Note, "payment address") {
		t.Errorf("a refund to somebody else: %+v", r)
	}
	if r := handIn(w, o.ID, raw(signed)); r.Status != payout.RequestDone {
		t.Errorf("the refund: %+v", r)
	}
	if all := refunds(w, o.ID); len(all) != 1 || all[0].Versions[0].Tx.ID.String() != signed.TxHash().String() {
		t.Errorf("refunds: %+v", all)
	}
}
