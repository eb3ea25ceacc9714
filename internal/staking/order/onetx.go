package order

import (
	"strings"
	"time"

	"moonfund/internal/staking/ledger"
)

// OneTxReason is the reason why the owner's coins do not pay an order.
type OneTxReason string

const (
	OneTxUnits   OneTxReason = "units"   // it is a claim, or some of its units have no custody outputs
	OneTxStatus  OneTxReason = "status"  // its status, speed or payout does not allow it; the value is the status
	OneTxLate    OneTxReason = "late"    // the time to sign is over
	OneTxAmount  OneTxReason = "amount"  // orders of this amount are signed by hand
	OneTxFee     OneTxReason = "fee"     // the fee is too low to replace the previous version; the value is the rate
	OneTxCoin    OneTxReason = "coin"    // the node says that a coin can't pay; the value is its outpoint
	OneTxMempool OneTxReason = "mempool" // the fee is too low for the node's mempool now; the value is its minimum rate
	OneTxRefused OneTxReason = "refused" // this server's checks or the signer refuse the transaction

	OneTxPaymentGone  OneTxReason = "payment gone"  // a payment that pays it was replaced or is unconfirmed again
	OneTxPaymentAdded OneTxReason = "payment added" // a payment of the order arrived that it does not spend
)

// OneTxError means that the owner's coins do not pay an order.
type OneTxError struct {
	Reason OneTxReason
	Value  string // see Reason
}

func (e *OneTxError) Error() string {
	return strings.TrimSpace("own coins can't pay the order: " + string(e.Reason) + " " + e.Value)
}

// OtherPayments reports whether the payments of the order changed.
func (e *OneTxError) OtherPayments() bool {
	return e.Reason == OneTxPaymentGone || e.Reason == OneTxPaymentAdded
}

// IsUnpaid reports whether the order can be paid and the seen payments do not pay the price. Then its owner's coins can
// pay it: otherwise anyone could stop a withdrawal in one transaction with a few sats.
func (o Order) IsUnpaid() bool {
	return o.Status == Pending || o.Status == Confirmed && o.Usable < o.Fees.Total()
}

// NeedsSignature reports whether the order is paid and waits for its owner to sign the delivery, until its deadline
// (ADR 68).
func (o Order) NeedsSignature() bool { return o.Status == Paid && o.SelfUnits > 0 }

// CheckOneTx returns nil if a transaction that the owner signs can deliver the order, or can replace the transaction
// that delivers it, and a *OneTxError otherwise.
func (o Order) CheckOneTx(now time.Time) error {
	replaces := o.Status == Sent && (o.OneTx || o.SelfUnits > 0)
	switch {
	case o.NeedsSignature():
		return nil
	case o.Reason != ledger.ForWithdraw || o.RealUnits < int64(len(o.UnitIDs)):
		return &OneTxError{Reason: OneTxUnits}
	case replaces:
		return nil
	case o.IsEconomy() || o.Economy.RaisedRate > 0 || !o.IsUnpaid():
		return &OneTxError{OneTxStatus, string(o.Status)}
	case feesOver(o, now):
		return &OneTxError{Reason: OneTxLate}
	}
	return nil
}
