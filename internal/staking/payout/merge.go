package payout

import (
	"bytes"
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

// The price of a delivery includes one treasury input, because stakers do not control how many outputs hold the
// treasury's runes. A payout that needs more treasury inputs merges these outputs, and the sats on the merged outputs
// pay for their inputs. So the treasury's plain sats and the fee account pay nothing for merging.

// mergedSats returns the sats that the treasury outputs merged by a plan add to its fee, at the plan's fee rate: for
// each the cost of its input, at most its value and 546.
func mergedSats(plan vault.PayoutPlan) (sats amount.Sats) {
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
func mergedSatsOf(ctx context.Context, tx Tx, v Version) (amount.Sats, error) {
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
	return mergedSats(plan), nil
}
