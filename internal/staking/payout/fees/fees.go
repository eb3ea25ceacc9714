// Package fees computes who pays the network fees of payouts: the orders, the fee account, or the treasury outputs that
// a payout merges.
package fees

import (
	"bytes"
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Post posts the collected sats and the network fee of a final payout on the fee account, unless the payout pays for
// itself. Until a payout is final, TopUp reserves its cost.
func Post(ctx context.Context, tx payout.Tx, p payout.Payout, confirmed payout.Version, cause ledger.Cause) error {
	if p.SelfPaid() {
		return nil
	}
	collected, err := collectedBy(ctx, tx, p)
	if err != nil {
		return err
	}
	spent, account := confirmed.Fee, payout.FeeAccount(p.Community)
	balance, err := tx.Treasury.FeeBalance(ctx, p.Community)
	if err != nil {
		return err
	}
	merged, err := mergedSatsOf(ctx, tx, confirmed)
	if err != nil {
		return err
	}
	// Merged treasury outputs pay for their inputs first. A remainder too small for a change output also goes to the
	// fee, although no order paid it as a fee.
	collected = max(collected, min(spent, collected+merged), spent-balance)
	if err := tx.Journal.Post(ctx, ledger.Posting{
		Community: p.Community, Subject: account, Event: "network money collected", Asset: ledger.SatsAsset,
		Amount: int64(collected), From: ledger.Outside, To: account, Cause: cause,
	}); err != nil {
		return err
	}
	return tx.Journal.Post(ctx, ledger.Posting{
		Community: p.Community, Subject: account, Event: "network fee paid", Asset: ledger.SatsAsset,
		Amount: int64(spent), From: account, To: ledger.Outside, Cause: cause,
	})
}

// collectedBy returns the network fees that the orders of a delivery paid. It returns 0 for other payouts.
func collectedBy(ctx context.Context, tx payout.Tx, p payout.Payout) (collected amount.Sats, err error) {
	if p.Kind != payout.Delivery {
		return 0, nil
	}
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return 0, err
		}
		paidFor, err := KeptOutputCost(ctx, tx, p, o)
		if err != nil {
			return 0, err
		}
		if collected, err = collected.Add(o.Fees.Network + o.Fees.Rutxos + paidFor); err != nil {
			return 0, err
		}
	}
	return collected, nil
}

// KeptOverpayment returns the part of an order's overpayment that a delivery pays to the order's address, or 0.
func KeptOverpayment(ctx context.Context, tx payout.Tx, p payout.Payout, o order.Order) (amount.Sats, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	for _, payment := range payments {
		if payment.Kept && !payment.Vanished && p.Made(payment.OutPoint.Hash.String()) {
			return payment.Value, err
		}
	}
	return 0, err
}

// KeptOutputCost returns the part of an order's overpayment that pays the fee of the output that keeps the rest.
func KeptOutputCost(ctx context.Context, tx payout.Tx, p payout.Payout, o order.Order) (amount.Sats, error) {
	kept, err := KeptOverpayment(ctx, tx, p, o)
	if err != nil || kept == 0 {
		return 0, err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	var spent amount.Sats
	for _, payment := range payments {
		if !payment.Kept && payment.Counted && p.Made(payment.SpentBy) {
			spent += payment.Value
		}
	}
	return max(0, spent-o.Fees.Total()-kept), err
}

// TopUp returns the sats that the fee account can add to one payout, at most Terms.FeeTopUp: its balance, minus the
// sats that other live or confirmed payouts may take from it. replaced is the id of the payout that is being replaced,
// which is not subtracted, or "".
func TopUp(ctx context.Context, tx payout.Tx, terms payout.Terms, replaced string) (amount.Sats, error) {
	if terms.FeeTopUp == 0 {
		return 0, nil
	}
	free, err := tx.Treasury.FeeBalance(ctx, terms.Prefix)
	if err != nil {
		return 0, err
	}
	inFlight, err := tx.Payouts.PayoutsIn(ctx, payout.Live, payout.Confirmed)
	if err != nil {
		return 0, err
	}
	for _, p := range inFlight {
		if p.Community != terms.Prefix || p.ID == replaced || p.SelfPaid() {
			continue
		}
		collected, err := collectedBy(ctx, tx, p)
		if err != nil {
			return 0, err
		}
		highest := amount.Sats(0)
		for _, v := range p.Versions {
			merged, err := mergedSatsOf(ctx, tx, v)
			if err != nil {
				return 0, err
			}
			highest = max(highest, v.Fee-merged)
		}
		free -= max(0, highest-collected)
	}
	return max(0, min(free, terms.FeeTopUp)), nil
}

// The price of a delivery includes one treasury input, because stakers do not control how many outputs hold the
// treasury's runes. A payout that needs more treasury inputs merges these outputs, and the sats on the merged outputs
// pay for their inputs. So the treasury's plain sats and the fee account pay nothing for merging.

// MergedSats returns the sats that the treasury outputs merged by a plan add to its fee, at the plan's fee rate: for
// each the cost of its input, at most its value and 546.
func MergedSats(plan vault.PayoutPlan) (sats amount.Sats) {
	left := max(1, plan.RuneChangeOutputs) // not merged: as many outputs exist afterwards
	input := plan.FeeRate.Fee(vault.InputVBytes(vault.TreasuryRunes))
	for _, coin := range plan.Inputs {
		switch {
		case coin.Kind != vault.TreasuryRunes:
		case left > 0:
			left--
		default:
			sats += min(input, vault.DustSats, amount.Sats(coin.Output.Value))
		}
	}
	return sats
}

// mergedSatsOf returns the sats that the treasury outputs merged by a version add to its fee.
func mergedSatsOf(ctx context.Context, tx payout.Tx, v payout.Version) (amount.Sats, error) {
	plan := vault.PayoutPlan{FeeRate: amount.FeeRate(int64(v.Fee) * 1000 / max(1, v.VBytes))}
	var script []byte // script of the treasury's runes
	for _, in := range v.Tx.Msg.TxIn {
		output, err := tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if err != nil {
			return 0, err
		}
		if output.Kind == ledger.RunesKind {
			script = output.Script
			plan.Inputs = append(plan.Inputs, vault.Coin{Kind: vault.TreasuryRunes,
				Output: wire.TxOut{Value: int64(output.Value)}})
		}
	}
	for _, out := range v.Tx.Msg.TxOut {
		if bytes.Equal(out.PkScript, script) {
			plan.RuneChangeOutputs++
		}
	}
	return MergedSats(plan), nil
}
