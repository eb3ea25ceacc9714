package delivery

import (
	"context"
	"errors"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/fees"
)

// BumpRate returns the rate at which a delivery that is stuck is replaced.
func (s *Service) BumpRate(_ payout.Payout, rate amount.FeeRate) amount.FeeRate { return rate }

// Bump stores a version with a higher fee rate (BIP-125) of a live, unconfirmed delivery. The new version has the same
// inputs and destinations, and further inputs of treasury sats if needed. The checks and limits of new deliveries
// apply.
func (s *Service) Bump(ctx context.Context, r payout.Round, p payout.Payout) (payout.Payout, error) {
	terms, batch, err := s.replaceable(ctx, r.Tx, p)
	if err != nil {
		return p, err
	}
	b, err := s.rebuild(ctx, r.Tx, terms, p, batch, r.Rate)
	if err != nil {
		return p, err
	}
	return s.book.Replace(ctx, r, p, b.unsigned(p.Community, batch), b.cost)
}

// replaceable returns the orders of a live, unconfirmed delivery as the delivery pays them, with the terms of their
// community, or a *order.Refusal if the payout can't be replaced.
func (s *Service) replaceable(ctx context.Context, tx payout.Tx,
	p payout.Payout) (terms payout.Terms, batch []dueDelivery, err error) {
	switch {
	case p.Kind == payout.OneTx:
		return terms, nil, payout.NotReplaceable("its owner's coins pay it, so its owner must sign the replacement")
	case p.Status != payout.Live || p.Kind != payout.Delivery && p.Kind != payout.Split:
		return terms, nil, payout.NotReplaceable("it is a %s that is %s", p.Kind, p.Status)
	}
	if p.InBlock() {
		return terms, nil, payout.NotReplaceable("it is in block %d", p.Height())
	}
	if terms, err = s.book.Communities.Of(p.Community); err != nil {
		return terms, nil, payout.NotReplaceable("its community %s is not served here", p.Community)
	}
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return terms, nil, err
		}
		if o.Status != order.Sent || o.PayoutID != p.ID {
			return terms, nil, payout.NotReplaceable("its order %s is %s", id, o.Status)
		}
		d := dueDelivery{Owed: payout.Owed{Order: o}, funds: o.Fees.Network + o.Fees.Rutxos}
		if d.Units, err = tx.Orders.UnitsOfOrder(ctx, o); err != nil {
			return terms, nil, err
		}
		if d.Delivery, err = s.book.Delivery(terms, o, d.Units); err != nil {
			return terms, nil, err
		}
		if d.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID); err != nil {
			return terms, nil, err
		}
		if d.Delivery.Overpayment, err = fees.KeptOverpayment(ctx, tx, p, o); err != nil {
			return terms, nil, err
		}
		if d.Delivery.Overpayment > 0 { // a replacement keeps the same overpayment
			d.Delivery.KeptAt = o.Script
			paidFor, err := fees.KeptOutputCost(ctx, tx, p, o)
			if err != nil {
				return terms, nil, err
			}
			d.funds += paidFor
		}
		batch = append(batch, d)
	}
	return terms, batch, nil
}

// rebuild builds a delivery with the inputs of its last version at a higher fee rate. It returns a *order.Refusal if a
// foreign transaction spends an input, if the sats do not suffice, or if nodes would not accept the fee.
func (s *Service) rebuild(
	ctx context.Context, tx payout.Tx, terms payout.Terms, p payout.Payout, batch []dueDelivery, rate amount.FeeRate,
) (built, error) {
	last := p.Last()
	inputs, err := terms.Coins(ctx, tx, last.Tx.Msg)
	if err != nil {
		return built{}, err
	}
	if err := checkUnspent(ctx, tx, inputs); err != nil {
		return built{}, err
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	plan := vault.PayoutPlan{
		Inputs: inputs, Rune: terms.Rune, RuneChange: runeChange.Script, SatsChange: satsChange.Script,
		MaxRunestone: terms.MaxRunestone, Version: last.Tx.Msg.Version,
	}
	_, economy, err := economyRates(terms, batch)
	if err != nil {
		return built{}, payout.NotReplaceable("%v", err)
	}
	var collected amount.Sats
	for _, d := range batch {
		plan.Deliveries = append(plan.Deliveries, d.Delivery)
		collected += d.funds
	}
	for _, out := range last.Tx.Msg.TxOut {
		if string(out.PkScript) == string(runeChange.Script) {
			plan.RuneChangeOutputs++
		}
	}
	var b built
	if economy > 0 {
		b, err = fundEconomy(plan, batch, collected, min(economy, rate), payout.MinRelay)
	} else {
		b, _, err = fund(ctx, tx, terms, p.ID, plan, collected, rate)
	}
	expensive, short, large := new(errTooExpensive), new(vault.ErrSatsShort), new(vault.ErrTooMany)
	if errors.As(err, &expensive) || errors.As(err, &short) || errors.As(err, &large) {
		// ErrSatsShort: the sats of the fee account may be on unconfirmed outputs. ErrTooMany: inputs for the higher
		// fee make the transaction too large.
		return b, payout.NotReplaceable("%v", err)
	}
	if err != nil {
		return b, err
	}
	// BIP-125: a replacement must pay the replaced fee plus the relay fee of its own size.
	if least := last.Fee + payout.MinRelay.Fee(b.cost.VBytes); b.cost.Fee < least ||
		b.cost.Fee*amount.Sats(last.VBytes) <= last.Fee*amount.Sats(b.cost.VBytes) {
		return b, payout.NotReplaceable("it can pay a fee of %d sats, nodes require at least %d", b.cost.Fee, least)
	}
	return b, s.check(terms, b, batch)
}

// checkUnspent returns a *order.Refusal if a transaction that is no payout spends one of the inputs.
func checkUnspent(ctx context.Context, tx payout.Tx, inputs []vault.Coin) error {
	for _, coin := range inputs {
		output, err := tx.Outputs.Output(ctx, coin.OutPoint)
		if err != nil {
			return err
		}
		if output.SpentBy != "" && !output.SpentOurs {
			return payout.NotReplaceable("another transaction spends its input %s", coin.OutPoint)
		}
	}
	return nil
}
