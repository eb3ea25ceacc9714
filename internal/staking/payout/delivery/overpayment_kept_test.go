package delivery_test

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// keptOf returns the outputs in which the deliveries of an order keep its overpayment.
func keptOf(w *testkit.World, orderID string) (kept []order.Payment) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		payments, err := tx.PaymentsOf(w.Context(), orderID)
		for _, p := range payments {
			if p.Kept && !p.Vanished {
				kept = append(kept, p)
			}
		}
		return err
	})
	return kept
}

// wantAddedUp compares the overpayment and the returned sats of an order, and audits the ledger.
func wantAddedUp(w *testkit.World, o order.Order, overpayment, returned amount.Sats) {
	w.Helper()
	w.Audit()
	if got := w.Order(o.ID); got.Overpayment() != overpayment || got.Returned != returned {
		w.Fatalf("overpayment %d, returned %d; want %d and %d", got.Overpayment(), got.Returned, overpayment, returned)
	}
}

// The delivery spends one payment far above the price, and keeps the overpayment at the order's own address, from where
// it is refunded once.
func TestOverpaymentOfASpentPaymentIsRefunded(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	release := w.HoldRefunds()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	due := o.Due()
	w.Pay(w.Anna, o, due+20_000)
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	kept := keptOf(w, o.ID)
	if want := amount.Sats(20_000 - 2*43); len(kept) != 1 || kept[0].Value != want {
		t.Fatalf("kept %+v, want %d sats", kept, want)
	}
	wantAddedUp(w, o, 20_000, 0)
	w.Settle(6)
	w.WantStatus(o.ID, order.Delivered) // its overpayment is not refunded yet
	release()
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestDone, "")
	sent := w.RefundsOf(o.ID)
	if len(sent) != 1 || len(sent[0].Versions[0].Tx.Msg.TxIn) != 1 ||
		sent[0].Versions[0].Tx.Msg.TxIn[0].PreviousOutPoint != kept[0].OutPoint {
		t.Fatalf("refunds: got %+v", sent)
	}
	wantAddedUp(w, o, 2*43, kept[0].Value)
	w.Settle(3)
	w.WantStatus(o.ID, order.Consolidated)
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestRefused, "nothing left to refund")
	if got := w.Order(o.ID).Balance(); got != due+20_000 {
		t.Errorf("balance: got %d sats, want %d", got, due+20_000)
	}
	w.Settle(10)
	_, _, fees := w.TreasuryBalance()
	last := w.Versions(o.ID)[0]
	if want := o.Fees.Network + o.Fees.Rutxos + 2*43 - last.Fee; fees != want {
		t.Errorf("fee account: got %d sats, want %d", fees, want)
	}
	w.Audit()
}

// An overpayment that is not worth an output stays in the treasury, and is recorded as one.
func TestSmallOverpaymentStays(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due()+700)
	w.Settle(7)
	w.WantStatus(o.ID, order.Consolidated)
	if kept := keptOf(w, o.ID); len(kept) != 0 {
		t.Errorf("kept: got %+v", kept)
	}
	wantAddedUp(w, o, 700, 0)
}

// A replacement keeps the same overpayment, once, whichever version confirms.
func TestReplacementKeepsTheOverpayment(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 30_000 })
	w.AddTreasurySats(40_000, 40_000)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due()+20_000)
	w.Settle(1)
	first := keptOf(w, o.ID)
	w.Rate = amount.SatPerVB(20)
	w.Request(payout.RequestBump, w.PayoutsIn(payout.Live)[0].ID)
	w.Step()
	all, second := w.Versions(o.ID), keptOf(w, o.ID)
	if len(all) != 2 || len(second) != 1 || second[0].Value != first[0].Value || second[0].OutPoint.Hash != all[1].Tx.ID {
		t.Fatalf("got %d versions, kept %+v", len(all), second)
	}
	wantAddedUp(w, o, 20_000, 0)
	w.Node.MineOnly(all[0].Tx)
	w.Step()
	if kept := keptOf(w, o.ID); len(kept) != 1 || kept[0].OutPoint != first[0].OutPoint {
		t.Errorf("kept after the first version confirmed: got %+v", kept)
	}
	wantAddedUp(w, o, 20_000, 0)
	w.Node.Rewind(1)
	w.Node.MineOnly(all[1].Tx)
	w.Node.MineOnly()
	w.Step()
	if kept := keptOf(w, o.ID); len(kept) != 1 || kept[0].OutPoint != second[0].OutPoint {
		t.Errorf("kept after the second version confirmed: got %+v", kept)
	}
	w.Settle(3)
	w.Decide(payout.RequestRefund, o.ID)
	w.Settle(4)
	w.WantStatus(o.ID, order.Consolidated)
	wantAddedUp(w, o, 2*43, second[0].Value)
}

// The overpayment that a DEAD payout kept vanishes, and the next payout keeps it again.
func TestOverpaymentOfADeadPayout(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	a := w.Unlocked(w.Anna, 5000)
	b, _ := w.Deposit(w.Bert, 3000)
	w.Settle(4)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	o := w.Withdrawal(a)
	claim := *w.Act(w.Bert, "CLAIM").Order
	w.WantStage(b, ledger.Staked)
	w.Pay(w.Anna, o, o.Due())
	w.Pay(w.Bert, claim, claim.Due()+20_000)
	w.Settle(1)
	before := keptOf(w, claim.ID)
	if len(before) != 1 || len(w.PayoutsIn(payout.Live)) != 1 {
		t.Fatalf("kept: got %+v", before)
	}
	w.Node.MineOnly(w.Recover(w.Anna, a))
	w.Step()
	w.Settle(order.FinalDepth - 1)
	w.WantStatus(claim.ID, order.Sent)
	after := keptOf(w, claim.ID)
	if len(after) != 1 || after[0].OutPoint == before[0].OutPoint {
		t.Errorf("kept: got %+v, want another output than %+v", after, before)
	}
	wantAddedUp(w, claim, 20_000, 0)
	w.Settle(3)
	w.WantStatus(claim.ID, order.Delivered)
}
