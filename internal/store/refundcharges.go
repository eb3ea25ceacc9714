package store

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store/sqlc"
)

// ChargeRefund charges a refund to the limits of refunds. If the refund is charged already, it replaces the amount and
// the time.
func (t *Tx) ChargeRefund(ctx context.Context, payoutID string, c payout.RefundCharge) error {
	return wrap(t.q.ChargeRefund(ctx, sqlc.ChargeRefundParams{
		PayoutID: payoutID, Community: c.Community, Owner: c.Owner, Sats: int64(c.Sats), ChargedAt: unix(c.At),
	}))
}

// ChargedRefunds returns the sums of the refunds that were charged to the limits after an instant: of the community,
// and to the owner.
func (t *Tx) ChargedRefunds(ctx context.Context, community, owner string,
	after time.Time) (payout.ChargedRefunds, error) {
	row, err := t.q.ChargedRefunds(ctx, sqlc.ChargedRefundsParams{Community: community, Owner: owner, Since: unix(after)})
	return payout.ChargedRefunds{Total: amount.Sats(row.Total), ToOwner: amount.Sats(row.ToOwner)}, wrap(err)
}
