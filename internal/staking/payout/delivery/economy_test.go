package delivery_test

import (
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// economyWorld returns a world at 10 sat/vB in which Anna has n units that can be withdrawn.
func economyWorld(t *testing.T, n int) (*testkit.World, []string) {
	t.Helper()
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	return w, w.UnlockedUnits(n, 5000)
}

// Economy orders share a payout with each other, at the lowest of their rates, and normal ones are sent without them.
func TestEconomyBatches(t *testing.T) {
	w, ids := economyWorld(t, 4)
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp = 100_000 })
	w.GiveSignerIndex()
	two := amount.SatPerVB(2)
	a, b := w.Economy(w.Anna, action.Withdraw, two, ids[0]), w.Economy(w.Anna, action.Withdraw, two, ids[1])
	c := w.Economy(w.Anna, action.Withdraw, two+500, ids[2])
	normal := w.Withdrawal(ids[3])
	w.PayInFull(w.Anna, a, b, c, normal)
	w.WantStatus(normal.ID, order.Sent)
	for _, o := range []order.Order{a, b, c} {
		w.WantStatus(o.ID, order.Paid)
	}
	w.Rate = two
	w.Settle(1)
	for _, o := range []order.Order{a, b, c} {
		w.WantStatus(o.ID, order.Sent)
	}
	if id := w.Order(a.ID).PayoutID; id != w.Order(b.ID).PayoutID || id != w.Order(c.ID).PayoutID {
		t.Errorf("payouts %s, %s and %s", id, w.Order(b.ID).PayoutID, w.Order(c.ID).PayoutID)
	}
	for _, p := range w.PayoutsIn(payout.Live) {
		var paid amount.Sats
		for _, id := range p.OrderIDs {
			o := w.Order(id)
			paid += o.Fees.Network + o.Fees.Rutxos + o.Fees.Service
		}
		if fee := p.Versions[0].Fee; w.Order(p.OrderIDs[0]).IsEconomy() && fee > paid {
			t.Errorf("payout of %v: fee %d, paid %d", p.OrderIDs, fee, paid)
		}
	}
	w.Settle(order.FinalDepth)
	w.Audit()
}

// Neither the clock nor the operator replaces a payout of economy orders above their rate, and the export of an order
// that waits for its rate is refused.
func TestEconomyIsNotBumped(t *testing.T) {
	w, ids := economyWorld(t, 2)
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp = 100_000 })
	w.AddTreasurySats(100_000)
	o := w.Economy(w.Anna, action.Withdraw, amount.SatPerVB(2), ids[0])
	w.PayInFull(w.Anna, o)
	w.Request(payout.RequestExport, o.ID)
	w.Step()
	if note := w.Rows(`SELECT note FROM operator_request WHERE order_id = ?`, o.ID); !strings.Contains(note, "chose") {
		t.Errorf("the export of a waiting order: %q", note)
	}
	w.Rate = amount.SatPerVB(2)
	w.Settle(1)
	p := w.PayoutsIn(payout.Live)
	if len(p) != 1 {
		t.Fatalf("%d live payouts", len(p))
	}
	w.Rate = amount.SatPerVB(50)
	for range 8 {
		w.Clock.Advance(10 * time.Minute)
		w.Node.MineOnly()
		w.Step()
	}
	if p = w.PayoutsIn(payout.Live); len(p) != 1 || len(p[0].Versions) != 1 || p[0].Versions[0].Height != chain.None {
		t.Errorf("the payout was replaced: %+v", p)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// A claim pays for one treasury output. If its payout needs more, it waits rather than spend the treasury's sats.
func TestEconomyClaim(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Rate = amount.SatPerVB(10)
	_, reward := w.Rewarded(w.Anna, 5000)
	o := w.Economy(w.Anna, action.Claim, amount.SatPerVB(2), reward)
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Paid)
	w.Rate = amount.SatPerVB(2)
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	w.WantStage(reward, ledger.Withdrawn)
	w.Audit()
}
