package audit

import (
	"bytes"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// delivers reports whether the payout delivers orders.
func (p payout) delivers() bool { return p.kind == "delivery" || p.kind == "one_tx" }

// paidByOwner reports whether an order is delivered by a transaction that coins of its owner pay, and not payments.
func (a *auditor) paidByOwner(o order) bool {
	return o.oneTx == 1 && a.payouts[o.payoutID].kind == "one_tx"
}

// checkOneTx checks a version of a withdrawal that its owner signed: it spends all units of the order and, besides the
// payments of a paid one, nothing else of ours, and everything but the service fee goes to the owner's two addresses,
// with all runes on output 0.
func (a *auditor) checkOneTx(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	if len(p.orderIDs) != 1 {
		a.fail(Payouts, on, "its owner signs it, and it has %d orders", len(p.orderIDs))
		return
	}
	o := a.orders[p.orderIDs[0]]
	spent, paid := map[string]bool{}, a.paidByOwner(o)
	for _, in := range tx.Msg.TxIn {
		point := in.PreviousOutPoint.String()
		c, ours := a.custody[point]
		switch {
		case !ours:
		case c.kind == "stake":
			a.checkInput(p, on, point)
			spent[point] = true
		case c.kind == "payment" && !a.paidByOwner(o):
			a.checkInput(p, on, point)
			paid = true
		default:
			a.fail(Payouts, on, "its owner signs it, and it spends %s of our %s address", point, c.kind)
		}
	}
	if !paid && o.payoutID == p.id {
		a.fail(Payouts, on, "it delivers order %s, and spends none of its payments", o.id)
	}
	d := owed{order: o.id, value: dust}
	for _, id := range o.unitIDs {
		u := a.units[unitKey{o.community, id}]
		d.amount, d.value = d.amount+u.amount, d.value+a.custody[id].value
		if u.origin != "STAKE" || !spent[id] {
			a.fail(Payouts, on, "it delivers unit %s without spending its output", id)
		}
		delete(spent, id)
	}
	for _, point := range sortedKeys(spent) {
		a.fail(Payouts, on, "it spends the stake %s, which its order does not name", point)
	}
	a.checkOneTxOutputs(p, o, d, tx)
}

// checkOneTxOutputs checks the outputs of a withdrawal that its owner signed: the delivery, one runestone, the service
// fee of a paid order, and at most one change output to the payment address.
func (a *auditor) checkOneTxOutputs(p payout, o order, d owed, tx chain.Tx) {
	on, outs := p.transaction(tx.ID.String()), tx.Msg.TxOut
	ordinals, err := chain.ParseAddress(o.owner, a.Rules.Network)
	payment, wrong := chain.ParseAddress(o.payment, a.Rules.Network)
	if err != nil || wrong != nil || o.owner == o.payment && a.paidByOwner(o) {
		a.fail(Payouts, on, "order %s has no two addresses for it", o.id)
		return
	}
	rest := outs[min(2, len(outs)):]
	if len(rest) > 0 && !a.paidByOwner(o) && rest[0].Value == o.serviceFee {
		if w, known := a.watch.at(rest[0].PkScript); known && w.kind == "sats" && w.community == o.community {
			rest = rest[1:]
		}
	}
	switch {
	case len(outs) < 2 || len(rest) > 1 || outs[1].Value != 0 ||
		len(rest) == 1 && !bytes.Equal(rest[0].PkScript, payment.Script):
		a.fail(Payouts, on, "its %d outputs are not a delivery, a runestone and change of its owner", len(outs))
		return
	case outs[0].Value != d.value || !bytes.Equal(outs[0].PkScript, ordinals.Script):
		a.fail(Payouts, on, "order %s is owed %d sats on output 0 and does not get them", o.id, d.value)
	}
	artifact := runes.Decipher(tx.Msg)
	if artifact == nil || artifact.Runestone == nil || artifact.Runestone.Etching != nil ||
		artifact.Runestone.Mint != nil || artifact.Runestone.Pointer == nil || *artifact.Runestone.Pointer != 0 {
		a.fail(Payouts, on, "it has no plain runestone that points to its owner")
		return
	}
	allocated, burned, cenotaph, err := a.Rules.Allocate(tx.Msg, func(out wire.OutPoint) []runes.Balance {
		return a.balancesOf(out.String())
	}, a.index, max(0, a.tip()))
	if err != nil || cenotaph || len(burned) > 0 {
		a.fail(Payouts, on, "it burns runes or is a cenotaph (%v)", err)
		return
	}
	got, _ := held(allocated[0], a.runeOf(o.community))
	elsewhere := slices.ContainsFunc(allocated[1:], func(b []runes.Balance) bool { return len(b) > 0 })
	if elsewhere || got != uint128.From64(uint64(d.amount)) {
		a.fail(Payouts, on, "order %s is owed %d base units on output 0 alone and gets %s", o.id, d.amount, got)
	}
}
