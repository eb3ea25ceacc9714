package audit

import (
	"bytes"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// deliveryDepth is the number of confirmations of a payout after which its order is DELIVERED.
const deliveryDepth = 3

// payoutOf lists the statuses that the payout of an order may have, by the order's status.
var payoutOf = map[string][]string{
	"SENT": {"live"}, "DELIVERED": {"confirmed", "final"}, "CONSOLIDATED": {"confirmed", "final"},
}

// checkPayouts compares payouts with their orders and the chain (invariant 6).
func (a *auditor) checkPayouts() {
	for _, id := range sortedKeys(a.orders) {
		a.checkSent(a.orders[id])
	}
	claimed := map[string]string{}
	versions := map[string][]version{}
	for _, txid := range sortedKeys(a.versions) {
		v := a.versions[txid]
		versions[v.payoutID] = append(versions[v.payoutID], v)
		if _, exists := a.payouts[v.payoutID]; !exists {
			a.fail(Payouts, onServer(noPayout, "transaction "+txid), "its payout %s is not there", v.payoutID)
		}
	}
	for _, id := range sortedKeys(a.payouts) {
		p := a.payouts[id]
		if p.status == "dead" {
			continue
		}
		if p.kind == "refund" {
			a.checkRefund(p)
		}
		a.checkClaims(p, versions[id], claimed)
		for _, order := range p.orderIDs {
			if p.delivers() && a.orders[order].payoutID != id {
				a.fail(Payouts, p.subject(), "its order %s does not know it", order)
			}
		}
		a.checkFamily(p, versions[id])
	}
	for _, id := range sortedKeys(a.orders) {
		if a.orders[id].byRefund && !a.refunded[id] && !a.partial {
			a.fail(Payouts, a.onOrder(id), "it is canceled by its refund, and none is confirmed")
		}
	}
}

// checkClaims checks that an order is in one delivery and a payment in one refund. claimed has the payouts that were
// checked before, by order and by payment. An order can have several refunds at a time, because anyone can pay it while
// its first refund is unconfirmed. They return no more than is owed, since each spends payments of the order that
// nothing else spends.
func (a *auditor) checkClaims(p payout, versions []version, claimed map[string]string) {
	var claims []string
	switch {
	case p.delivers():
		for _, id := range p.orderIDs {
			claims = append(claims, "order "+id)
		}
	case p.kind == "refund":
		for _, v := range versions {
			claims = append(claims, inputsOf(v.raw)...)
		}
	}
	for _, claim := range claims {
		if other := claimed[claim]; other != "" && other != p.id {
			on := p.subject()
			on.name = claim
			a.fail(Payouts, on, "it has two payouts, %s and %s", other, p.id)
		}
		claimed[claim] = p.id
	}
}

// checkSent compares the status of an order with the payout that the order names.
func (a *auditor) checkSent(o order) {
	on := a.onOrder(o.id)
	if o.byRefund && o.status != "CANCELED" {
		a.fail(Payouts, on, "it is %s, and says that its refund canceled it", o.status)
	}
	allowed, sent := payoutOf[o.status]
	p, exists := a.payouts[o.payoutID]
	switch {
	case !sent && o.payoutID != "":
		a.fail(Payouts, on, "it is %s, but has a payout %s", o.status, o.payoutID)
	case sent && exists && !p.delivers():
		a.fail(Payouts, on, "its payout %s is a %s", p.id, p.kind)
	case sent && (!exists || !slices.Contains(allowed, p.status) || !slices.Contains(p.orderIDs, o.id)):
		a.fail(Payouts, on, "it is %s, but its payout %q is %q", o.status, o.payoutID, p.status)
	case sent && a.versions[o.payoutTx].payoutID != o.payoutID:
		a.fail(Payouts, on, "transaction %q is not of its payout", o.payoutTx)
	}
}

// checkFamily checks the versions of a payout that is not superseded: their heights, their transactions, and that at
// most one is in a block.
func (a *auditor) checkFamily(p payout, versions []version) {
	on := p.subject()
	inBlocks, deepest := 0, int64(0)
	for _, v := range versions {
		height, mined := a.mined[v.txid]
		if !mined {
			height = chain.None
		} else {
			inBlocks++
			deepest = max(deepest, a.tip()-height+1)
		}
		if height != v.height {
			a.fail(Payouts, p.transaction(v.txid), "the payout has it in block %d, the chain in block %d", v.height, height)
		}
		tx, err := chain.DecodeTx(v.raw)
		if err != nil || tx.ID.String() != v.txid {
			a.fail(Payouts, p.transaction(v.txid), "its stored bytes do not encode the transaction")
			continue
		}
		switch p.kind {
		case "delivery":
			a.checkVersion(p, tx)
			if len(p.orderIDs) > 0 {
				a.checkEconomyPayout(p, tx)
			}
		case "split":
			if len(p.orderIDs) > 0 {
				a.fail(Payouts, on, "it splits the treasury, and has orders")
			}
			a.checkVersion(p, tx)
		case "one_tx":
			a.checkOneTx(p, tx)
		case "refund":
			a.checkRefunded(p, tx)
		case "return":
			a.checkReturned(p, tx)
		case "withdrawal":
			a.checkWithdrawn(p, tx)
		default:
			a.fail(Payouts, on, "%q is no kind of payout", p.kind)
		}
	}
	switch {
	case len(versions) == 0:
		a.fail(Payouts, on, "it has no transaction")
	case inBlocks > 1:
		a.fail(Payouts, on, "%d of its versions are in blocks", inBlocks)
	case a.settings["pause_all"] != "": // it keeps its status until the pause ends, also if a reorg undoes it
	case p.status != "live" && deepest < deliveryDepth:
		a.fail(Payouts, on, "it is %s with %d confirmations", p.status, deepest)
	}
}

// owed is the amount that one order receives from a payout.
type owed struct {
	order  string
	script []byte
	amount int64 // base units
	value  int64 // sats
}

// checkVersion decodes a payout and compares its inputs and its allocation with the amounts owed to its orders.
func (a *auditor) checkVersion(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	inputs := map[string]bool{}
	for _, in := range tx.Msg.TxIn {
		inputs[in.PreviousOutPoint.String()] = true
		a.checkInput(p, on, in.PreviousOutPoint.String())
	}
	var due []owed
	for _, id := range p.orderIDs {
		o := a.orders[id]
		anchor := a.anchor(id, false)
		if (anchor == "" || !inputs[anchor]) && !(p.status == "live" && a.spendsVanished(id, inputs)) {
			a.fail(Payouts, on, "it does not spend the anchor %q of order %s", anchor, id)
		}
		to, err := chain.ParseAddress(o.owner, a.Rules.Network)
		if err != nil {
			a.fail(Payouts, on, "order %s has no destination", id)
		}
		d := owed{order: id, script: to.Script, value: dust}
		for _, unitID := range o.unitIDs {
			u := a.units[unitKey{o.community, unitID}]
			d.amount += u.amount
			if u.origin == "STAKE" {
				c := a.custody[unitID]
				d.value += c.value
				if !inputs[unitID] {
					a.fail(Payouts, on, "it delivers unit %s without spending its output", unitID)
				}
			}
		}
		due = append(due, d)
	}
	a.checkAllocation(p, tx, due)
}

// anchor returns the payment that the order's first payout fixed as its anchor. If this payment vanished, the anchor is
// the first counted payment, or "" if there is none. A late payment is an anchor only for a closed order, because no
// payout's anchor arrives after the payout.
func (a *auditor) anchor(orderID string, closed bool) string {
	if a.orderAnchors == nil {
		a.orderAnchors = map[anchorKey]string{}
		fixed := map[anchorKey]bool{}
		for _, p := range a.payments {
			point := p.outpoint()
			isFixed := a.orders[p.orderID].anchor == point
			if !(p.counted || isFixed) || a.vanished(point) || a.isPayout(p.txid) {
				continue
			}
			for _, of := range []anchorKey{{p.orderID, true}, {p.orderID, false}} {
				if !of.closed && (!p.counted || a.refundedEarlier(p)) { // it can be refunded but can't pay a delivery
					continue
				}
				if (a.orderAnchors[of] == "" || isFixed) && !fixed[of] && (of.closed || !p.late) {
					a.orderAnchors[of], fixed[of] = point, isFixed
				}
			}
		}
	}
	return a.orderAnchors[anchorKey{orderID, closed}]
}

// anchorKey identifies an anchor: the order, and whether the order is treated as closed.
type anchorKey struct {
	orderID string
	closed  bool
}

// spendsVanished reports whether a transaction spends a payment that was replaced after a reorg. Until the replacement
// is deep enough, the order stays SENT, and a payment that arrives meanwhile is not the payout's anchor.
func (a *auditor) spendsVanished(orderID string, inputs map[string]bool) bool {
	return slices.ContainsFunc(a.payments, func(p payment) bool {
		return p.orderID == orderID && p.counted && inputs[p.outpoint()] && a.vanished(p.outpoint())
	})
}

// refundedEarlier reports whether a refund spends a payment that is not the stored anchor of its order. An open order's
// refund refunds an overpayment, and the refunded payment does not become the anchor when the stored anchor vanishes.
func (a *auditor) refundedEarlier(p payment) bool {
	fixed := a.orders[p.orderID].anchor
	return fixed != "" && fixed != p.outpoint() &&
		a.payouts[a.versions[a.custody[p.outpoint()].spentBy].payoutID].kind == "refund"
}

func (a *auditor) vanished(point string) bool {
	return a.custody[point].vanished
}

// checkInput checks that a payout may spend an output.
func (a *auditor) checkInput(p payout, on subject, point string) {
	c, ours := a.custody[point]
	u := a.units[unitKey{c.community, point}]
	switch {
	case !ours || c.community != p.community:
		a.fail(Payouts, on, "it spends %s, which is not the community's", point)
	case c.kind == "stake" && !slices.Contains(p.orderIDs, u.orderID):
		a.fail(Payouts, on, "it spends the stake %s, which none of its orders delivers", point)
	case c.kind == "payment" && !slices.Contains(p.orderIDs, c.ref) && p.kind != "return":
		a.fail(Payouts, on, "it spends %s, a payment of another order", point)
	case c.kind != "stake" && c.kind != "runes" && len(a.balancesOf(point)) > 0:
		a.fail(Payouts, on, "it spends the runes of %s, which are no unit's and not the treasury's", point)
	case c.quarantine != "":
		a.fail(Payouts, on, "it spends %s, which is in quarantine: %s", point, c.quarantine)
	}
}

// balancesOf returns the runes on one of our outputs when it was created: by the chain, or by the ledger while the
// output is unconfirmed.
func (a *auditor) balancesOf(point string) []runes.Balance {
	if o := a.outputs.at(point); o != nil {
		return o.balances
	}
	c := a.custody[point]
	if c.runes <= 0 {
		return nil
	}
	return []runes.Balance{{ID: a.runeOf(c.community), Amount: uint128.From64(uint64(c.runes))}}
}

// checkAllocation checks that a transaction sends each order exactly the runes and sats that it is owed, and everything
// else to the treasury or to the orders' own addresses.
func (a *auditor) checkAllocation(p payout, tx chain.Tx, due []owed) {
	on := p.transaction(tx.ID.String())
	artifact := runes.Decipher(tx.Msg)
	if artifact == nil || artifact.Runestone == nil ||
		artifact.Runestone.Etching != nil || artifact.Runestone.Mint != nil {
		a.fail(Payouts, on, "it has no plain runestone")
		return
	}
	for _, e := range artifact.Runestone.Edicts {
		if e.Amount.IsZero() {
			a.fail(Payouts, on, "an edict of 0 takes all that is left")
		}
	}
	outputs, burned, cenotaph, err := a.Rules.Allocate(tx.Msg, func(out wire.OutPoint) []runes.Balance {
		return a.balancesOf(out.String())
	}, a.index, max(0, a.tip()))
	if err != nil || cenotaph || len(burned) > 0 {
		a.fail(Payouts, on, "it burns runes or is a cenotaph (%v)", err)
		return
	}
	id := a.runeOf(p.community)
	for i, out := range tx.Msg.TxOut {
		amount, foreign := held(outputs[i], id)
		at := slices.IndexFunc(due, func(d owed) bool {
			return bytes.Equal(d.script, out.PkScript) && d.value == out.Value &&
				amount == uint128.From64(uint64(d.amount)) && !foreign
		})
		w, ours := a.watch.at(out.PkScript)
		switch {
		case at >= 0:
			due = slices.Delete(due, at, at+1)
		case ours && w.community == p.community && w.kind == "runes":
		case len(outputs[i]) > 0:
			a.fail(Payouts, on, "output %d gets %s base units that nobody is owed there", i, amount)
		// The overpayment of an order stays at the order's own address.
		case ours && w.community == p.community && w.kind == "payment" && slices.Contains(p.orderIDs, w.ref):
		case out.Value > 0 && (!ours || w.community != p.community || w.kind != "sats"):
			a.fail(Payouts, on, "output %d pays %d sats to nobody we know", i, out.Value)
		}
	}
	for _, d := range due {
		a.fail(Payouts, on, "order %s is owed %d base units on %d sats and does not get them",
			d.order, d.amount, d.value)
	}
}
