package order

import (
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
)

// Refund is the refund that is due for an order. It is paid to the payment address in the order's signed message.
type Refund struct {
	Sats    amount.Sats // before the network fee; 0 if nothing is due
	Reason  RefundReason
	Since   time.Time      // when it became due
	Rate    amount.FeeRate // the highest fee rate at which the refund returns at least its cost
	Hold    RefundHold     // why it is held; with HoldNone it is sent after a block or when the fee rate is at most Rate
	Retry   time.Time      // when a held refund is tried again
	Refusal string         // why the signer refused it, or why it could not be built, as text for operators; else ""
}

// RefundHold is the reason why a refund that is due is not sent.
type RefundHold string

const (
	HoldNone         RefundHold = ""
	HoldConfirmation RefundHold = "confirmation" // the confirmed payments alone are too small for a refund
	HoldLimit        RefundHold = "limit"        // it exceeds the limits for refunds; an operator decides
	HoldRefused      RefundHold = "refused"      // the signer refused it, or it could not be built
)

// NeedsPerson reports whether a held refund waits for an operator.
func (h RefundHold) NeedsPerson() bool {
	return h == HoldLimit || h == HoldRefused
}

// RefundReason is the reason why a refund is due.
type RefundReason string

const (
	RefundCanceled    RefundReason = "canceled"    // its owner canceled the order after a payment
	RefundExpired     RefundReason = "expired"     // the price was not paid in time
	RefundUnitLost    RefundReason = "unit_lost"   // one of its units was lost
	RefundLate        RefundReason = "late"        // the order was paid after it was closed
	RefundAudit       RefundReason = "audit"       // the order is in AUDIT; an operator decides
	RefundOverpayment RefundReason = "overpayment" // the payments exceed the price of a delivered order
)

// refundReasons has the statuses in which the unspent payments of an order are due, with the reasons.
var refundReasons = map[Status]RefundReason{
	Canceled: RefundCanceled, Expired: RefundExpired, Invalid: RefundUnitLost, Audit: RefundAudit,
	Delivered: RefundOverpayment, Consolidated: RefundOverpayment,
}

// Refunds reports whether the unspent payments of an order in this status are due.
func (s Status) Refunds() bool {
	_, due := refundReasons[s]
	return due
}

// NeedsPerson reports whether an operator must decide about the order or its refund.
func (o Order) NeedsPerson() bool {
	return o.Status == Audit || o.Owed.Sats > 0 && o.Owed.Hold.NeedsPerson()
}

// Unspent returns the unspent payments without runes, counted or not, in their order. It omits payments with runes,
// which are not refunded but returned from quarantine.
func Unspent(payments []Payment) []Payment {
	unspent := make([]Payment, 0, len(payments))
	for _, p := range payments {
		if p.isUnspent() {
			unspent = append(unspent, p)
		}
	}
	return unspent
}

func (p *Payment) isUnspent() bool { return p.Plain && !p.Vanished && p.SpentBy == "" }

// Refundable returns the sum of an order's unspent payments whose values exceed the cost of spending them. It returns 0
// if the sum is not worth a refund at the order's fee rate.
func (o Order) Refundable(payments []Payment) amount.Sats {
	input, left, count := o.FeeRate.Fee(vault.InputVBytes(vault.Payment)), amount.Sats(0), 0
	for i := range payments {
		if p := &payments[i]; p.isUnspent() && p.Value > input {
			left, count = left+p.Value, count+1
		}
	}
	if worthRefunding(left, o.FeeRate, count) {
		return left
	}
	return 0
}

// WorthKeeping reports whether an overpayment of sats is worth a separate output of the delivery, which a refund can
// spend.
func (o Order) WorthKeeping(sats amount.Sats) bool { return worthRefunding(sats, o.FeeRate, 1) }

// withRefundDue returns the order with Owed computed from its status and its payments.
func (o Order) withRefundDue(payments []Payment, now time.Time) Order {
	reason, ends := refundReasons[o.Status]
	due := Refund{}
	if ends {
		due = Refund{Sats: o.Refundable(payments), Reason: reason, Since: now}
	}
	if due.Sats == 0 {
		o.Owed = Refund{}
		return o
	}
	unspent := Unspent(payments)
	due.Rate = maxRefundRate(refundOrder(o.Anchor, unspent))
	switch {
	case o.Owed.Sats > 0:
		due.Reason, due.Since = o.Owed.Reason, o.Owed.Since
	case o.Status.Closed() && o.Seen == 0 && o.Late > 0:
		due.Reason = RefundLate
	}
	if due.Sats == o.Owed.Sats { // a refund of another amount is not held for the old reason
		due.Hold, due.Retry, due.Refusal = o.Owed.Hold, o.Owed.Retry, o.Owed.Refusal
	}
	o.Owed = due
	return o
}

// WithHold returns the order with its due refund held until retry. refusal is Refund.Refusal.
func (o Order) WithHold(hold RefundHold, refusal string, retry time.Time) Order {
	o.Owed.Hold, o.Owed.Retry, o.Owed.Refusal = hold, retry, refusal
	return o
}

// isAbandoned reports whether the order is closed, not in AUDIT, and no refund is due, so that its unspent payments are
// abandoned.
func (o Order) isAbandoned() bool { return o.Status.Closed() && o.Status != Audit && o.Owed.Sats == 0 }

// MaxRefunded is the maximum number of payments that one refund spends.
const MaxRefunded = 150

// refundVBytes returns the size in vbytes of a refund with a number of payment inputs and the largest possible output.
func refundVBytes(payments int) int64 {
	const overhead = 54 // a transaction with one output and no inputs
	return overhead + int64(payments)*vault.InputVBytes(vault.Payment)
}

// worthRefunding reports whether sats exceed the network fee of a refund by at least the dust limit.
func worthRefunding(sats amount.Sats, rate amount.FeeRate, payments int) bool {
	return sats >= rate.Fee(refundVBytes(max(1, payments)))+vault.DustSats
}

// refundOrder returns at most MaxRefunded unspent payments in the order in which refunds spend them: the anchor, or the
// first counted one in the chain if the anchor is spent, and then the others, the largest first. Every refund spends
// the first payment of this order, so that consensus forbids a second refund of the same payments.
func refundOrder(anchor string, unspent []Payment) []Payment {
	if len(unspent) == 0 {
		return nil
	}
	lead := slices.IndexFunc(unspent, func(p Payment) bool { return p.OutPoint.String() == anchor })
	if lead < 0 {
		lead = firstRefunded(unspent)
	}
	rest := slices.Delete(slices.Clone(unspent), lead, lead+1)
	return append([]Payment{unspent[lead]}, largest(rest, MaxRefunded-1)...)
}

// firstRefunded returns the index of the first counted payment in the chain, or of the first one if none counts.
func firstRefunded(payments []Payment) int {
	found := 0
	for i, p := range payments {
		if best := payments[found]; p.Counted != best.Counted && p.Counted ||
			p.Counted == best.Counted && ChainOrder(p, best) < 0 {
			found = i
		}
	}
	return found
}

// maxRefundRate returns the highest fee rate at which a refund of the first n payments, for some n, returns at least
// its cost and no dust. payments must be in refundOrder.
func maxRefundRate(payments []Payment) (rate amount.FeeRate) {
	var sum amount.Sats
	for i, p := range payments {
		sum += p.Value
		most := min(sum/2, sum-vault.DustSats) // maximum fee
		rate = max(rate, amount.FeeRate(int64(most)*1000/refundVBytes(i+1)))
	}
	return rate
}

// Refunding returns the confirmed payments that the order's next refund spends at a fee rate: the first in refundOrder,
// and the further ones that exceed the cost of their inputs.
func (o Order) Refunding(unspent []Payment, tip int64, rate amount.FeeRate) []Payment {
	confirmed := slices.DeleteFunc(slices.Clone(unspent), func(p Payment) bool { return !p.IsConfirmed(tip) })
	return profitable(refundOrder(o.Anchor, confirmed), rate)
}

// profitable returns the first payment and the further ones whose values exceed the cost of their inputs. payments must
// be in refundOrder.
func profitable(payments []Payment, rate amount.FeeRate) []Payment {
	input := rate.Fee(vault.InputVBytes(vault.Payment))
	for i, p := range payments {
		if i > 0 && p.Value <= input {
			return payments[:i]
		}
	}
	return payments
}

// Returning returns the payments of Refunding, without the smallest ones until the refund costs at most what it
// returns. It returns nil if every refund of the confirmed payments costs more than it returns.
func (o Order) Returning(unspent []Payment, tip int64, rate amount.FeeRate) []Payment {
	spent := o.Refunding(unspent, tip, rate)
	for n := len(spent); n > 0; n-- {
		if sum := sumOf(spent[:n]); rate.Fee(refundVBytes(n)) <= min(sum/2, sum-vault.DustSats) {
			return spent[:n]
		}
	}
	return nil
}

// RefundCost estimates the network fee of a refund of unspent payments at a fee rate, and the sats that the owner
// receives. It includes unconfirmed payments.
func (o Order) RefundCost(unspent []Payment, rate amount.FeeRate) (cost, net amount.Sats) {
	spent := profitable(refundOrder(o.Anchor, unspent), rate)
	cost = rate.Fee(refundVBytes(max(1, len(spent))))
	return cost, max(0, sumOf(spent)-cost)
}
