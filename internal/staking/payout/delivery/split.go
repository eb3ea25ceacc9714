package delivery

import (
	"context"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/fees"
)

// Limits of splitting the treasury's runes. Several outputs allow several payouts at once, because no payout spends
// unconfirmed outputs.
const (
	treasuryOutputs = 8      // number of rune outputs up to which the treasury is split
	splitRate       = 10_000 // maximum fee rate, in sats per 1,000 vB, at which a payout of orders splits it
)

// split builds a payout with as many rune change outputs as its inputs and funds pay, if the treasury has fewer than
// treasuryOutputs, without those of economy payouts that wait for their rate, and if the fee rate is at most splitRate.
// Otherwise it returns plain.
func split(ctx context.Context, tx payout.Tx, terms payout.Terms, plan vault.PayoutPlan, rate amount.FeeRate,
	funds amount.Sats, plain built) built {
	if rate > splitRate {
		return plain
	}
	have, err := tx.Treasury.TreasuryCount(ctx, terms.Prefix)
	if err != nil {
		return plain
	}
	waiting, err := waitingChange(ctx, tx, terms, rate)
	if err != nil {
		return plain
	}
	have -= waiting
	for _, coin := range plan.Inputs {
		if coin.Kind == vault.TreasuryRunes {
			have--
		}
	}
	plan.Inputs, plan.FeeRate = plain.inputs, rate
	for outputs := int(treasuryOutputs - have); outputs > 1; outputs-- {
		plan.RuneChangeOutputs = outputs
		if msg, cost, err := vault.BuildPayout(plan); err == nil && cost.Fee <= funds {
			return built{tx: msg, cost: cost, inputs: plan.Inputs}
		}
	}
	return plain
}

// splitFor stores a payout that only divides the treasury's largest free rune output, so that economy orders that would
// spend the last one can be sent once it is confirmed. short are their ids. The fee account pays for it, with at most
// Terms.FeeTopUp. A treasury of treasuryOutputs or more is not split, also while economy payouts that do not confirm
// lock them, so that owners of such orders can't take more from the fee account.
func (s *Service) splitFor(ctx context.Context, r payout.Round, terms payout.Terms,
	short []string) (stored []payout.Payout, err error) {
	b, err := s.buildSplit(ctx, r, terms)
	if err != nil || b.tx == nil {
		return nil, err
	}
	p := payout.Payout{Kind: payout.Split, OrderIDs: []string{}}
	failed, err := r.Tx.Attempts.Attempt(ctx, func() (err error) {
		if p, err = s.book.SignNew(ctx, r, p, b.unsigned(terms.Prefix, nil), b.cost); err != nil {
			return err
		}
		return s.book.RecordVersion(ctx, r, b.inputs, p.Versions[0])
	})
	if err != nil {
		return nil, err
	}
	for _, id := range short {
		if failed != nil {
			s.waits.log(s.book.Log, id, fmt.Errorf("%w. It can't be split: %w", errLastOutput, failed))
		} else {
			s.waits.add(id, "for payout "+p.ID+", which splits the treasury's last free rune output, to confirm")
		}
	}
	if failed != nil {
		return nil, nil
	}
	s.book.Info("split stored", "payout", p.ID, "community", terms.Prefix, "txid", p.Versions[0].Tx.ID.String(),
		"fee_sats", int64(b.cost.Fee))
	return []payout.Payout{p}, nil
}

// buildSplit builds a payout that divides the treasury's largest free rune output. It returns the zero built if other
// rune outputs will be free soon, if the treasury has enough, or if the fee account can't pay for two at the network's
// rate.
func (s *Service) buildSplit(ctx context.Context, r payout.Round, terms payout.Terms) (b built, err error) {
	coins, err := terms.TreasuryRunes(ctx, r.Tx)
	if err != nil || len(coins) == 0 || r.Rate > terms.MaxRate {
		return b, err
	}
	have, err := r.Tx.Treasury.TreasuryCount(ctx, terms.Prefix)
	if err != nil {
		return b, err
	}
	locked, err := waitingChange(ctx, r.Tx, terms, r.Rate)
	if err != nil || have-locked > int64(len(coins)) {
		return b, err
	}
	funds, err := fees.TopUp(ctx, r.Tx, terms, "")
	if err != nil {
		return b, err
	}
	spare, err := terms.TreasurySats(ctx, r.Tx)
	if err != nil {
		return b, err
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	largest := bySize(coins, terms)[len(coins)-1]
	plan := vault.PayoutPlan{Inputs: []vault.Coin{largest}, Rune: terms.Rune, RuneChange: runeChange.Script,
		SatsChange: satsChange.Script, MaxRunestone: terms.MaxRunestone, Version: s.book.TxVersion(), FeeRate: r.Rate}
	for n := int(treasuryOutputs - have + 1); n > 1; n-- {
		plan.RuneChangeOutputs = n
		funded, msg, cost, err := vault.FundPayout(plan, spare)
		if err == nil && cost.Fee+vault.DustSats*amount.Sats(n-1) <= funds {
			b = built{tx: msg, cost: cost, inputs: funded.Inputs}
			return b, s.check(terms, b, nil)
		}
	}
	return built{}, nil
}
