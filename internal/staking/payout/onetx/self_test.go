package onetx_test

import (
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// orderedSelf returns a world with a withdrawal of units of Anna's in self-custody.
func orderedSelf(t *testing.T, units int) (w *testkit.World, o order.Order, ids []string) {
	t.Helper()
	w = testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	w.Anna.Self = true
	ids = w.UnlockedUnits(units, 5000)
	return w, w.Withdrawal(ids...), ids
}

// paidSelf returns a world with a PAID withdrawal of units of Anna's in self-custody.
func paidSelf(t *testing.T, units int) (w *testkit.World, o order.Order, ids []string) {
	t.Helper()
	w, o, ids = orderedSelf(t, units)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	return w, w.WantStatus(o.ID, order.Paid), ids
}

// signSelf has the wallet sign the delivery of a PAID order.
func signSelf(w *testkit.World, o order.Order) {
	w.Helper()
	signed, own := w.Anna.SignPSBT(w.BeginOneTx(w.Anna, o).PSBT)
	if len(own) != 0 {
		w.Errorf("the wallet is asked for %d own coins", len(own))
	}
	testkit.Must(w, w.TrySendOneTx(w.Anna, o, signed))
}

// wantDelivered checks that output 0 of a payout has all runes and sats of an order.
func wantDelivered(w *testkit.World, o order.Order, ids []string) {
	w.Helper()
	tx := live(w).Last().Tx.Msg
	value := int64(546)
	for _, id := range ids {
		value += int64(w.Unit(id).Value)
	}
	if out := tx.TxOut[0]; out.Value != value || string(out.PkScript) != string(w.Anna.Ordinals.Script) {
		w.Errorf("output 0 has %d sats, want %d to the ordinals address", out.Value, value)
	}
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	for _, id := range ids {
		w.WantStage(id, ledger.Withdrawn)
	}
	if got := w.RunesOn(wire.OutPoint{Hash: tx.TxHash(), Index: 0}); got != o.Amount {
		w.Errorf("output 0 holds %s base units, want %s", got, o.Amount)
	}
	w.Settle(2 * order.FinalDepth)
	if got := w.WantStatus(o.ID, order.Consolidated); got.Owed.Sats != 0 {
		w.Errorf("a refund of %d sats is due", got.Owed.Sats)
	}
	w.Audit()
}

// Stakes in self-custody are withdrawn by one transaction that their owner's coins pay.
func TestSelfOneTx(t *testing.T) {
	w, o, ids := orderedSelf(t, 2)
	if o.SelfUnits != 2 {
		t.Fatalf("%d units in self-custody, want 2", o.SelfUnits)
	}
	w.PayOneTx(w.Anna, o)
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	for _, in := range live(w).Versions[0].Tx.Msg.TxIn[:2] {
		if len(in.Witness) != 4 {
			t.Errorf("a unit is spent with %d witness items, want 4", len(in.Witness))
		}
	}
	wantDelivered(w, o, ids)
}

// A paid withdrawal of stakes in self-custody waits for its owner's signature.
func TestSelfPaid(t *testing.T) {
	w, o, ids := paidSelf(t, 2)
	w.Settle(3)
	o = w.WantStatus(o.ID, order.Paid)
	if waits := w.Payouts.Waiting()[o.ID]; waits == "" {
		t.Error("nothing says that it waits for its owner")
	}
	signSelf(w, o)
	w.MempoolMin = amount.SatPerVB(50)
	w.Step()
	for _, subject := range []string{o.ID, "session " + o.ID} {
		if why := w.Payouts.Waiting()[subject]; !strings.Contains(why, "its owner signed it: ") ||
			!strings.Contains(why, "50 sat/vB") {
			t.Errorf("%s waits because of %q", subject, why)
		}
	}
	w.MempoolMin = 0
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	if o.OneTx {
		t.Error("it counts as paid by own coins")
	}
	wantDelivered(w, o, ids)
}

// An overpayment returns to the payment address, and the service fee goes to the treasury.
func TestSelfOverpaid(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	w.Pay(w.Anna, o, o.Due()+50_000)
	w.Settle(1)
	if o = w.WantStatus(o.ID, order.Paid); o.Overpayment() != 0 {
		t.Errorf("it shows %d sats to be refunded besides", o.Overpayment())
	}
	signSelf(w, o)
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	outs := live(w).Last().Tx.Msg.TxOut
	last := outs[len(outs)-1]
	if last.Value < 49_900 || string(last.PkScript) != string(w.Anna.Payment.Script) {
		t.Errorf("%d sats of 50000 return", last.Value)
	}
	if o.Fees.Service >= 546 && (len(outs) != 4 || outs[2].Value != int64(o.Fees.Service)) {
		t.Errorf("output 2 has %d sats, want the service fee of %d", outs[2].Value, o.Fees.Service)
	}
	wantDelivered(w, o, ids)
}

// A paid order that its owner does not sign expires after a week, and its payment is refunded.
func TestSelfNeverSigned(t *testing.T) {
	w, o, ids := paidSelf(t, 1)
	w.Clock.Advance(order.PaymentWindow + time.Hour)
	w.Settle(1)
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(ids[0], ledger.Unlocked)
	w.Settle(2 * order.FinalDepth)
	if got := w.Order(o.ID); got.Refunded == 0 {
		t.Errorf("nothing is refunded: %+v", got)
	}
	w.Audit()
}

// The header of the block that pays an order can be older than the order. The owner has a week from its creation on.
func TestSelfPaidByAnOlderHeader(t *testing.T) {
	w, o, _ := orderedSelf(t, 1)
	w.Pay(w.Anna, o, o.Due())
	w.Node.UseClock(testkit.NewClock(w.Clock.Now().Add(-time.Minute)))
	w.Node.Mine()
	w.Step()
	w.WantStatus(o.ID, order.Paid)
	w.Node.UseClock(w.Clock)
	w.Clock.Set(o.Created.Add(order.PaymentWindow))
	w.Step()
	w.WantStatus(o.ID, order.Paid)
	w.Clock.Advance(time.Second)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.Audit()
}

// Canceling a paid order voids a signature that the server has not used.
func TestSelfCanceled(t *testing.T) {
	w, o, ids := paidSelf(t, 1)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "a test") })
	signSelf(w, o)
	w.Step()
	w.Cancel(o)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	w.Settle(2 * order.FinalDepth)
	w.WantStatus(o.ID, order.Canceled)
	w.WantStage(ids[0], ledger.Unlocked)
	w.Audit()
}

// The review of a paid order that its owner has signed comes first.
func TestSelfReviewed(t *testing.T) {
	w, o, _ := paidSelf(t, 1)
	signSelf(w, o)
	w.Request(payout.RequestReview, o.ID)
	w.Step()
	w.Step()
	w.WantStatus(o.ID, order.Audit)
	w.Audit()
}

// A stuck delivery is replaced by one for which its owner's coins pay more.
func TestSelfReplaced(t *testing.T) {
	w, o, ids := paidSelf(t, 1)
	signSelf(w, o)
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	first := live(w).Last()
	w.Rate = amount.SatPerVB(50)
	own := w.PayOneTx(w.Anna, o)
	w.Step()
	if p := live(w); len(own) == 0 || len(p.Versions) != 2 || p.Last().Fee <= first.Fee {
		t.Fatalf("%d own coins, %d versions", len(own), len(p.Versions))
	}
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), ids)
}

// Its owner recovers a stake in self-custody alone.
func TestSelfRecovered(t *testing.T) {
	w, o, ids := paidSelf(t, 1)
	w.Send(w.Recover(w.Anna, ids[0]))
	w.Settle(2 * order.FinalDepth)
	w.WantStage(ids[0], ledger.Withdrawn)
	w.WantStatus(o.ID, order.Audit)
	w.Audit()
}

// A delivery that its owner signed counts after a restore from a backup in which the order is PAID.
func TestSelfFoundAfterRestore(t *testing.T) {
	w, o, ids := paidSelf(t, 2)
	stale := w.Copy().PausedPayouts()
	signSelf(w, o)
	w.Step()
	sent := w.WantStatus(o.ID, order.Sent)
	stale.Settle(1)
	if again := stale.WantStatus(o.ID, order.Sent); again.PayoutTx != sent.PayoutTx || again.OneTx {
		t.Errorf("its transaction is %s, want %s", again.PayoutTx, sent.PayoutTx)
	}
	unpause(stale)
	stale.Settle(order.DeliveryDepth)
	stale.WantStatus(o.ID, order.Delivered)
	stale.WantStage(ids[0], ledger.Withdrawn)
	stale.Audit()
}

// Units of both kinds are withdrawn together, and virtual units not with units in self-custody.
func TestSelfMixed(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	operator, _ := w.Deposit(w.Anna, 3000)
	w.Mine(1)
	w.Anna.Self = true
	self := w.UnlockedUnits(1, 5000)[0]
	w.Act(w.Anna, "UNSTAKE", operator)
	w.NextEpoch()
	w.NextEpoch()
	o := w.Withdrawal(operator, self)
	if o.SelfUnits != 1 || o.RealUnits != 2 {
		t.Fatalf("%d of %d units in self-custody, want 1 of 2", o.SelfUnits, o.RealUnits)
	}
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	signSelf(w, o)
	w.Step()
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), []string{operator, self})
	_, err := w.TryAct(w.Anna, "WITHDRAW", self)
	wantOneTxFault(t, err, fault.UnitNotUnlocked)

}
