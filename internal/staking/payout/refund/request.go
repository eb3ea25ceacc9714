package refund

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

// ServeRequests stores the refunds that operators requested. A request that can't be carried out yet stays open with
// the reason. It does not delay other requests.
func (s *Service) ServeRequests(ctx context.Context, r payout.Round) (stored []payout.Payout, err error) {
	requests, err := r.Tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range requests {
		if q.Kind != payout.RequestRefund {
			continue
		}
		var p payout.Payout
		done, err := s.book.Attempt(ctx, r.Tx, q.Subject(), func() (err error) {
			p, err = s.serve(ctx, r, q)
			return err
		})
		if err != nil {
			return nil, err
		}
		if done && p.ID != "" {
			stored = append(stored, p)
		}
	}
	return stored, nil
}

// serve carries out a request, and returns the refund that it stored.
func (s *Service) serve(ctx context.Context, r payout.Round, q payout.Request) (stored payout.Payout, err error) {
	p, err := s.refund(ctx, r, q)
	waiting, refusal := new(payout.WaitError), new(order.Refusal)
	switch {
	case errors.As(err, &waiting):
		s.book.Wait(q.Subject(), waiting.Reason)
		if q.Note == waiting.Reason {
			return stored, nil
		}
		q.Note = waiting.Reason
		return stored, r.Tx.Requests.UpdateRequest(ctx, q)
	case errors.As(err, &refusal) && q.PayoutID != "":
		err = nil // earlier refunds spent all payments, or the server refunded the rest automatically
	case errors.As(err, &refusal):
	case err != nil:
		return stored, err
	default:
		q.PayoutID, stored = p.ID, p
		more, err := unfinished(ctx, r.Tx, p)
		if err != nil {
			return stored, err
		}
		if more {
			q.Note = fmt.Sprintf("one refund spends at most %d payments; the rest follows", order.MaxRefunded)
			return stored, r.Tx.Requests.UpdateRequest(ctx, q)
		}
	}
	return stored, s.book.CloseRequest(ctx, r.Tx, q, err)
}

// unfinished reports whether a refund spends the maximum number of payments and a further refund of its order is due.
// Then the request stays open, because the operator approved the refund of all payments.
func unfinished(ctx context.Context, tx payout.Tx, p payout.Payout) (bool, error) {
	if len(p.Versions[0].Tx.Msg.TxIn) < order.MaxRefunded {
		return false, nil
	}
	o, err := tx.Orders.Order(ctx, p.OrderIDs[0])
	return o.Owed.Sats > 0, err
}

// refund builds, signs and stores one refund that an operator requested. The refund spends the order's anchor or, if
// the anchor is spent, the first unspent payment in the chain, so that no payment is refunded twice.
func (s *Service) refund(ctx context.Context, r payout.Round, q payout.Request) (p payout.Payout, err error) {
	o, err := r.Tx.Orders.Order(ctx, q.OrderID)
	if errors.Is(err, state.ErrNotFound) {
		return p, payout.Refuse("there is no such order")
	}
	if err != nil {
		return p, err
	}
	if !s.book.Communities.Has(o.Community) {
		return p, payout.Waitf("its community %s is not served here", o.Community)
	}
	if err := refundable(o); err != nil {
		return p, err
	}
	unsigned, cost, err := s.build(ctx, r.Tx, o, r.Rate)
	if err != nil {
		return p, err
	}
	return s.store(ctx, r, unsigned, cost)
}

// store signs and stores a refund, and counts it against the limits. It returns a *payout.WaitError if the signer
// refuses.
func (s *Service) store(
	ctx context.Context, r payout.Round, unsigned payout.Unsigned, cost vault.PayoutCost,
) (p payout.Payout, err error) {
	o := unsigned.Refund.Order
	p = payout.Payout{Kind: payout.Refund, OrderIDs: []string{o.ID}}
	if p, err = s.book.SignNew(ctx, r, p, unsigned, cost); err != nil {
		return p, err
	}
	if err := charge(ctx, r, p.ID, o, unsigned.Inputs); err != nil {
		return p, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	_, err = s.book.Orders.ChangeSpends(ctx, r.Tx.OrderTx(), o.ID, "refund sent", cause, func() error {
		return s.book.RecordVersion(ctx, r, unsigned.Inputs, p.Versions[0])
	})
	s.book.Info("refund stored", "payout", p.ID, "order", o.ID, "txid", p.Versions[0].Tx.ID.String(), "fee_sats",
		int64(cost.Fee))
	return p, err
}
