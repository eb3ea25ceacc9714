package payout

import (
	"context"
	"errors"
	"time"

	"moonfund/ledger"
	"moonfund/order"
)

// RequestKind is what an operator asks a running server to do to an order.
type RequestKind string

const (
	AskRefund RequestKind = "refund" // give its payments back
	AskReview RequestKind = "review" // take it to AUDIT, since the operator doubts it
	AskResume RequestKind = "resume" // take it from AUDIT to PAID
	AskExport RequestKind = "export" // build its payout, to be signed elsewhere
	AskSend   RequestKind = "send"   // its payout, signed elsewhere
	AskClose  RequestKind = "close"  // take it from AUDIT to CANCELED, since nothing is left to refund
)

// RequestStatus is where a request stands.
type RequestStatus string

const (
	RequestOpen    RequestStatus = "open"
	RequestDone    RequestStatus = "done" // of a refund: it is signed and stored
	RequestRefused RequestStatus = "refused"
)

// Request is what an operator asked for, with who, when and why.
type Request struct {
	Number   int64
	Kind     RequestKind
	OrderID  string
	Status   RequestStatus
	Note     string // why it still waits, or was refused
	PayoutID string // the refund that carries it out
	Tx       string // of AskExport: the PSBT, once it is done; of AskSend: the signed transaction in hex
	By, Why  string
	At       time.Time
}

// Resolve carries out what operators asked for and what moves nothing on the
// chain. It returns the orders that changed.
func (c *Service) Resolve(ctx context.Context, tx Tx, now time.Time) (changed []order.Order, err error) {
	requests, err := tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range requests {
		var o order.Order
		cause := ledger.Cause{Kind: "operator", ID: r.By + ": " + r.Why, At: now}
		switch r.Kind {
		case AskReview:
			o, err = c.orders.Review(ctx, tx.OrderTx(), r.OrderID, cause)
		case AskResume:
			o, err = c.orders.Resume(ctx, tx.OrderTx(), r.OrderID, cause)
		case AskClose:
			o, err = c.close(ctx, tx, r.OrderID, cause)
		default:
			continue
		}
		if err := c.answer(ctx, tx, r, err); err != nil {
			return nil, err
		}
		if err == nil {
			changed = append(changed, o)
		}
	}
	return changed, nil
}

// close closes an AUDIT order that nothing is owed of and no refund is on its way of.
func (c *Service) close(ctx context.Context, tx Tx, id string, cause ledger.Cause) (o order.Order, err error) {
	refunds, err := tx.Payouts.RefundsOf(ctx, id)
	if err != nil {
		return o, err
	}
	for _, p := range refunds {
		if p.Status == Live {
			return o, refusal("its refund " + p.ID + " is on its way, and closes it")
		}
	}
	return c.orders.Close(ctx, tx.OrderTx(), id, cause)
}

// answer ends a request: done, or refused with the reason. Other errors are the caller's.
func (c *Service) answer(ctx context.Context, tx Tx, r Request, err error) error {
	r.Status, r.Note = RequestDone, ""
	if refusal := new(order.Refusal); errors.As(err, &refusal) {
		r.Status, r.Note = RequestRefused, refusal.Reason
	} else if err != nil {
		return err
	}
	c.info("operator's request", "request", r.Number, "kind", string(r.Kind), "order", r.OrderID, "status",
		string(r.Status), "note", r.Note)
	return tx.Requests.UpdateRequest(ctx, r)
}
