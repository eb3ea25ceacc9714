package delivery_test

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// coldWithdrawal returns a paid withdrawal above the limit of the server's signer.
func coldWithdrawal(w *testkit.World) order.Order {
	w.Helper()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.ColdAbove = 4_000 })
	o := w.Withdrawal(w.Unlocked(w.Anna, 5_000))
	w.Pay(w.Anna, o, o.Fees.Total())
	w.Settle(1)
	return w.WantStatus(o.ID, order.Paid)
}

// A payout above the limit waits until an operator signs it by hand and submits it. After that it is like any other.
func TestColdPayout(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := coldWithdrawal(w)
	if why := w.Payouts.Waiting()[o.ID]; !strings.Contains(why, "moonfund payout export "+o.ID) {
		t.Errorf("reason for waiting: got %q", why)
	}
	if got := w.PayoutsIn(payout.Live); len(got) != 0 {
		t.Fatalf("the server signed %+v", got)
	}
	signed := w.SignByHand(o.ID, w.Rate)
	if r := w.Submit(o.ID, testkit.Hex(signed)); r.Status != payout.RequestDone || r.PayoutID == "" {
		t.Fatalf("submitted payout: got %+v", r)
	}
	sent := w.WantStatus(o.ID, order.Sent)
	if sent.PayoutTx != signed.TxHash().String() {
		t.Errorf("PayoutTx: got %s, want %s", sent.PayoutTx, signed.TxHash())
	}
	w.Audit()
	if r := w.Submit(o.ID, testkit.Hex(signed)); r.Status != payout.RequestRefused || r.Note != "it is stored already" {
		t.Errorf("submitted again: got %+v", r)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	if got := w.RunesOn(wire.OutPoint{Hash: signed.TxHash()}); got != 5_000 {
		t.Errorf("runes of the owner: got %s, want 5000", got)
	}
	w.Audit()
}

// A payout that was signed by hand below the minimum of the node's mempool is stored once that falls.
func TestColdPayoutBelowTheMempoolWaits(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := coldWithdrawal(w)
	signed := testkit.Hex(w.SignByHand(o.ID, w.Rate))
	w.MempoolMin = 2 * w.Rate
	if r := w.Submit(o.ID, signed); r.Status != payout.RequestOpen || !strings.Contains(r.Note, "mempool requires 4 sat") {
		t.Errorf("got %+v", r)
	}
	w.WantStatus(o.ID, order.Paid)
	w.MempoolMin = w.Rate
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// A stuck cold payout is replaced in the same way.
func TestColdReplacement(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.AddTreasurySats(50_000)
	o := coldWithdrawal(w)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.ColdAbove, terms.FeeTopUp = 4_000, 10_000 })
	first := w.SignByHand(o.ID, w.Rate)
	w.Submit(o.ID, testkit.Hex(first))
	second := w.SignByHand(o.ID, 4*w.Rate)
	if r := w.Submit(o.ID, testkit.Hex(second)); r.Status != payout.RequestDone {
		t.Fatalf("submitted replacement: got %+v", r)
	}
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || len(live[0].Versions) != 2 {
		t.Fatalf("payouts: got %+v", live)
	}
	w.Audit()
	w.Settle(3)
	if got := w.WantStatus(o.ID, order.Delivered); got.PayoutTx != second.TxHash().String() {
		t.Errorf("PayoutTx: got %s, want %s", got.PayoutTx, second.TxHash())
	}
	w.Audit()
}

// An invalid signed transaction is refused with the reason, and the order keeps waiting.
func TestColdRefusals(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := coldWithdrawal(w)
	other := w.Withdrawal(w.Unlocked(w.Anna, 6_000))
	good := w.SignByHand(o.ID, w.Rate)
	change := func(fn func(tx *wire.MsgTx)) string {
		tx := good.Copy()
		fn(tx)
		return testkit.Hex(tx)
	}
	for name, row := range map[string]struct{ order, tx, says string }{
		"nothing":             {o.ID, "", "not a transaction"},
		"no hex":              {o.ID, "PSBT", "not a transaction in hex"},
		"not a transaction":   {o.ID, "00ff", "not a transaction"},
		"another order":       {other.ID, testkit.Hex(good), "not a payout of this order"},
		"no such order":       {"unknown", testkit.Hex(good), "not a payout of this order"},
		"unsigned":            {o.ID, change(func(tx *wire.MsgTx) { tx.TxIn[0].Witness = nil }), "not validly signed"},
		"a signature altered": {o.ID, change(func(tx *wire.MsgTx) { tx.TxIn[0].Witness[0][7] ^= 1 }), "not validly signed"},
		"to another address": {o.ID, change(func(tx *wire.MsgTx) {
			tx.TxOut[0].PkScript = w.Cleo.Ordinals.Script
		}), "not deliver exactly"},
		"a foreign input": {o.ID, change(func(tx *wire.MsgTx) {
			tx.AddTxIn(&wire.TxIn{PreviousOutPoint: w.Cleo.Sats().OutPoint})
		}), "outputs that are not in this ledger"},
		"less for the owner": {o.ID, change(func(tx *wire.MsgTx) { tx.TxOut[0].Value-- }), "not deliver exactly"},
	} {
		t.Run(name, func(t *testing.T) {
			if r := w.Submit(row.order, row.tx); r.Status != payout.RequestRefused || !strings.Contains(r.Note, row.says) {
				t.Errorf("got status %s, note %q; want a refusal with %q", r.Status, r.Note, row.says)
			}
			w.WantStatus(o.ID, order.Paid)
		})
	}
	w.Update(func(tx *store.Tx) error {
		if _, _, err := w.Payouts.Draft(w.Context(), tx.PayoutTx(), other.ID, w.Rate); err == nil ||
			!strings.Contains(err.Error(), "PENDING") {
			t.Errorf("draft for an unpaid order: got %v", err)
		}
		return nil
	})
	w.Audit()
}

// An operator exports the transaction to sign, or gets the reason why there is none.
func TestColdExport(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := coldWithdrawal(w)
	pending := w.Withdrawal(w.Unlocked(w.Anna, 6_000))
	w.WantNote(payout.RequestExport, "unknown", payout.RequestRefused, "there is no such order")
	w.WantNote(payout.RequestExport, pending.ID, payout.RequestRefused, "only what is PAID or SENT")
	w.Rate = amount.SatPerVB(90)
	w.WantNote(payout.RequestExport, o.ID, payout.RequestRefused, "it can't be built now: the fee rate is 90 sat/vB")
	w.Rate = amount.SatPerVB(2)
	asked := w.WantNote(payout.RequestExport, o.ID, payout.RequestDone, "")
	if want := w.SignByHand(o.ID, w.Rate); unsigned(want) != asked.Tx {
		t.Errorf("exported %s, want %s", asked.Tx, unsigned(want))
	}
	w.Submit(o.ID, testkit.Hex(w.SignByHand(o.ID, w.Rate)))
	w.WantStatus(o.ID, order.Sent)
	w.WantNote(payout.RequestExport, o.ID, payout.RequestRefused, "nodes require")
	w.Settle(1)
	w.WantNote(payout.RequestExport, o.ID, payout.RequestRefused, "it is in block")
	w.Audit()
}

func unsigned(tx *wire.MsgTx) string {
	bare := tx.Copy()
	for _, in := range bare.TxIn {
		in.Witness, in.SignatureScript = nil, nil
	}
	return testkit.Hex(bare)
}

// A unit that its staker is recovering is not exported.
func TestColdExportOfAContestedUnit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := coldWithdrawal(w)
	w.Send(w.Recover(w.Anna, o.UnitIDs[0]))
	w.Step()
	w.WantNote(payout.RequestExport, o.ID, payout.RequestRefused, "not confirmed deeply enough yet")
}

// While a cold payout is being signed, a smaller payout may spend the same treasury output. The signed transaction is
// refused then and must be exported again.
func TestColdPayoutWithASpentInput(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.ColdAbove = 500_000 })
	w.Deposit(w.Anna, 8_000)
	w.Deposit(w.Bert, 2_000)
	w.Settle(4)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	large, small := *w.Act(w.Anna, action.Claim).Order, *w.Act(w.Bert, action.Claim).Order
	w.PayInFull(w.Anna, large)
	first := w.SignByHand(large.ID, w.Rate)
	w.PayInFull(w.Bert, small)
	w.WantStatus(small.ID, order.Sent)
	if r := w.Submit(large.ID, testkit.Hex(first)); r.Status != payout.RequestRefused ||
		!strings.Contains(r.Note, "was spent meanwhile: export it again") {
		t.Fatalf("submitted with a spent input: got %+v", r)
	}
	w.WantStatus(large.ID, order.Paid)
	if r := w.Submit(large.ID, testkit.Hex(w.SignByHand(large.ID, w.Rate))); r.Status != payout.RequestDone {
		t.Fatalf("submitted after a new export: got %+v", r)
	}
	w.Settle(3)
	w.WantStatus(large.ID, order.Delivered)
	w.Audit()
}

// A transaction signed by hand may not burn the treasury's sats, nor omit other orders of a payout that it replaces.
func TestColdPayoutMustBeOurs(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	o := coldWithdrawal(w)
	altered := func(change func(*wire.MsgTx)) string {
		var signed *wire.MsgTx
		w.Update(func(tx *store.Tx) error {
			u, _, err := w.Payouts.Draft(w.Context(), tx.PayoutTx(), o.ID, w.Rate)
			if err != nil {
				return err
			}
			change(u.Tx)
			signed, err = w.Signer.Sign(w.Context(), u)
			return err
		})
		return testkit.Hex(signed)
	}
	generous := altered(func(tx *wire.MsgTx) { tx.TxOut[len(tx.TxOut)-1].Value -= 1_300 })
	if r := w.Submit(o.ID, generous); r.Status != payout.RequestRefused || !strings.Contains(r.Note, "it pays a fee of") {
		t.Errorf("submitted with too high a fee: got %+v", r)
	}
	w.WantStatus(o.ID, order.Paid)

	ids := w.UnlockedUnits(2, 3_000)
	a, b := w.Withdrawal(ids[0]), w.Withdrawal(ids[1])
	pauses := func(reason string) {
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, reason) })
	}
	pauses("a look")
	w.PayInFull(w.Bert, a, b)
	alone := w.SignByHand(a.ID, 2*w.Rate)
	pauses("")
	w.Step()
	if w.Order(a.ID).PayoutID != w.Order(b.ID).PayoutID {
		t.Fatal("the payout is not shared")
	}
	if r := w.Submit(a.ID, testkit.Hex(alone)); r.Status != payout.RequestRefused ||
		!strings.Contains(r.Note, "does not replace the whole payout") {
		t.Errorf("submitted without the other order: got %+v", r)
	}
	w.Settle(3)
	w.WantStatus(a.ID, order.Delivered)
	w.WantStatus(b.ID, order.Delivered)
	w.Audit()
}

// A payout of rewards that was signed by hand is not sent while another transaction may have delivered these rewards.
func TestColdPayoutWhileASpendIsUnexplained(t *testing.T) {
	w := testkit.NewWorld(t)
	_, reward := w.Rewarded(w.Anna, 5000)
	other := w.Copy()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.ColdAbove = 1 })
	o := *w.Act(w.Anna, action.Claim, reward).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	signed := w.SignByHand(o.ID, w.Rate)
	again := *other.Act(w.Anna, action.Claim, reward).Order
	other.Pay(w.Anna, again, again.Due())
	other.Settle(2)
	w.Step()
	if r := w.Submit(o.ID, testkit.Hex(signed)); r.Status != payout.RequestRefused ||
		!strings.Contains(r.Note, "its owner's rewards are held") {
		t.Errorf("submitted payout: got %+v", r)
	}
}
