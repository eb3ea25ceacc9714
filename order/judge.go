package order

import (
	"context"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/vault"
)

// Waiting says why a payment that bears no runes counts nothing yet.
type Waiting int64

const (
	ForNothing    Waiting = iota // it counts, or it never will
	ForTheSum                    // it counts once the sum of the parts is worth counting
	ForCompletion                // it costs more to spend than it brings: it counts only if it completes the price
)

// smallParts is up to which sum parts of an order's price count nothing: the larger of
// the spending floor and 2 % of the price. Somebody else's dust begins no order so.
func smallParts(o Order) amount.Sats {
	return max(vault.PaymentFloor(o.FeeRate), (o.Fees.Total()+49)/50)
}

// newPayment returns an output as a payment of its order and judges it: whether it is late, and whether it counts at
// the price and fee rate in force now. A payment is late if the order is closed, or if the order is PENDING and the
// payment was seen after the deadline. A late payment above the spending floor counts whatever the sum of the parts.
func newPayment(o Order, output ledger.Output) Payment {
	p := Payment{
		OutPoint: output.OutPoint, OrderID: o.ID, Value: output.Value, SeenAt: output.SeenAt,
		Late: o.Status.Closed() || (o.Status == Pending && output.SeenAt.After(o.Deadline)),
	}
	p.Counted, p.Waiting = judge(o, output)
	if p.Late && p.Waiting == ForTheSum {
		p.Counted, p.Waiting = true, ForNothing
	}
	return p
}

// judge says of a new payment whether it counts, at the price and the rate in force
// now. Small parts of an open order wait for their order's evaluation, which knows
// all of them.
func judge(o Order, output ledger.Output) (counts bool, waiting Waiting) {
	above := output.Value >= vault.PaymentFloor(o.FeeRate)
	switch {
	case output.Runes != 0 || output.Quarantine != "":
		return false, ForNothing
	case !o.Status.payable():
		return above, ForNothing
	case !above:
		return false, ForCompletion
	case o.Seen+output.Value <= smallParts(o):
		return false, ForTheSum
	}
	return true, ForNothing
}

// payable reports whether payments can still complete the order's price.
func (s Status) payable() bool { return s == Pending || s == Confirmed || s == PendingRerate }

// countWaiting makes small parts count that waited: all those above the floor once
// their sum is more than small, and the one that completes the price. What counts
// once always does. It changes the payments.
func countWaiting(ctx context.Context, tx Tx, o Order, payments []Payment,
	cause ledger.Cause) (counted bool, err error) {
	if !o.Status.payable() {
		return false, nil
	}
	sum := o.Seen
	var waiting []*Payment
	for i := range payments {
		p := &payments[i]
		if p.Waiting == ForNothing || p.Counted || p.Late || !p.Plain || p.SpentBy != "" {
			continue
		}
		if p.Waiting == ForTheSum {
			sum += p.Value
		}
		waiting = append(waiting, p)
	}
	missing := o.Fees.Total() - o.Usable
	for _, p := range waiting {
		completes := missing > 0 && p.Value >= missing
		if !completes && (p.Waiting != ForTheSum || sum <= smallParts(o)) {
			continue
		}
		if completes {
			missing = 0
		}
		if err := tx.Payments.CountPayment(ctx, p.OutPoint, true, ForNothing); err != nil {
			return counted, err
		}
		from := p.account(o.abandons())
		p.Counted, p.Waiting, counted = true, ForNothing, true
		posting := o.satsPosting("payment counts", p.Value, from, p.account(o.abandons()), cause)
		if err := tx.Journal.Post(ctx, posting); err != nil {
			return counted, err
		}
	}
	return counted, nil
}
