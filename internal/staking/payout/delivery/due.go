package delivery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// dueDeliveries returns the orders of a community that can be delivered now, and adds the reasons of the others to the
// reasons for waiting, except of those that wait for their rate.
func (s *Service) dueDeliveries(ctx context.Context, r payout.Round, terms payout.Terms,
	paid []order.Order) (waiting []dueDelivery, err error) {
	sent, err := confirmsSoon(ctx, r, terms)
	if err != nil {
		return nil, err
	}
	for _, o := range paid {
		if o.Community != terms.Prefix {
			continue
		}
		if waitsForRate(o, r.Rate) { // many may wait, so their inputs are not read
			continue
		}
		d, ready, err := s.collectInputs(ctx, r.Tx, terms, o)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil: // an error delays only this order
			s.waits.log(s.book.Log, o.ID, err)
		case o.Ended(r.Now, d.height): // it is PAID again since the orders were evaluated: its payout is dead
			s.waits.add(o.ID, "for its end: the last limits of its economy delivery are over")
		case ready && terms.Cold(d.Delivery):
			s.waits.add(o.ID, "for the operator's own signature: moonfund payout export "+o.ID+
				` payout.psbt --why "above cold_above"`)
		case ready && sent != "" && o.IsEconomy() && takesTreasury(o):
			s.waits.add(o.ID, fmt.Sprintf("for payout %s of economy delivery to confirm, %d blocks at most", sent,
				payout.BumpAfter))
		case ready:
			waiting = append(waiting, d.keep(min(r.Rate, terms.MaxRate)))
		default:
			s.waits.add(o.ID, "for confirmations of its units or payments")
		}
	}
	slices.SortStableFunc(waiting, normalFirst)
	return waiting, nil
}

// collectInputs returns an order's delivery with its inputs: the outputs of its units, and the confirmed payments that
// pay its price, the anchor first. ready is false if an output lacks confirmations or another transaction spends it.
// Every payout of an order spends the anchor, so that consensus forbids a second delivery.
func (s *Service) collectInputs(ctx context.Context, tx payout.Tx, terms payout.Terms,
	o order.Order) (d dueDelivery, ready bool, err error) {
	if o.NeedsSignature() {
		if reason := s.book.WaitOf("session " + o.ID); reason != "" {
			return d, false, payout.Waitf("%s", reason)
		}
		return d, false, payout.Waitf("for its owner to sign the delivery, or to cancel, until %s",
			o.Deadline.UTC().Format(time.RFC3339))
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return d, false, err
	}
	d.height = tip.Height
	if d.Units, err = tx.Orders.UnitsOfOrder(ctx, o); err != nil {
		return d, false, err
	}
	if err := checkRewardsFree(ctx, tx, o, d.Units); err != nil {
		return d, false, err
	}
	for _, unit := range d.Units {
		if unit.Virtual() {
			continue
		}
		if unit.Contested || unit.Vanished || ledger.Confirmations(unit.Height, tip.Height) < payout.InputDepth {
			return d, false, nil
		}
		coin, err := terms.UnitCoin(ctx, tx, unit, o.ID)
		if err != nil {
			return d, false, err
		}
		d.inputs = append(d.inputs, coin)
		d.unshared = d.unshared || nearRecovery(coin.Delay, unit.Height, tip.Height)
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return d, false, err
	}
	spent, o, ready, err := s.book.Orders.PaymentsToSpend(o, payments, tip.Height)
	if err != nil || !ready {
		return d, false, err
	}
	d.Order, d.funds = o, o.Fees.Network+o.Fees.Rutxos
	var gathered amount.Sats
	for _, p := range spent {
		coin, err := terms.Account.Coin(vault.Payment, p.OutPoint, p.Value, nil, o.ID)
		if err != nil {
			return d, false, err
		}
		d.inputs = append(d.inputs, coin)
		gathered += p.Value
	}
	d.overpayment = gathered - o.Fees.Total()
	if d.Delivery, err = s.book.Delivery(terms, o, d.Units); err != nil {
		return d, false, err
	}
	d.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID)
	return d, true, err
}

// checkRewardsFree returns an error while an unexplained spend to an order's owner may have delivered rewards of the
// order.
func checkRewardsFree(ctx context.Context, tx payout.Tx, o order.Order, units []ledger.Unit) error {
	if !slices.ContainsFunc(units, ledger.Unit.Virtual) {
		return nil
	}
	open, err := tx.Unexplained.UnexplainedSpendsTo(ctx, o.Community, o.Owner)
	if err == nil && len(open) > 0 {
		err = fmt.Errorf("its owner's rewards are held until it is clear which of them transaction %s delivered (moonfund "+
			"treasury explain)", open[0].TxID)
	}
	return err
}

// keep returns d with the part of the overpayment that the delivery pays to the order's own address, if that part is
// worth an output. It is refunded from there like any payment. The overpayment pays the fee of the output, at the rate
// of an economy order or else at the given one.
func (d dueDelivery) keep(rate amount.FeeRate) dueDelivery {
	if d.Order.IsEconomy() {
		rate = d.Order.FeeRate
	}
	kept := d.overpayment - rate.Fee(vault.KeptVBytes)
	if d.Order.WorthKeeping(kept) {
		d.Delivery.Overpayment, d.Delivery.KeptAt = kept, d.Order.Script
		d.funds += d.overpayment - kept
	}
	return d
}

// nearRecovery reports whether a staker can recover an output so soon that its payout must not be shared: within 1,008
// blocks, or within a sixth of the delay if that is less.
func nearRecovery(delay uint32, height, tip int64) bool {
	return height+int64(delay)-tip <= order.RecoveryMargin(delay)
}
