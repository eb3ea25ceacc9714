package decisions

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// Decision is a decision about an order that an operator can request from the running server.
type Decision struct {
	kind    payout.RequestKind
	preview func(OrderFacts) (string, error)
}

// Decisions about an order.
var (
	Refund  = Decision{payout.RequestRefund, previewRefund}  // refund the remaining payments
	Review  = Decision{payout.RequestReview, previewReview}  // set the status AUDIT until the operator decides
	Deliver = Decision{payout.RequestResume, previewDeliver} // return from AUDIT to PAID
	Close   = Decision{payout.RequestClose, previewClose}    // close an order that has nothing left to refund
)

// Preview describes the effect of the decision on an order. It returns an error if the order does not permit the
// decision.
func (d Decision) Preview(f OrderFacts) (string, error) { return d.preview(f) }

// Decide returns the change that records a decision about an order as a request to the running server.
func Decide(a Author, d Decision, orderID string) Change[int64] {
	r := payout.Request{Kind: d.kind, OrderID: orderID}
	return Request(a, r, func(ctx context.Context, tx *store.Tx) (string, error) {
		facts, err := ReadOrder(ctx, tx, orderID)
		if err != nil {
			return "", err
		}
		return d.preview(facts)
	})
}

func previewRefund(f OrderFacts) (string, error) {
	switch f.Status {
	case order.Canceled, order.Expired, order.Invalid, order.Audit, order.Sent, order.Delivered, order.Consolidated:
	default:
		return "", fmt.Errorf("the order is %s: an order is refunded once it is closed, "+
			"and its overpayment once it is delivered", f.Status)
	}
	unspent := order.Unspent(f.Payments)
	if len(unspent) == 0 {
		if f.Overpayment() > 0 {
			return "", fmt.Errorf("its overpayment of %d sats is less than keeping and refunding it costs, "+
				"and stays in the treasury", f.Overpayment())
		}
		return "", errors.New("all its payments are spent: there is nothing left to refund")
	}
	var sum amount.Sats
	var b strings.Builder
	for _, p := range unspent {
		sum += p.Value
		fmt.Fprintf(&b, "  %s  %d sats, block %s\n", p.OutPoint, p.Value, terminal.Height(p.Height))
	}
	return fmt.Sprintf("Refund of order %s (%s, %s) of %s:\n%s%d sats, less the network fee, go to %s.\n"+
		"Unconfirmed payments are not included.", f.ID, f.Status, f.Community, f.Owner, b.String(), sum, f.Payment), nil
}

func previewReview(f OrderFacts) (string, error) {
	switch f.Status {
	case order.Confirmed, order.PendingRerate, order.Paid:
	default:
		return "", fmt.Errorf("the order is %s: only an order that is being paid, or is PAID, can be reviewed", f.Status)
	}
	return fmt.Sprintf("Order %s (%s, %s) of %s goes to AUDIT. Its units are free again.\n"+
		"It is not delivered or refunded until you decide: `moonfund order resolve` delivers it, "+
		"`moonfund order refund` refunds its %d sats.",
		f.ID, f.Reason, f.Community, f.Owner, f.Seen+f.Late), nil
}

func previewDeliver(f OrderFacts) (string, error) {
	if f.Status != order.Audit {
		return "", fmt.Errorf("the order is %s: only an AUDIT order is resolved", f.Status)
	}
	if f.Refunded > 0 {
		return "", fmt.Errorf("%d sats of it are refunded: it can no longer be delivered", f.Refunded)
	}
	var b strings.Builder
	for _, u := range f.Units {
		fmt.Fprintf(&b, "  %s  %s, %s\n", u.ID, u.Amount.Whole(), u.Stage)
	}
	return fmt.Sprintf("Order %s (%s, %s) of %s becomes PAID, and is delivered with its %d units:\n"+
		"%s%s of the rune go to that address.\n"+
		"Received: %d sats in time, %d late; they all count. Its price was %d sats.",
		f.ID, f.Reason, f.Community, f.Owner, len(f.UnitIDs), b.String(), f.Amount.Whole(), f.Seen, f.Late,
		f.Fees.Total()), nil
}

func previewClose(f OrderFacts) (string, error) {
	if f.Status != order.Audit {
		return "", fmt.Errorf("the order is %s: only an AUDIT order is closed", f.Status)
	}
	if owed := f.Refundable(f.Payments); owed > 0 {
		return "", fmt.Errorf("%d sats of it are owed to its owner: refund them with `moonfund order refund`", owed)
	}
	var left amount.Sats
	for _, p := range order.Unspent(f.Payments) {
		left += p.Value
	}
	return fmt.Sprintf("Order %s (%s) of %s becomes CANCELED. It has no units.\n"+
		"%d sats of its payments are left, too little to refund, and are abandoned.",
		f.ID, f.Reason, f.Owner, left), nil
}

// Payload describes the payment in the transaction of an order: the delivery, or a refund.
func Payload(o order.Order) string {
	if o.Status == order.Paid || o.Status == order.Sent {
		return fmt.Sprintf("its payout of %s base units to %s", o.Amount, o.Owner)
	}
	return "the refund of its payments to " + o.Payment
}

// Export returns the change that requests an unsigned transaction from the server. subject is the id of an order, for
// its delivery or refund, or a quarantined output (txid:vout), for its return. The caller writes the transaction to
// file, which Export only shows in the preview.
func Export(a Author, subject, file string) Change[int64] {
	r := payout.Request{Kind: payout.RequestExport, OrderID: subject}
	return Request(a, r, func(ctx context.Context, tx *store.Tx) (string, error) {
		status, what, err := exported(ctx, tx, subject)
		return fmt.Sprintf("%s; %s is built and written to %s.", status, what, file), err
	})
}

// Import returns the change that requests the server to send the transaction that was exported for a subject and signed
// elsewhere. subject is the subject of Export, or payout.TreasurySubject for a withdrawal. raw is the signed
// transaction in hex.
func Import(a Author, subject, txid, raw string) Change[int64] {
	r := payout.Request{Kind: payout.RequestSend, OrderID: subject, Tx: raw}
	if _, ok := payout.CommunityOf(subject); ok {
		return importWithdrawal(a, r, txid)
	}
	return Request(a, r, func(ctx context.Context, tx *store.Tx) (string, error) {
		status, what, err := exported(ctx, tx, subject)
		return fmt.Sprintf("%s; transaction %s sends %s.", status, txid, what), err
	})
}

// exported returns the state of an order or of a quarantined output, and a description of the exported transaction.
func exported(ctx context.Context, tx *store.Tx, subject string) (status, what string, err error) {
	point, err := ledger.ParseOutPoint(subject)
	if err != nil {
		o, err := FindOrder(ctx, tx, subject)
		return fmt.Sprintf("Order %s is %s", o.ID, o.Status), Payload(o), err
	}
	output, err := tx.Output(ctx, point)
	switch {
	case errors.Is(err, state.ErrNotFound):
		return "", "", fmt.Errorf("the ledger has no output %s", subject)
	case err != nil:
		return "", "", err
	case output.Quarantine == "":
		return "", "", fmt.Errorf("%s is not in quarantine: it is a %s output that counts", subject, output.Kind)
	}
	return fmt.Sprintf("Output %s is in quarantine: %s", subject, output.Quarantine), "its return to " + output.Owner, nil
}

// Bump returns the change that requests the server to replace a payout by a version with a higher fee.
func Bump(a Author, payoutID string) Change[int64] {
	r := payout.Request{Kind: payout.RequestBump, OrderID: payoutID}
	return Request(a, r, func(ctx context.Context, tx *store.Tx) (string, error) {
		p, err := FindPayout(ctx, tx, payoutID)
		if err != nil {
			return "", err
		}
		return previewBump(p)
	})
}

func previewBump(p payout.Payout) (string, error) {
	if p.Status != payout.Live {
		return "", fmt.Errorf("it is a %s and %s: only a live payout can be replaced", p.Kind, p.Status)
	}
	last := p.Versions[len(p.Versions)-1]
	for _, v := range p.Versions {
		if v.Height != chain.None {
			return "", fmt.Errorf("its transaction %s is in block %d already", v.Tx.ID, v.Height)
		}
	}
	money := fmt.Sprintf("beyond the network fees of the %d orders is paid from the fee account, "+
		"up to the community's fee_top_up", len(p.OrderIDs))
	switch p.Kind {
	case payout.Refund:
		money = "is deducted from the refund"
	case payout.Withdraw:
		money = "is deducted from the surplus"
	case payout.Split:
		money = "is paid from the fee account, up to the community's fee_top_up"
	case payout.Return:
		money = "is deducted from what is returned, or paid from the fee account"
	}
	return fmt.Sprintf("Payout %s (%s, %s) of %d orders is replaced.\n"+
		"Now: %s, a fee of %d sats for %d vB (%.1f sat/vB), made %s.\n"+
		"The new version has the same inputs and destinations, and pays the server's current fee rate; the cost\n"+
		"%s. Only one version can confirm.",
		p.ID, p.Community, p.Kind, len(p.OrderIDs), last.Tx.ID, last.Fee, last.VBytes,
		float64(last.Fee)/float64(max(1, last.VBytes)), terminal.Time(last.Created), money), nil
}
