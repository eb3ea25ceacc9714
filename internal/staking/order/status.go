package order

import "moonfund/internal/state"

// Status is the status of an order, as the API and the database spell it.
type Status string

const (
	Pending       Status = "PENDING"        // no counted payment was seen; 30 minutes to start paying
	Confirmed     Status = "CONFIRMED"      // a payment was seen; a week to complete the price
	PendingRerate Status = "PENDING_RERATE" // the fee rate expired before the price was seen in full
	Paid          Status = "PAID"           // confirmed payments pay the price; waits for its payout
	Sent          Status = "SENT"           // its payout is signed, stored, and broadcast after the commit
	Delivered     Status = "DELIVERED"      // its payout has 3 confirmations
	Consolidated  Status = "CONSOLIDATED"   // 6 confirmations, and no remaining payment is worth a refund
	Canceled      Status = "CANCELED"       // by its owner, or by a refund; a refund is due if it was paid
	Expired       Status = "EXPIRED"        // not paid in time, or economy delivery ended; a refund is due if it was paid
	Invalid       Status = "INVALID"        // a unit was lost before any payment
	Audit         Status = "AUDIT"          // an operator decides, because no rule does, or one or the audit asked
	nowhere       Status = ""
)

// Event moves an order from one status to another.
type Event string

const (
	ProofAccepted        Event = "proof accepted"
	CanceledByOwner      Event = "canceled by its owner" // a refund is due if it was paid
	NothingSeen          Event = "nothing seen by the deadline"
	FirstPaymentSeen     Event = "first payment seen"
	FeesExpired          Event = "fees expired"                // 30 minutes after the rate date, not seen in full
	PaymentsVanished     Event = "every payment vanished"      // within 30 minutes after the rate date
	PaymentsVanishedLate Event = "every payment vanished late" // more than 30 minutes after the rate date
	PaidInFull           Event = "paid in full"                // by confirmed payments
	Rerated              Event = "rerated"
	PaymentWindowEnded   Event = "week over"                   // a refund is due if it was paid
	NeverConfirmed       Event = "unconfirmed for 14 days"     // seen in full; a refund is due if it confirms later
	PaymentUndone        Event = "payment undone"              // by a reorg; still seen in full, or within the 30 minutes
	PaymentUndoneLate    Event = "payment undone late"         // by a reorg; not seen in full after the 30 minutes
	EconomyEnded         Event = "economy delivery ended"      // its limits are over; a refund is due if it was paid
	NeverSigned          Event = "delivery not signed in time" // by its owner, in a week; a refund is due
	UnitLost             Event = "a unit was lost"
	UnitLostAfterPaying  Event = "a unit was lost after paying"
	PayoutStored         Event = "payout signed and stored"
	OneTxStored          Event = "one transaction signed and stored" // the owner's coins pay, not a payment
	CoinTaken            Event = "own coin spent elsewhere"          // so the transaction can never confirm
	PayoutDead           Event = "payout dead"                       // a foreign transaction spent another order's input
	PayoutDeadByInput    Event = "payout dead by its own input"      // the same of this order, or its deposit was replaced
	PayoutConfirmed      Event = "payout confirmed"                  // 3 confirmations
	PayoutUnconfirmed    Event = "payout under 3 confirmations"
	Swept                Event = "nothing left to sweep"
	RefundConfirmed      Event = "refund confirmed"
	RefundUnconfirmed    Event = "refund under 3 confirmations"
	ResolvedByOperator   Event = "resumed by the operator"
	ClosedByOperator     Event = "closed by the operator" // no remaining payment is worth a refund
	ReviewedByOperator   Event = "taken into review by the operator"
	RefundFound          Event = "its refund was found on the chain" // the order was closed after this ledger's backup
)

// Row is one row of the status table.
type Row = state.Row[Status, Event, state.Unguarded]

// Statuses has every transition of an order.
var Statuses = state.Must(state.Table[Status, Event, state.Unguarded]{Of: "order",
	Ends: []Status{Canceled, Expired, Invalid, Consolidated}, Rows: []Row{
		{From: nowhere, Event: ProofAccepted, To: Pending},

		{From: Pending, Event: CanceledByOwner, To: Canceled},
		{From: Pending, Event: NothingSeen, To: Expired},
		{From: Pending, Event: FirstPaymentSeen, To: Confirmed},
		{From: Pending, Event: RefundFound, To: Canceled},
		{From: Pending, Event: OneTxStored, To: Sent},
		{From: Pending, Event: UnitLost, To: Invalid},
		{From: Pending, Event: UnitLostAfterPaying, To: Audit},

		{From: Confirmed, Event: FeesExpired, To: PendingRerate},
		{From: Confirmed, Event: PaymentsVanished, To: Pending},
		{From: Confirmed, Event: PaymentsVanishedLate, To: Expired},
		{From: Confirmed, Event: PaidInFull, To: Paid},
		{From: Confirmed, Event: OneTxStored, To: Sent},
		{From: Confirmed, Event: CanceledByOwner, To: Canceled},
		{From: Confirmed, Event: PaymentWindowEnded, To: Expired},
		{From: Confirmed, Event: NeverConfirmed, To: Expired},
		{From: Confirmed, Event: EconomyEnded, To: Expired},
		{From: Confirmed, Event: UnitLost, To: Invalid},
		{From: Confirmed, Event: UnitLostAfterPaying, To: Audit},
		{From: Confirmed, Event: ReviewedByOperator, To: Audit},
		{From: Confirmed, Event: RefundFound, To: Canceled},

		{From: PendingRerate, Event: Rerated, To: Confirmed},
		{From: PendingRerate, Event: PaidInFull, To: Paid},
		{From: PendingRerate, Event: PaymentsVanishedLate, To: Expired},
		{From: PendingRerate, Event: CanceledByOwner, To: Canceled},
		{From: PendingRerate, Event: PaymentWindowEnded, To: Expired},
		{From: PendingRerate, Event: UnitLost, To: Invalid},
		{From: PendingRerate, Event: UnitLostAfterPaying, To: Audit},
		{From: PendingRerate, Event: ReviewedByOperator, To: Audit},
		{From: PendingRerate, Event: RefundFound, To: Canceled},

		{From: Paid, Event: CanceledByOwner, To: Canceled},
		{From: Paid, Event: PaymentUndone, To: Confirmed},
		{From: Paid, Event: PaymentUndoneLate, To: PendingRerate},
		{From: Paid, Event: EconomyEnded, To: Expired},
		{From: Paid, Event: NeverSigned, To: Expired},
		{From: Paid, Event: UnitLost, To: Invalid},
		{From: Paid, Event: UnitLostAfterPaying, To: Audit},
		{From: Paid, Event: ReviewedByOperator, To: Audit},
		{From: Paid, Event: RefundFound, To: Canceled},
		{From: Paid, Event: PayoutStored, To: Sent},

		{From: Sent, Event: PayoutDead, To: Paid},
		{From: Sent, Event: PayoutDeadByInput, To: Audit},
		{From: Sent, Event: CoinTaken, To: Canceled},
		{From: Sent, Event: UnitLost, To: Invalid},
		{From: Sent, Event: PayoutConfirmed, To: Delivered},
		{From: Delivered, Event: PayoutUnconfirmed, To: Sent},
		{From: Delivered, Event: Swept, To: Consolidated},
		{From: Consolidated, Event: PayoutUnconfirmed, To: Sent},

		{From: Audit, Event: RefundConfirmed, To: Canceled},
		{From: Canceled, Event: RefundUnconfirmed, To: Audit},
		{From: Audit, Event: ResolvedByOperator, To: Paid},
		{From: Audit, Event: ClosedByOperator, To: Canceled},
	}})

// Active reports whether the order waits for its payment or its payout.
func (s Status) Active() bool {
	return s == Pending || s == Confirmed || s == PendingRerate || s == Paid
}

// Closed reports whether the order locks no units and is not delivered: it ended without a delivery, or is in AUDIT.
func (s Status) Closed() bool {
	return s == Canceled || s == Expired || s == Invalid || s == Audit
}

// done reports whether the order was sent or closed. A payment that is seen again or starts to count after that is
// late.
func (s Status) done() bool {
	return s.Closed() || s == Sent || s == Delivered || s == Consolidated
}
