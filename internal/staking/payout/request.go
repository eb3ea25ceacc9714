package payout

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// RequestKind is the kind of an operator's request to a running server.
type RequestKind string

// Kinds of requests about an order. RequestExport and RequestSend can also concern a quarantined output or a treasury.
const (
	RequestRefund RequestKind = "refund" // refund the payments of the order
	RequestReview RequestKind = "review" // move the order to AUDIT, because the operator doubts it
	RequestResume RequestKind = "resume" // move the order from AUDIT to PAID
	RequestExport RequestKind = "export" // build the payout, to be signed by hand
	RequestSend   RequestKind = "send"   // send the payout that was signed by hand
	RequestClose  RequestKind = "close"  // move the order from AUDIT to CANCELED, because no refund is due
)

// RequestStatus is the status of a request.
type RequestStatus string

const (
	RequestOpen    RequestStatus = "open" // not carried out yet
	RequestDone    RequestStatus = "done" // carried out; for a refund: signed and stored
	RequestRefused RequestStatus = "refused"
)

// Request is a request of an operator.
type Request struct {
	Number   int64
	Kind     RequestKind
	OrderID  string // id of the order or payout, outpoint of the output, or TreasurySubject
	Status   RequestStatus
	Note     string // the reason why it waits or was refused
	PayoutID string // id of the payout that carries it out, or ""
	Tx       string // RequestExport: the PSBT, once done; RequestSend: the signed transaction in hex
	By, Why  string // the operator's name and reason
	At       time.Time

	Withdrawal Withdrawal // of requests about a treasury
}

// Resolve carries out the requests that need no transaction: reviews, resumptions and closures of orders. It returns
// the orders that changed.
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

// close moves an AUDIT order to CANCELED. It returns a *order.Refusal if a refund is due or live.
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

// closeRequest sets the status of a request to refused if err is a *order.Refusal, and to done if err is nil. It
// returns other errors unchanged.
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
