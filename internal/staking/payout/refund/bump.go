package refund

import (
	"context"
	"errors"

	"moonfund/internal/amount"
	"moonfund/internal/staking/payout"
)

// BumpRate returns the rate at which a refund that is stuck is replaced: at most the highest one at which the
// replacement returns at least its cost.
func (s *Service) BumpRate(p payout.Payout, rate amount.FeeRate) amount.FeeRate {
	last := p.Last()
	in := last.Fee
	for _, out := range last.Tx.Msg.TxOut {
		in += amount.Sats(out.Value)
	}
	return min(rate, amount.FeeRate(int64(in/2)*1000/max(1, last.VBytes)))
}

// Bump replaces a refund. The higher fee reduces the sats that the owner receives.
func (s *Service) Bump(ctx context.Context, r payout.Round, p payout.Payout) (payout.Payout, error) {
	if err := p.CheckReplaceable(); err != nil {
		return p, err
	}
	terms, err := s.book.Communities.Of(p.Community)
	if err != nil {
		return p, payout.NotReplaceable("its community %s is not served here", p.Community)
	}
	o, err := r.Tx.Orders.Order(ctx, p.OrderIDs[0])
	if err != nil {
		return p, err
	}
	last := p.Last()
	u := payout.Unsigned{Community: p.Community, Refund: &payout.RefundOf{Order: o}}
	if u.Inputs, err = terms.Coins(ctx, r.Tx, last.Tx.Msg); err != nil {
		return p, err
	}
	for _, coin := range u.Inputs {
		output, err := r.Tx.Outputs.Output(ctx, coin.OutPoint)
		if err != nil {
			return p, err
		}
		if output.Vanished {
			return p, payout.NotReplaceable("its payment %s was replaced", coin.OutPoint)
		}
	}
	cost, err := s.buildTx(ctx, r.Tx, &u, last.Tx.Msg.Version, r.Rate)
	if waiting := new(payout.WaitError); errors.As(err, &waiting) {
		return p, payout.NotReplaceable("%s", waiting.Reason)
	}
	if err != nil {
		return p, err
	}
	if p, err = s.book.Replace(ctx, r, p, u, cost); err != nil {
		return p, err
	}
	return p, charge(ctx, r, p.ID, o, u.Inputs)
}
