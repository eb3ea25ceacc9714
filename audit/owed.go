package audit

// owedRow is an order that is at an end, and what nothing spends of the payments that count for it.
type owedRow struct {
	id, status     string
	feeRate, due   int64 // sat per 1000 vbytes; sats
	held, payments int64 // sats; how many outputs
}

// owedRows sums, for each order at an end, the unspent counted payments that are worth their own input's fee at the
// order's rate. An input that spends a payment has 58 vbytes.
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

// A refund has one output and nothing else but its inputs.
const (
	refundVBytes      = 54 // without its inputs
	refundInputVBytes = 58
)

// checkOwed finds orders at an end that hold money worth a refund while none, or less, is due (invariant 5). That no
// more is due than they hold is part of checkReceived. While everything is paused, an order waits for its evaluation.
func (a *auditor) checkOwed(r *reader) {
	if a.settings["pause_all"] != "" {
		return
	}
	each(r, owedRows, "", func(o owedRow) {
		cost := (o.feeRate*(refundVBytes+refundInputVBytes*o.payments) + 999) / 1000
		if o.held >= cost+dust && o.due < o.held {
			a.fail(Payments, "order "+o.id,
				"it is %s and holds %d sats that nothing spends, of which a refund of %d is due", o.status, o.held, o.due)
		}
	})
}
