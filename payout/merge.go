package payout

import (
	"bytes"
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/vault"
)

// A delivery's price counts one output of the treasury, since how the treasury's
// runes are spread is no staker's doing. A payout that needs several merges them,
// and the sats on those that go come free: of them each pays for its own input. So
// merging takes nothing from the treasury's plain sats, and needs no top-up.

// merging is what the treasury outputs that a plan merges may pay of its fee, at
// the plan's rate: for each the cost of its input, and of what is on it 546 sats at most.
func merging(plan vault.PayoutPlan) (sats amount.Sats) {
	left := max(1, plan.RuneChangeOutputs) // these are there afterwards too
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

// mergedBy is what the treasury outputs that a version of a payout merges pay of its fee.
func mergedBy(ctx context.Context, tx Tx, v Version) (amount.Sats, error) {
	plan := vault.PayoutPlan{FeeRate: amount.FeeRate(int64(v.Fee) * 1000 / max(1, v.VBytes))}
	var script []byte // of the treasury's runes, coming and going
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
	return merging(plan), nil
}
