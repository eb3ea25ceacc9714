package audit

import (
	"fmt"
	"slices"
	"strings"

	"moonfund/internal/bitcoin/chain"
)

// Time limits of an order and of a message, in seconds. The orders and the actions have their own constants.
const (
	rateValid     = 30 * 60        // from the rate date until a price may no longer be paid
	paymentWindow = 7 * 24 * 3600  // from the rate date, or the last undone payment, until the price must be paid
	unconfirmed   = 14 * 24 * 3600 // from the same time until an order expires whose price never confirms
	lastRerate    = 28 * 24 * 3600 // from the creation until the last rerate
	validity      = 30 * 60        // of a message to sign
	resumed       = "resumed by the operator"
	neverSigned   = "delivery not signed in time"
	undone        = "payment undone"
	undoneLate    = "payment undone late"
)

// notSooner has the shortest time from the creation of an order to an event of its clock. Pauses only extend it.
var notSooner = map[string]int64{
	"nothing seen by the deadline": rateValid, "fees expired": rateValid, "every payment vanished late": rateValid,
	undoneLate: rateValid, "week over": paymentWindow, "unconfirmed for 14 days": unconfirmed,
	neverSigned: paymentWindow,
}

// checkEventTime checks that an event of an order is not too early, or too late (invariant 5).
func (a *auditor) checkEventTime(p posting) {
	o, known := a.orders[p.subject]
	if !known {
		return
	}
	switch p.event {
	case resumed:
		a.resumed[o.id] = true
	case undone, undoneLate:
		a.undone[o.id] = true
	}
	if least, timed := notSooner[p.event]; timed && p.at < o.created+least {
		a.fail(Payments, a.onPosting(p), "%q %d seconds after the order was made, at least %d must pass", p.event,
			p.at-o.created, least)
	}
	if p.event == neverSigned && o.selfUnits == 0 {
		a.fail(Payments, a.onPosting(p), "its owner has no unit in self-custody to sign for")
	}
	if p.event == "rerated" && p.at > o.created+lastRerate {
		a.fail(Payments, a.onPosting(p), "it was rerated %d seconds after it was made", p.at-o.created)
	}
}

// checkDeadline checks when an open order must be paid, and that the price of a PAID order was paid by o.paidUntil
// (invariant 5). An operator may resume an order that does neither. The order's fees include the cost of spending later
// payments, which raised no price, and a service fee that payments which lacked a little did not pay.
func (a *auditor) checkDeadline(o order, sum received) {
	normal := o.limitAt == noLimit && o.oneTx == 0 && o.raisedRate == 0 && !a.resumed[o.id]
	on, window := a.onOrder(o.id), o.deadline-o.rateAt
	switch {
	case o.status == "PENDING" && window != rateValid:
		a.fail(Payments, on, "it must be paid within %d seconds, not %d", window, rateValid)
	case slices.Contains([]string{"CONFIRMED", "PENDING_RERATE"}, o.status) && normal &&
		(window > paymentWindow && !a.undone[o.id] || o.deadline < o.created+paymentWindow):
		a.fail(Payments, on, "it must be paid by %d; it was made at %d, its rate is of %d", o.deadline, o.created, o.rateAt)
	case o.status == "PAID" && o.oneTx == 0 && !a.resumed[o.id] && (o.limitAt == noLimit || !a.behind()) &&
		sum.timely+sum.inputs+max(leastLowered, 2*o.perRutxo) < o.total():
		a.fail(Payments, on, "it is PAID, but only %d of %d sats were seen by %d, until when its price was valid",
			sum.timely, o.total(), o.paidUntil())
	}
}

// chosenEpochs are the epochs of a unit, and the messages that its owner signed about them last.
type chosenEpochs struct {
	community, id       string
	notBefore, stakedTo int64
	staked, unstaked    string
}

// lastMessage is the newest message of unit u that caused one of the events.
func lastMessage(events string) string {
	return `COALESCE((SELECT a.message FROM journal j JOIN action a ON a.id = j.cause_id
			WHERE j.subject = u.id AND j.community = u.community AND j.cause_kind = 'action' AND j.event IN (` + events + `)
			ORDER BY j.number DESC LIMIT 1), '')`
}

var chosenRows = table[chosenEpochs]{`SELECT u.community, u.id, u.not_before, u.staked_to,
		` + lastMessage("'restake', 'compound'") + `, ` + lastMessage("'unstake'") + ` FROM unit u`,
	func(c *chosenEpochs) []any {
		return []any{&c.community, &c.id, &c.notBefore, &c.stakedTo, &c.staked, &c.unstaked}
	}}

// hasChosen selects the units of chosenRows.
const hasChosen = "(u.not_before > 0 OR u.staked_to >= 0)"

// checkChosen compares the epochs of units with those that their owners signed (invariant 7).
func (a *auditor) checkChosen(r *reader, condition string, args ...any) {
	each(r, chosenRows, condition, func(c chosenEpochs) {
		if from := epochIn(c.staked, "Earns rewards from epoch "); c.staked != "" && from != c.notBefore {
			a.fail(Proofs, a.onUnit(c.community, c.id), "it may earn from epoch %d on, its owner signed %d", c.notBefore, from)
		}
		until := epochIn(c.unstaked, "No rewards from epoch ")
		if c.unstaked != "" && c.stakedTo != chain.None && until != c.stakedTo {
			a.fail(Proofs, a.onUnit(c.community, c.id), "it earns until epoch %d, its owner signed %d", c.stakedTo, until)
		}
	}, args...)
}

// epochIn returns the epoch after a text in a signed message, or chain.None.
func epochIn(message, before string) int64 {
	epoch := int64(chain.None)
	if _, after, found := strings.Cut(message, before); found {
		_, _ = fmt.Sscanf(after, "%d", &epoch)
	}
	return epoch
}
