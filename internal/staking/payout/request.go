package payout

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/staking/order"
)

// RequestKind is the kind of an operator's request to a running server.
type RequestKind string

// Kinds of requests about an order. RequestExport and RequestSend can also concern a quarantined output or a treasury.
const (
	RequestRefund RequestKind = "refund" // refund the payments of the order
	RequestReview RequestKind = "review" // move the order to AUDIT, because the operator or the audit doubts it
	RequestResume RequestKind = "resume" // move the order from AUDIT to PAID
	RequestExport RequestKind = "export" // build the payout, to be signed by hand
	RequestSend   RequestKind = "send"   // send the payout that was signed by hand
	RequestClose  RequestKind = "close"  // move the order from AUDIT to CANCELED, because no refund is due
)

// Kinds of requests that do not concern an order.
const (
	RequestBump   RequestKind = "bump"   // of a payout, whose id is in OrderID
	RequestReturn RequestKind = "return" // of a quarantined output, whose outpoint is in OrderID
)

// RequestWithdraw is a request to withdraw surplus from a treasury. Its OrderID is the TreasurySubject of the
// community.
const RequestWithdraw RequestKind = "withdraw"

// ByAudit is the author of the requests with which the server's audit moves orders to AUDIT.
const ByAudit = "the audit"

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

// Subject names a request in attempts.
func (r Request) Subject() string { return fmt.Sprintf("request %d", r.Number) }

// Decides reports whether a request changes only the status of its order, so that no pause of payouts delays it.
func (r Request) Decides() bool {
	return r.Kind == RequestReview || r.Kind == RequestResume || r.Kind == RequestClose
}

// treasurySubject precedes the community in the subject of requests about its treasury.
const treasurySubject = "treasury:"

// TreasurySubject returns the subject of requests about a community's treasury.
func TreasurySubject(community string) string { return treasurySubject + community }

// CommunityOf returns the community of a TreasurySubject; ok is false for any other subject.
func CommunityOf(subject string) (community string, ok bool) {
	return strings.CutPrefix(subject, treasurySubject)
}

// CloseRequest sets the status of a request to refused if err is a *order.Refusal, and to done if err is nil. It
// returns other errors unchanged.
func (b *Book) CloseRequest(ctx context.Context, tx Tx, r Request, err error) error {
	r.Status, r.Note = RequestDone, ""
	if refusal := new(order.Refusal); errors.As(err, &refusal) {
		r.Status, r.Note = RequestRefused, refusal.Reason
	} else if err != nil {
		return err
	}
	b.Info("operator's request", "request", r.Number, "kind", string(r.Kind), "order", r.OrderID, "status",
		string(r.Status), "note", r.Note)
	return tx.Requests.UpdateRequest(ctx, r)
}
