package model

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
)

// refundOverhead is the virtual size of a transaction with one output, without its inputs.
const refundOverhead = 54

// ends are the statuses in which payments that no payout spends are due to the payer.
var ends = map[string]bool{"CANCELED": true, "EXPIRED": true, "INVALID": true, "AUDIT": true, "DELIVERED": true,
	"CONSOLIDATED": true}

// readSpending returns the outputs that stored live payouts spend. The node may reject such a payout for some time, so
// that the model does not see it.
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

// highestRate is the highest fee rate of any scenario, in sats per 1,000 vB.
const highestRate = 40_000

// Requested records that an operator made a request for an order or payout. A refund of such an order may cost more
// than it returns.
func (m *Model) Requested(subject string) { m.requested[subject] = true }

// WasRequested reports whether an operator made a request for one of these orders, which are a JSON array of ids.
func (m *Model) WasRequested(orderIDs string) bool {
	var ids []string
	err := json.Unmarshal([]byte(orderIDs), &ids)
	return err != nil || slices.ContainsFunc(ids, func(id string) bool { return m.requested[id] })
}

// SignedFrom checks that an order's refunds go to the payment address of the message that its owner signed.
func (m *Model) SignedFrom(orderID, payment string) error {
	script, err := m.script(payment)
	if o := m.orders[orderID]; err == nil && o != nil && o.payment != script {
		return broken("a refund goes to the signed address", "the address of order %s is not %s", orderID, payment)
	}
	return err
}

// refunded checks a refund: only payments of the order pay for it, at most at the highest rate, and an automatic refund
// returns at least its cost.
func (m *Model) refunded(tx *wire.MsgTx, o *order) error {
	var fee int64
	for _, in := range tx.TxIn {
		out := m.outputs[in.PreviousOutPoint]
		if out == nil || m.payees[string(out.PkScript)] != o {
			return broken("a refund spends only payments of its order", "%s spends %s", tx.TxHash(), in.PreviousOutPoint)
		}
		fee += out.Value
	}
	returned := int64(0)
	for _, out := range tx.TxOut {
		returned += out.Value
	}
	fee -= returned
	size := int64(3*tx.SerializeSizeStripped()+tx.SerializeSize()+3) / 4
	switch {
	case len(tx.TxOut) != 1:
		return broken("a refund has one output", "%s has %d", tx.TxHash(), len(tx.TxOut))
	case fee > feeOf(highestRate, size+1):
		return broken("a refund pays the network's rate", "%s pays %d sats for %d vB", tx.TxHash(), fee, size)
	case fee > returned+2 && !m.requested[o.id]:
		m.costly[tx.TxHash().String()] = fee - returned
	}
	return nil
}

// readReplacements returns the ids of the refunds that replace another version.
func readReplacements(ctx context.Context, db *sql.DB) (map[string]bool, error) {
	ids := map[string]bool{}
	rows, err := db.QueryContext(ctx, `SELECT txid FROM payout_version WHERE number >
		(SELECT MIN(number) FROM payout_version AS first WHERE first.payout_id = payout_version.payout_id)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, rows.Err()
}

// waited checks that no refund was sent that costs more than it returns, unless an operator requested it or it replaces
// another version.
func (m *Model) waited(replacements map[string]bool) error {
	for id, more := range m.costly {
		if !replacements[id] {
			return broken("a refund waits while it costs more than it returns", "%s costs %d sats more", id, more)
		}
		delete(m.costly, id)
	}
	return nil
}

// owed checks that the refund due of a closed or delivered order is the sum of its unspent payments and kept
// overpayments, if the sum is worth a transaction at the order's rate.
func (m *Model) owed(row Order, spending map[wire.OutPoint]bool) error {
	if !ends[row.Status] {
		return nil
	}
	o := m.orders[row.ID]
	var sure, possible, n int64
	certain := true // every payment is confirmed or replaced
	for _, point := range slices.Concat(o.paid, o.kept) {
		out := m.outputs[point]
		if out.runes > 0 || out.foreign > 0 {
			continue
		}
		possible += out.Value
		at, _ := m.Chain.Locate(point.Hash)
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
		return broken("the refund due is the sum of the unspent payments",
			"%s order %s owes %d, %d is left in %d payments", row.Status,
			row.ID, row.RefundDue, sure, n)
	}
	return nil
}
