package audit

// owedRow is a finished order and its unspent counted payments.
type owedRow struct {
	id, status     string
	feeRate, due   int64 // sat per 1000 vbytes; sats
	held, payments int64 // sats; number of payments
}

// owedRows sums, for each finished order, the unspent counted payments whose value exceeds the fee of their own input
// at the order's rate. An input that spends a payment has 58 vbytes.
var owedRows = table[owedRow]{`SELECT o.id, o.status, o.fee_rate, o.refund_due, CAST(SUM(c.value) AS BIGINT), COUNT(*)
	FROM payment_order o
	JOIN payment p ON p.order_id = o.id
	JOIN custody c ON c.txid = p.txid AND c.vout = p.vout
	WHERE o.status IN ('CANCELED', 'EXPIRED', 'INVALID', 'AUDIT', 'DELIVERED', 'CONSOLIDATED')
		AND p.counted = 1 AND c.vanished = 0 AND c.spent_by = '' AND c.runes = 0 AND c.quarantine = ''
		AND c.value > (o.fee_rate * 58 + 999) / 1000
	GROUP BY o.id, o.status, o.fee_rate, o.refund_due`, func(o *owedRow) []any {
	return []any{&o.id, &o.status, &o.feeRate, &o.due, &o.held, &o.payments}
}}

// Sizes of a refund, which has a single output, in vbytes.
const (
	refundVBytes      = 54 // without its inputs
	refundInputVBytes = 58
)

// checkOwed finds finished orders whose unspent payments are worth a refund, but whose due refund is missing or too
// small (invariant 5). checkReceived checks that no larger refund is due.
func (a *auditor) checkOwed(r *reader) {
	if a.behind() {
		return
	}
	each(r, owedRows, "", func(o owedRow) {
		cost := (o.feeRate*(refundVBytes+refundInputVBytes*o.payments) + 999) / 1000
		if o.held >= cost+dust && o.due < o.held {
			a.fail(Payments, a.onOrder(o.id),
				"it is %s and holds %d sats that nothing spends, of which a refund of %d is due", o.status, o.held, o.due)
		}
	})
}

// behind reports whether orders may not be evaluated yet: everything is paused, or the last block paid so many orders
// that the server evaluates them in several transactions.
func (a *auditor) behind() bool {
	return a.settings["pause_all"] != "" || a.settings["unevaluated_orders"] != ""
}
