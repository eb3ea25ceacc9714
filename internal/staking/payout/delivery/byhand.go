package delivery

import (
	"context"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/fees"
)

// Draft builds the delivery of a PAID order, or a replacement of the whole payout of a SENT one, to sign by hand.
func (s *Service) Draft(ctx context.Context, tx payout.Tx, o order.Order,
	rate amount.FeeRate) (u payout.Unsigned, cost vault.PayoutCost, err error) {
	draft := s.draftNew
	if o.Status == order.Sent {
		draft = s.draftReplacement
	}
	batch, b, err := draft(ctx, tx, o, rate)
	if err != nil {
		return u, cost, err
	}
	return b.unsigned(o.Community, batch), b.cost, nil
}

func (s *Service) draftNew(
	ctx context.Context, tx payout.Tx, o order.Order, rate amount.FeeRate,
) ([]dueDelivery, built, error) {
	terms, err := s.book.Communities.Of(o.Community)
	if err != nil {
		return nil, built{}, err
	}
	d, ready, err := s.collectInputs(ctx, tx, terms, o)
	if err == nil && !ready {
		err = payout.Refuse("its units or payments are not confirmed deeply enough yet")
	}
	if err != nil {
		return nil, built{}, err
	}
	batch := []dueDelivery{d.keep(min(rate, terms.MaxRate))}
	b, err := s.build(ctx, tx, terms, batch, rate)
	return batch, b, err
}

func (s *Service) draftReplacement(
	ctx context.Context, tx payout.Tx, o order.Order, rate amount.FeeRate,
) ([]dueDelivery, built, error) {
	p, err := tx.Payouts.Payout(ctx, o.PayoutID)
	if err != nil {
		return nil, built{}, err
	}
	terms, batch, err := s.replaceable(ctx, tx, p)
	if err != nil {
		return nil, built{}, err
	}
	b, err := s.rebuild(ctx, tx, terms, p, batch, rate)
	return batch, b, err
}

// AcceptSigned stores a delivery that was signed by hand, of orders that are PAID or SENT. It returns a *order.Refusal
// unless it delivers exactly the amounts that its orders are owed, spends only available outputs, and pays a fee within
// the limits, and its signatures are valid.
func (s *Service) AcceptSigned(ctx context.Context, r payout.Round, f payout.Found) (p payout.Payout, err error) {
	replaces := f.Orders[0].Status == order.Sent
	if replaces {
		if p, err = r.Tx.Payouts.Payout(ctx, f.Orders[0].PayoutID); err != nil {
			return p, err
		}
		if p.Made(f.Tx.ID.String()) {
			return p, payout.Refuse("it is stored already")
		}
	}
	if err := s.checkSigned(ctx, r.Tx, f, p); err != nil {
		return p, err
	}
	if replaces {
		return p, s.book.StoreFoundVersion(ctx, r, f, p)
	}
	return s.storeFound(ctx, r, f)
}

// checkSigned returns a *order.Refusal if a signed delivery may not be broadcast. replaced is the payout of which it is
// a new version, or the zero Payout.
func (s *Service) checkSigned(ctx context.Context, tx payout.Tx, f payout.Found, replaced payout.Payout) error {
	wanted := order.Paid
	if replaced.ID != "" {
		wanted = order.Sent
		if !replaced.IsOf(f.Orders) {
			return payout.Refuse("it does not replace the whole payout of its order")
		}
	}
	if delivers, err := s.delivers(ctx, tx, f, wanted); err != nil {
		return err
	} else if !delivers {
		return payout.Refuse("it does not deliver exactly what its orders are owed now")
	}
	for _, o := range f.Orders {
		units, err := tx.Orders.UnitsOfOrder(ctx, o)
		if err != nil {
			return err
		}
		if err := checkRewardsFree(ctx, tx, o, units); err != nil && replaced.ID == "" {
			return payout.Refuse(err.Error())
		}
	}
	if err := s.book.CheckSpends(ctx, tx, f, replaced); err != nil {
		return err
	}
	return s.checkAffordable(ctx, tx, f, replaced)
}

// checkAffordable returns a *order.Refusal if the fee of a signed delivery exceeds the network fees and overpayments
// that the orders paid plus the sats that the fee account can add, by more than the dust limit.
func (s *Service) checkAffordable(ctx context.Context, tx payout.Tx, f payout.Found, replaced payout.Payout) error {
	terms, err := s.book.Communities.Of(f.Community)
	if err != nil {
		return err
	}
	topUp, err := fees.TopUp(ctx, tx, terms, replaced.ID)
	if err != nil {
		return err
	}
	funds := topUp
	for _, o := range f.Orders {
		funds += o.Fees.Network + o.Fees.Rutxos
		payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
		if err != nil {
			return err
		}
		spent := amount.Sats(0)
		for _, p := range payments {
			if slices.ContainsFunc(f.Tx.Msg.TxIn, func(in *wire.TxIn) bool { return in.PreviousOutPoint == p.OutPoint }) {
				spent += p.Value
			}
		}
		funds += max(0, spent-o.Fees.Total()) // overpayment pays for the output that keeps it
	}
	if slack := amount.Sats(vault.DustSats); f.Fee > funds+slack {
		return payout.Refusef("it pays a fee of %d sats, and %d may be spent", f.Fee, funds)
	}
	return nil
}
