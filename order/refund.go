package order

import (
	"time"

	"moonfund/amount"
	"moonfund/vault"
)

// Refund is what an order owes its payer, a fact beside its status. It goes to the
// payment address of the order's signed message.
type Refund struct {
	Sats   amount.Sats // 0: nothing is due; the network fee comes off it
	Reason RefundReason
	Since  time.Time
}

// RefundReason says why a refund is due.
type RefundReason string

const (
	RefundCanceled RefundReason = "canceled"  // its owner canceled the order after a payment
	RefundExpired  RefundReason = "expired"   // the price was not paid in time
	RefundUnitLost RefundReason = "unit_lost" // one of its units was lost
	RefundLate     RefundReason = "late"      // paid after the order was closed
	RefundAudit    RefundReason = "audit"     // the operator decides
	RefundSurplus  RefundReason = "surplus"   // paid beyond the price of what was delivered
)

// refundReasons are the statuses in which what is left of an order's payments is due.
var refundReasons = map[Status]RefundReason{
	Canceled: RefundCanceled, Expired: RefundExpired, Invalid: RefundUnitLost, Audit: RefundAudit,
	Delivered: RefundSurplus, Consolidated: RefundSurplus,
}

// Unspent returns the payments that nothing spends and a refund can spend, counted or
// not, in the order of their arrival. Those that bear runes are returned otherwise.
func Unspent(payments []Payment) (unspent []Payment) {
	for _, p := range payments {
		if p.Plain && !p.Vanished && p.SpentBy == "" {
			unspent = append(unspent, p)
		}
	}
	return unspent
}

// Left is what of an order's payments nothing spends and is worth a refund at the
// order's own rate, in sats. What costs more to spend than it brings is left out.
func (o Order) Left(payments []Payment) amount.Sats {
	var worth []Payment
	for _, p := range Unspent(payments) {
		if p.Value > o.FeeRate.Fee(vault.InputVBytes(vault.Payment)) {
			worth = append(worth, p)
		}
	}
	if left := sumOf(worth); worthRefunding(left, o.FeeRate, len(worth)) {
		return left
	}
	return 0
}

// WorthKeeping reports whether so many sats of the order's surplus are worth an
// output of their own, from which a refund can give them back.
func (o Order) WorthKeeping(sats amount.Sats) bool { return worthRefunding(sats, o.FeeRate, 1) }

// owing returns the order with the refund that is due by its status and its payments.
func (o Order) owing(payments []Payment, now time.Time) Order {
	reason, ends := refundReasons[o.Status]
	due := Refund{}
	if ends {
		due = Refund{Sats: o.Left(payments), Reason: reason, Since: now}
	}
	switch {
	case due.Sats == 0:
		due = Refund{}
	case o.Owed.Sats > 0:
		due.Reason, due.Since = o.Owed.Reason, o.Owed.Since
	case o.Status.Closed() && o.Seen == 0 && o.Late > 0:
		due.Reason = RefundLate
	}
	o.Owed = due
	return o
}

// abandons reports whether the order is at an end at which nothing is owed: what is
// left of its payments is abandoned.
func (o Order) abandons() bool { return o.Status.Closed() && o.Status != Audit && o.Owed.Sats == 0 }

// A refund spends every payment to one output; less than its cost plus dust is abandoned.
func worthRefunding(sats amount.Sats, rate amount.FeeRate, payments int) bool {
	const overhead = 54 // vB of a transaction with one output, without inputs
	cost := rate.Fee(overhead + int64(max(1, payments))*vault.InputVBytes(vault.Payment))
	return sats >= cost+vault.DustSats
}
