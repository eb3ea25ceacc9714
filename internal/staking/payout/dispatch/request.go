package dispatch

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

// serveRequests carries out the operators' requests that create, export or import a transaction, except refunds. A
// request that can't be carried out yet stays open with the reason.
func (s *Service) serveRequests(ctx context.Context, r payout.Round) (stored []payout.Payout, err error) {
	requests, err := r.Tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range requests {
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

// serve carries out a request that creates, exports or imports a transaction, and returns the payout that it stored.
func (s *Service) serve(ctx context.Context, r payout.Round, q payout.Request) (p payout.Payout, err error) {
	switch q.Kind {
	case payout.RequestExport:
		q.Tx, err = s.exported(ctx, r, q)
	case payout.RequestBump:
		p, err = s.bumpRequested(ctx, r, q.OrderID)
	case payout.RequestSend:
		p, err = s.acceptSigned(ctx, r, q)
	case payout.RequestReturn:
		p, err = s.returns.Return(ctx, r, q.OrderID)
	case payout.RequestWithdraw:
		p, err = s.withdrawals.Withdraw(ctx, r, q)
	default:
		return p, nil
	}
	if waiting := new(payout.WaitError); errors.As(err, &waiting) {
		s.book.Wait(q.Subject(), waiting.Reason)
		if q.Note == waiting.Reason {
			return payout.Payout{}, nil
		}
		q.Note = waiting.Reason
		return payout.Payout{}, r.Tx.Requests.UpdateRequest(ctx, q)
	}
	if err == nil {
		q.PayoutID = p.ID
	} else {
		p = payout.Payout{} // a refusal
	}
	return p, s.book.CloseRequest(ctx, r.Tx, q, err)
}

// bumpRequested replaces the payout with an id, or returns a *order.Refusal.
func (s *Service) bumpRequested(ctx context.Context, r payout.Round, id string) (payout.Payout, error) {
	p, err := r.Tx.Payouts.Payout(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		return p, payout.Refuse("there is no such payout")
	}
	if err != nil {
		return p, err
	}
	return s.bump(ctx, r, p)
}

// Resolve carries out the requests that need no transaction: reviews, resumptions and closures of orders. It returns
// the orders that changed.
func (s *Service) Resolve(ctx context.Context, tx payout.Tx, now time.Time) (changed []order.Order, err error) {
	requests, err := tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	s.book.BeginAttempts("decision")
	for _, q := range requests {
		if !q.Decides() {
			continue
		}
		var o order.Order
		done, err := s.book.Attempt(ctx, tx, "decision "+q.OrderID, func() error {
			decided, err := s.decide(ctx, tx, q, now)
			if err == nil {
				o = decided
			}
			return s.book.CloseRequest(ctx, tx, q, err)
		})
		if err != nil {
			return nil, err
		}
		if done && o.ID != "" {
			changed = append(changed, o)
		}
	}
	return changed, nil
}

// decide carries out a request that needs no transaction. It returns the order, or a *order.Refusal.
func (s *Service) decide(ctx context.Context, tx payout.Tx, q payout.Request, now time.Time) (order.Order, error) {
	cause := ledger.Cause{Kind: "operator", ID: q.By + ": " + q.Why, At: now}
	switch q.Kind {
	case payout.RequestReview:
		return s.book.Orders.Review(ctx, tx.OrderTx(), q.OrderID, cause)
	case payout.RequestResume:
		return s.book.Orders.Resume(ctx, tx.OrderTx(), q.OrderID, cause)
	}
	return s.close(ctx, tx, q.OrderID, cause)
}

// close moves an AUDIT order to CANCELED. It returns a *order.Refusal if a refund is due or live.
func (s *Service) close(ctx context.Context, tx payout.Tx, id string, cause ledger.Cause) (o order.Order, err error) {
	refunds, err := tx.Payouts.RefundsOf(ctx, id)
	if err != nil {
		return o, err
	}
	for _, p := range refunds {
		if p.Status == payout.Live {
			return o, payout.Refuse("its refund " + p.ID + " is sent, and closes it")
		}
	}
	return s.book.Orders.Close(ctx, tx.OrderTx(), id, cause)
}
