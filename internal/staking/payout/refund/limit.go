package refund

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// window is the period of the limits.
const window = 24 * time.Hour

// allows reports whether a refund of sats is within the limits, given the charged refunds. Half of PerDay is reserved
// for owners whose sum is at most a tenth of PerOwnerDay, and half of that for owners whose sum is at most a hundredth
// of it. So a few owners who overpay can't delay the small refunds of others.
func allows(l payout.RefundLimits, charged payout.ChargedRefunds, sats amount.Sats) bool {
	toOwner := charged.ToOwner + sats
	open := l.PerDay / 2
	switch {
	case toOwner > l.PerOwnerDay:
		return false
	case toOwner <= l.PerOwnerDay/100:
		open = l.PerDay
	case toOwner <= l.PerOwnerDay/10:
		open = l.PerDay - l.PerDay/4
	}
	return charged.Total+sats <= open
}

// withinLimits reports whether the server may send a refund of these inputs without an operator.
func withinLimits(ctx context.Context, r payout.Round, terms payout.Terms, o order.Order,
	inputs []vault.Coin) (bool, error) {
	charged, err := r.Tx.Payouts.ChargedRefunds(ctx, o.Community, o.Owner, r.Now.Add(-window))
	return allows(terms.Refunds, charged, inputSum(inputs)), err
}

// charge counts a signed version of a refund against the limits.
func charge(ctx context.Context, r payout.Round, payoutID string, o order.Order, inputs []vault.Coin) error {
	return r.Tx.Payouts.ChargeRefund(ctx, payoutID, payout.RefundCharge{Community: o.Community, Owner: o.Owner,
		Sats: inputSum(inputs), At: r.Now})
}

// inputSum returns the sum of the inputs' values.
func inputSum(inputs []vault.Coin) (sats amount.Sats) {
	for _, coin := range inputs {
		sats += amount.Sats(coin.Output.Value)
	}
	return sats
}
