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

// paidByOwner reports whether an order is delivered by a withdrawal in one transaction.
func (a *auditor) paidByOwner(o order) bool { return a.payouts[o.payoutID].kind == "one_tx" }

// checkOneTx checks a version of a withdrawal in one transaction: it spends all units of the order and nothing else of
// ours, and everything goes to the owner's two addresses, with all runes on output 0.
func (a *auditor) checkOneTx(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	if len(p.orderIDs) != 1 {
		a.fail(Payouts, on, "its owner pays it, and it has %d orders", len(p.orderIDs))
		return
	}
	o := a.orders[p.orderIDs[0]]
	spent := map[string]bool{}
	for _, in := range tx.Msg.TxIn {
		point := in.PreviousOutPoint.String()
		if c, ours := a.custody[point]; ours && c.kind != "stake" {
			a.fail(Payouts, on, "its owner pays it, and it spends %s of our %s address", point, c.kind)
		} else if ours {
			a.checkInput(p, on, point)
			spent[point] = true
		}
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

// checkOneTxOutputs checks the outputs of a withdrawal in one transaction: the delivery, one runestone, and at most one
// change output to the payment address.
func (a *auditor) checkOneTxOutputs(p payout, o order, d owed, tx chain.Tx) {
	on, outs := p.transaction(tx.ID.String()), tx.Msg.TxOut
	ordinals, err := chain.ParseAddress(o.owner, a.Rules.Network)
	payment, wrong := chain.ParseAddress(o.payment, a.Rules.Network)
	if err != nil || wrong != nil || o.owner == o.payment {
		a.fail(Payouts, on, "order %s has no two addresses for it", o.id)
		return
	}
	switch {
	case len(outs) < 2 || len(outs) > 3 || outs[1].Value != 0 ||
		len(outs) == 3 && !bytes.Equal(outs[2].PkScript, payment.Script):
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
