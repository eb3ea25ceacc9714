package delivery_test

import (
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// A claim above every single treasury output is delivered without a top-up: the merged outputs pay for themselves, at
// low fee rates completely and at high ones in part, and neither the fee account nor the treasury's plain sats pay for
// them.
func TestClaimOfMoreThanAnyTreasuryOutput(t *testing.T) {
	for _, row := range []struct {
		rate  int64 // sat/vB, of the order and of its delivery
		least int64 // minimum fee rate of the delivery
	}{{1, 1}, {9, 9}, {40, 34}} {
		w := testkit.NewWorld(t).InjectFaults()
		w.AddTreasurySats(5_000)
		w.Rewarded(w.Anna, 5000)
		for total(w, w.Units(w.Anna, ledger.Claimable)) <= testkit.TreasuryCoin {
			w.NextEpoch()
			w.Settle(ledger.SettleDepth)
		}
		w.Rate = amount.SatPerVB(row.rate)
		o := *w.Act(w.Anna, action.Claim, w.Units(w.Anna, ledger.Claimable)...).Order
		_, before, _ := w.TreasuryBalance()
		w.PayInFull(w.Anna, o)
		w.WantStatus(o.ID, order.Sent)
		v := w.Versions(o.ID)[0]
		if merged := len(v.Tx.Msg.TxIn) - 1; merged != 2 { // beside the payment
			t.Fatalf("got %d treasury inputs, want 2", merged)
		}
		collected := o.Fees.Network + o.Fees.Rutxos
		if v.Fee <= collected || v.Fee > collected+vault.DustSats || v.Fee < amount.SatPerVB(row.least).Fee(v.VBytes) {
			t.Errorf("at %d sat/vB: got a fee of %d sats for %d vB, collected %d", row.rate, v.Fee, v.VBytes, collected)
		}
		w.Settle(14)
		w.WantStatus(o.ID, order.Consolidated)
		w.Audit()
		_, sats, fees := w.TreasuryBalance()
		if fees != 5_000 {
			t.Errorf("at %d sat/vB: got %d sats on the fee account, want 5000", row.rate, fees)
		}
		if want := before + o.Fees.Service; sats < want || sats > want+vault.DustSats {
			t.Errorf("at %d sat/vB: got %d sats in the treasury, before %d, service fee %d", row.rate, sats, before,
				o.Fees.Service)
		}
	}
}

// If the available sats do not suffice at a fee rate, the order waits with the amounts in the reason, and is sent when
// fees are lower.
func TestMergingWaitsForLowerFees(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Rewarded(w.Anna, 5000)
	for total(w, w.Units(w.Anna, ledger.Claimable)) <= testkit.TreasuryCoin {
		w.NextEpoch()
		w.Settle(ledger.SettleDepth)
	}
	w.Rate = amount.SatPerVB(2)
	o := *w.Act(w.Anna, action.Claim, w.Units(w.Anna, ledger.Claimable)...).Order
	w.Rate = amount.SatPerVB(40)
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Paid)
	if reason := w.Payouts.Waiting()[o.ID]; !strings.Contains(reason,
		"546 on the treasury outputs that it merges") {
		t.Errorf("reason for waiting: got %q", reason)
	}
	w.Rate = amount.SatPerVB(2)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// total returns the sum of units.
func total(w *testkit.World, ids []string) (sum amount.Runes) {
	w.Helper()
	for _, id := range ids {
		sum += w.Unit(id).Amount
	}
	return sum
}
