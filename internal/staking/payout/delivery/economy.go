package delivery

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// A payout of economy orders pays the lowest rate of its orders with their sats alone: no sats of the fee account, of
// the treasury or of merged treasury outputs. What owners of higher rates overpaid goes to the fee account, or to a
// replacement. A payout has no normal orders, because each order pays its own vbytes. If it needs more treasury outputs
// than its prices include, its rate is lowered, but not below the network's; otherwise its orders wait. It is never
// replaced at a higher rate than its orders paid.
//
// If the network's rate rises, an economy payout can stay unconfirmed for weeks. It must not hold back other orders, so
// it leaves them a treasury output, and they wait only for one that should confirm soon. If the treasury has only one
// free output, a payout of the treasury's own splits it first.

// errMixed means that orders of a batch have different speeds.
var errMixed = errors.New("its payout has orders of another speed")

// errLastOutput means that an economy payout would leave no treasury output to others.
var errLastOutput = errors.New("it would spend the treasury's last free rune output, and other orders would wait if " +
	"rates rise before it confirms. It is sent when another output is free: the fee account pays for splitting this one " +
	"if it can, and so does a claim at normal speed. Or it is sent when the network's fee rate is half of its own")

// economyRates returns the lowest and the highest rate that the economy orders of a batch chose, at most Terms.MaxRate,
// or 0 if the batch has normal orders. It returns errMixed if the orders can't share a payout.
func economyRates(terms payout.Terms, batch []dueDelivery) (lowest, highest amount.FeeRate, err error) {
	if len(batch) == 0 { // a payout that splits the treasury
		return 0, 0, nil
	}
	first := batch[0].Order
	lowest, highest = first.FeeRate, first.FeeRate
	for _, d := range batch {
		if d.Order.IsEconomy() != first.IsEconomy() {
			return 0, 0, errMixed
		}
		lowest, highest = min(lowest, d.Order.FeeRate), max(highest, d.Order.FeeRate)
	}
	if !first.IsEconomy() {
		return 0, 0, nil
	}
	return min(lowest, terms.MaxRate), min(highest, terms.MaxRate), nil
}

// waitsForRate reports whether an economy order waits for the network's rate to fall to its own.
func waitsForRate(o order.Order, network amount.FeeRate) bool {
	return o.IsEconomy() && network > o.FeeRate
}

// normalFirst orders deliveries at normal speed before economy deliveries, which leave them the treasury's outputs, and
// economy deliveries by descending rate, so that similar rates share a payout.
func normalFirst(a, b dueDelivery) int {
	switch {
	case a.Order.IsEconomy() && b.Order.IsEconomy():
		return cmp.Compare(b.Order.FeeRate, a.Order.FeeRate)
	case b.Order.IsEconomy():
		return -1
	case a.Order.IsEconomy():
		return 1
	}
	return 0
}

// takesTreasury reports whether the delivery of an order spends treasury runes.
func takesTreasury(o order.Order) bool { return o.RealUnits < int64(len(o.UnitIDs)) }

// economyPayout is an unconfirmed payout of economy orders that spends treasury runes.
type economyPayout struct {
	payout.Payout
	waits bool // for the network's rate to fall to its own
}

// economyPayouts returns the unconfirmed economy payouts of a community that spend treasury runes.
func economyPayouts(ctx context.Context, tx payout.Tx, terms payout.Terms,
	network amount.FeeRate) (found []economyPayout, err error) {
	live, err := tx.Payouts.PayoutsIn(ctx, payout.Live)
	if err != nil {
		return nil, err
	}
	for _, p := range live {
		if p.Kind != payout.Delivery || p.Community != terms.Prefix || p.InBlock() {
			continue
		}
		takes, waits := false, false
		for _, id := range p.OrderIDs {
			o, err := tx.Orders.Order(ctx, id)
			if err != nil {
				return nil, err
			}
			takes, waits = takes || o.IsEconomy() && takesTreasury(o), waits || waitsForRate(o, network)
		}
		if takes {
			found = append(found, economyPayout{p, waits})
		}
	}
	return found, nil
}

// confirmsSoon returns the id of an economy payout with treasury runes that should confirm soon, because the network's
// rate is at or below its own, or "". Other economy orders from the treasury wait for it and then share a payout, so
// that one phase of low rates locks few treasury outputs. They wait for payout.BumpAfter blocks at most.
func confirmsSoon(ctx context.Context, r payout.Round, terms payout.Terms) (id string, err error) {
	sent, err := economyPayouts(ctx, r.Tx, terms, r.Rate)
	for _, p := range sent {
		if p.waits {
			continue
		}
		if old, err := r.IsOld(ctx, p.Created); err != nil || !old {
			return p.ID, err
		}
	}
	return "", err
}

// waitingChange returns the number of rune outputs of the treasury on economy payouts that wait for the network's rate.
func waitingChange(ctx context.Context, tx payout.Tx, terms payout.Terms, network amount.FeeRate) (n int64, err error) {
	sent, err := economyPayouts(ctx, tx, terms, network)
	change, _ := terms.Account.TreasuryRunes()
	for _, p := range sent {
		for _, out := range p.Last().Tx.Msg.TxOut {
			if p.waits && bytes.Equal(out.PkScript, change.Script) {
				n++
			}
		}
	}
	return n, err
}

// selectSparing selects treasury outputs with n base units, and leaves the largest output to others. It returns
// errLastOutput if only all of them suffice.
func selectSparing(coins []vault.Coin, terms payout.Terms, n amount.Runes) ([]vault.Coin, error) {
	if _, err := vault.SelectTreasury(coins, terms.Rune, n); err != nil {
		return nil, err
	}
	chosen, err := vault.SelectTreasury(bySize(coins, terms)[:len(coins)-1], terms.Rune, n)
	if err != nil {
		return nil, errLastOutput
	}
	return chosen, nil
}

// bySize returns treasury outputs in the order of their runes.
func bySize(coins []vault.Coin, terms payout.Terms) []vault.Coin {
	return slices.SortedStableFunc(slices.Values(coins), func(a, b vault.Coin) int { // an error: the output holds none
		x, _ := a.RuneAmount(terms.Rune)
		y, _ := b.RuneAmount(terms.Rune)
		return cmp.Compare(x, y)
	})
}

// fundEconomy builds a plan at a rate that its orders chose, or at the highest rate that the collected sats pay. It
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
