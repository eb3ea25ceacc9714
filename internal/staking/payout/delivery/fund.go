package delivery

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/fees"
)

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
func fund(ctx context.Context, tx payout.Tx, terms payout.Terms, replaced string, plan vault.PayoutPlan,
	collected amount.Sats, wanted amount.FeeRate) (built, amount.Sats, error) {
	topUp, err := fees.TopUp(ctx, tx, terms, replaced)
	if err != nil {
		return built{}, 0, err
	}
	funds := collected + topUp
	spare, err := terms.TreasurySats(ctx, tx)
	if err != nil {
		return built{}, 0, err
	}
	plan.FeeRate = min(wanted, terms.MaxRate)
	merged := fees.MergedSats(plan)
	most := funds + merged
	funded, msg, cost, err := vault.FundPayout(plan, spare)
	if short := new(vault.ErrSatsShort); errors.As(err, &short) || (err == nil && cost.Fee > most) {
		least := max(payout.MinRelay, plan.FeeRate/2)
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

// estimateVBytes returns the size of a plan with a change output, at least minVBytes. Without a change output, all
// remaining sats would go to the fee.
func estimateVBytes(plan vault.PayoutPlan, minVBytes int64) int64 {
	plan.FeeRate = payout.MinRelay
	if _, cost, err := vault.BuildPayout(plan); err == nil {
		return max(cost.VBytes, minVBytes)
	}
	return cmp.Or(minVBytes, vault.MaxPayoutVBytes)
}
