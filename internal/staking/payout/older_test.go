package payout_test

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/signed/message"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// olderOrder returns a paid withdrawal with a random id, as before ids were derived from messages. Its message is
// valid.
func olderOrder(w *testkit.World) (o order.Order) {
	w.Helper()
	unit := w.Unlocked(w.Anna, 5_000)
	bound := withdrawal(w, unit)
	w.Change(func(tx *store.Tx) error {
		_, err := w.Orders.Cancel(w.Context(), tx.OrderTx(), bound, bound.ActionID, w.Clock.Now())
		return err
	})
	free := w.Unit(unit)
	w.Change(func(tx *store.Tx) (err error) {
		o, err = w.Orders.Open(w.Context(), tx.OrderTx(), order.Request{
			ID: strings.Repeat("0", 32), Community: testkit.Prefix, Reason: ledger.ForWithdraw, Owner: w.Anna.Ordinals.Text,
			Payment: w.Anna.Payment.Text, ActionID: bound.ActionID, Units: []ledger.Unit{free}, Rate: w.Rate,
		}, w.Clock.Now())
		return err
	})
	pay(w, w.Anna, o)
	return w.WantStatus(o.ID, order.Paid)
}

// An order's id is derived from its message.
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

// The server does not call the signer for the payout of an older order. The order waits with a reason that names the
// command to export it. Other orders are sent meanwhile, and the payout signed by hand is accepted.
func TestOlderOrderIsSignedByHand(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := olderOrder(w)
	if why := w.Payouts.Waiting()[o.ID]; !strings.Contains(why, "moonfund payout export "+o.ID) {
		t.Errorf("reason for waiting: got %q", why)
	}
	other := withdrawal(w, w.Unlocked(w.Anna, 6_000))
	pay(w, w.Anna, other)
	w.WantStatus(other.ID, order.Sent)
	w.WantStatus(o.ID, order.Paid)
	process := w.Signer
	w.UseManualSigner()
	signed := elsewhere(w, o.ID, w.Rate)
	w.Signer = process
	if r := handIn(w, o.ID, raw(signed)); r.Status != payout.RequestDone {
		t.Fatalf("submitted payout: got %+v", r)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)

	// A refund of a payment after its delivery is also signed by hand.
	w.Pay(w.Anna, o, 3_000)
	w.Settle(1)
	ask(w, payout.RequestRefund, o.ID)
	wantRequest(w, o.ID, payout.RequestOpen, "moonfund payout export "+o.ID)
	w.UseManualSigner()
	signed = elsewhere(w, o.ID, w.Rate)
	w.Signer = process
	stolen := signed.Copy()
	stolen.TxOut[0].PkScript = w.Cleo.Payment.Script
	if r := handIn(w, o.ID, raw(stolen)); r.Status != payout.RequestRefused ||
		!strings.Contains(r.Note, "payment address") {
		t.Errorf("submitted refund to another address: got %+v, want a refusal", r)
	}
	if r := handIn(w, o.ID, raw(signed)); r.Status != payout.RequestDone {
		t.Errorf("submitted refund: got %+v", r)
	}
	if all := refunds(w, o.ID); len(all) != 1 || all[0].Versions[0].Tx.ID.String() != signed.TxHash().String() {
		t.Errorf("refunds: got %+v", all)
	}
}

// olderReturn returns an output with runes at the payment address of an older order.
func olderReturn(w *testkit.World) (o order.Order, output string) {
	w.Helper()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(30_000, 30_000)
	o = olderOrder(w)
	sent := w.Send(w.Transfer(w.Anna, o.Script, 777))
	w.Settle(3)
	return o, wire.OutPoint{Hash: sent.ID}.String()
}

// Runes at the payment address of an older order wait for an operator's signature, and are returned to the order's
// owner only.
func TestReturnOfAnOlderOrderIsSignedByHand(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o, output := olderReturn(w)
	process := w.Signer
	ask(w, payout.RequestReturn, output)
	wantRequest(w, output, payout.RequestOpen, "moonfund payout export "+output)
	if live := payouts(w, payout.Live); len(live) != 0 {
		t.Fatalf("returned without an operator: %+v", live)
	}
	w.UseManualSigner()
	signed, dearer := elsewhere(w, output, w.Rate), elsewhere(w, output, 3*w.Rate)
	w.Signer = process
	stolen := signed.Copy()
	stolen.TxOut[0].PkScript = w.Cleo.Ordinals.Script
	unsigned := signed.Copy()
	unsigned.TxIn[0].Witness = nil
	for want, tx := range map[string]*wire.MsgTx{"owner's ordinals address": stolen, "not validly signed": unsigned} {
		if r := handIn(w, output, raw(tx)); r.Status != payout.RequestRefused || !strings.Contains(r.Note, want) {
			t.Errorf("got %+v, want %q", r, want)
		}
	}
	if r := handIn(w, o.ID, raw(signed)); r.Status != payout.RequestRefused {
		t.Errorf("return submitted as the payout of its order: got %+v, want a refusal", r)
	}
	if r := handIn(w, output, raw(signed)); r.Status != payout.RequestDone || r.PayoutID == "" {
		t.Fatalf("submitted return: got %+v", r)
	}
	if r := handIn(w, output, raw(signed)); r.Status != payout.RequestRefused || !strings.Contains(r.Note, "already") {
		t.Errorf("return submitted twice: got %+v, want a refusal", r)
	}
	if r := handIn(w, output, raw(dearer)); r.Status != payout.RequestDone {
		t.Errorf("submitted replacement: got %+v", r)
	}
	live := payouts(w, payout.Live)
	if len(live) != 1 || live[0].Kind != payout.Return || len(live[0].Versions) != 2 ||
		w.Node.Broadcasts(dearer.TxHash()) == 0 {
		t.Fatalf("payouts: got %+v", live)
	}
	w.Settle(4)
	if got := w.RunesOn(wire.OutPoint{Hash: dearer.TxHash()}); got != 777 {
		t.Errorf("runes of the owner: got %s, want 777", got)
	}
	if r := handIn(w, output, raw(signed)); r.Status != payout.RequestRefused ||
		!strings.Contains(r.Note, "spent already") {
		t.Errorf("return submitted after its confirmation: got %+v, want a refusal", r)
	}
}
