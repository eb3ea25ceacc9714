package refund

import (
	"context"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Confirm applies at most one event to a refund and at most one to its order, and returns the order if one of them
// changed. A refund of a community that is not served does not end until the community is served again.
func (s *Service) Confirm(ctx context.Context, r payout.Round, p *payout.Payout,
	tip ledger.Header) ([]order.Order, error) {
	now, err := payout.ProgressOf(ctx, r.Tx, *p, tip)
	if err != nil || now.Event == payout.InputTaken && !s.book.Communities.Has(p.Community) {
		return nil, err
	}
	if now.Event != "" {
		if err := payout.Move(ctx, r.Tx, p, now.Event); err != nil {
			return nil, err
		}
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	if now.Event == payout.InputTaken {
		return s.bury(ctx, r, *p, now, cause)
	}
	o, err := r.Tx.Orders.Order(ctx, p.OrderIDs[0])
	if err != nil {
		return nil, err
	}
	event, err := afterRefund(ctx, r.Tx, *p, now.Event == payout.Shallow, o, tip)
	if err != nil || (event == "" && now.Event == "") {
		return nil, err
	}
	if event != "" {
		o, err = s.book.Orders.Apply(ctx, r.Tx.OrderTx(), o, event, cause, nil)
	}
	return []order.Order{o}, err
}

// afterRefund returns the event of an order that follows from the state of its refunds, or "". fell is true if refund p
// has fewer than 3 confirmations since this call of Confirm.
func afterRefund(ctx context.Context, tx payout.Tx, p payout.Payout, fell bool, o order.Order,
	tip ledger.Header) (order.Event, error) {
	switch {
	case o.Status == order.Canceled && o.ByRefund && fell:
		return order.RefundUnconfirmed, nil
	case o.Status == order.Audit && p.Status != payout.Live:
		refunds, err := tx.Payouts.RefundsOf(ctx, o.ID)
		for _, other := range refunds {
			if other.Status == payout.Live {
				return "", err
			}
		}
		if err != nil {
			return "", err
		}
		payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
		if o.Refundable(payments) > 0 {
			return "", err // another refund is due
		}
		return order.RefundConfirmed, err
	case o.Status == order.Delivered && p.Status != payout.Live:
		delivery, err := tx.Payouts.PayoutOf(ctx, o.PayoutTx)
		if err != nil {
			return "", err
		}
		swept, err := payout.NothingLeft(ctx, tx, o)
		if swept && ledger.Confirmations(delivery.Height(), tip.Height) >= order.FinalDepth {
			return order.Swept, err
		}
		return "", err
	}
	return "", nil
}

// bury ends a refund that can never spend one of its payments. Another refund can spend the others, or they pay the
// order if its delivery died, too.
func (s *Service) bury(ctx context.Context, r payout.Round, p payout.Payout, now payout.Progress,
	cause ledger.Cause) ([]order.Order, error) {
	s.book.Log.Warn("refund dead", "payout", p.ID, "inputs_taken", len(now.Lost))
	o, err := s.book.Orders.ChangeSpends(ctx, r.Tx.OrderTx(), p.OrderIDs[0], "refund dead", cause, func() error {
		return s.book.DropVersions(ctx, r, p)
	})
	if err != nil {
		return nil, err
	}
	moved, err := s.book.Orders.Evaluate(ctx, r.Tx.OrderTx(), p.OrderIDs, cause.At, false)
	return append([]order.Order{o}, moved...), err
}
