package onetx_test

import (
	"errors"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// What can't be withdrawn in one transaction is refused before anything is stored.
func TestOneTxRefusals(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.GiveSignerIndex()
	w.Rewarded(w.Bert, 5000)
	ids := w.UnlockedUnits(3, 5000)
	claim := *w.Act(w.Bert, action.Claim).Order
	begin := func(from *testkit.Wallet, o order.Order) error {
		_, err := w.OneTx.BeginOneTx(t.Context(), testkit.Prefix, from.Pair(), o.ID, nil)
		return err
	}
	wantOneTxFault(t, begin(w.Bert, claim), fault.OneTxUnits)
	wantOneTxFault(t, begin(w.Cleo, claim), fault.OrderUnknown)
	w.Rate = amount.SatPerVB(5)
	slow := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), ids[0])
	wantOneTxFault(t, begin(w.Anna, slow), fault.OneTxOrder)
	first, second := w.Withdrawal(ids[1]), w.Withdrawal(ids[2])
	w.PayOneTx(w.Anna, first)
	wantOneTxFault(t, begin(w.Anna, first), fault.OneTxSession)
	wantOneTxFault(t, begin(w.Anna, second), fault.OneTxSession)
	w.Step()
	w.WantStatus(first.ID, order.Sent)
	wantOneTxFault(t, begin(w.Anna, second), fault.OneTxSession)
	w.Settle(order.DeliveryDepth)
	wantOneTxFault(t, begin(w.Anna, first), fault.OneTxOrder)
	if err := begin(w.Anna, second); err != nil {
		t.Error(err)
	}
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.ColdAbove = 1 })
	wantOneTxFault(t, begin(w.Anna, second), fault.OneTxAmount)
	_, err := w.OneTx.EstimateOneTx(t.Context(), action.OneTxEstimate{Community: testkit.Prefix, UnitIDs: ids[2:],
		Wallet: action.Wallet{Payment: w.Anna.Ordinals.Text, Ordinals: w.Anna.Ordinals.Text}})
	wantOneTxFault(t, err, fault.OneTxSameAddress)
	w.Audit()
}

// A reorg undoes the block of the transaction, which then confirms in another one, or never.
func TestOneTxReorg(t *testing.T) {
	w, o, unit, own := sentOneTx(t)
	w.Settle(2)
	w.Node.Rewind(2)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, own...))
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Settle(2)
	w.WantStatus(o.ID, order.Sent)
	w.Settle(1)
	w.WantStatus(o.ID, order.Canceled)
	w.WantStage(unit, ledger.Unlocked)
	if again := w.PayoutsIn(payout.Dead); len(again) != 1 || again[0].Versions[0].Height != chain.None {
		t.Errorf("got %+v", again)
	}
	w.Audit()
}

// An owner who spends a coin elsewhere does not alarm the operator. The order says that the node refuses it.
func TestOneTxRefusalIsNoAlarm(t *testing.T) {
	w, o, _, own := sentOneTx(t)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, own...))
	w.Step()
	sent := w.Order(o.ID).PayoutTx
	w.Update(func(tx *store.Tx) error {
		refusal, err := tx.Refusal(t.Context(), sent)
		if err != nil || !refusal.OwnPaid {
			t.Errorf("got %+v, %v", refusal, err)
		}
		all, err := tx.Refusals(t.Context())
		if err != nil || len(all) != 1 || len(ledger.ForOperators(all)) != 0 {
			t.Errorf("got %+v, %v", all, err)
		}
		counts, err := tx.LivePayouts(t.Context())
		if err != nil || counts[testkit.Prefix] != 0 {
			t.Errorf("%v payouts are unconfirmed (%v), want none", counts, err)
		}
		return nil
	})
	if events := w.Rows("SELECT kind, subject FROM outbox"); events != "" {
		t.Errorf("operators are notified: %s", events)
	}
}

// A call that proves no ownership does not make the transaction useless that the owner is about to sign: the same one
// is issued again, and none while the node does not answer.
func TestOneTxIsIssuedOnce(t *testing.T) {
	w, o, _ := ordered(t)
	first := w.BeginOneTx(w.Anna, o)
	w.Rate = amount.SatPerVB(2) + 100
	if again := w.BeginOneTx(w.Anna, o); again.PSBT != first.PSBT {
		t.Error("another transaction is issued at nearly the same rate")
	}
	w.Node.Fail(errors.New("the node is away"))
	_, err := w.OneTx.BeginOneTx(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, nil)
	wantOneTxFault(t, err, fault.OneTxUnavailable)
	w.Node.Fail(nil)
	signed, _ := w.Anna.SignPSBT(first.PSBT)
	testkit.Must(t, w.TrySendOneTx(w.Anna, o, signed))
	w.Step()
	w.WantStatus(o.ID, order.Sent)
}

func rateOf(v payout.Version) amount.FeeRate { return amount.FeeRate(int64(v.Fee) * 1000 / v.VBytes) }

// The unit of a sent order is recovered. The order is INVALID, because there is nothing that an operator could decide,
// or in AUDIT if there is a payment to refund.
func TestOneTxOfARecoveredUnit(t *testing.T) {
	for _, paid := range []bool{false, true} {
		w, o, unit, _ := sentOneTx(t)
		w.Mature(unit)
		want := order.Invalid
		if paid {
			w.Pay(w.Bert, o, o.Fees.Total())
			w.Step()
			want = order.Audit
		}
		w.Node.MineOnly(w.Recover(w.Anna, unit))
		w.Step()
		for range order.FinalDepth - 1 {
			w.WantStatus(o.ID, order.Sent)
			w.Settle(1)
		}
		if got := w.WantStatus(o.ID, want); got.OneTx || (got.Owed.Sats > 0) != paid {
			t.Errorf("paid: %t, got %+v", paid, got)
		}
		w.WantStage(unit, ledger.Withdrawn)
		w.Audit()
	}
}
