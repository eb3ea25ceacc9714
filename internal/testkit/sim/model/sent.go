package model

import (
	"lukechampine.com/uint128"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

func (o *output) balances(id runes.ID) (all []runes.Balance) {
	if o.runes > 0 {
		all = append(all, runes.Balance{ID: id, Amount: uint128.From64(uint64(o.runes))})
	}
	if o.foreign > 0 {
		all = append(all, runes.Balance{ID: foreign, Amount: uint128.From64(uint64(o.foreign))})
	}
	return all
}

// flow contains the amounts that one transaction moves.
type flow struct {
	ours                  bool             // it spends an output that only the community's key can spend
	custody               bool             // it spends an output of the treasury
	others                []wire.OutPoint  // outputs that it spends and that are not the community's
	out, sats             map[string]int64 // runes and sats, by the receiving script
	foreignIn, foreignOut map[string]int64 // foreign runes: spent, by owner; received, by script
	treasury              int64            // net runes from the treasury
	orders                map[*order]bool  // orders whose payments it spends
	units                 map[string]bool  // deposits for which the community signed
	misplaced             map[string]int64 // runes at payment addresses, by the owner of the order
}

// sent checks a transaction that only the community's key can have signed: runes of a stake go to its owner, the amount
// of an order to its owner, the remaining runes to the treasury, and no other script receives runes or sats.
func (m *Model) sent(tx chain.Tx, f flow) error {
	if len(f.others) > 0 || m.mixes(f) {
		return m.sentOneTx(tx, f)
	}
	id := tx.ID.String()
	promised, virtual := map[string]int64{}, int64(0)
	refund := len(f.orders) > 0 && len(f.units) == 0 && f.treasury == 0
	for o := range f.orders {
		if refund {
			continue
		}
		o.deliveries = append(o.deliveries, tx.ID)
		promised[o.owner] += o.amount
		virtual += o.amount
		for _, unit := range o.units {
			if !isReward(unit) {
				if !f.units[unit] {
					return broken("a delivery spends its units", "%s delivers order %s without %s", id, o.id, unit)
				}
				delete(f.units, unit)
				virtual -= m.unitRunes(unit)
			}
		}
	}
	for unit := range f.units { // without an order: returned to its owner
		point, _ := wire.NewOutPointFromString(unit)
		promised[m.stakes[string(m.outputs[*point].PkScript)]] += m.outputs[*point].runes
	}
	for owner, n := range f.misplaced { // returned, too
		promised[owner] += n
	}
	for owner, want := range promised {
		if got := f.out[owner]; got != want {
			return broken("an owner receives exactly the owed runes", "%s brings %d, owed are %d", id, got, want)
		}
	}
	for script, got := range f.out {
		if _, owed := promised[script]; !owed && !m.isTreasury([]byte(script)) && got > 0 {
			return broken("no other script receives runes", "%s sends %d to a stranger", id, got)
		}
	}
	for owner, n := range f.foreignIn {
		if f.foreignOut[owner] != n {
			return broken("a foreign rune goes back to its owner", "%s brings %d of %d", id, f.foreignOut[owner], n)
		}
	}
	if f.treasury != virtual {
		return broken("the treasury pays only for rewards", "%s takes %d from it, for rewards of %d", id, f.treasury,
			virtual)
	}
	for o := range f.orders {
		if err := error(nil); refund && len(f.orders) == 1 {
			if err = m.refunded(tx.Msg, o); err != nil {
				return err
			}
		}
	}
	return m.satsGo(id, f, promised, refund)
}

// satsGo checks that sats go to receivers of runes, to the payer of a refund, or to the treasury.
func (m *Model) satsGo(id string, f flow, promised map[string]int64, refund bool) error {
	for script, sats := range f.sats {
		allowed := m.isTreasury([]byte(script)) && !refund
		if _, owed := promised[script]; owed {
			allowed = true
		}
		for o := range f.orders {
			if refund && script == o.payment && len(f.orders) == 1 {
				allowed = true
			}
			if !refund && m.payees[script] == o { // a kept overpayment
				allowed = true
			}
		}
		if !allowed && sats > 0 {
			return broken("no other script receives sats", "%s, of %d orders and %d stakes, sends %d to %x", id, len(f.orders),
				len(f.units), sats, script)
		}
	}
	return nil
}

// flow returns the amounts that a transaction moves.
func (m *Model) flow(tx *wire.MsgTx) flow {
	f := flow{
		out: map[string]int64{}, sats: map[string]int64{}, orders: map[*order]bool{}, units: map[string]bool{},
		foreignIn: map[string]int64{}, foreignOut: map[string]int64{}, misplaced: map[string]int64{},
	}
	for _, in := range tx.TxIn {
		out := m.outputs[in.PreviousOutPoint]
		if out == nil {
			f.others = append(f.others, in.PreviousOutPoint)
			continue
		}
		owner, stake := m.stakes[string(out.PkScript)]
		payee := m.payees[string(out.PkScript)]
		switch {
		case payee != nil && out.runes+out.foreign > 0: // not a payment; returned to the order's owner
			f.ours = true
			f.misplaced[payee.owner] += out.runes
			f.foreignIn[payee.owner] += out.foreign
		case payee != nil:
			f.ours, f.orders[payee] = true, true
		case m.isTreasury(out.PkScript):
			f.ours, f.custody = true, true
			f.treasury += out.runes
		case stake && m.byCommunity(out, in):
			f.ours, f.units[in.PreviousOutPoint.String()] = true, true
			f.foreignIn[owner] += out.foreign
		default:
			f.others = append(f.others, in.PreviousOutPoint)
		}
	}
	hash := tx.TxHash()
	f.ours = f.ours && !m.completed[hash]
	for vout, txOut := range tx.TxOut {
		out := m.outputs[wire.OutPoint{Hash: hash, Index: uint32(vout)}]
		script := string(txOut.PkScript)
		f.sats[script] += txOut.Value
		f.out[script] += out.runes
		f.foreignOut[script] += out.foreign
		if m.isTreasury(txOut.PkScript) {
			f.treasury -= out.runes
		}
	}
	return f
}

func (m *Model) unitRunes(unit string) int64 {
	point, err := wire.NewOutPointFromString(unit)
	if err != nil || m.outputs[*point] == nil {
		return 0
	}
	return m.outputs[*point].runes
}
