package api

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
)

func (f *fakeServices) PostEconomy(_ context.Context, a action.Action, ids []string, _ string,
	r action.EconomyRequest) (action.Requested, error) {
	f.changes.Add(1)
	return action.Requested{ActionID: "action-2", Message: fmt.Sprintf("LOBO on regtest\nAction: %s\nUnits: %d\n"+
		"Speed: economy, %s sat/vB\n", a.Type, len(ids), r.Rate)}, nil
}

func (f *fakeServices) EstimateEconomy(_ context.Context, _ action.Action, _ []string,
	r action.EconomyRequest) (action.EconomyQuote, error) {
	q := action.EconomyQuote{Normal: stillFees, Economy: stillFees, Rate: max(2500, r.Rate), MinRate: 1000, MaxRate: 7499,
		MaxDays: 28, Until: still.Add(14 * 24 * time.Hour)}
	q.Economy.Network /= 3
	return q, nil
}

func (f *fakeServices) Wait(context.Context, string, action.Wallet, string) (order.Order, error) {
	f.changes.Add(1)
	return stillEconomy().Order, nil
}

func (f *fakeServices) Raise(context.Context, string, action.Wallet, string) (order.Order, error) {
	f.changes.Add(1)
	return stillEconomy().Order, nil
}

// stillEconomy returns a fixed economy order at its limit, whose difference was set.
func stillEconomy() OrderView {
	o := stillOrder(12, order.Paid)
	o.FeeRate, o.Created = 2500, still.Add(-15*24*time.Hour)
	o.Economy = order.Economy{Until: still.Add(-24 * time.Hour), RaisedRate: 7500, RaisedAt: still.Add(-10 * time.Minute)}
	return OrderView{Order: o, Rate: 9000, Economy: EconomyView{Network: 7500, Ends: o.EndsAt(), AtLimit: true,
		WaitUntil: still.Add(14 * 24 * time.Hour), Now: still,
		Difference: order.Difference{Rate: 7500, Total: 9000, Due: 4000, Until: still.Add(20 * time.Minute)}}}
}

// A difference that was seen in time and does not confirm can be paid again after the time of the call.
func TestDifferenceIsPayableAgain(t *testing.T) {
	for _, row := range []struct {
		seen, over   bool
		choice, sent bool // pay_difference is a choice; the order has a difference
	}{
		{seen: false, over: false, choice: true, sent: true},
		{seen: false, over: true, choice: true, sent: false},
		{seen: true, over: false, choice: false, sent: true},
		{seen: true, over: true, choice: true, sent: true},
	} {
		view := stillEconomy()
		view.Order.FeeRate = view.Economy.Network - 1
		if view.Economy.Difference.Seen = row.seen; row.over {
			view.Economy.Now = view.Economy.Difference.Until.Add(time.Second)
		}
		wire := wireEconomy(view)
		choice := slices.Contains(wire.Choices, EconomyChoicesPayDifference)
		sent := wire.Difference != nil
		if choice != row.choice || sent != row.sent || sent && wire.Difference.Seen != row.seen {
			t.Errorf("%+v: choices %v, difference %+v", row, wire.Choices, wire.Difference)
		}
	}
}
