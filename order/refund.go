package order

import (
	"slices"
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
	Rate   amount.FeeRate // the highest fee rate at which the refund returns at least what it costs
	Hold   RefundHold     // why it waits; HoldNone: only for a block, or for a fee rate up to Rate
	Retry  time.Time      // a refund that is held is looked at again after this instant
}

// RefundHold says why a refund that is due and worth sending is not sent.
type RefundHold string

const (
	HoldNone         RefundHold = ""
	HoldConfirmation RefundHold = "confirmation" // what is confirmed of its payments is not worth sending alone
	HoldLimit        RefundHold = "limit"        // above the limits for refunds: a person decides
	HoldOlderOrder   RefundHold = "older_order"  // the id is not derived from the message: a person signs by hand
	HoldRefused      RefundHold = "refused"      // the signer or a check before it refuses it
)

// NeedsPerson reports whether a held refund waits for a person.
func (h RefundHold) NeedsPerson() bool {
	return h == HoldLimit || h == HoldOlderOrder || h == HoldRefused
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
	if due.Sats == 0 {
		o.Owed = Refund{}
		return o
	}
	unspent := Unspent(payments)
	due.Rate = worthwhile(refundOrder(o.Anchor, unspent))
	switch {
	case o.Owed.Sats > 0:
		due.Reason, due.Since = o.Owed.Reason, o.Owed.Since
	case o.Status.Closed() && o.Seen == 0 && o.Late > 0:
		due.Reason = RefundLate
	}
	if due.Sats == o.Owed.Sats { // a changed amount is decided again
		due.Hold, due.Retry = o.Owed.Hold, o.Owed.Retry
	}
	o.Owed = due
	return o
}

// Held returns the order with its refund held until an instant.
func (o Order) Held(hold RefundHold, retry time.Time) Order {
	o.Owed.Hold, o.Owed.Retry = hold, retry
	return o
}

// abandons reports whether the order is at an end at which nothing is owed: what is
// left of its payments is abandoned.
func (o Order) abandons() bool { return o.Status.Closed() && o.Status != Audit && o.Owed.Sats == 0 }

// maxRefunded bounds the payments that one refund spends.
const maxRefunded = 150

// refundVBytes is the size of a refund that spends so many payments. Its output is as large as any can be.
func refundVBytes(payments int) int64 {
	const overhead = 54 // of a transaction with one output, without inputs
	return overhead + int64(payments)*vault.InputVBytes(vault.Payment)
}

// A refund spends every payment to one output; less than its cost plus dust is abandoned.
func worthRefunding(sats amount.Sats, rate amount.FeeRate, payments int) bool {
	return sats >= rate.Fee(refundVBytes(max(1, payments)))+vault.DustSats
}

// refundOrder returns payments in the order in which a refund takes them, at most maxRefunded: the anchor, or the
// first counted one in the chain when the anchor is not among them, and then the largest. Every refund of an order
// spends the first of what is unspent, so that consensus forbids a second one of the same money.
func refundOrder(anchor string, unspent []Payment) []Payment {
	if len(unspent) == 0 {
		return nil
	}
	lead := slices.IndexFunc(unspent, func(p Payment) bool { return p.OutPoint.String() == anchor })
	if lead < 0 {
		lead = firstRefunded(unspent)
	}
	rest := slices.Delete(slices.Clone(unspent), lead, lead+1)
	return append([]Payment{unspent[lead]}, largest(rest, maxRefunded-1)...)
}

// firstRefunded is the index of the first payment in the chain among those that count, or among all when none counts.
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

// worthwhile returns the highest fee rate at which a refund of some of the payments, which are in refundOrder,
// returns at least what it costs and no dust.
func worthwhile(payments []Payment) (rate amount.FeeRate) {
	var sum amount.Sats
	for i, p := range payments {
		sum += p.Value
		most := min(sum/2, sum-vault.DustSats) // of the fee
		rate = max(rate, amount.FeeRate(int64(most)*1000/refundVBytes(i+1)))
	}
	return rate
}

// Refunding returns the confirmed ones of the unspent payments that the order's next refund spends at a rate: the first
// in refundOrder and those after it that bring more than their inputs cost.
func (o Order) Refunding(unspent []Payment, tip int64, rate amount.FeeRate) []Payment {
	confirmed := slices.DeleteFunc(slices.Clone(unspent), func(p Payment) bool { return !p.Deep(tip) })
	return takeWorth(refundOrder(o.Anchor, confirmed), rate)
}

// takeWorth returns the first payment and those after it that bring more than their inputs cost, of payments in
// refundOrder.
func takeWorth(payments []Payment, rate amount.FeeRate) []Payment {
	input := rate.Fee(vault.InputVBytes(vault.Payment))
	for i, p := range payments {
		if i > 0 && p.Value <= input {
			return payments[:i]
		}
	}
	return payments
}

// Returning returns what Refunding does, without its smallest payments as long as the refund would cost more than it
// returns. It returns nil when a refund of the confirmed payments is not worth its cost at the rate.
func (o Order) Returning(unspent []Payment, tip int64, rate amount.FeeRate) []Payment {
	spent := o.Refunding(unspent, tip, rate)
	for n := len(spent); n > 0; n-- {
		if sum := sumOf(spent[:n]); rate.Fee(refundVBytes(n)) <= min(sum/2, sum-vault.DustSats) {
			return spent[:n]
		}
	}
	return nil
}

// RefundCost estimates the network fee of a refund of the unspent payments at a rate, and what arrives.
func (o Order) RefundCost(unspent []Payment, rate amount.FeeRate) (cost, net amount.Sats) {
	spent := takeWorth(refundOrder(o.Anchor, unspent), rate)
	cost = rate.Fee(refundVBytes(max(1, len(spent))))
	return cost, max(0, sumOf(spent)-cost)
}
