package payout

import (
	"context"
	"errors"
	"time"

	"moonfund/ledger"
	"moonfund/order"
)

// RequestKind is the kind of an operator's request to a running server.
type RequestKind string

const (
	RequestRefund RequestKind = "refund" // refund its payments
	RequestReview RequestKind = "review" // move it to AUDIT, because the operator doubts it
	RequestResume RequestKind = "resume" // move it from AUDIT to PAID
	RequestExport RequestKind = "export" // build its payout, to be signed by hand
	RequestSend   RequestKind = "send"   // send its payout, signed by hand
	RequestClose  RequestKind = "close"  // move it from AUDIT to CANCELED, because no refund is due
)

// RequestStatus is the status of a request.
type RequestStatus string

const (
	RequestOpen    RequestStatus = "open"
	RequestDone    RequestStatus = "done" // carried out; for a refund: signed and stored
	RequestRefused RequestStatus = "refused"
)

// Request is a request of an operator.
type Request struct {
	Number   int64
	Kind     RequestKind
	OrderID  string
	Status   RequestStatus
	Note     string // the reason why it waits or was refused
	PayoutID string // the payout that carries it out
	Tx       string // RequestExport: the PSBT, once done; RequestSend: the signed transaction in hex
	By, Why  string
	At       time.Time

	Withdrawal Withdrawal // of requests about a treasury
}

// Resolve carries out requests that need no transaction on the chain. It returns the orders that changed.
func (s *Service) Resolve(ctx context.Context, tx Tx, now time.Time) (changed []order.Order, err error) {
	requests, err := tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range requests {
		var o order.Order
		cause := ledger.Cause{Kind: "operator", ID: r.By + ": " + r.Why, At: now}
		switch r.Kind {
		case RequestReview:
			o, err = s.orders.Review(ctx, tx.OrderTx(), r.OrderID, cause)
		case RequestResume:
			o, err = s.orders.Resume(ctx, tx.OrderTx(), r.OrderID, cause)
		case RequestClose:
			o, err = s.close(ctx, tx, r.OrderID, cause)
		default:
			continue
		}
		if err := s.closeRequest(ctx, tx, r, err); err != nil {
			return nil, err
		}
		if err == nil {
			changed = append(changed, o)
		}
	}
	return changed, nil
}

// close closes an AUDIT order without a due refund and without a refund that is sent. It returns a *order.Refusal.
func (s *Service) close(ctx context.Context, tx Tx, id string, cause ledger.Cause) (o order.Order, err error) {
	refunds, err := tx.Payouts.RefundsOf(ctx, id)
	if err != nil {
		return o, err
	}
	for _, p := range refunds {
		if p.Status == Live {
			return o, refusal("its refund " + p.ID + " is sent, and closes it")
		}
	}
	return s.orders.Close(ctx, tx.OrderTx(), id, cause)
}

// closeRequest sets a request to done, or to refused if err is a *order.Refusal. It returns other errors.
func (s *Service) closeRequest(ctx context.Context, tx Tx, r Request, err error) error {
	r.Status, r.Note = RequestDone, ""
	if refusal := new(order.Refusal); errors.As(err, &refusal) {
		r.Status, r.Note = RequestRefused, refusal.Reason
	} else if err != nil {
		return err
	}
	s.info("operator's request", "request", r.Number, "kind", string(r.Kind), "order", r.OrderID, "status",
		string(r.Status), "note", r.Note)
	return tx.Requests.UpdateRequest(ctx, r)
}
