package dispatch

import (
	"context"
	"errors"

	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// minBumpPercent is the minimum estimate of the fee rate for an automatic replacement, in percent of the payout's fee
// rate.
const minBumpPercent = 150

// bumpStuck replaces the deliveries and refunds that are unconfirmed for payout.BumpAfter blocks if the estimated fee
// rate is at least minBumpPercent of theirs. It skips payouts whose sats do not pay for a replacement. Returns and
// withdrawals are replaced only at an operator's request, and transactions that an owner's coins pay only by their
// owner.
func (s *Service) bumpStuck(ctx context.Context, r payout.Round) (bumped []payout.Payout, err error) {
	live, err := r.Tx.Payouts.PayoutsIn(ctx, payout.Live)
	if err != nil {
		return nil, err
	}
	for _, p := range live {
		last := p.Last()
		at := r
		at.Rate = s.kinds[p.Kind].BumpRate(p, r.Rate)
		if s.book.Paused[p.Community] != "" || p.InBlock() || at.Rate == 0 ||
			at.Rate.Fee(last.VBytes)*100 < last.Fee*minBumpPercent {
			continue
		}
		if passed, err := r.IsOld(ctx, last.Created); err != nil || !passed {
			if err != nil {
				return nil, err
			}
			continue
		}
		refused := new(order.Refusal)
		done, err := s.book.Attempt(ctx, r.Tx, "replacement "+p.ID, func() (err error) {
			if p, err = s.bump(ctx, at, p); errors.As(err, &refused) {
				return nil // bump changed nothing
			}
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case refused.Reason != "":
			s.book.Wait("replacement "+p.ID, refused.Reason)
		case done:
			bumped = append(bumped, p)
		}
	}
	return bumped, nil
}

// bump stores a version of a live, unconfirmed payout at the fee rate of the round, which must be higher (BIP-125), and
// returns the payout with it. All versions remain stored, because any of them may confirm. bump returns a
// *order.Refusal and changes nothing if a rule forbids the replacement or the signer refuses it.
func (s *Service) bump(ctx context.Context, r payout.Round, p payout.Payout) (payout.Payout, error) {
	return s.kinds[p.Kind].Bump(ctx, r, p)
}
