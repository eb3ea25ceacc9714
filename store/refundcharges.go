package store

import (
	"context"
	"time"

	"moonfund/amount"
	"moonfund/payout"
	"moonfund/store/sqlc"
)

// ChargeRefund charges a refund to the limits, or changes the time of its charge.
func (t *Tx) ChargeRefund(ctx context.Context, payoutID string, c payout.RefundCharge) error {
	return wrap(t.q.ChargeRefund(ctx, sqlc.ChargeRefundParams{
		PayoutID: payoutID, Community: c.Community, Owner: c.Owner, Sats: int64(c.Sats), ChargedAt: unix(c.At),
	}))
}

// ChargedRefunds returns the sum of the refunds that were charged to the limits after an instant.
func (t *Tx) ChargedRefunds(ctx context.Context, community, owner string,
	after time.Time) (payout.ChargedRefunds, error) {
	row, err := t.q.ChargedRefunds(ctx, sqlc.ChargedRefundsParams{Community: community, Owner: owner, Since: unix(after)})
	return payout.ChargedRefunds{Total: amount.Sats(row.Total), ToOwner: amount.Sats(row.ToOwner)}, wrap(err)
}
