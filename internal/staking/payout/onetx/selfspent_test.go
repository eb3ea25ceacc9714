package onetx_test

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/psbt/v2"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// The owner cancels a withdrawal that they signed, and somebody with the community's key completes it. The units end,
// and the audit raises an alarm while it is recent.
func TestSelfCompletedByThief(t *testing.T) {
	thief, o, ids := orderedSelf(t, 2)
	w := thief.Copy().PausedPayouts()
	w.Cancel(o)
	thief.PayOneTx(thief.Anna, o)
	thief.Step()
	w.Settle(1)
	if text := w.AuditText(); !strings.Contains(text, "the community's key spent its output") {
		t.Errorf("the audit says %q, want an alarm", text)
	}
	w.Settle(ledger.RecoveryDepth)
	for _, id := range ids {
		w.WantStage(id, ledger.Withdrawn)
	}
	w.Audit()
}

// A delivery that was not recognized in the mempool, because its community was not served, is recognized in its block.
func TestSelfFoundInBlock(t *testing.T) {
	first, o, ids := orderedSelf(t, 2)
	w := first.Copy().PausedPayouts()
	first.PayOneTx(first.Anna, o)
	first.Step()
	sent := first.WantStatus(o.ID, order.Sent)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.Prefix = "another" })
	w.Step()
	w.WantStatus(o.ID, order.Pending)
	w.SetPayoutTerms(nil)
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Sent); got.PayoutTx != sent.PayoutTx {
		t.Errorf("its transaction is %s, want %s", got.PayoutTx, sent.PayoutTx)
	}
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(ids[0], ledger.Withdrawn)
	w.Audit()
}

// An owner who recovers their stake alone, in the form of the delivery of an open order, makes no payout of ours and
// causes no alarm, also with an annex.
func TestSelfRecoveredInFormOfDelivery(t *testing.T) {
	for name, annex := range map[string][]byte{"plain": nil, "with an annex": {0x50, 1}} {
		t.Run(name, func(t *testing.T) {
			w, o, ids := orderedSelf(t, 1)
			packet, err := psbt.NewFromRawBytes(strings.NewReader(w.BeginOneTx(w.Anna, o).PSBT), true)
			testkit.Must(t, err)
			w.Node.MineOnly(w.RecoverAs(w.Anna, ids[0], packet, annex))
			for range ledger.RecoveryDepth {
				w.Step()
				w.Audit()
				w.Settle(1)
			}
			w.WantStage(ids[0], ledger.Withdrawn)
			if got := w.Order(o.ID); got.PayoutID != "" {
				t.Errorf("the recovery counts as payout %s", got.PayoutID)
			}
			w.Audit()
		})
	}
}

// A stranger who pays a part of an order, which its owner's coins deliver, does not keep the delivery from being found
// after a restore.
func TestOneTxIsFoundBesidePayment(t *testing.T) {
	w, o, unit := ordered(t)
	w.Pay(w.Bert, o, 1500)
	w.Settle(1)
	w.WantStatus(o.ID, order.Confirmed)
	stale := w.Copy().PausedPayouts()
	w.PayOneTx(w.Anna, o)
	w.Step()
	sent := w.WantStatus(o.ID, order.Sent)
	stale.Settle(1)
	if again := stale.WantStatus(o.ID, order.Sent); again.PayoutTx != sent.PayoutTx || !again.OneTx {
		t.Errorf("its transaction is %s, want %s", again.PayoutTx, sent.PayoutTx)
	}
	unpause(stale)
	stale.Settle(order.DeliveryDepth)
	stale.WantStatus(o.ID, order.Delivered)
	stale.WantStage(unit, ledger.Withdrawn)
	stale.Audit()
}

// A stranger's larger payment does not end a signed delivery, which spends the smaller payments. It is refunded.
func TestSelfStrangerEndsNothing(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	w.Pay(w.Anna, o, o.Due()/2)
	w.Settle(1)
	w.Pay(w.Anna, o, w.Order(o.ID).Due())
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	w.PausedPayouts()
	signSelf(w, o)
	w.Pay(w.Bert, o, 30_000)
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	w.Audit()
	unpause(w)
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	wantDelivered(w, o, ids)
	if got := w.Order(o.ID).Refunded; got != 30_000 {
		t.Errorf("%d sats are refunded, want 30000", got)
	}
}

// A reorg undoes the payment that a signed delivery spends, and a further payment, which raises the price by the cost
// of its input, confirms first. The delivery is sent as it was signed, and the further payment is refunded.
func TestSelfPaidMoreAfterSigning(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	price, network := o.Confirmed, o.Fees.Network
	w.PausedPayouts()
	signSelf(w, o)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.Pay(w.Bert, o, 1_000))
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	w.Settle(1)
	if o = w.WantStatus(o.ID, order.Paid); o.Confirmed != price+1000 || o.Fees.Network <= network {
		t.Fatalf("%d sats are confirmed, the network fee is %d after %d", o.Confirmed, o.Fees.Network, network)
	}
	unpause(w)
	w.Step()
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), ids)
	if got := w.Order(o.ID); got.Refunded != 1_000 || got.Confirmed != price {
		t.Errorf("%d sats are refunded and %d paid, want 1000 and %d", got.Refunded, got.Confirmed, price)
	}
	w.Audit()
}

// A delivery is signed while a payment that lacks a little lowers the service fee, and a further payment confirms
// before it is sent. The order keeps the fee that the signed transaction pays.
func TestSelfServiceFeeOfASignedDelivery(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	w.Pay(w.Anna, o, o.Due()-300)
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	lowered := o.Fees.Service
	w.PausedPayouts()
	signSelf(w, o)
	w.Pay(w.Bert, o, 600)
	w.Settle(1)
	if o = w.WantStatus(o.ID, order.Paid); lowered != testkit.ServiceFee-300 || o.Fees.Service != testkit.ServiceFee {
		t.Fatalf("the service fee is %d, and then %d", lowered, o.Fees.Service)
	}
	unpause(w)
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	wantDelivered(w, o, ids)
	if o.Fees.Service != lowered {
		t.Errorf("the service fee is %d, the transaction pays %d", o.Fees.Service, lowered)
	}
	w.Audit()
}

// After a restore, a found delivery gives its order the price of the payments that it spends, although a further
// payment had changed the price: by the service fee that the earlier payment lowered, or by the cost of its input.
func TestSelfFoundHasItsPrice(t *testing.T) {
	for _, row := range []struct {
		what  string
		lacks amount.Sats
		more  func(w *testkit.World, o order.Order)
	}{
		{"a lower service fee", 300, func(w *testkit.World, o order.Order) { w.Pay(w.Bert, o, 600); w.Mine(1) }},
		{"one input less", 0, func(w *testkit.World, o order.Order) {
			w.Node.Rewind(1)
			w.Node.MineOnly(w.Pay(w.Bert, o, 1_000))
			w.Mine(2)
		}},
	} {
		t.Run(row.what, func(t *testing.T) {
			w, o, ids := orderedSelf(t, 1)
			w.Pay(w.Anna, o, o.Due()-row.lacks)
			w.Settle(1)
			o = w.WantStatus(o.ID, order.Paid)
			w.PausedPayouts()
			stale := w.Copy()
			signSelf(w, o)
			row.more(w, o)
			w.Step()
			stale.Step()
			if got := stale.WantStatus(o.ID, order.Paid).Fees; got == o.Fees {
				t.Fatal("the further payment does not change the price")
			}
			unpause(w)
			w.Step()
			sent := w.WantStatus(o.ID, order.Sent)
			stale.Step()
			got := stale.WantStatus(o.ID, order.Sent)
			if got.PayoutTx != sent.PayoutTx || got.Fees != o.Fees || sent.Fees != o.Fees {
				t.Errorf("got %s with the price %+v, want %s with %+v", got.PayoutTx, got.Fees, sent.PayoutTx, o.Fees)
			}
			stale.Audit()
			unpause(stale)
			wantDelivered(stale, got, ids)
		})
	}
}

// The change of a stuck delivery pays for its replacement, also on a server that finds no coins.
func TestSelfReplacedByChange(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	w.Pay(w.Anna, o, o.Due()+50_000)
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	signSelf(w, o)
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	first := live(w).Last()
	w.OneTx.Coins = nil
	w.Rate = amount.SatPerVB(50)
	signSelf(w, o)
	w.Step()
	p := live(w)
	last := p.Last()
	if len(p.Versions) != 2 || len(last.Own) > 0 || rateOf(last) < w.Rate {
		t.Fatalf("%d versions with %d own coins, at %s sat/vB", len(p.Versions), len(last.Own), rateOf(last))
	}
	before, after := first.Tx.Msg.TxOut, last.Tx.Msg.TxOut
	end, more := len(before)-1, int64(last.Fee-first.Fee)
	if len(after) != len(before) || after[end].Value != before[end].Value-more {
		t.Errorf("the change is %d sats after %d, at a fee of %d after %d", after[end].Value, before[end].Value, last.Fee,
			first.Fee)
	}
	w.Rate = amount.SatPerVB(900)
	_, err := w.OneTx.BeginOneTx(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, nil)
	wantOneTxFault(t, err, fault.OneTxOff) // the change does not suffice
	wantDelivered(w, o, ids)
}
