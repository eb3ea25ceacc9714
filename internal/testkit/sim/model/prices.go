package model

import (
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// Sizes in bytes and weight units, from the serialization of a transaction that spends taproot outputs by their key
// path.
const (
	inputBytes    = 41 // outpoint, empty script, sequence
	witnessWeight = 66 // one signature with its lengths
	taprootOutput = 8 + 1 + 34
	minimum       = 546 // value of an output with runes, in sats
)

// vbytes returns the virtual size of a transaction with a number of inputs, and outputs of the given total size in
// bytes.
func vbytes(inputs int64, outputs int64) int64 {
	stripped := 4 + 1 + inputs*inputBytes + 1 + outputs + 4
	return (4*stripped + 2 + inputs*witnessWeight + 3) / 4
}

// inputVBytes is the virtual size of one more input, rounded up.
const inputVBytes = (4*inputBytes + witnessWeight + 3) / 4

// feeOf returns the fee in sats for a size in vB at a rate in sats per 1,000 vB, rounded up.
func feeOf(rate, vbytes int64) int64 { return (rate*vbytes + 999) / 1000 }

// deliverySize returns the virtual size of a delivery of only this order, without the inputs of its units: one payment,
// the destination, the runestone and change in sats; with rewards also an output of the treasury and its change.
func (m *Model) deliverySize(o *order) int64 {
	inputs, outputs := int64(1), int64(8+1+len(o.owner))+taprootOutput
	pointer := 2 // the output after the destination and the runestone
	if o.virtual() {
		inputs, outputs, pointer = 2, outputs+taprootOutput, 1
	}
	tagPointer := 1 + len(leb128(uint64(pointer)))
	edict := len(leb128(m.Rune.Block)) + len(leb128(uint64(m.Rune.Tx))) + len(leb128(uint64(o.amount))) + 1
	payload := tagPointer + 1 + edict
	return vbytes(inputs, outputs+int64(8+1+2+1+payload))
}

func leb128(n uint64) (bytes []byte) {
	for ; n >= 0x80; n >>= 7 {
		bytes = append(bytes, byte(n)|0x80)
	}
	return append(bytes, byte(n))
}

// virtual reports whether the order delivers a reward.
func (o *order) virtual() bool { return o.deposits() < int64(len(o.units)) }

// deposits returns the number of the order's units that are deposits, which have an output.
func (o *order) deposits() (n int64) {
	for _, id := range o.units {
		if !isReward(id) {
			n++
		}
	}
	return n
}

// price returns the price in sats of an order with one payment: 546 sats for the delivery's output, the fee for the
// delivery's size and for one input per deposit, and the service fee.
func (m *Model) price(o *order, rate int64) int64 {
	self := m.selfUnits(o)
	return minimum + feeOf(rate, m.deliverySize(o)) + m.ServiceFee + (o.deposits()-self)*feeOf(rate, inputVBytes) +
		self*feeOf(rate, selfVBytes)
}

// lowered returns the most sats by which the service fee is lowered for what the payments lack: less than an output can
// have, or two inputs.
func (m *Model) lowered(rate int64) int64 {
	return min(m.ServiceFee, max(minimum-1, 2*feeOf(rate, inputVBytes)))
}

// floor returns the minimum value in sats of a payment that counts at a rate.
func floor(rate int64) int64 { return max(minimum, feeOf(rate, 68)) }

// paidPart is a payment on the chain or in the mempool.
type paidPart struct {
	point     wire.OutPoint
	value     int64
	confirmed bool
	disputed  bool // another transaction also spends one of its inputs
	seen      time.Time
	// followed: the server followed the chain while the node had the payment, at an earlier time. A payment that the
	// server finds in a block comes too late for an order that an earlier block of the same step has ended.
	followed bool
}

// parts returns the payments of an order without runes that were not replaced.
func (m *Model) parts(o *order) (parts []paidPart) {
	for _, point := range o.paid {
		out := m.outputs[point]
		at, waits := m.Chain.Locate(point.Hash)
		if out.runes > 0 || out.foreign > 0 || (at < 0 && m.replaced(point.Hash, 1)) {
			continue
		}
		if _, known := m.seen[point.Hash]; !known && (at >= 0 || waits) {
			m.seen[point.Hash] = m.FollowedAt
		}
		seen, known := m.seen[point.Hash]
		if !known {
			seen = m.FollowedAt
		}
		parts = append(parts, paidPart{point, out.Value, at >= 0, m.disputed(point.Hash), seen,
			known && seen.Before(m.FollowedAt)})
	}
	return parts
}

// disputed reports whether another transaction spends an input of a payment or of one of its recent ancestors. The
// server may then have considered the payment replaced at some time.
func (m *Model) disputed(id chainhash.Hash) bool {
	return m.hasRival(id) || slices.ContainsFunc(m.recent[id], m.hasRival)
}

// hasRival reports whether another transaction spends an input of this one.
func (m *Model) hasRival(id chainhash.Hash) bool {
	return slices.ContainsFunc(m.txs[id].TxIn, func(in *wire.TxIn) bool {
		return len(m.spenders[in.PreviousOutPoint]) > 1
	})
}

// recentAncestors returns the ancestors of a transaction that a reorg can undo. No reorg undoes more than six blocks.
func (m *Model) recentAncestors(tx *wire.MsgTx) (ids []chainhash.Hash) {
	for _, in := range tx.TxIn {
		parent := in.PreviousOutPoint.Hash
		if at, _ := m.Chain.Locate(parent); m.txs[parent] == nil || m.depth(at) > buried {
			continue
		}
		for _, id := range append([]chainhash.Hash{parent}, m.recent[parent]...) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// buried is a number of confirmations that no reorg undoes.
const buried = 12

// priced checks an order's price. With at most one payment the price is exact; with more payments it is higher by at
// most the price of one additional input per payment. It is lower by what payments that were PAID lacked, which an
// economy order keeps.
func (m *Model) priced(row Order) error {
	o := m.orders[row.ID]
	base, parts := m.price(o, row.Rate), m.parts(o)
	var most, largest int64
	for _, p := range parts {
		cost := min(feeOf(row.Rate, inputVBytes), p.value)
		most, largest = most+cost, max(largest, cost)
	}
	open := row.Status == "PENDING" || row.Status == "CONFIRMED" || row.Status == "PENDING_RERATE"
	if !open { // the price is final, even if a payment is replaced afterwards
		most = int64(len(o.paid)) * feeOf(row.Rate, inputVBytes)
	}
	least := base
	if len(o.paid) > 0 {
		least -= m.lowered(row.Rate)
	}
	if _, chosen := m.speeds[row.ID]; chosen && len(o.paid) > 0 {
		least, open = base-m.ServiceFee, false
	}
	switch {
	case row.Price < least || row.Price > base+most:
		return broken("an order costs what delivering it costs", "order %s costs %d, its delivery %d, and %d more for %d "+
			"payments at most", row.ID, row.Price, base, most, len(parts))
	case open && len(parts) == 0 && row.Price != base:
		return broken("an order costs what delivering it costs", "order %s costs %d and not %d", row.ID, row.Price, base)
	case open && len(o.paid) == 1 && len(parts) == 1 && parts[0].value > m.small(o, row.Rate) && row.Seen > 0:
		want := base
		if lacks := base - parts[0].value; lacks >= minimum {
			want += largest
		} else if lacks > 0 {
			want -= lacks
		}
		if row.Price != want {
			return broken("a part payment adds one input", "order %s costs %d and not %d, after %d", row.ID, row.Price, want,
				parts[0].value)
		}
	}
	return nil
}

// small returns the value in sats up to which a payment does not count: the greater of the floor and two percent of the
// price with all payments.
func (m *Model) small(o *order, rate int64) int64 {
	return max(floor(rate), (m.price(o, rate)+int64(len(o.paid))*feeOf(rate, inputVBytes)+49)/50)
}
