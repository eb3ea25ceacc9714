package audit

import (
	"bytes"
	"slices"

	"moonfund/internal/bitcoin/chain"
)

const coinbaseDepth = 100

// received contains the payments for an order, in sats, by how they count. seen and late equal the columns of the
// order's row until the order is closed and its payments are abandoned.
type received struct {
	seen, late, uncounted, refunded, confirmed int64
	kept, returned                             int64 // of an overpayment: kept by the order's own delivery; refunded since
	left                                       int64 // unspent, and a refund can spend it
	parts                                      int   // number of payments in seen
	timely                                     int64 // seen while the price was valid, also if they vanished since
	inputs                                     int64 // what spending the payments that were seen later costs at most
	outputs                                    int64 // number of all payments, also if they vanished since
	small                                      bool  // one of them is worth less than its input costs
	undone                                     bool  // a payment is unconfirmed, possibly since a reorg
}

// closed are the statuses in which the remaining payments are abandoned unless a refund is due.
var closed = []string{"CANCELED", "EXPIRED", "INVALID"}

// delivered are the statuses of an order whose payout is confirmed.
var delivered = []string{"DELIVERED", "CONSOLIDATED"}

// follows are the statuses in which a reorg changes an order's confirmed sats immediately. In the other statuses of
// evaluated they change with the payment's next block.
var follows = []string{"PENDING", "CONFIRMED", "PENDING_RERATE", "PAID", "AUDIT"}

// evaluated are the statuses in which an order's row is updated with its payments.
var evaluated = []string{"PENDING", "CONFIRMED", "PENDING_RERATE", "PAID", "CANCELED", "EXPIRED", "INVALID", "AUDIT"}

// checkPayments compares payments, orders, journal and chain (invariant 5).
func (a *auditor) checkPayments() {
	sums := map[string]received{}
	recorded := map[string]bool{}
	for _, p := range a.payments {
		recorded[p.outpoint()] = true
		a.checkPayment(p, sums)
	}
	for point, c := range a.custody {
		a.checkRecorded(point, c, recorded)
	}
	for id, o := range a.orders {
		a.checkReceived(o, sums[id])
	}
	a.checkSats()
}

// checkRecorded checks that an output at an order's address is recorded as a payment.
func (a *auditor) checkRecorded(point string, c custody, recorded map[string]bool) {
	if c.kind == "payment" && !recorded[point] {
		a.fail(Payments, a.onOutput(c), "%d sats for order %s are not recorded as a payment", c.value, c.ref)
	}
}

// checkSats compares the sats of the outputs at orders' addresses with the journal's accounts: each sat is in exactly
// one account.
func (a *auditor) checkSats() {
	counted := byKey(a.payments, func(p payment) (string, bool) {
		c := a.custody[p.outpoint()]
		return p.outpoint(), p.counted || a.payouts[a.versions[c.spentBy].payoutID].kind == "refund"
	})
	for point, c := range a.custody {
		if c.kind == "payment" && !c.vanished && counted[point] && !a.isPayout(c.txid) {
			t := a.report.Totals[c.community]
			value := c.value
			if o := a.outputs.at(point); o != nil {
				value = o.value
			}
			t.Received = a.sumOf(Payments, a.onOutput(c), t.Received, value)
			a.report.Totals[c.community] = t
		}
	}
	for _, prefix := range sortedKeys(a.report.Totals) {
		t := a.report.Totals[prefix]
		if sum := t.Applied + t.Overpaid + t.Late + t.Abandoned + t.Refunded; sum != t.Received {
			a.fail(Payments, onCommunity(prefix),
				"%d sats were received; applied %d, overpaid %d, late %d, abandoned %d and refunded %d are %d",
				t.Received, t.Applied, t.Overpaid, t.Late, t.Abandoned, t.Refunded, sum)
		}
	}
}

// addTotals adds the journal's sats of an order to the totals of its community.
func (a *auditor) addTotals(o order, accounts map[string]int64) {
	have := map[string]int64{}
	for account := range accounts {
		have[account] = a.accounts[account+o.id]
	}
	t := a.report.Totals[o.community]
	applied := min(have["paid:"], o.total())
	t.Applied += applied
	t.Overpaid += have["paid:"] - applied - have["returned:"]
	t.Late += have["late:"]
	t.Abandoned += have["abandoned:"]
	t.Refunded += have["refunded:"] + have["returned:"]
	a.report.Totals[o.community] = t
}

// checkPayment compares a payment with its output and its order, and adds it to the order's sums.
func (a *auditor) checkPayment(p payment, sums map[string]received) {
	point := p.outpoint()
	on := a.onOutputAt(point, purpose{a.orders[p.orderID].community, "payment", p.orderID})
	c, exists := a.custody[point]
	o, known := a.orders[p.orderID]
	if !exists || c.kind != "payment" || c.ref != p.orderID || !known || !bytes.Equal(c.script, o.script) {
		a.fail(Payments, on, "the payment of order %s has no output at that order's address", p.orderID)
		return
	}
	if p.counted && (c.value <= 0 || c.runes != 0 || c.quarantine != "") {
		a.fail(Payments, on, "%d sats with %d base units of runes on them count as a payment", c.value, c.runes)
	}
	// Spends of a closed order's payments were reported to the operator earlier.
	if p.counted && c.spentHeight != chain.None && !a.isPayout(c.spentBy) && !slices.Contains(closed, o.status) {
		a.fail(Payments, on, "it is spent by %s, which is no payout of ours", c.spentBy)
	}
	sum := sums[p.orderID]
	sum.outputs++
	sum.small = sum.small || c.value < o.perRutxo
	kept := a.isPayout(c.txid)
	refunded := a.payouts[a.versions[c.spentBy].payoutID].kind == "refund"
	sum.undone = sum.undone || p.counted && !kept && (c.vanished || c.height == chain.None)
	if p.counted && !p.late && !kept && !refunded {
		if c.seenAt <= o.paidUntil() {
			sum.timely = a.sumOf(Payments, on, sum.timely, c.value)
		} else {
			sum.inputs = a.sumOf(Payments, on, sum.inputs, min(o.perRutxo, c.value))
		}
	}
	if c.vanished {
		sums[p.orderID] = sum
		return
	}
	if c.spentBy == "" && c.runes == 0 && c.quarantine == "" {
		sum.left = a.sumOf(Payments, on, sum.left, c.value)
	}
	class := &sum.seen
	switch {
	case kept && refunded && p.counted:
		class = &sum.returned
	case refunded && !kept:
		class = &sum.refunded
	case !p.counted:
		class = &sum.uncounted
	case kept:
		class = &sum.kept
	case p.late:
		class = &sum.late
	}
	*class = a.sumOf(Payments, on, *class, c.value)
	if class == &sum.seen {
		sum.parts++
	}
	if depth := a.tip() - c.height + 1; class == &sum.seen && c.height != chain.None &&
		(!c.coinbase || depth >= coinbaseDepth) {
		sum.confirmed = a.sumOf(Payments, on, sum.confirmed, c.value)
	}
	sums[p.orderID] = sum
}

// alwaysFit is the number of payments that one delivery can always spend, even with the maximum number of units.
const alwaysFit = 8

// isPartialSum reports whether sats is the sum of the payments, or a smaller sum if they are too many for one delivery.
func isPartialSum(sats, sum int64, payments int) bool {
	return sats == sum || (payments > alwaysFit && sats < sum)
}

// checkReceived checks that all sats that an order received are in exactly one account.
func (a *auditor) checkReceived(o order, sum received) {
	on := a.onOrder(o.id)
	booked := map[string]int64{
		"paid:": sum.seen, "late:": sum.late, "abandoned:": 0, "uncounted:": sum.uncounted, "refunded:": sum.refunded,
		"kept:": sum.kept, "returned:": sum.returned,
	}
	if slices.Contains(closed, o.status) && o.refundDue == 0 {
		booked["paid:"], booked["late:"], booked["abandoned:"] = 0, 0, sum.seen+sum.late
	}
	for account, sats := range booked {
		if has := a.accounts[account+o.id]; has != sats {
			a.fail(Payments, on, "%d sats were received, the journal has %d in %s", sats, has, account+o.id)
		}
	}
	a.addTotals(o, booked)
	a.checkDeadline(o, sum)
	a.checkPrice(o, sum)
	behind := a.behind() // the order may not be evaluated yet
	differs := o.seen != sum.seen || o.late != sum.late || o.refunded != sum.refunded || o.returned != sum.returned ||
		(!isPartialSum(o.confirmed, sum.confirmed, sum.parts) && slices.Contains(follows, o.status))
	if differs && slices.Contains(evaluated, o.status) && !behind {
		a.fail(Payments, on,
			"it counts %d sats seen, %d confirmed, %d late, %d refunded; its payments are %d, %d, %d and %d",
			o.seen, o.confirmed, o.late, o.refunded, sum.seen, sum.confirmed, sum.late, sum.refunded)
	}
	ended := slices.Contains(closed, o.status) || o.status == "AUDIT" || slices.Contains(delivered, o.status)
	if o.refundDue > 0 && (!ended || o.refundDue > sum.left || o.refundReason == "") && !behind {
		a.fail(Payments, on, "a refund of %d sats is due (%q), and nothing spends %d of a %s order",
			o.refundDue, o.refundReason, sum.left, o.status)
	}
	if o.usable > o.seen {
		a.fail(Payments, on, "a delivery can spend %d sats of the %d that were seen", o.usable, o.seen)
	}
	if beyond := sum.kept + sum.returned; slices.Contains(delivered, o.status) && beyond > max(0, sum.seen-o.total()) {
		a.fail(Payments, on, "its delivery kept %d sats for it, %d is its overpayment", beyond, sum.seen-o.total())
	}
	// A sent order stays sent when a reorg undoes the payment that its payout spends.
	undone := o.status == "SENT" && sum.undone
	stage := stageOf(o.status, o.reason)
	owes := (stage == "BATCH_LOCKED" || stage == "WITHDRAWN") && !undone && !a.paidByOwner(o)
	if owes && o.confirmed < o.total() {
		a.fail(Payments, on, "it is %s with %d sats confirmed of %d", o.status, o.confirmed, o.total())
	}
	address, err := chain.ParseAddress(o.address, a.Rules.Network)
	w, _ := a.watch.at(o.script)
	if err != nil || !bytes.Equal(address.Script, o.script) || w.kind != "payment" || w.ref != o.id {
		a.fail(Payments, on, "its address %s is not the one that is watched for it", o.address)
	}
}
