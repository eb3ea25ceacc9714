package model

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// OwnerSigned records that the owner of an order signed a withdrawal in one transaction, before it is submitted.
func (m *Model) OwnerSigned(orderID string, id chainhash.Hash) { m.ownerSigned[id] = orderID }

// sentOneTx checks a withdrawal in one transaction: its owner signed it, it spends exactly the units of one order and
// coins of the payment address, and everything except the fee goes to the owner.
func (m *Model) sentOneTx(tx chain.Tx, f flow) error {
	id := tx.ID.String()
	o := m.orders[m.ownerSigned[tx.ID]]
	switch {
	case o == nil:
		return broken("a wallet's coins and stakes are spent only by what the wallet signed", "%s spends %d coins", id,
			len(f.others))
	}
	if err := m.ownerPays(tx, f, o); err != nil {
		return err
	}
	for _, unit := range o.units {
		if !f.units[unit] {
			return broken("a delivery spends its units", "%s delivers order %s without %s", id, o.id, unit)
		}
	}
	if len(f.units) != len(o.units) {
		return broken("a delivery spends only its units", "%s of order %s spends %d units, not %d", id, o.id, len(f.units),
			len(o.units))
	}
	o.deliveries = append(o.deliveries, tx.ID)
	return m.oneTxOutputs(tx, o, len(f.orders) > 0)
}

// oneTxOutputs checks the outputs of a withdrawal in one transaction: the runes with 546 sats and the sats of the
// units, a runestone, the service fee if it was paid, and at most one output of change. What the payments lack lowers
// the service fee, and an output needs 546 sats.
func (m *Model) oneTxOutputs(tx chain.Tx, o *order, paid bool) error {
	id, value, served := tx.ID.String(), int64(minimum), !paid || m.ServiceFee-m.lowered(o.rate) < minimum
	for _, unit := range o.units {
		if point, err := wire.NewOutPointFromString(unit); err == nil {
			value += m.outputs[*point].Value
		}
	}
	for vout, txOut := range tx.Msg.TxOut {
		out := m.outputs[wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}]
		switch {
		case vout == 0:
			if out.runes != o.amount || out.foreign > 0 || string(out.PkScript) != o.owner || out.Value != value {
				return broken("an owner receives exactly the owed runes", "%s brings %d with %d sats, owed are %d with %d", id,
					out.runes, out.Value, o.amount, value)
			}
		case out.runes+out.foreign > 0:
			return broken("no other script receives runes", "%s has %d on output %d", id, out.runes, vout)
		case vout == 1:
			if txOut.Value != 0 || txOut.PkScript[0] != txscript.OP_RETURN {
				return broken("no other script receives sats", "output 1 of %s is no runestone", id)
			}
		case paid && vout == 2 && m.isTreasury(txOut.PkScript) && txOut.Value <= m.ServiceFee:
			served = true
		case vout > 3 || vout == 3 && !paid || string(txOut.PkScript) != o.payment:
			return broken("no other script receives sats", "%s sends %d to %x", id, txOut.Value, txOut.PkScript)
		}
	}
	if !served {
		return broken("a paid delivery pays the service fee", "%s has no output for it", id)
	}
	return nil
}

// oneTxVersion is a stored version of a withdrawal in one transaction.
type oneTxVersion struct {
	id  chainhash.Hash
	msg *wire.MsgTx
}

// readOneTxs returns the versions of the payouts of withdrawals in one transaction that are not dead, by order. The
// node may refuse a version for some time, so that the model does not see it.
func readOneTxs(ctx context.Context, db *sql.DB) (map[string][]oneTxVersion, error) {
	byOrder := map[string][]oneTxVersion{}
	rows, err := db.QueryContext(ctx, `SELECT payout.order_ids, payout_version.raw FROM payout_version JOIN payout
		ON payout.id = payout_version.payout_id WHERE payout.kind = 'one_tx' AND payout.status <> 'dead'
		ORDER BY payout_version.number`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var orderIDs string
		var raw []byte
		if err := rows.Scan(&orderIDs, &raw); err != nil {
			return nil, err
		}
		var ids []string
		if err := json.Unmarshal([]byte(orderIDs), &ids); err != nil {
			return nil, err
		}
		tx := new(wire.MsgTx)
		if err := tx.Deserialize(bytes.NewReader(raw)); err != nil {
			return nil, err
		}
		for _, id := range ids {
			byOrder[id] = append(byOrder[id], oneTxVersion{tx.TxHash(), tx})
		}
	}
	return byOrder, rows.Err()
}

// oneTxs checks after every database transaction that an order in one transaction is canceled only if none of its
// transactions can confirm, and that its units are then UNLOCKED, or WITHDRAWN if they were recovered meanwhile.
func (m *Model) oneTxs(b Tables) error {
	units := map[string]Unit{}
	for _, u := range b.Units {
		units[u.ID] = u
	}
	for _, row := range b.Orders {
		o := m.orders[row.ID]
		versions, before := o.versions, o.before
		o.versions, o.before = b.oneTxs[row.ID], row.Status
		if len(versions) == 0 || before != "SENT" || row.Status != "CANCELED" {
			continue
		}
		if slices.ContainsFunc(versions, func(v oneTxVersion) bool { return !m.lost(v, deathDepth) }) {
			return broken("an order in one transaction is canceled when its coins are spent elsewhere",
				"order %s is CANCELED, and one of its %d transactions can confirm", row.ID, len(versions))
		}
		for _, id := range o.units {
			u := units[id]
			if u.OrderID == "" && u.Stage != "UNLOCKED" && m.intents[id] == "WITHDRAW" && !m.recovered(u) {
				return broken("the units of a canceled order are unlocked", "%s of order %s is %s", id, row.ID, u.Stage)
			}
		}
	}
	return nil
}

// coinsTaken checks that an order does not stay SENT when none of its transactions can confirm.
func (m *Model) coinsTaken(row Order) error {
	o := m.orders[row.ID]
	over := row.Status == "SENT" && len(o.versions) > 0 &&
		!slices.ContainsFunc(o.versions, func(v oneTxVersion) bool { return !m.lost(v, deathDepth) })
	if before := o.over; over && before {
		return broken("an order in one transaction is canceled when its coins are spent elsewhere",
			"order %s is SENT, and none of its %d transactions can confirm", row.ID, len(o.versions))
	}
	o.over = over
	return nil
}

// lost reports whether a transaction, which the node may not have, conflicts with a transaction that has at least deep
// confirmations.
func (m *Model) lost(v oneTxVersion, deep int64) bool {
	if at, _ := m.Chain.Locate(v.id); at >= 0 {
		return false
	}
	return slices.ContainsFunc(v.msg.TxIn, func(in *wire.TxIn) bool {
		at, by := m.spentIn(in.PreviousOutPoint)
		return (by != v.id && m.depth(at) >= deep) || m.replaced(in.PreviousOutPoint.Hash, deep)
	})
}
