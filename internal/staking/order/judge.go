package order

import (
	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

// Waiting is the condition under which a payment that does not count will count.
type Waiting int64

const (
	NotWaiting           Waiting = iota // it counts, or will never count
	WaitingForSum                       // it will count when the sum of the parts exceeds smallParts
	WaitingForCompletion                // it is below the spending floor, and will count if it completes the price
)

// smallParts returns the sum up to which parts do not count: the larger of the spending floor and 2 % of the price.
// Otherwise dust that a stranger sends would start the payment window of an order.
func smallParts(o Order) amount.Sats {
	return max(vault.PaymentFloor(o.FeeRate), (o.Fees.Total()+49)/50)
}

// newPayment returns the payment of order o on an output, and decides whether it is late and whether it counts at the
// current price and fee rate. A payment is late if the order is closed, or if the order is PENDING and the payment was
// seen after the deadline. A late payment above the spending floor counts, whatever the sum of the parts.
// postArrival and recount judge a payment that returns or starts to count after the order was sent or closed.
func newPayment(o Order, output ledger.Output) Payment {
	p := Payment{
		OutPoint: output.OutPoint, OrderID: o.ID, Value: output.Value, SeenAt: output.SeenAt,
		Late: o.Status.Closed() || (o.Status == Pending && output.SeenAt.After(o.Deadline)),
	}
	p.Counted, p.Waiting = judge(o, output)
	if p.Late && p.Waiting == WaitingForSum {
		p.Counted, p.Waiting = true, NotWaiting
	}
	return p
}

// judge reports whether a new payment counts at the current price and fee rate. It does not count a small part of an
// order that can be paid; countWaiting does so in the evaluation, which reads all payments.
func judge(o Order, output ledger.Output) (counts bool, waiting Waiting) {
	above := output.Value >= vault.PaymentFloor(o.FeeRate)
	switch {
	case output.Runes != 0 || output.Quarantine != "":
		return false, NotWaiting
	case !o.Status.payable():
		return above, NotWaiting
	case !above:
		return false, WaitingForCompletion
	case o.Seen+output.Value <= smallParts(o):
		return false, WaitingForSum
	}
	return true, NotWaiting
}

// payable reports whether payments can still complete the order's price.
func (s Status) payable() bool { return s == Pending || s == Confirmed || s == PendingRerate }

// countWaiting marks waiting payments as counted: every part above the floor once their sum exceeds smallParts, and the
// payment that completes the price. A counted payment stays counted. It updates payments in place.
func (b *batch) countWaiting(o Order, payments []Payment, cause ledger.Cause) (counted bool) {
	if !o.Status.payable() {
		return false
	}
	sum := o.Seen
	var waiting []*Payment
	var counting spending
	for i := range payments {
		p := &payments[i]
		if p.Counted && !p.Late && !p.Refunded && !p.Kept {
			counting = counting.add(o.Fees.PerRutxo, p.Value)
		}
		if p.Waiting == NotWaiting || p.Counted || p.Late || !p.Plain || p.SpentBy != "" {
			continue
		}
		if p.Waiting == WaitingForSum {
			sum += p.Value
		}
		waiting = append(waiting, p)
	}
	missing := o.Fees.Total() - o.Usable
	for _, p := range waiting {
		with := counting.add(o.Fees.PerRutxo, p.Value)
		lacks := missing - p.Value + with.further() - counting.inputs
		completes := missing > 0 && lacks <= o.Fees.lowered(with)
		if !completes && (p.Waiting != WaitingForSum || sum <= smallParts(o)) {
			continue
		}
		if completes {
			missing = 0
		}
		from := p.account(o.isAbandoned())
		p.Counted, p.Waiting, counted = true, NotWaiting, true // once: a counted payment does not wait
		b.payments = append(b.payments, *p)
		b.Post(o.satsPosting("payment counts", p.Value, from, p.account(o.isAbandoned()), cause))
	}
	return counted
}
