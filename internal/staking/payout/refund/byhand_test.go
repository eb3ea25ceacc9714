package refund_test

import (
	"strings"
	"testing"

	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// A refund that the signer refuses is accepted with the operator's own signature, if it pays the payment address in the
// order's message and spends the payment that every refund of the order spends.
func TestRefundIsSignedByHand(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.PaidInPart()
	process := w.Signer
	w.UseManualSigner()
	signed := w.SignByHand(o.ID, w.Rate)
	w.Signer = process
	stolen, partial := signed.Copy(), signed.Copy()
	stolen.TxOut[0].PkScript = w.Cleo.Payment.Script
	partial.TxIn = partial.TxIn[1:]
	for want, tx := range map[string]string{
		"payment address in the order's message": testkit.Hex(stolen),
		"first unspent payment":                  testkit.Hex(partial),
		"not a transaction":                      "00",
	} {
		if r := w.Submit(o.ID, tx); r.Status != payout.RequestRefused || !strings.Contains(r.Note, want) {
			t.Errorf("got %+v, want %q", r, want)
		}
	}
	if r := w.Submit(o.ID, testkit.Hex(signed)); r.Status != payout.RequestDone || r.PayoutID == "" {
		t.Fatalf("submitted refund: got %+v", r)
	}
	if all := w.RefundsOf(o.ID); len(all) != 1 || all[0].Versions[0].Tx.ID != signed.TxHash() {
		t.Errorf("refunds: got %+v", all)
	}
	w.Settle(3)
	if got := w.WantStatus(o.ID, order.Expired); got.Owed.Sats != 0 || got.Refunded != 2400 {
		t.Errorf("owed %d and refunded %d sats, want 0 and 2400", got.Owed.Sats, got.Refunded)
	}
	w.Audit()
}
