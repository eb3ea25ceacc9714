package returns_test

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/signed/message"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// An order's id is derived from its message.
func TestOrderIDIsDerivedFromTheMessage(t *testing.T) {
	w := testkit.NewWorld(t)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5_000))
	w.Update(func(tx *store.Tx) error {
		proof, err := tx.ProofOf(t.Context(), o.ActionID)
		if err == nil && message.OrderID(proof.Text) != o.ID {
			t.Errorf("order %s was opened by the message of order %s", o.ID, message.OrderID(proof.Text))
		}
		return err
	})
}

// Runes at the payment address of an order that exceed the signer's limit wait for an operator's signature, and are
// returned to the order's owner only.
func TestReturnIsSignedByHand(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(30_000, 30_000)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5_000))
	sent := w.Send(w.Transfer(w.Anna, o.Script, 777))
	w.Settle(3)
	output := wire.OutPoint{Hash: sent.ID}.String()
	w.LimitSigner(776)
	process := w.Signer
	w.Decide(payout.RequestReturn, output)
	w.WantRequest(output, payout.RequestOpen, "moonfund payout export "+output)
	if live := w.PayoutsIn(payout.Live); len(live) != 0 {
		t.Fatalf("returned without an operator: %+v", live)
	}
	w.UseManualSigner()
	signed, dearer := w.SignByHand(output, w.Rate), w.SignByHand(output, 3*w.Rate)
	w.Signer = process
	stolen := signed.Copy()
	stolen.TxOut[0].PkScript = w.Cleo.Ordinals.Script
	unsigned := signed.Copy()
	unsigned.TxIn[0].Witness = nil
	for want, tx := range map[string]*wire.MsgTx{"owner's ordinals address": stolen, "not validly signed": unsigned} {
		if r := w.Submit(output, testkit.Hex(tx)); r.Status != payout.RequestRefused || !strings.Contains(r.Note, want) {
			t.Errorf("got %+v, want %q", r, want)
		}
	}
	if r := w.Submit(o.ID, testkit.Hex(signed)); r.Status != payout.RequestRefused {
		t.Errorf("return submitted as the payout of its order: got %+v, want a refusal", r)
	}
	if r := w.Submit(output, testkit.Hex(signed)); r.Status != payout.RequestDone || r.PayoutID == "" {
		t.Fatalf("submitted return: got %+v", r)
	}
	r := w.Submit(output, testkit.Hex(signed))
	if r.Status != payout.RequestRefused || !strings.Contains(r.Note, "already") {
		t.Errorf("return submitted twice: got %+v, want a refusal", r)
	}
	if r := w.Submit(output, testkit.Hex(dearer)); r.Status != payout.RequestDone {
		t.Errorf("submitted replacement: got %+v", r)
	}
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || live[0].Kind != payout.Return || len(live[0].Versions) != 2 ||
		w.Node.Broadcasts(dearer.TxHash()) == 0 {
		t.Fatalf("payouts: got %+v", live)
	}
	w.Settle(4)
	if got := w.RunesOn(wire.OutPoint{Hash: dearer.TxHash()}); got != 777 {
		t.Errorf("runes of the owner: got %s, want 777", got)
	}
	if r := w.Submit(output, testkit.Hex(signed)); r.Status != payout.RequestRefused ||
		!strings.Contains(r.Note, "spent already") {
		t.Errorf("return submitted after its confirmation: got %+v, want a refusal", r)
	}
}
