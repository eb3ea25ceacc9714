package model

import (
	"bytes"
	"context"
	"database/sql"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
)

// refundOverhead is the virtual size of a transaction with one output, without its inputs.
const refundOverhead = 54

// ends are the statuses in which what no transaction of ours spends is due to the payer.
var ends = map[string]bool{"CANCELED": true, "EXPIRED": true, "INVALID": true, "AUDIT": true, "DELIVERED": true,
	"CONSOLIDATED": true}

// readSpending returns what stored payouts spend that may not have confirmed. The node may refuse one
// of them for a while, so that the model does not see it.
func readSpending(ctx context.Context, db *sql.DB) (map[wire.OutPoint]bool, error) {
	spending := map[wire.OutPoint]bool{}
	rows, err := db.QueryContext(ctx, `SELECT payout_version.raw FROM payout_version JOIN payout
		ON payout.id = payout_version.payout_id WHERE payout.status = 'live'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		var tx wire.MsgTx
		if err := rows.Scan(&raw); err != nil {
			return nil, err
		}
		if err := tx.Deserialize(bytes.NewReader(raw)); err != nil {
			return nil, err
		}
		for _, in := range tx.TxIn {
			spending[in.PreviousOutPoint] = true
		}
	}
	return spending, rows.Err()
}

// owed checks that a closed or delivered order owes its payer every payment, and every surplus that
// its delivery kept, that nothing spends and that is worth a transaction at the order's rate.
func (m *Model) owed(row Order, spending map[wire.OutPoint]bool) error {
	if !ends[row.Status] {
		return nil
	}
	o := m.orders[row.ID]
	var sure, possible, n int64
	certain := true // which payments there are
	for _, point := range slices.Concat(o.paid, o.kept) {
		out := m.outputs[point]
		if out.runes > 0 || out.foreign > 0 {
			continue
		}
		possible += out.Value
		at, _ := m.Chain.Where(point.Hash)
		certain = certain && (at >= 0 || m.replaced(point.Hash, 1))
		if at >= 0 && m.idle(point) && !spending[point] && out.Value > feeOf(row.Rate, inputVBytes) {
			sure += out.Value
			n++
		}
	}
	if sure < feeOf(row.Rate, refundOverhead+max(1, n)*inputVBytes)+minimum {
		sure = 0
	}
	if row.RefundDue < sure || row.RefundDue > possible || (certain && row.RefundDue != sure) {
		return broken("what is left of the payments is due", "%s order %s owes %d, %d is left in %d payments", row.Status,
			row.ID, row.RefundDue, sure, n)
	}
	return nil
}
