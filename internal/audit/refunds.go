package audit

import (
	"bytes"
	"slices"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// checkRefund compares a refund that is not superseded with its order (invariant 6).
func (a *auditor) checkRefund(p payout) {
	on := p.subject()
	if len(p.orderIDs) != 1 {
		a.fail(Payouts, on, "it refunds %d orders", len(p.orderIDs))
		return
	}
	o, exists := a.orders[p.orderIDs[0]]
	ended := o.status == "AUDIT" || slices.Contains(closed, o.status)
	anchor := a.anchor(o.id, ended)
	spent := a.custody[anchor]
	by := a.payouts[a.versions[spent.spentBy].payoutID]
	if p.status != "live" {
		a.refunded[o.id] = true
	}
	switch {
	case !exists || o.community != p.community:
		a.fail(Payouts, on, "its order %s is not there", p.orderIDs[0])
	case !ended && by.id == p.id && !a.paidByOwner(o): // a withdrawal in one transaction, so every payment is refunded
		a.fail(Payouts, on, "order %s is %s, and its anchor %s is refunded", o.id, o.status, anchor)
	case ended && by.kind != "refund" && !a.anchorMoved(o.id):
		a.fail(Payouts, on, "order %s is refunded, but not its anchor %s", o.id, anchor)
	}
}

// anchorMoved reports whether another payment may have been the anchor when a refund was made: a payment vanished
// together with an earlier refund, or a payout spent the anchor and was superseded later.
func (a *auditor) anchorMoved(orderID string) bool {
	return slices.ContainsFunc(a.history[orderID], func(p posting) bool {
		return p.event == "payout signed and stored" || p.event == "payment vanished"
	})
}

// checkRefunded decodes a refund. It may spend only payments of its order, must send everything to the address that the
// staker signed, and must contain no runes.
func (a *auditor) checkRefunded(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	var in int64
	for _, input := range tx.Msg.TxIn {
		point := input.PreviousOutPoint.String()
		a.checkInput(p, on, point)
		c := a.custody[point]
		if c.kind != "payment" {
			a.fail(Payouts, on, "it refunds %s, which is no payment", point)
		}
		if by := a.versions[c.spentBy].payoutID; by != p.id {
			a.fail(Payouts, on, "it refunds %s, which is spent by %s", point, c.spentBy)
		}
		in = a.sumOf(Payouts, on, in, c.value)
	}
	for _, id := range p.orderIDs {
		to, err := chain.ParseAddress(a.orders[id].payment, a.Rules.Network)
		out := tx.Msg.TxOut
		if err != nil || len(out) != 1 || !bytes.Equal(out[0].PkScript, to.Script) || out[0].Value > in {
			a.fail(Payouts, on, "it does not go to %s, alone", a.orders[id].payment)
		}
	}
	if runes.Decipher(tx.Msg) != nil {
		a.fail(Payouts, on, "it has a runestone")
	}
}
