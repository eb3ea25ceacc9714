package order

import (
	"time"

	"moonfund/internal/staking/ledger"
)

// facts are the parts of the state of the chain and the ledger that determine an order's next event.
type facts struct {
	coverage
	unitLost bool // see Evaluation.unitLost
	atTip    bool // the chain and the mempool were followed to their ends, so deadlines may pass
	now      time.Time
	height   int64 // of the chain's tip
}

// decide returns the next event of an order, or "". It depends only on the order and the facts, so that a late
// evaluation has the same result.
func decide(o Order, f facts) Event {
	received := o.Seen+o.Late > 0
	if f.unitLost && o.Status.Active() {
		if received {
			return UnitLostAfterPaying
		}
		return UnitLost
	}
	switch o.Status {
	case Pending:
		return decidePending(o, f)
	case Confirmed, PendingRerate:
		return decideOpen(o, f)
	case Paid:
		return decidePaid(o, f)
	}
	return ""
}

func decidePending(o Order, f facts) Event {
	switch {
	case o.Seen > 0:
		return FirstPaymentSeen
	case f.atTip && f.now.After(o.Deadline):
		return NothingSeen
	}
	return ""
}

func decideOpen(o Order, f facts) Event {
	if o.Seen == 0 {
		if o.Status == Confirmed && !feesOver(o, f.now) {
			return PaymentsVanished
		}
		return PaymentsVanishedLate
	}
	kept := f.covered && (f.inTime || o.IsEconomy() || !feesOver(o, f.now)) // a chosen rate does not expire
	if o.Status == Confirmed && kept && f.paid {
		return PaidInFull
	}
	if !f.atTip {
		return ""
	}
	switch {
	case o.Status == Confirmed && o.Ended(f.now, f.height):
		return EconomyEnded
	case o.Status == Confirmed && kept: // economy orders end at their limits only
		if !o.IsEconomy() && f.now.After(o.lastConfirmed()) {
			return NeverConfirmed
		}
	case f.now.After(o.Deadline):
		return PaymentWindowEnded
	case o.Status == Confirmed && !o.IsEconomy() && feesOver(o, f.now):
		return FeesExpired
	}
	return ""
}

func decidePaid(o Order, f facts) Event {
	switch {
	case f.paid && f.atTip && o.Ended(f.now, f.height):
		return EconomyEnded
	case f.paid && f.atTip && o.NeedsSignature() && f.now.After(o.Deadline):
		return NeverSigned
	case f.paid:
		return ""
	case f.covered, o.IsEconomy(), !feesOver(o, f.now):
		return PaymentUndone
	}
	return PaymentUndoneLate
}

// lastConfirmed returns the time until which the price must confirm: Unconfirmed after the rate date, or after a reorg
// undid an earlier confirmation, which moved the deadline.
func (o Order) lastConfirmed() time.Time {
	sinceRate, sinceUndone := o.RateDate.Add(Unconfirmed), o.Deadline.Add(Unconfirmed-PaymentWindow)
	if sinceUndone.After(sinceRate) {
		return sinceUndone
	}
	return sinceRate
}

func feesOver(o Order, now time.Time) bool { return now.After(o.RateDate.Add(FeeValid)) }

// unitEvent returns the event for the units of an order that moves from one status to another, or "" if the stage of
// the units does not change. A PAID order whose payments all vanish moves to CONFIRMED, and from there to PENDING or
// EXPIRED in the same evaluation.
func unitEvent(from, to Status, reason ledger.Reason) ledger.Event {
	began := from == Pending && to == Confirmed
	gone := from == Confirmed && to == Pending
	switch {
	case (began || gone) && reason == ledger.ForClaim:
		return "" // PO_CLAIMED is the stage for both statuses
	case began:
		return ledger.PaymentBegun
	case gone:
		return ledger.PaymentVanished
	case to == Paid && from == Audit:
		return ledger.OrderResumed
	case to == Paid && from != Sent, (from == Pending || from == Confirmed) && to == Sent:
		return ledger.PaymentComplete
	case from == Paid && (to == Confirmed || to == PendingRerate):
		return ledger.PaymentUndone
	case to == Delivered:
		return ledger.PayoutConfirmed
	case to == Sent && from != Paid:
		return ledger.PayoutUnconfirmed
	case to.Closed() && !from.Closed():
		return ledger.OrderClosed
	}
	return ""
}
