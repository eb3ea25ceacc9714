package payout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// FeeAccount returns the journal account of a community's network fees: the network fees that orders paid and the sats
// that the operator deposited, minus the network fees of the payouts, except those of selfPaid payouts. Its balance is
// never negative.
func FeeAccount(community string) string { return "fees:" + community }

// bookFees posts the collected sats and the network fee of a final payout on the fee account. Until a payout is final,
// topUp reserves its cost.
func (s *Service) bookFees(ctx context.Context, tx Tx, p Payout, confirmed Version, cause ledger.Cause) error {
	collected, err := collectedBy(ctx, tx, p)
	if err != nil {
		return err
	}
	if p.Kind == Withdraw {
		return s.bookWithdrawal(ctx, tx, p, confirmed, cause)
	}
	if p.selfPaid() {
		return nil
	}
	spent, account := confirmed.Fee, FeeAccount(p.Community)
	balance, err := tx.Treasury.FeeBalance(ctx, p.Community)
	if err != nil {
		return err
	}
	merged, err := mergedSatsOf(ctx, tx, confirmed)
	if err != nil {
		return err
	}
	// Merged treasury outputs pay for their inputs first. A remainder too small for a change output also goes to the fee,
	// although no order paid it as a fee.
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
func collectedBy(ctx context.Context, tx Tx, p Payout) (collected amount.Sats, err error) {
	if p.Kind != Delivery {
		return 0, nil
	}
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return 0, err
		}
		paidFor, err := overpaymentOutputCost(ctx, tx, p, o)
		if err != nil {
			return 0, err
		}
		if collected, err = collected.Add(o.Fees.Network + o.Fees.Rutxos + paidFor); err != nil {
			return 0, err
		}
	}
	return collected, nil
}

// keptOverpayment returns the part of an order's overpayment that a delivery pays to the order's address, or 0.
func keptOverpayment(ctx context.Context, tx Tx, p Payout, o order.Order) (amount.Sats, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	for _, payment := range payments {
		if payment.Kept && !payment.Vanished && p.made(payment.OutPoint.Hash.String()) {
			return payment.Value, err
		}
	}
	return 0, err
}

// overpaymentOutputCost returns the part of an order's overpayment that pays the fee of the output that keeps the rest.
func overpaymentOutputCost(ctx context.Context, tx Tx, p Payout, o order.Order) (amount.Sats, error) {
	kept, err := keptOverpayment(ctx, tx, p, o)
	if err != nil || kept == 0 {
		return 0, err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	var spent amount.Sats
	for _, payment := range payments {
		if !payment.Kept && payment.Counted && p.made(payment.SpentBy) {
			spent += payment.Value
		}
	}
	return max(0, spent-o.Fees.Total()-kept), err
}

// made reports whether a transaction is a version of the payout.
func (p Payout) made(txid string) bool {
	return slices.ContainsFunc(p.Versions, func(v Version) bool { return v.Tx.ID.String() == txid })
}

// topUp returns the sats that the fee account can add to one payout, at most Terms.FeeTopUp: its balance, minus the
// sats that other live or confirmed payouts may take from it. replaced is the id of the payout that is being replaced,
// which is not subtracted, or "".
func (s *Service) topUp(ctx context.Context, tx Tx, community, replaced string) (amount.Sats, error) {
	terms, err := s.terms.Of(community)
	if err != nil || terms.FeeTopUp == 0 {
		return 0, err
	}
	free, err := tx.Treasury.FeeBalance(ctx, community)
	if err != nil {
		return 0, err
	}
	inFlight, err := tx.Payouts.PayoutsIn(ctx, Live, Confirmed)
	if err != nil {
		return 0, err
	}
	for _, p := range inFlight {
		if p.Community != community || p.ID == replaced || p.selfPaid() {
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

// errTooExpensive means that the fee exceeds the available sats.
type errTooExpensive struct {
	funds, merged, topUp amount.Sats
	rate                 amount.FeeRate
}

func (e *errTooExpensive) Error() string {
	text := fmt.Sprintf("the fee rate is %s sat/vB now, too high for the %d sats that its orders paid and the %d that "+
		"the fee account can add",
		e.rate, e.funds, e.topUp)
	if e.merged > 0 {
		text += fmt.Sprintf(" and %d on the treasury outputs that it merges", e.merged)
	}
	return text
}

// fund builds a plan at the wanted fee rate, at most Terms.MaxRate. It pays the fee from the collected sats, from the
// sats that the fee account can add, and from merged outputs. If these do not suffice, fund builds the plan at the
// highest rate for which they do. If that rate is below half of the wanted one, fund returns *errTooExpensive, because
// the payout would not confirm soon. It also returns the sum of the collected sats and those of the fee account.
func (s *Service) fund(ctx context.Context, tx Tx, community, replaced string, plan vault.PayoutPlan,
	collected amount.Sats, wanted amount.FeeRate) (built, amount.Sats, error) {
	terms, err := s.terms.Of(community)
	if err != nil {
		return built{}, 0, err
	}
	topUp, err := s.topUp(ctx, tx, community, replaced)
	if err != nil {
		return built{}, 0, err
	}
	funds := collected + topUp
	spare, err := s.plainTreasuryCoins(ctx, tx, terms)
	if err != nil {
		return built{}, 0, err
	}
	plan.FeeRate = min(wanted, terms.MaxRate)
	merged := mergedSats(plan)
	most := funds + merged
	funded, msg, cost, err := vault.FundPayout(plan, spare)
	if short := new(vault.ErrSatsShort); errors.As(err, &short) || (err == nil && cost.Fee > most) {
		least := max(minRelay, plan.FeeRate/2)
		plan.FeeRate = min(plan.FeeRate, amount.FeeRate(int64(most)*1000/estimateVBytes(plan, cost.VBytes)))
		if plan.FeeRate < least {
			return built{}, funds, &errTooExpensive{collected, merged, topUp, wanted}
		}
		funded, msg, cost, err = vault.FundPayout(plan, spare)
	}
	switch {
	case err != nil:
		return built{}, funds, err
	case cost.Fee > most+vault.DustSats: // change below the dust limit goes to the fee
		return built{}, funds, &errTooExpensive{collected, merged, topUp, wanted}
	}
	return built{tx: msg, cost: cost, inputs: funded.Inputs}, funds, nil
}

// estimateVBytes returns the size of a plan with a change output, at least least. Without a change output, all
// remaining sats would go to the fee.
func estimateVBytes(plan vault.PayoutPlan, least int64) int64 {
	plan.FeeRate = minRelay
	if _, cost, err := vault.BuildPayout(plan); err == nil {
		return max(cost.VBytes, least)
	}
	return cmp.Or(least, vault.MaxPayoutVBytes)
}

// plainTreasuryCoins returns the treasury's outputs without runes that a payout may spend.
func (s *Service) plainTreasuryCoins(ctx context.Context, tx Tx, terms Terms) ([]vault.Coin, error) {
	return s.treasuryCoins(ctx, tx, terms, ledger.SatsKind, vault.TreasurySats)
}

// Limits of splitting the treasury's runes. Several outputs allow several payouts at once, because no payout spends
// unconfirmed outputs.
const (
	treasuryOutputs = 8      // number of rune outputs up to which the treasury is split
	splitRate       = 10_000 // maximum fee rate, in sats per 1,000 vB
)

// split builds a payout with more rune change outputs if the treasury has fewer than treasuryOutputs, if the fee rate
// is at most splitRate, and if funds pay the fee. Otherwise it returns plain.
func (s *Service) split(ctx context.Context, tx Tx, terms Terms, plan vault.PayoutPlan, rate amount.FeeRate,
	funds amount.Sats, plain built) built {
	if rate > splitRate {
		return plain
	}
	have, err := tx.Treasury.TreasuryCount(ctx, terms.Prefix)
	if err != nil {
		return plain
	}
	for _, coin := range plan.Inputs {
		if coin.Kind == vault.TreasuryRunes {
			have--
		}
	}
	if plan.RuneChangeOutputs = int(treasuryOutputs - have); plan.RuneChangeOutputs < 2 {
		return plain
	}
	plan.Inputs, plan.FeeRate = plain.inputs, rate
	msg, cost, err := vault.BuildPayout(plan)
	if err != nil || cost.Fee > funds {
		return plain
	}
	return built{tx: msg, cost: cost, inputs: plan.Inputs}
}
