package onetx_test

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// signedSlowly returns a world with a PAID economy withdrawal of a unit of Anna's in self-custody, which she signed and
// the node's mempool does not accept yet.
func signedSlowly(t *testing.T) (w *testkit.World, o order.Order, ids []string) {
	t.Helper()
	w = testkit.NewWorld(t).InjectFaults()
	w.SetRecoveryDelay(8064)
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	w.Anna.Self = true
	ids = w.UnlockedUnits(1, 5000)
	w.Rate = amount.SatPerVB(10)
	o = w.Economy(w.Anna, "WITHDRAW", amount.SatPerVB(2), ids...)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	w.MempoolMin = amount.SatPerVB(5)
	signSelf(w, o)
	return w, o, ids
}

// A paid economy withdrawal of a stake in self-custody is signed once. It is sent at its own rate when the node's
// mempool accepts that.
func TestSelfEconomy(t *testing.T) {
	w, o, ids := signedSlowly(t)
	w.Clock.Advance(10 * 24 * time.Hour)
	w.Settle(1)
	w.WantStatus(o.ID, order.Paid)
	w.MempoolMin = amount.SatPerVB(1)
	w.Step()
	o = w.WantStatus(o.ID, order.Sent)
	if v := live(w).Last(); v.Fee > amount.SatPerVB(3).Fee(v.VBytes) {
		t.Errorf("it pays %d sats for %d vB, the owner chose 2 sat/vB", v.Fee, v.VBytes)
	}
	wantDelivered(w, o, ids)
}

// Anybody can set the difference of an economy withdrawal, and pay it. If that confirms after more than a week, the
// order is a normal one, and its owner has as much time to sign as before.
func TestSelfDifferenceConfirmsLate(t *testing.T) {
	w, o, _ := signedSlowly(t)
	w.Update(func(tx *store.Tx) error {
		_, err := w.Orders.Raise(w.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, w.Rate, w.Clock.Now())
		return err
	})
	w.Clock.Advance(time.Minute)
	w.Send(w.Payment(w.Bert, w.Bert.Sats(), o, 20_000, 1000))
	w.Step()
	before := w.WantStatus(o.ID, order.Paid)
	w.Clock.Advance(order.PaymentWindow + 24*time.Hour)
	w.Settle(1)
	if o = w.WantStatus(o.ID, order.Paid); o.IsEconomy() || !o.Deadline.Equal(before.Deadline) {
		t.Errorf("got %+v, want a normal order that its owner can sign until %s", o, before.Deadline)
	}
	w.MempoolMin = amount.SatPerVB(1)
	signSelf(w, o)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// A reorg that replaces the payment of a signed delivery makes the signature useless: once it is paid again, its owner
// signs again.
func TestSelfPaymentReplaced(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	coin, due := w.Anna.Sats(), o.Due()
	w.Node.MineOnly(w.Send(w.Payment(w.Anna, coin, o, due, 1000)))
	w.Step()
	o = w.WantStatus(o.ID, order.Paid)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "a test") })
	signSelf(w, o)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 1000, coin))
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Pending)
	unpause(w)
	w.Pay(w.Anna, o, due)
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	if s := session(w, o.ID); s.Signed || s.Ended.Reason != order.OneTxPaymentGone {
		t.Errorf("the session with the replaced payment is signed: %t, ended: %v", s.Signed, s.Ended)
	}
	signSelf(w, o)
	w.Step()
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), ids)
}

// The owner signs again after a reorg in which another transaction replaced the payment that a sent delivery spends.
func TestSelfSentPaymentReplaced(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	coin, due := w.Anna.Sats(), o.Due()
	w.Node.MineOnly(w.Send(w.Payment(w.Anna, coin, o, due, 1000)))
	w.Step()
	signSelf(w, w.WantStatus(o.ID, order.Paid))
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 1000, coin))
	w.Settle(order.FinalDepth)
	o = w.WantStatus(o.ID, order.Pending)
	w.Pay(w.Anna, o, due)
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	if s := session(w, o.ID); s.Signed || s.Ended.Reason != order.OneTxPaymentGone {
		t.Errorf("the session with the replaced payment is signed: %t, ended: %v", s.Signed, s.Ended)
	}
	signSelf(w, o)
	w.Step()
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), ids)
}

// A payment of the price that arrives while its owner signs with own coins changes the delivery. The server says so,
// and takes the next signature.
func TestSelfPaidWhileSigning(t *testing.T) {
	w, o, ids := orderedSelf(t, 1)
	signed, _ := w.Anna.SignPSBT(w.BeginOneTx(w.Anna, o).PSBT)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	o = w.WantStatus(o.ID, order.Paid)
	wantOneTxFault(t, w.TrySendOneTx(w.Anna, o, signed), fault.OneTxPaymentAdded)
	signSelf(w, o)
	w.Step()
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), ids)
}

// Withdrawals of stakes in self-custody are valid for a real node, with own coins and with payments.
func TestSelfOnBtcd(t *testing.T) {
	testkit.OnBtcd(t)
	selfOnNode(t)
}

// TestSelfOnCore is TestSelfOnBtcd with a node of the Core family.
func TestSelfOnCore(t *testing.T) {
	testkit.OnCore(t)
	selfOnNode(t)
}

func selfOnNode(t *testing.T) {
	t.Helper()
	w, o, ids := paidSelf(t, 2)
	signSelf(w, o)
	w.Step()
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), ids)
	ids = w.UnlockedUnits(1, 4000)
	o = w.Withdrawal(ids...)
	w.PayOneTx(w.Anna, o)
	w.Step()
	wantDelivered(w, w.WantStatus(o.ID, order.Sent), ids)
}
