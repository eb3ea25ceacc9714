package dispatch

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

const (
	// BumpAfter is the number of blocks after which an unconfirmed payout may be replaced automatically.
	BumpAfter = 6
	// minBumpPercent is the minimum estimate of the fee rate for an automatic replacement, in percent of the payout's fee
	// rate.
	minBumpPercent = 150
)

// bumpStuck replaces the deliveries and refunds that are unconfirmed for BumpAfter blocks if the estimated fee rate is
// at least minBumpPercent of theirs. It skips payouts whose sats do not pay for a replacement. Returns and withdrawals
// are replaced only at an operator's request, and transactions that an owner's coins pay only by their owner.
func (s *Service) bumpStuck(ctx context.Context, r payout.Round) (bumped []payout.Payout, err error) {
	live, err := r.Tx.Payouts.PayoutsIn(ctx, payout.Live)
	if err != nil {
		return nil, err
	}
	for _, p := range live {
		last := p.Last()
		at := r
		at.Rate = s.kinds[p.Kind].BumpRate(p, r.Rate)
		if at.Rate == 0 || at.Rate.Fee(last.VBytes)*100 < last.Fee*minBumpPercent {
			continue
		}
		if passed, err := blocksSince(ctx, r, last.Created); err != nil || !passed {
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
			s.book.Log.Debug("a payout stays as it is", "payout", p.ID, "reason", refused.Reason)
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

// blocksSince reports whether the header times of the last BumpAfter blocks are after an instant of the server's clock.
func blocksSince(ctx context.Context, r payout.Round, at time.Time) (bool, error) {
	tip, err := r.Tx.Headers.Tip(ctx)
	if err != nil {
		return false, err
	}
	header, err := r.Tx.Headers.HeaderAt(ctx, tip.Height-BumpAfter+1)
	if errors.Is(err, state.ErrNotFound) {
		return false, nil
	}
	return err == nil && r.Shown(header.Time).After(at), err
}
