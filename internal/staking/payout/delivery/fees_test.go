package delivery_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// The network fees of orders cover the transaction that delivers them at their fee rate, alone or together, for claims
// and withdrawals.
func TestCollectedCoversTheCost(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	outputs := uint32(0)
	point := func() wire.OutPoint {
		outputs++
		return wire.OutPoint{Hash: chainhash.Hash{1}, Index: outputs}
	}
	runeChange, _ := w.Account.TreasuryRunes()
	satsChange, _ := w.Account.TreasurySats()
	holding := func(n amount.Runes) []runes.Balance {
		return []runes.Balance{{ID: testkit.Rune, Amount: uint128.From64(uint64(n))}}
	}
	for rate := int64(1); rate <= 200; rate++ {
		for batch := 1; batch <= 7; batch++ {
			for claims := range 3 { // none, all, every other one
				plan := vault.PayoutPlan{
					Rune: testkit.Rune, RuneChange: runeChange.Script, SatsChange: satsChange.Script,
					FeeRate: amount.SatPerVB(rate), MaxRunestone: 200,
				}
				var collected amount.Sats
				var fromTreasury amount.Runes
				for i := range batch {
					claim := claims == 1 || (claims == 2 && i%2 == 0)
					d := vault.Delivery{OrderID: fmt.Sprint(i), Rune: testkit.Rune, To: w.Anna.Ordinals.Script, Value: 546}
					var units []ledger.Unit
					for range i%3 + 1 {
						u := ledger.Unit{Origin: ledger.FromReward, Amount: 123_456_789}
						if !claim {
							u.Origin, u.OutPoint = ledger.FromStake, point()
							d.Value += 546
							plan.Inputs = append(plan.Inputs, vault.Coin{
								OutPoint: u.OutPoint, Output: wire.TxOut{Value: 546}, Runes: holding(u.Amount), Kind: vault.Stake,
							})
						} else {
							fromTreasury += u.Amount
						}
						d.Amount += u.Amount
						units = append(units, u)
					}
					fees, err := w.Orders.Estimate(testkit.Prefix, units, w.Anna.Ordinals.Text, plan.FeeRate)
					testkit.Must(t, err)
					collected += fees.Network + fees.Rutxos
					plan.Inputs = append(plan.Inputs, vault.Coin{
						OutPoint: point(), Output: wire.TxOut{Value: int64(fees.Total())}, Kind: vault.Payment, OrderID: d.OrderID,
					})
					plan.Deliveries = append(plan.Deliveries, d)
				}
				if fromTreasury > 0 {
					plan.Inputs = append(plan.Inputs, vault.Coin{
						OutPoint: point(), Output: wire.TxOut{Value: 546}, Runes: holding(fromTreasury + 1), Kind: vault.TreasuryRunes,
					})
				}
				_, cost, err := vault.BuildPayout(plan)
				testkit.Must(t, err)
				if cost.Fee > collected {
					t.Fatalf("%d orders at %d sat/vB (claims %d): cost %d, collected %d sats", batch, rate, claims, cost.Fee,
						collected)
				}
			}
		}
	}
}

// A service fee that is too small for an output goes to the network fee and delays no order.
func TestSmallServiceFee(t *testing.T) {
	for _, fee := range []amount.Sats{0, 1, 300, 545, 546} {
		w := testkit.NewWorld(t)
		w.SetServiceFee(fee)
		w.Rate = amount.SatPerVB(40)
		o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
		w.PayInFull(w.Anna, o)
		w.WantStatus(o.ID, order.Sent)
		if v := w.Versions(o.ID)[0]; v.Fee > o.Fees.Network+o.Fees.Rutxos+fee {
			t.Errorf("service fee %d: got a network fee of %d sats", fee, v.Fee)
		}
	}
}

// The fee account adds at most the configured limit. The sats are reserved at once, and posted when the payout is
// final.
func TestTopUp(t *testing.T) {
	for _, row := range []struct {
		limit, endowed amount.Sats
		sent           bool
	}{{0, 50_000, false}, {1_000, 50_000, false}, {20_000, 0, false}, {20_000, 50_000, true}} {
		w := testkit.NewWorld(t).InjectFaults()
		w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = row.limit })
		if row.endowed > 0 {
			w.AddTreasurySats(row.endowed)
		}
		o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
		w.Rate = amount.SatPerVB(40)
		w.PayInFull(w.Anna, o)
		if !row.sent {
			w.WantStatus(o.ID, order.Paid)
			if w.Payouts.Waiting()[o.ID] == "" {
				t.Error("the order waits without a reason")
			}
			continue
		}
		w.WantStatus(o.ID, order.Sent)
		v := w.Versions(o.ID)[0]
		if v.Fee < amount.SatPerVB(40).Fee(v.VBytes) || v.Fee > o.Fees.Network+o.Fees.Rutxos+row.limit {
			t.Errorf("a fee of %d sats for %d vB", v.Fee, v.VBytes)
		}
		w.Audit()
		w.Settle(14)
		w.Audit()
		if _, sats, fees := w.TreasuryBalance(); fees != row.endowed+o.Fees.Network+o.Fees.Rutxos-v.Fee || sats < fees {
			t.Errorf("the fee account has %d sats, the treasury %d", fees, sats)
		}
	}
}

// An order waits for other orders at most MaxWait. A full payout is sent at once.
func TestMaxWait(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.MaxWait = 10 * time.Minute })
	ids := w.UnlockedUnits(15, 4_000_000)
	first := w.Withdrawal(ids[0])
	w.PayInFull(w.Bert, first)
	w.WantStatus(first.ID, order.Paid)
	if reason := w.Payouts.Waiting()[first.ID]; !strings.Contains(reason, "10m") {
		t.Errorf("reason for waiting: got %q", reason)
	}
	w.Clock.Advance(4 * time.Minute)
	second := w.Withdrawal(ids[1])
	w.PayInFull(w.Bert, second)
	w.WantStatus(first.ID, order.Paid)
	w.Clock.Advance(6 * time.Minute)
	w.Step()
	w.WantStatus(first.ID, order.Sent)
	if o := w.WantStatus(second.ID, order.Sent); o.PayoutID != w.Order(first.ID).PayoutID {
		t.Error("the second order is not in the payout of the first")
	}
	var many []order.Order
	for _, id := range ids[2:] {
		many = append(many, w.Withdrawal(id))
	}
	w.PayInFull(w.Cleo, many...)
	sent, waiting := 0, 0
	for _, o := range many {
		switch w.Order(o.ID).Status {
		case order.Sent:
			sent++
		case order.Paid:
			waiting++
		}
	}
	if sent < 6 || waiting == 0 {
		t.Errorf("got %d orders sent at once, %d waiting", sent, waiting)
	}
	w.Clock.Advance(10 * time.Minute)
	w.Step()
	for _, o := range many {
		w.WantStatus(o.ID, order.Sent)
	}
	w.Audit()
}

// With a larger MaxRunestone more orders share a payout.
func TestMaxRunestone(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.MaxRunestone = 400 })
	var orders []order.Order
	for _, id := range w.UnlockedUnits(12, 4_000_000) {
		orders = append(orders, w.Withdrawal(id))
	}
	w.PayInFull(w.Bert, orders...)
	if live := w.PayoutsIn(payout.Live); len(live) != 1 || len(live[0].OrderIDs) != 12 {
		t.Fatalf("got %d payouts, want 1 of 12 orders", len(live))
	}
}

// A unit that its staker can soon recover is delivered alone, because a recovery would invalidate a shared payout.
func TestNearRecoveryIsDeliveredAlone(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	ids := w.UnlockedUnits(1, 5000)
	for range 118 { // of the delay of 144 blocks, fewer than 24 are left
		w.Node.Mine()
	}
	w.Step()
	ids = append(ids, w.UnlockedUnits(2, 5000)...)
	var orders []order.Order
	for _, id := range ids {
		orders = append(orders, w.Withdrawal(id))
	}
	w.PayInFull(w.Bert, orders...)
	live := w.PayoutsIn(payout.Live)
	if len(live) != 2 {
		t.Fatalf("got %d payouts, want 2", len(live))
	}
	for _, p := range live {
		if slices.Contains(p.OrderIDs, orders[0].ID) && len(p.OrderIDs) != 1 {
			t.Error("the unit near its recovery is in a shared payout")
		}
	}
}

// The treasury is split into several outputs while fees are low. A payout spends only confirmed outputs, so none waits
// for another.
func TestTreasuryKeepsSeveralOutputs(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(100_000)
	w.PaidClaims()
	w.Settle(1)
	for _, p := range w.PayoutsIn(payout.Live) {
		for _, in := range p.Versions[0].Tx.Msg.TxIn {
			w.Update(func(tx *store.Tx) error {
				output, err := tx.Output(w.Context(), in.PreviousOutPoint)
				if err == nil && output.Height == chain.None {
					t.Errorf("input %s is not confirmed", in.PreviousOutPoint)
				}
				return err
			})
		}
	}
	var outputs int64
	w.Update(func(tx *store.Tx) (err error) {
		outputs, err = tx.TreasuryCount(w.Context(), testkit.Prefix)
		return err
	})
	if outputs < 6 {
		t.Errorf("got %d treasury outputs, want at least 6", outputs)
	}
	w.Audit()
	w.Settle(3)
	w.Audit()
}

// The signer limits the runes that leave the treasury in 24 hours. An order beyond the limit waits with that reason, is
// sent later, and delays no other order.
func TestDailyLimit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.LimitSigner(700_000)
	orders := w.PaidClaims() // of 333,333 base units each
	w.Settle(1)
	sent := 0
	for _, o := range orders {
		if w.Order(o.ID).Status == order.Sent {
			sent++
		} else if reason := w.Payouts.Waiting()[o.ID]; !strings.Contains(reason, "24 hours") {
			t.Errorf("reason for waiting: got %q", reason)
		}
	}
	if sent != 2 {
		t.Fatalf("got %d claims sent, want 2", sent)
	}
	w.Settle(3)
	w.Clock.Advance(23 * time.Hour)
	w.Step()
	if len(w.Payouts.Waiting()) != 1 {
		t.Errorf("waiting: got %v, want one order", w.Payouts.Waiting())
	}
	w.Clock.Advance(2 * time.Hour)
	w.Settle(4)
	for _, o := range orders {
		if status := w.Order(o.ID).Status; status != order.Delivered && status != order.Consolidated {
			t.Errorf("status of a claim after 25 hours: got %s", status)
		}
	}
	w.Audit()
}

// Runes at the treasury's address for sats, ours or foreign, are never spent on fees.
func TestFeesAreNeverPaidWithRunes(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 20_000 })
	w.GiveSignerIndex()
	address, _ := w.Account.TreasurySats()
	premine := uint128.From64(7)
	stone := runes.Runestone{Etching: &runes.Etching{Premine: &premine}}
	script, err := stone.Script()
	testkit.Must(t, err)
	foreign := w.Node.Grant(wire.NewTxOut(50_000, address.Script), wire.NewTxOut(0, script))
	own := w.Send(w.Transfer(w.Bert, address.Script, 777))
	w.AddTreasurySats(15_000)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Rate = amount.SatPerVB(40)
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Sent)
	for _, in := range w.Versions(o.ID)[0].Tx.Msg.TxIn {
		if in.PreviousOutPoint.Hash == foreign.ID || in.PreviousOutPoint.Hash == own.ID {
			t.Errorf("an output with runes is spent for a fee: %s", in.PreviousOutPoint)
		}
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Rate = amount.SatPerVB(2)
	second := w.Withdrawal(w.Unlocked(w.Anna, 5000)) // no other output can pay now
	w.Rate = amount.SatPerVB(40)
	w.PayInFull(w.Anna, second)
	w.WantStatus(second.ID, order.Paid)
	w.Audit()
}
