package delivery

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// A payout of economy orders pays the rate of its orders with their sats alone: no sats of the fee account, of the
// treasury or of merged treasury outputs. It has no orders at normal speed, because each order pays its own vbytes at
// the payout's rate. If it needs more treasury outputs than its prices include, its rate is lowered, but not below the
// network's; otherwise its orders wait. It is never replaced at a higher rate.

// errMixed means that orders of a batch have different speeds or rates.
var errMixed = errors.New("its payout has orders of another speed or rate")

// economyRate returns the rate that the economy orders of a batch chose, at most Terms.MaxRate, or 0 if the batch has
// normal orders. It returns errMixed if the orders can't share a payout.
func economyRate(terms payout.Terms, batch []dueDelivery) (amount.FeeRate, error) {
	first := batch[0].Order
	for _, d := range batch {
		if d.Order.IsEconomy() != first.IsEconomy() || first.IsEconomy() && d.Order.FeeRate != first.FeeRate {
			return 0, errMixed
		}
	}
	if !first.IsEconomy() {
		return 0, nil
	}
	return min(first.FeeRate, terms.MaxRate), nil
}

// waitsForRate reports whether an economy order waits for the network's rate to fall to its own.
func waitsForRate(o order.Order, network amount.FeeRate) bool {
	return o.IsEconomy() && network > o.FeeRate
}

// normalFirst orders deliveries at normal speed before economy deliveries, which leave them the treasury's outputs.
func normalFirst(a, b dueDelivery) int {
	switch {
	case a.Order.IsEconomy() == b.Order.IsEconomy():
		return 0
	case b.Order.IsEconomy():
		return -1
	}
	return 1
}

// spareTreasury returns an error if an economy batch would spend treasury outputs while another economy payout with
// treasury outputs is unconfirmed. If the network's rate rises, such a payout can't be replaced at a higher rate, so
// several of them could lock all runes of the treasury.
func spareTreasury(ctx context.Context, tx payout.Tx, batch []dueDelivery) error {
	fromTreasury := func(o order.Order) bool { return o.RealUnits < int64(len(o.UnitIDs)) }
	if !slices.ContainsFunc(batch, func(d dueDelivery) bool { return fromTreasury(d.Order) }) {
		return nil
	}
	live, err := tx.Payouts.PayoutsIn(ctx, payout.Live)
	if err != nil {
		return err
	}
	for _, p := range live {
		if p.Kind != payout.Delivery || p.Community != batch[0].Order.Community || p.InBlock() {
			continue
		}
		for _, id := range p.OrderIDs {
			o, err := tx.Orders.Order(ctx, id)
			if err != nil {
				return err
			}
			if o.IsEconomy() && fromTreasury(o) {
				return fmt.Errorf("payout %s of economy delivery must confirm first", p.ID)
			}
		}
	}
	return nil
}

// fundEconomy builds a plan at the rate that its orders chose, or at the highest rate that the collected sats pay. It
// returns *errTooExpensive if that rate is below least. Neither the fee account nor the treasury's outputs pay the fee.
// A remainder of the orders' sats that is too small for an output goes to the fee.
func fundEconomy(plan vault.PayoutPlan, batch []dueDelivery, collected amount.Sats,
	chosen, least amount.FeeRate) (built, error) {
	plan.FeeRate = chosen
	tx, cost, err := vault.BuildPayout(plan)
	if short := new(vault.ErrSatsShort); errors.As(err, &short) || (err == nil && cost.Fee > collected) {
		affordable := amount.FeeRate(int64(collected) * 1000 / estimateVBytes(plan, cost.VBytes))
		if plan.FeeRate = min(chosen, affordable); plan.FeeRate < max(least, payout.MinRelay) {
			return built{}, &errTooExpensive{funds: collected, rate: least}
		}
		tx, cost, err = vault.BuildPayout(plan)
	}
	if err != nil {
		return built{}, err
	}
	if own := ownSats(plan.Inputs, batch); cost.Fee > own {
		return built{}, &errTooExpensive{funds: own, rate: least} // a remainder of treasury outputs would go to the fee
	}
	return built{tx: tx, cost: cost, inputs: plan.Inputs}, nil
}

// ownSats returns what the orders of a batch pay, without the 546 sats of their deliveries and kept overpayments.
func ownSats(inputs []vault.Coin, batch []dueDelivery) (sats amount.Sats) {
	for _, coin := range inputs {
		if coin.Kind == vault.Payment {
			sats += amount.Sats(coin.Output.Value)
		}
	}
	for _, d := range batch {
		sats -= vault.DustSats + d.Delivery.Overpayment
	}
	return sats
}
