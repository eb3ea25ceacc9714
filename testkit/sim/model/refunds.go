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

// highestRate is the highest fee rate of any scenario, in sats per 1,000 vB.
const highestRate = 40_000

// Asked records that an operator asked for something about an order or a payout of it: then a refund
// may be sent that costs more than it returns.
func (m *Model) Asked(subject string) { m.asked[subject] = true }

// WasAsked reports whether an operator asked for something about one of these orders, a JSON array of ids.
func (m *Model) WasAsked(orderIDs string) bool {
	var ids []string
	err := json.Unmarshal([]byte(orderIDs), &ids)
	return err != nil || slices.ContainsFunc(ids, func(id string) bool { return m.asked[id] })
}

// SignedFrom checks that an order's refunds go to the payment address of the message that its owner
// signed.
func (m *Model) SignedFrom(orderID, payment string) error {
	script, err := m.script(payment)
	if o := m.orders[orderID]; err == nil && o != nil && o.payment != script {
		return broken("a refund goes to the signed address", "that of order %s is not %s", orderID, payment)
	}
	return err
}

// refunded checks the cost of a refund: nothing but the order's own payments pays for it, at a rate
// that there was, and one that the server sends by itself returns at least what it costs.
func (m *Model) refunded(tx *wire.MsgTx, o *order) error {
	var fee int64
	for _, in := range tx.TxIn {
		out := m.outputs[in.PreviousOutPoint]
		if out == nil || m.payees[string(out.PkScript)] != o {
			return broken("a refund spends its order's payments alone", "%s spends %s", tx.TxHash(), in.PreviousOutPoint)
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
	case fee > returned+2 && !m.asked[o.id]:
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

// waited checks that no refund was sent that costs more than it returns, unless an operator asked for
// it or it replaces one that the network did not take.
func (m *Model) waited(replacements map[string]bool) error {
	for id, more := range m.costly {
		if !replacements[id] {
			return broken("a refund waits while it costs more than it returns", "%s costs %d sats more", id, more)
		}
		delete(m.costly, id)
	}
	return nil
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
		return broken("what is left of the payments is due", "%s order %s owes %d, %d is left in %d payments", row.Status,
			row.ID, row.RefundDue, sure, n)
	}
	return nil
}
