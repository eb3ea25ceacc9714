package delivery

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/payout"
)

// fitted is a batch with its transaction, and the orders that remain for the next batch.
type fitted struct {
	batch, rest []dueDelivery
	built       built
	full        bool     // no further order fits
	short       []string // ids of economy orders that would spend the treasury's last free output
}

// fitBatch builds a batch of the oldest order that can be delivered and later ones, until one does not fit. It skips an
// order that can't be delivered at all.
func (s *Service) fitBatch(ctx context.Context, r payout.Round, terms payout.Terms,
	waiting []dueDelivery) (f fitted, err error) {
	for _, d := range waiting {
		if f.full || (d.unshared && len(f.batch) > 0) {
			f.rest = append(f.rest, d)
			continue
		}
		tried, err := s.build(ctx, r.Tx, terms, append(f.batch[:len(f.batch):len(f.batch)], d), r.Rate)
		var tooMany *vault.ErrTooMany
		switch {
		case ctx.Err() != nil:
			return f, ctx.Err()
		case err == nil:
			f.batch, f.built, f.full = append(f.batch, d), tried, d.unshared
		case len(f.batch) > 0 && errors.As(err, &tooMany):
			f.full = true
			f.rest = append(f.rest, d)
		case len(f.batch) > 0:
			f.rest = append(f.rest, d) // it may fail only together with the others: the next batch starts with it
		default:
			if errors.Is(err, errLastOutput) {
				f.short = append(f.short, d.Order.ID)
			}
			s.waits.log(s.book.Log, d.Order.ID, err)
		}
	}
	return f, nil
}

// build builds the payout of a batch at a fee rate, or at the highest rate that the orders' network fees and the fee
// account can pay. It builds a payout of economy orders at their lowest rate, which must be at least the given one.
func (s *Service) build(
	ctx context.Context, tx payout.Tx, terms payout.Terms, batch []dueDelivery, rate amount.FeeRate,
) (built, error) {
	economy, _, err := economyRates(terms, batch)
	if err != nil {
		return built{}, err
	}
	for _, d := range batch {
		if waitsForRate(d.Order, rate) {
			return built{}, fmt.Errorf("it waits for the network's fee rate to fall to the %s sat/vB that its owner chose",
				d.Order.FeeRate)
		}
	}
	plan, collected, err := s.plan(ctx, tx, terms, batch, economy > 0 && economy < 2*rate)
	if err != nil {
		return built{}, err
	}
	if economy > 0 {
		result, err := fundEconomy(plan, batch, collected, economy, rate)
		if err != nil {
			return built{}, err
		}
		return result, s.check(terms, result, batch)
	}
	result, funds, err := fund(ctx, tx, terms, "", plan, collected, rate)
	if err != nil {
		return built{}, err
	}
	result = split(ctx, tx, terms, plan, rate, funds, result)
	return result, s.check(terms, result, batch)
}

// plan returns the plan of a batch without a fee rate, and the sats of its orders that pay the fee. If sparing, it
// leaves the largest treasury output.
func (s *Service) plan(
	ctx context.Context, tx payout.Tx, terms payout.Terms, batch []dueDelivery, sparing bool,
) (vault.PayoutPlan, amount.Sats, error) {
	plan := vault.PayoutPlan{Rune: terms.Rune, RuneChangeOutputs: 1, MaxRunestone: terms.MaxRunestone,
		Version: s.book.TxVersion()}
	var funds amount.Sats
	var fromTreasury amount.Runes
	for _, d := range batch {
		plan.Inputs = append(plan.Inputs, d.inputs...)
		plan.Deliveries = append(plan.Deliveries, d.Delivery)
		funds += d.funds
		for _, unit := range d.Units {
			if unit.Virtual() {
				fromTreasury += unit.Amount
			}
		}
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	plan.RuneChange, plan.SatsChange = runeChange.Script, satsChange.Script
	if fromTreasury == 0 {
		return plan, funds, nil
	}
	coins, err := terms.TreasuryRunes(ctx, tx)
	if err != nil {
		return plan, 0, err
	}
	var chosen []vault.Coin
	if sparing {
		chosen, err = selectSparing(coins, terms, fromTreasury)
	} else {
		chosen, err = vault.SelectTreasury(coins, terms.Rune, fromTreasury)
	}
	plan.Inputs = append(plan.Inputs, chosen...)
	return plan, funds, err
}

// check decodes the payout as the rune index does. It returns an error if the payout does not deliver exactly the
// amounts that the orders are owed, or if nodes would not relay it.
func (s *Service) check(terms payout.Terms, b built, batch []dueDelivery) error {
	deliveries := make([]vault.Delivery, len(batch))
	for i, d := range batch {
		deliveries[i] = d.Delivery
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	if err := vault.VerifyPayout(b.tx, b.inputs, deliveries, runeChange.Script, satsChange.Script,
		s.book.Allocate); err != nil {
		return err
	}
	return s.book.CheckPolicy(b.tx, b.inputs, terms.MaxRunestone)
}
