package order

import (
	"context"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
)

// OneTx describes an order whose payout has a version that its owner's own coins pay (ADR 67). The zero value is that
// of all other orders.
type OneTx struct {
	Current   bool      // the current version of the payout spends own coins, so no payment is due
	InsteadAt time.Time // when the price of a delivery that replaces that version was set; zero if it never was
}

// InsteadUntil returns until when the price of a replacing delivery can be paid at its rate, or the zero time.
func (o Order) InsteadUntil() time.Time {
	if !o.OneTx.Current || o.OneTx.InsteadAt.IsZero() {
		return time.Time{}
	}
	return o.OneTx.InsteadAt.Add(FeeValid)
}

// OneTxReason is the reason why own coins do not pay an order.
type OneTxReason string

const (
	OneTxUnits   OneTxReason = "units"   // it is a claim, or some of its units have no custody outputs
	OneTxStatus  OneTxReason = "status"  // its status, speed or payout does not allow it; the value is the status
	OneTxLate    OneTxReason = "late"    // the time to sign is over, or a payment was seen first
	OneTxAmount  OneTxReason = "amount"  // an operator signs orders of this amount by hand
	OneTxFee     OneTxReason = "fee"     // the fee is too low to replace the version before; the value is the rate
	OneTxCoin    OneTxReason = "coin"    // the node says that a coin can't pay; the value is its outpoint
	OneTxRefused OneTxReason = "refused" // our own checks or the signer refuse the transaction
)

// OneTxError means that own coins do not pay an order.
type OneTxError struct {
	Reason OneTxReason
	Value  string // see Reason
}

func (e *OneTxError) Error() string {
	return strings.TrimSpace("own coins can't pay the order: " + string(e.Reason) + " " + e.Value)
}

// CheckOneTx returns nil if a transaction of its owner's own coins can deliver the order, or can replace the one that
// does, and a *OneTxError otherwise.
func (o Order) CheckOneTx(now time.Time) error {
	replaces := o.Status == Sent && o.OneTx.Current
	switch {
	case o.Reason != ledger.ForWithdraw || o.RealUnits < int64(len(o.UnitIDs)):
		return &OneTxError{Reason: OneTxUnits}
	case o.IsEconomy() || o.Economy.RaisedRate > 0 || (o.Status != Pending && !replaces):
		return &OneTxError{OneTxStatus, string(o.Status)}
	case o.Status == Pending && (o.Seen > 0 || feesOver(o, now)):
		return &OneTxError{Reason: OneTxLate}
	}
	return nil
}

// Replacing has the rates and the fee from which PayInstead computes a price.
type Replacing struct {
	Rate    amount.FeeRate // present rate
	MaxRate amount.FeeRate // of the community's payouts; they pay no higher one
	Fee     amount.Sats    // of the transaction to replace
}

// PayInstead sets the price of a delivery that replaces the transaction of a SENT order that its owner's own coins pay,
// for FeeValid. The delivery must exceed the fee of that transaction by the relay fee of its own size (BIP-125). All
// payments of the order count, also those that arrived before the call. Callers do not prove ownership, so a call never
// raises a valid rate. It changes nothing once payments that were seen in time cover the price, unless the present rate
// is more than twice as high, at which the delivery would not be sent. It returns a fault for an order that own coins
// do not pay, and for one whose transaction only a rate above MaxRate could replace.
func (s *Service) PayInstead(ctx context.Context, tx Tx, o Order, r Replacing, now time.Time) (Order, error) {
	if o.Status != Sent || !o.OneTx.Current {
		return o, fault.Refuse(fault.OneTxOrder, string(o.Status))
	}
	priced, err := s.instead(ctx, tx, o)
	if err != nil {
		return o, err
	}
	_, st, err := priced(o)
	if err != nil {
		return o, err
	}
	rate := min(r.Rate, r.MaxRate)
	isSet := !o.OneTx.InsteadAt.IsZero()
	switch {
	case isSet && (st.inTime || st.paid) && rate/2 <= o.FeeRate:
		return o, nil // it is paid
	case !isSet || now.After(o.InsteadUntil()):
		o.OneTx.InsteadAt = now.UTC().Truncate(time.Second)
	case rate >= o.FeeRate:
		return o, nil
	}
	o.FeeRate, o.RateDate = rate, o.OneTx.InsteadAt
	if o, _, err = priced(o); err != nil {
		return o, err
	}
	fee := o.Fees.Network + o.Fees.Rutxos
	vbytes := max(1, (int64(fee)*1000+int64(rate)-1)/int64(rate))
	if least := amount.FeeRate((int64(r.Fee)*1000+vbytes-1)/vbytes) + amount.SatPerVB(1); rate < least {
		if least > r.MaxRate {
			return o, fault.Refuse(fault.OneTxMaxRate, r.MaxRate.String())
		}
		o.FeeRate = least
		if o, _, err = priced(o); err != nil {
			return o, err
		}
	}
	return o, tx.Orders.UpdateOrders(ctx, Change{Order: o, From: o.Status})
}

// instead reads the payments of an order. It returns a function that returns the order with the price, at its rate, of
// a delivery that replaces its transaction, and what the payments cover.
func (s *Service) instead(ctx context.Context, tx Tx, o Order) (func(o Order) (Order, coverage, error), error) {
	to, err := s.script(o)
	if err != nil {
		return nil, err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	payments = existing(payments)
	return func(o Order) (Order, coverage, error) { return tally(s.termsOf(o), o, to, payments, tip.Height) }, nil
}
