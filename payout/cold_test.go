package payout_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
	"moonfund/testkit"
)

// coldWithdrawal is a paid withdrawal that is too large for the server's signer.
func coldWithdrawal(w *testkit.World) order.Order {
	w.Helper()
	w.Tune(func(terms *payout.Terms) { terms.ColdAbove = 4_000 })
	o := withdrawal(w, w.Unlocked(w.Anna, 5_000))
	w.Pay(w.Anna, o, o.Fees.Total())
	w.Settle(1)
	return w.WantStatus(o.ID, order.Paid)
}

// elsewhere has the draft of an order's payout signed, as the operator does by hand.
func elsewhere(w *testkit.World, orderID string, rate amount.FeeRate) *wire.MsgTx {
	w.Helper()
	var signed *wire.MsgTx
	w.Update(func(tx *store.Tx) error {
		u, _, err := w.Cashier.Draft(w.Context(), tx, orderID, rate)
		if err != nil {
			return err
		}
		signed, err = w.Signer.Sign(w.Context(), u)
		return err
	})
	return signed
}

// handIn asks for a signed transaction to be sent, and returns what became of it.
func handIn(w *testkit.World, orderID, raw string) (r payout.Request) {
	w.Helper()
	var number int64
	w.Update(func(tx *store.Tx) (err error) {
		number, err = tx.Ask(w.Context(), payout.Request{
			Kind: payout.AskSend, OrderID: orderID, Tx: raw, By: "test", Why: "signed by hand", At: w.Clock.Now(),
		}, "")
		return err
	})
	w.Step()
	w.Update(func(tx *store.Tx) error {
		all, err := tx.RequestsAbout(w.Context(), orderID)
		for _, one := range all {
			if one.Number == number {
				r = one
			}
		}
		return err
	})
	return r
}

func raw(tx *wire.MsgTx) string { return hex.EncodeToString(chain.NewTx(tx).Bytes()) }

// A payout above the limit waits for a person, who signs it elsewhere and hands it
// in; from then on it is like any other.
func TestColdPayout(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
	o := coldWithdrawal(w)
	if why := w.Cashier.Waiting()[o.ID]; !strings.Contains(why, "moonfund payout export "+o.ID) {
		t.Errorf("it waits %q", why)
	}
	if got := payouts(w, payout.Live); len(got) != 0 {
		t.Fatalf("the server signed %+v", got)
	}
	signed := elsewhere(w, o.ID, w.Rate)
	if r := handIn(w, o.ID, raw(signed)); r.Status != payout.RequestDone || r.PayoutID == "" {
		t.Fatalf("handed in: %+v", r)
	}
	sent := w.WantStatus(o.ID, order.Sent)
	if sent.PayoutTx != signed.TxHash().String() {
		t.Errorf("sent by %s, signed was %s", sent.PayoutTx, signed.TxHash())
	}
	w.Audit()
	if r := handIn(w, o.ID, raw(signed)); r.Status != payout.RequestRefused || r.Note != "it was taken in already" {
		t.Errorf("handed in again: %+v", r)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	if got := w.Held(wire.OutPoint{Hash: signed.TxHash()}); got != 5_000 {
		t.Errorf("the owner got %s", got)
	}
	w.Audit()
}

// A cold payout that is stuck is replaced by the same way.
func TestColdReplacement(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
	w.Endow(50_000)
	o := coldWithdrawal(w)
	w.Tune(func(terms *payout.Terms) { terms.ColdAbove, terms.FeeTopUp = 4_000, 10_000 })
	first := elsewhere(w, o.ID, w.Rate)
	handIn(w, o.ID, raw(first))
	second := elsewhere(w, o.ID, 4*w.Rate)
	if r := handIn(w, o.ID, raw(second)); r.Status != payout.RequestDone {
		t.Fatalf("the replacement: %+v", r)
	}
	live := payouts(w, payout.Live)
	if len(live) != 1 || len(live[0].Versions) != 2 {
		t.Fatalf("payouts: %+v", live)
	}
	w.Audit()
	w.Settle(3)
	if got := w.WantStatus(o.ID, order.Delivered); got.PayoutTx != second.TxHash().String() {
		t.Errorf("delivered by %s, want %s", got.PayoutTx, second.TxHash())
	}
	w.Audit()
}

// What is handed in and is not right is refused with the reason, and the order waits on.
func TestColdRefusals(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
	o := coldWithdrawal(w)
	other := withdrawal(w, w.Unlocked(w.Anna, 6_000))
	good := elsewhere(w, o.ID, w.Rate)
	change := func(fn func(tx *wire.MsgTx)) string {
		tx := good.Copy()
		fn(tx)
		return raw(tx)
	}
	for name, row := range map[string]struct{ order, tx, says string }{
		"nothing":             {o.ID, "", "not a transaction"},
		"no hex":              {o.ID, "PSBT", "not a transaction in hex"},
		"not a transaction":   {o.ID, "00ff", "not a transaction"},
		"another order":       {other.ID, raw(good), "not a payout of this order"},
		"no such order":       {"nobody", raw(good), "not a payout of this order"},
		"unsigned":            {o.ID, change(func(tx *wire.MsgTx) { tx.TxIn[0].Witness = nil }), "not signed rightly"},
		"a signature altered": {o.ID, change(func(tx *wire.MsgTx) { tx.TxIn[0].Witness[0][7] ^= 1 }), "not signed rightly"},
		"to somebody else":    {o.ID, change(func(tx *wire.MsgTx) { tx.TxOut[0].PkScript = w.Cleo.Ordinals.Script }), "not bring its orders exactly"},
		"a foreign input": {o.ID, change(func(tx *wire.MsgTx) {
			tx.AddTxIn(&wire.TxIn{PreviousOutPoint: w.Cleo.Sats().OutPoint})
		}), "what this ledger does not know"},
		"less for the owner": {o.ID, change(func(tx *wire.MsgTx) { tx.TxOut[0].Value-- }), "not bring its orders exactly"},
	} {
		t.Run(name, func(t *testing.T) {
			if r := handIn(w, row.order, row.tx); r.Status != payout.RequestRefused || !strings.Contains(r.Note, row.says) {
				t.Errorf("status %s: %s; want a refusal with %q", r.Status, r.Note, row.says)
			}
			w.WantStatus(o.ID, order.Paid)
		})
	}
	w.Update(func(tx *store.Tx) error {
		if _, _, err := w.Cashier.Draft(w.Context(), tx, other.ID, w.Rate); err == nil || !strings.Contains(err.Error(), "PENDING") {
			t.Errorf("an order that is not paid: %v", err)
		}
		return nil
	})
	w.Audit()
}
