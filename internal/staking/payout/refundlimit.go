package payout

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
)

// RefundLimits limit the sats that the server refunds without an operator in any 24 hours. Like the signer's limits,
// they apply to the values of the refunded payments, including the network fees.
type RefundLimits struct {
	PerDay      amount.Sats // of all owners
	PerOwnerDay amount.Sats // of one owner
}

// refundWindow is the period of the limits.
const refundWindow = 24 * time.Hour

// RefundCharge is the amount that one refund counts against the limits. All versions of a refund count once, at the
// time when the latest was signed. A DEAD refund still counts, because the signer counts it, too.
type RefundCharge struct {
	Community string
	Owner     string // ordinals address
	Sats      amount.Sats
	At        time.Time
}

// ChargedRefunds has the sum of all charges and of those to one owner.
type ChargedRefunds struct{ Total, ToOwner amount.Sats }

// allows reports whether a refund of sats is within the limits, given the charged refunds. Half of PerDay is reserved
// for owners whose sum is at most a tenth of PerOwnerDay, and half of that for owners whose sum is at most a hundredth
// of it. So a few owners who overpay can't delay the small refunds of others.
func (l RefundLimits) allows(charged ChargedRefunds, sats amount.Sats) bool {
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
func (s *Service) withinLimits(ctx context.Context, tx Tx, o order.Order, inputs []vault.Coin,
	now time.Time) (bool, error) {
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return false, err
	}
	charged, err := tx.Payouts.ChargedRefunds(ctx, o.Community, o.Owner, now.Add(-refundWindow))
	return terms.Refunds.allows(charged, inputSum(inputs)), err
}

// chargeRefund counts a signed version of a refund against the limits.
func chargeRefund(ctx context.Context, tx Tx, payoutID string, o order.Order, inputs []vault.Coin, at time.Time) error {
	return tx.Payouts.ChargeRefund(ctx, payoutID, RefundCharge{Community: o.Community, Owner: o.Owner,
		Sats: inputSum(inputs), At: at})
}

// inputSum returns the sum of the inputs' values.
func inputSum(inputs []vault.Coin) (sats amount.Sats) {
	for _, coin := range inputs {
		sats += amount.Sats(coin.Output.Value)
	}
	return sats
}
