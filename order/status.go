package order

import "fmt"

// Status is where a payment order stands. The wire shows these words as they are.
type Status string

const (
	Pending       Status = "PENDING"        // nothing counted was seen; 30 minutes to begin
	Confirmed     Status = "CONFIRMED"      // a first payment was seen; a week to complete it
	PendingRerate Status = "PENDING_RERATE" // the fees expired before it was paid in full
	Paid          Status = "PAID"           // paid in full by confirmed payments; waits for its payout
	Sent          Status = "SENT"           // its payout is signed and stored, and was or will be broadcast
	Delivered     Status = "DELIVERED"      // its payout has 3 confirmations
	Consolidated  Status = "CONSOLIDATED"   // 6 deep, and nothing of its payments is left that is worth a refund
	Canceled      Status = "CANCELED"       // by its owner, or by a refund; what it received is a refund due
	Expired       Status = "EXPIRED"        // not paid in time; what it received is a refund due
	Invalid       Status = "INVALID"        // one of its units was lost before any payment
	Audit         Status = "AUDIT"          // holds no units; no rule decides it: the operator refunds or resumes it
	nowhere       Status = ""
)

// Event is what moves an order from one status to another.
type Event string

const (
	ProofAccepted        Event = "proof accepted"
	CanceledByOwner      Event = "canceled by its owner"        // what was received is a refund due
	NothingSeen          Event = "nothing seen by the deadline" //
	FirstPaymentSeen     Event = "first payment seen"           //
	FeesExpired          Event = "fees expired"                 // 30 minutes after the rate date, not seen in full
	PaymentsVanished     Event = "every payment vanished"       // its 30 minutes still run
	PaymentsVanishedLate Event = "every payment vanished late"  // its 30 minutes are over
	PaidInFull           Event = "paid in full"                 // by confirmed payments
	Rerated              Event = "rerated"                      //
	WeekOver             Event = "week over"                    // what was received is a refund due
	NeverConfirmed       Event = "seen in full but unconfirmed for 14 days"
	PaymentUndone        Event = "payment undone"      // by a reorg; still seen in full, or its 30 minutes still run
	PaymentUndoneLate    Event = "payment undone late" // by a reorg, neither
	UnitLost             Event = "a unit was lost"
	UnitLostAfterPaying  Event = "a unit was lost after paying"
	PayoutStored         Event = "payout signed and stored"
	PayoutDead           Event = "payout dead"                  // another order's input was taken
	PayoutDeadByOwner    Event = "payout dead by its own input" // its own input was taken
	PayoutConfirmed      Event = "payout confirmed"             // 3 confirmations
	PayoutUnconfirmed    Event = "payout under 3 confirmations" //
	Swept                Event = "nothing left to sweep"        //
	RefundConfirmed      Event = "refund confirmed"             //
	RefundUnconfirmed    Event = "refund under 3 confirmations" //
	ResolvedByOperator   Event = "resumed by the operator"      //
	ClosedByOperator     Event = "closed by the operator"       // nothing left of its payments is worth a refund
)

// Row is one row of the status table.
type Row struct {
	From  Status
	Event Event
	To    Status
}

// Statuses is the whole life of an order; nothing else moves one.
var Statuses = []Row{
	{nowhere, ProofAccepted, Pending},

	{Pending, CanceledByOwner, Canceled},
	{Pending, NothingSeen, Expired},
	{Pending, FirstPaymentSeen, Confirmed},
	{Pending, UnitLost, Invalid},
	{Pending, UnitLostAfterPaying, Audit},

	{Confirmed, FeesExpired, PendingRerate},
	{Confirmed, PaymentsVanished, Pending},
	{Confirmed, PaymentsVanishedLate, Expired},
	{Confirmed, PaidInFull, Paid},
	{Confirmed, CanceledByOwner, Canceled},
	{Confirmed, WeekOver, Expired},
	{Confirmed, NeverConfirmed, Audit},
	{Confirmed, UnitLost, Invalid},
	{Confirmed, UnitLostAfterPaying, Audit},

	{PendingRerate, Rerated, Confirmed},
	{PendingRerate, PaidInFull, Paid},
	{PendingRerate, PaymentsVanishedLate, Expired},
	{PendingRerate, CanceledByOwner, Canceled},
	{PendingRerate, WeekOver, Expired},
	{PendingRerate, UnitLost, Invalid},
	{PendingRerate, UnitLostAfterPaying, Audit},

	{Paid, CanceledByOwner, Canceled},
	{Paid, PaymentUndone, Confirmed},
	{Paid, PaymentUndoneLate, PendingRerate},
	{Paid, UnitLost, Invalid},
	{Paid, UnitLostAfterPaying, Audit},
	{Paid, PayoutStored, Sent},

	{Sent, PayoutDead, Paid},
	{Sent, PayoutDeadByOwner, Audit},
	{Sent, PayoutConfirmed, Delivered},
	{Delivered, PayoutUnconfirmed, Sent},
	{Delivered, Swept, Consolidated},
	{Consolidated, PayoutUnconfirmed, Sent},

	{Audit, RefundConfirmed, Canceled},
	{Canceled, RefundUnconfirmed, Audit},
	{Audit, ResolvedByOperator, Paid},
	{Audit, ClosedByOperator, Canceled},
}

// Next looks up the status that an event leads to.
func Next(from Status, event Event) (Status, error) {
	for _, row := range Statuses {
		if row.From == from && row.Event == event {
			return row.To, nil
		}
	}
	return nowhere, fmt.Errorf("order: no row for a %s order on %q", from, event)
}

// Active reports whether the order still waits for money or for its payout to be built.
func (s Status) Active() bool {
	return s == Pending || s == Confirmed || s == PendingRerate || s == Paid
}

// Closed reports whether the order ended without delivering and holds no units.
func (s Status) Closed() bool {
	return s == Canceled || s == Expired || s == Invalid || s == Audit
}

// done reports whether the order was sent or closed: what comes back or counts only
// now is none of the payments that it rests on.
func (s Status) done() bool {
	return s.Closed() || s == Sent || s == Delivered || s == Consolidated
}
