package dispatch_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// unavailable is a signer whose calls fail.
type unavailable struct{}

func (unavailable) Sign(context.Context, payout.Unsigned) (*wire.MsgTx, error) {
	return nil, errors.New("the signer does not answer")
}

// Without the signer, no payout is sent or replaced. They are sent once the signer is available again.
func TestSignerUnavailable(t *testing.T) {
	w, o := stuck(t)
	small := w.TooSmall()
	w.EmptyBlocks(1)
	signer := w.Signer
	w.Signer = unavailable{}
	delivery := w.PayoutsIn(payout.Live)[0].ID
	w.WantNote(payout.RequestBump, delivery, payout.RequestRefused, "the signer refuses it")
	w.Settle(3)
	before := w.Dump()
	w.WantNote(payout.RequestReturn, small, payout.RequestOpen, "it is not signed: the signer does not answer")
	if w.Dump() != before || len(w.PayoutsIn(payout.Live)) != 0 {
		t.Error("the ledger changed without a signature")
	}
	w.Signer = signer
	w.Step()
	back := w.PayoutsIn(payout.Live)
	if len(back) != 1 || back[0].Kind != payout.Return {
		t.Fatalf("payouts: got %+v", back)
	}
	w.Rate *= 2
	w.Signer = unavailable{}
	w.WantNote(payout.RequestBump, back[0].ID, payout.RequestRefused, "the signer refuses it")
	w.Signer = signer
	w.WantNote(payout.RequestBump, back[0].ID, payout.RequestDone, "")
	if n := len(w.PayoutsIn(payout.Live)[0].Versions); n != 2 {
		t.Errorf("got %d versions, want 2", n)
	}
	w.WantStatus(o.ID, order.Delivered)
	w.Settle(3)
	w.Audit()
}

// A server without a community's manifest refuses requests about that community's orders with that reason.
func TestCommunityNotServed(t *testing.T) {
	w, o := stuck(t)
	small := w.TooSmall()
	w.EmptyBlocks(1)
	live := w.PayoutsIn(payout.Live)[0].ID
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.Prefix = "another" })
	const words = "not served here"
	w.WantNote(payout.RequestBump, live, payout.RequestRefused, words)
	w.WantNote(payout.RequestReturn, small, payout.RequestRefused, words)
	w.WantNote(payout.RequestExport, o.ID, payout.RequestRefused, words)
	if n := len(w.Versions(o.ID)); n != 1 {
		t.Errorf("got %d versions, want 1", n)
	}
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 30_000 })
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.Prefix = "another" })
	w.WantNote(payout.RequestRefund, o.ID, payout.RequestOpen, words)
	w.Check()
}

// An output is returned only if it is quarantined, at one of our addresses, and unspent.
func TestReturnOfOtherOutputs(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(30_000)
	for _, line := range strings.Split(strings.TrimSpace(w.Rows(`SELECT txid, vout FROM custody WHERE kind = 'sats'`)),
		"\n") {
		txid, vout, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "txid="), " vout=")
		w.WantNote(payout.RequestReturn, txid+":"+vout, payout.RequestRefused, "belongs to the treasury")
	}
	_, script := w.StakeAddress(w.Anna, 5000)
	held, sats := w.Anna.Runes(), w.Anna.Sats()
	replaced := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, sats}, script, 999, 1000))
	w.Step()
	kept := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, sats}, script, 998, 9000))
	w.Settle(3)
	w.WantNote(payout.RequestReturn, replaced.ID.String()+":0", payout.RequestRefused, "another transaction replaced it")
	w.WantNote(payout.RequestReturn, kept.ID.String()+":0", payout.RequestDone, "")
	w.WantNote(payout.RequestReturn, kept.ID.String()+":0", payout.RequestRefused, "it is spent already")
	if n := len(w.PayoutsIn(payout.Live)); n != 1 {
		t.Errorf("got %d returns, want 1", n)
	}
	w.Audit()
}

// The replacement of a stuck payout with treasury inputs keeps the rune change.
func TestReplacementOfClaims(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 30_000 })
	w.AddTreasurySats(60_000, 40_000)
	orders := w.PaidClaims()
	w.Settle(1)
	held, _, _ := w.TreasuryBalance()
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || len(live[0].OrderIDs) != 3 {
		t.Fatalf("payouts: got %+v", live)
	}
	w.Rate = amount.SatPerVB(12)
	w.WantNote(payout.RequestBump, live[0].ID, payout.RequestDone, "")
	all := w.PayoutsIn(payout.Live)[0].Versions
	change, _ := w.Account.TreasuryRunes()
	spread := func(v payout.Version) (n int) {
		for _, out := range v.Tx.Msg.TxOut {
			if string(out.PkScript) == string(change.Script) {
				n++
			}
		}
		return n
	}
	if len(all) != 2 || spread(all[0]) < 2 || spread(all[1]) != spread(all[0]) {
		t.Fatalf("got %d versions, with change on %d and %d outputs", len(all), spread(all[0]), spread(all[1]))
	}
	if now, _, _ := w.TreasuryBalance(); now != held {
		t.Errorf("treasury: got %s, want %s as before", now, held)
	}
	w.Audit()
	w.Settle(3)
	for _, o := range orders {
		w.WantStatus(o.ID, order.Delivered)
	}
	w.Audit()
}

// Sats that the fee account adds to unconfirmed payouts are not available to the next payout.
func TestTopUpIsSharedByPayouts(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 20_000 })
	w.AddTreasurySats(15_000)
	ids := w.UnlockedUnits(2, 5000)
	first, second := w.Withdrawal(ids[0]), w.Withdrawal(ids[1])
	w.Rate = amount.SatPerVB(40)
	w.PayInFull(w.Bert, first)
	w.WantStatus(first.ID, order.Sent)
	w.PayInFull(w.Cleo, second)
	w.WantStatus(second.ID, order.Paid)
	if why := w.Payouts.Waiting()[second.ID]; !strings.Contains(why, "the fee account can add") {
		t.Errorf("reason for waiting: got %q", why)
	}
	w.Audit()
	w.AddTreasurySats(40_000)
	w.Step()
	w.WantStatus(second.ID, order.Sent)
	w.Settle(14)
	w.Audit()
	if _, sats, fees := w.TreasuryBalance(); fees < 0 || sats < fees {
		t.Errorf("the fee account has %d sats, the treasury %d", fees, sats)
	}
}

// The treasury is split into treasuryOutputs outputs, and no more.
func TestTreasuryIsSplitNoFurther(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(100_000)
	for round := range 2 {
		for _, o := range w.PaidClaims() {
			w.Settle(1)
			w.Settle(6)
			w.WantStatus(o.ID, order.Consolidated)
		}
		if n := strings.Count(w.Rows(`SELECT * FROM custody WHERE kind = 'runes' AND vanished = 0 AND spent_by = ''`),
			"\n"); n != 8 {
			t.Errorf("after round %d: got %d treasury outputs, want 8", round+1, n)
		}
	}
	w.Audit()
}

// An unconfirmed payment delays neither the delivery, which later payments pay for, nor a refund of other payments.
// It is refunded when it confirms.
func TestUnconfirmedPaymentAmongOthers(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	ids := w.UnlockedUnits(2, 5000)
	for _, canceled := range []bool{false, true} {
		o := w.Withdrawal(ids[0])
		ids = ids[1:]
		first := w.Pay(w.Anna, o, 1500)
		w.Node.MineOnly(first)
		w.Step()
		slow := w.Pay(w.Bert, o, 1000)
		w.Step()
		third := w.Payment(w.Cleo, w.Cleo.Sats(), o, o.Fees.Total()+1000, 1000)
		if canceled {
			w.Clock.Advance(order.PaymentWindow + 1e9)
			w.Step()
			w.WantStatus(o.ID, order.Expired)
			w.Decide(payout.RequestRefund, o.ID)
		} else {
			w.Node.MineOnly(w.Send(third))
			w.Step()
			w.WantStatus(o.ID, order.Sent)
		}
		live := w.PayoutsIn(payout.Live)
		for _, in := range live[len(live)-1].Versions[0].Tx.Msg.TxIn {
			if in.PreviousOutPoint.Hash == slow.ID {
				t.Error("an unconfirmed payment is spent")
			}
		}
		w.Audit()
		w.Settle(4)
		w.Decide(payout.RequestRefund, o.ID)
		w.Settle(4)
		got := w.Order(o.ID)
		if all := got.Seen + got.Late; canceled && (got.Status != order.Expired || got.Refunded != 2500) ||
			got.Refunded == 0 {
			t.Errorf("canceled %t: got a %s order, %d of %d sats refunded", canceled, got.Status, got.Refunded, all)
		}
		w.Audit()
	}
}
