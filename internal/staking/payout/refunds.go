package payout

import (
	"time"

	"moonfund/internal/amount"
)

// RefundPosition is a position in a community's due refunds, which are ordered by amount and order number. The zero
// value precedes all refunds.
type RefundPosition struct {
	Sats   amount.Sats
	Number int64 // of the order
}

// RefundSearch selects the due refunds of a community that can be sent.
type RefundSearch struct {
	Community     string
	Rate          amount.FeeRate // selects refunds that return at least their cost at this rate
	At            time.Time      // selects refunds that are not held at this instant
	After         RefundPosition // selects refunds after this position
	Examine, Most int            // maximum numbers of due refunds to examine, and to return
}

// RefundLimits limit the sats that the server refunds without an operator in any 24 hours. Like the signer's limits,
// they apply to the values of the refunded payments, including the network fees.
type RefundLimits struct {
	PerDay      amount.Sats // of all owners
	PerOwnerDay amount.Sats // of one owner
}

// RefundCharge is the amount that one refund counts against the limits. All versions of a refund count once, at the
// time when the latest was signed. A DEAD refund still counts, because the signer counts it, too.
type RefundCharge struct {
	Community string
	Owner     string // ordinals address
	Sats      amount.Sats
	At        time.Time
}

// ChargedRefunds has the sum of all charges and of those to one owner.
type ChargedRefunds struct{ Total, ToOwner amount.Sats }
