package model

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// Stakes in self-custody (ADR 68).
const (
	signWithin = 7 * 24 * time.Hour  // from PAID until an unsigned order expires
	signedFor  = 28 * 24 * time.Hour // from the owner's signature
	// togetherWeight is the weight of a witness with two signatures, the second with the type of its hash, the leaf of
	// two keys (68 bytes) and the control block of a tree with two leaves (65 bytes).
	togetherWeight = 1 + (1 + 64) + (1 + 65) + (1 + 68) + (1 + 65)
	togetherItems  = 4
)

// selfVBytes is the virtual size of an input that spends a stake in self-custody, rounded up.
const selfVBytes = (4*inputBytes + togetherWeight + 3) / 4

// InSelfCustody records that nothing but its owner's signature moves what a stake address receives.
func (m *Model) InSelfCustody(script []byte) { m.self[string(script)] = true }

// IsSelf reports whether a unit is a deposit in self-custody.
func (m *Model) IsSelf(unit string) bool {
	point, err := wire.NewOutPointFromString(unit)
	return !isReward(unit) && err == nil && m.outputs[*point] != nil && m.self[string(m.outputs[*point].PkScript)]
}

// selfUnits returns the number of an order's units in self-custody.
func (m *Model) selfUnits(o *order) (n int64) {
	for _, unit := range o.units {
		if m.IsSelf(unit) {
			n++
		}
	}
	return n
}

// byCommunity reports whether the community signed for the output of a stake: through the key path or, in self-custody,
// together with the owner.
func (m *Model) byCommunity(out *output, in *wire.TxIn) bool {
	if m.self[string(out.PkScript)] {
		return len(in.Witness) == togetherItems
	}
	return len(in.Witness) == 1
}

// Completed records that a thief of the community's key completes an old signature of an owner. The transaction is no
// payout.
func (m *Model) Completed(id chainhash.Hash) { m.completed[id] = true }

// Signed records that the server accepted an owner's signature of the delivery of a PAID order, or that it may have.
func (m *Model) Signed(orderID string, certain bool) {
	o := m.orders[orderID]
	o.maybeSigned = m.Now()
	if certain {
		o.signed = o.maybeSigned
	}
}

// mixes reports whether a transaction spends a unit in self-custody.
func (m *Model) mixes(f flow) bool {
	for unit := range f.units {
		if m.IsSelf(unit) {
			return true
		}
	}
	return false
}

// ownerPays checks which outputs besides the units a transaction that the owner of an order signed spends: coins of the
// payment address and, if the order has units in self-custody, its payments.
func (m *Model) ownerPays(tx chain.Tx, f flow, o *order) error {
	foreign := slices.Collect(func(yield func(*order) bool) {
		for paid := range f.orders {
			if (paid != o || m.selfUnits(o) == 0) && !yield(paid) {
				return
			}
		}
	})
	if f.custody || len(foreign) > 0 || len(f.misplaced) > 0 {
		return broken("only the owner's coins pay for one transaction", "%s of order %s spends other outputs", tx.ID, o.id)
	}
	for _, point := range f.others {
		out := m.outputs[point]
		if out == nil || string(out.PkScript) != o.payment || out.runes+out.foreign > 0 {
			return broken("only the owner's coins pay for one transaction", "%s of order %s spends %s", tx.ID, o.id, point)
		}
	}
	return nil
}

// unsigned checks the status of an order with units in self-custody that is or was PAID: its owner has a week to sign,
// and the server four weeks to send what they signed.
func (m *Model) unsigned(row Order, before string, paidAt time.Time) error {
	o, now := m.orders[row.ID], m.FollowedAt
	if before != "PAID" || m.selfUnits(o) == 0 || paidAt.IsZero() {
		return nil
	}
	first, last := paidAt.Add(signWithin), paidAt.Add(signWithin)
	if o.signed.After(paidAt) {
		first = o.signed.Add(signedFor)
	}
	if o.maybeSigned.After(paidAt.Add(-tolerance)) {
		last = o.maybeSigned.Add(signedFor)
	}
	_, chosen := m.speeds[row.ID]
	switch {
	case row.Status == "EXPIRED" && !chosen && now.Before(first.Add(-tolerance)) && m.exist(o):
		return broken("an owner has a week to sign", "order %s is EXPIRED at %s, it was PAID at %s", row.ID, now, paidAt)
	case row.Status == "PAID" && now.After(last.Add(m.pausedFor+2*tolerance)):
		return broken("an order that nobody signs ends", "order %s is PAID at %s since %s", row.ID, now, paidAt)
	}
	return nil
}

// neverSigned reports whether an order became PAID since the last check or before, and its owner had a week to sign.
func (m *Model) neverSigned(row Order, now time.Time) bool {
	paidAt := m.paidAt[row.ID]
	return m.selfUnits(m.orders[row.ID]) > 0 && !paidAt.IsZero() && now.After(paidAt.Add(signWithin-tolerance))
}

// readPaid returns the times at which orders last became PAID, and at which a reorg last undid a payment of PAID ones.
func readPaid(ctx context.Context, db *sql.DB) (paid, undone map[string]time.Time, err error) {
	rows, err := db.QueryContext(ctx, `SELECT subject, to_account = 'order:PAID', MAX(at) FROM journal
		WHERE to_account = 'order:PAID'
		OR from_account = 'order:PAID' AND to_account IN ('order:CONFIRMED', 'order:PENDING_RERATE') GROUP BY 1, 2`)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	paid, undone = map[string]time.Time{}, map[string]time.Time{}
	for rows.Next() {
		var id string
		var became bool
		var at int64
		if err := rows.Scan(&id, &became, &at); err != nil {
			return nil, nil, err
		}
		if became {
			paid[id] = time.Unix(at, 0)
		} else {
			undone[id] = time.Unix(at, 0)
		}
	}
	return paid, undone, rows.Err()
}
