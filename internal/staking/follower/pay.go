package follower

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// pay prepares payouts that are due, after the audit of the current ledger. It first broadcasts what a pause or the
// audit withheld: if a stored payout can't be sent, no others are stored after it.
func (f *Follower) pay(ctx context.Context, m ledger.Moment, touched *touched) error {
	if f.Audit != nil {
		err := f.Audit(ctx)
		if errors.Is(err, ErrAuditing) {
			if f.auditing.IsZero() {
				f.auditing = m.Now
			}
			return nil
		}
		f.auditing = time.Time{}
		if err != nil {
			return fmt.Errorf("the audit before payouts: %w", err)
		}
	}
	if f.sent.withheld {
		if err := f.send(ctx, m, touched); err != nil {
			return err
		}
	}
	rate := f.Rate(ctx)
	f.Payouts.ForgetSignatures()
	for range signingRounds {
		err := f.prepare(ctx, rate, m, touched)
		if !errors.Is(err, payout.ErrUnsigned) {
			return err
		}
		if err := f.Payouts.Sign(ctx); err != nil {
			return err
		}
	}
	f.Log.Warn("payouts changed while they were signed; trying again")
	return nil
}

// signingRounds is the maximum number of times that payouts are prepared in one Step until all are signed. Usually two
// suffice. Each batch that is halved because the signer refused it, and each order that changes meanwhile, requires one
// more.
const signingRounds = 20

// prepare stores payouts that are due if all of them are signed. Otherwise it returns payout.ErrUnsigned.
func (f *Follower) prepare(ctx context.Context, rate amount.FeeRate, m ledger.Moment, touched *touched) error {
	var stored []payout.Payout
	began := time.Now()
	err := f.Transact(ctx, func(tx Tx) error {
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		stored, err = f.Payouts.Prepare(ctx, payout.Round{Tx: tx.PayoutTx(), Watch: f.watch, Rate: rate, Moment: m})
		if err != nil {
			return err
		}
		ids := f.Payouts.Changed()
		for _, p := range stored {
			f.resend = true
			ids = append(ids, p.OrderIDs...)
		}
		for _, id := range ids {
			o, err := tx.Orders.Order(ctx, id)
			if err != nil {
				return err
			}
			touched.orders([]order.Order{o})
		}
		return nil
	})
	if err == nil {
		traceStored(ctx, stored, began)
	}
	return err
}
