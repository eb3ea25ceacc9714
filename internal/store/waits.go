package store

import (
	"context"

	"moonfund/internal/staking/follower"
	"moonfund/internal/store/sqlc"
)

func toWait(row sqlc.Waiting) (follower.Wait, error) {
	return follower.Wait{Subject: row.Subject, Reason: row.Reason, Since: instant(row.Since)}, nil
}

// Waits implements follower.WaitStore.
func (t *Tx) Waits(ctx context.Context) ([]follower.Wait, error) {
	rows, err := t.q.Waits(ctx)
	return mapAll(rows, err, toWait)
}

// WaitsOf returns what waits of an order, also of the mint and etch service: its delivery, refund, decision or session,
// or what the audit stops, and of its payout, "" if there is none, and of a community, "" to leave that out.
func (t *Tx) WaitsOf(ctx context.Context, orderID, payoutID, community string) ([]follower.Wait, error) {
	rows, err := t.q.WaitsOf(ctx, sqlc.WaitsOfParams{
		Subject: orderID, Subject_2: "order " + orderID, Subject_3: "refund " + orderID, Subject_4: "decision " + orderID,
		Subject_5: "session " + orderID, Subject_6: "payout " + payoutID, Subject_7: "replacement " + payoutID,
		Subject_8: "community " + community, Subject_9: "rune-order " + orderID,
	})
	return mapAll(rows, err, toWait)
}

// PutWait implements follower.WaitStore.
func (t *Tx) PutWait(ctx context.Context, w follower.Wait) error {
	return wrap(t.q.PutWait(ctx, sqlc.PutWaitParams{Subject: w.Subject, Reason: w.Reason, Since: unix(w.Since)}))
}

// DropWait implements follower.WaitStore.
func (t *Tx) DropWait(ctx context.Context, subject string) error {
	return wrap(t.q.DropWait(ctx, subject))
}
