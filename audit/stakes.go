package audit

import (
	"bytes"
	"fmt"
	"math"

	"moonfund/chain"
	"moonfund/runes"
)

// invariantOf says which invariant an output of a kind belongs to.
func invariantOf(kind string) int {
	switch kind {
	case "stake":
		return Stakes
	case "payment":
		return Payments
	}
	return Backing
}

func (a *auditor) runeOf(prefix string) runes.ID {
	if id, known := a.runeIDs[prefix]; known {
		return id
	}
	for _, c := range a.communities {
		if c.prefix == prefix {
			id, err := runes.ParseID(c.runeID)
			if err != nil {
				a.fail(Chain, "community "+prefix, "its rune id %q can't be read", c.runeID)
			}
			a.runeIDs[prefix] = id
			return id
		}
	}
	return runes.ID{}
}

// checkCustody compares every custody row with the chain, and every output of
// the chain at our scripts with its row.
func (a *auditor) checkCustody() {
	for point, c := range a.custody.all() {
		a.checkOutput(point, c)
	}
	for point, o := range a.outputs.all() {
		// A treasury address may have been paid before the server knew it; nobody is owed that.
		_, known := a.custody.at(point)
		if _, ours := a.watch.rows[o.script.mark()]; !known && !ours && o.kind == "stake" {
			continue // its address has expired since it was walked, with nothing credited there
		}
		if !known && (a.isPayout(o.txid) || o.kind == "stake" || o.kind == "payment") && !a.excuses(point, &o) {
			a.fail(invariantOf(o.kind), point, "an output of %d sats at our %s address %s is not in the ledger", o.value, o.kind, a.handedOut(o))
		}
	}
}

// handedOut is the order or the address that an output was for.
func (a *auditor) handedOut(o found) string {
	if o.kind == "stake" {
		return o.script.address(a.Rules.Network)
	}
	return o.ref
}

// checkOutput compares one custody row with the chain.
func (a *auditor) checkOutput(point string, c custody) {
	o := a.outputs.at(point)
	if o != nil {
		a.checkMined(c, o)
	} else {
		a.checkUnmined(c)
	}
	a.checkSpend(c, o)
}

// checkWatched checks a custody row, as it is read, against what its script was handed out for.
func (a *auditor) checkWatched(c custody) {
	if !a.watch.is(watched{c.script, c.community, c.kind, c.ref, c.owner}) {
		a.fail(invariantOf(c.kind), c.outpoint(), "it is not recorded as what its script was handed out for")
		return
	}
	if c.kind != "stake" {
		return
	}
	address, err := chain.ParseAddress(c.ref, a.Rules.Network)
	if err != nil || !bytes.Equal(address.Script, c.script) || !a.addresses[stakeAddress{c.ref, c.community, c.owner}.mark()] {
		a.fail(Stakes, c.outpoint(), "the keys of its stake address %s are not recorded", c.ref)
	}
}

// checkMined compares an output in a block.
func (a *auditor) checkMined(c custody, o *found) {
	invariant := invariantOf(c.kind)
	if c.height != o.height {
		a.fail(invariant, c.outpoint(), "the ledger has it in block %d, the chain in block %d", c.height, o.height)
		return
	}
	if c.value != o.value || c.mark != o.script.mark() || c.coinbase != o.coinbase {
		a.fail(invariant, c.outpoint(), "the ledger has it with %d sats, the chain with %d, or with another script", c.value, o.value)
	}
	if c.vanished && c.kind != "stake" {
		a.fail(invariant, c.outpoint(), "it counts as vanished, but is in block %d", o.height)
	}
	runes, creditable, sure := a.credit(o)
	if c.runes != runes {
		a.fail(invariant, c.outpoint(), "the ledger has %d base units on it, the chain %d", c.runes, runes)
	}
	if sure && creditable != (c.quarantine == "") {
		a.fail(invariant, c.outpoint(), "the ledger says %q of it, but by its runes it is creditable: %t", c.quarantine, creditable)
	}
}

// checkUnmined checks what is known of an output that is in no block: only that the books agree with themselves.
func (a *auditor) checkUnmined(c custody) {
	invariant := invariantOf(c.kind)
	if c.height != chain.None {
		a.fail(invariant, c.outpoint(), "the ledger has it in block %d, the chain has no such output", c.height)
		return
	}
	tx, err := chain.DecodeTx(a.tracked[c.txid].raw)
	if err != nil || tx.ID.String() != c.txid || c.vout < 0 || c.vout >= int64(len(tx.Msg.TxOut)) {
		a.fail(invariant, c.outpoint(), "it is in no block, and its transaction is not kept")
		return
	}
	if out := tx.Msg.TxOut[c.vout]; out.Value != c.value || scriptMark(out.PkScript) != c.mark {
		a.fail(invariant, c.outpoint(), "its transaction says something else")
	}
}

func (a *auditor) checkSpend(c custody, o *found) {
	invariant := invariantOf(c.kind)
	spender, height := "", int64(chain.None)
	if o != nil {
		spender, height = o.spentBy, o.spentHeight
	}
	if _, ours := a.versions[c.spentBy]; ours != c.spentOurs {
		a.fail(invariant, c.outpoint(), "spent by a payout of ours: the ledger says %t, the payouts %t", c.spentOurs, ours)
	}
	switch {
	case spender != "" && (c.spentBy != spender || c.spentHeight != height):
		a.fail(invariant, c.outpoint(), "the chain spends it by %s in block %d, the ledger by %q in block %d", spender, height, c.spentBy, c.spentHeight)
	case spender == "" && c.spentHeight != chain.None:
		a.fail(invariant, c.outpoint(), "the ledger has it spent in block %d, the chain does not", c.spentHeight)
	case spender == "" && c.spentBy != "" && !a.spends(c.spentBy, c.outpoint()):
		a.fail(invariant, c.outpoint(), "its spend %s is not kept, or does not spend it", c.spentBy)
	}
}

// spends reports whether a kept transaction spends an output.
func (a *auditor) spends(txid, point string) bool {
	tx, err := chain.DecodeTx(a.tracked[txid].raw)
	if err != nil || tx.ID.String() != txid {
		return false
	}
	for _, in := range tx.Msg.TxIn {
		if in.PreviousOutPoint.String() == point {
			return true
		}
	}
	return false
}

// checkStakes holds every unit of origin STAKE against its own output, and every
// creditable output against its unit (invariant 1).
func (a *auditor) checkStakes() {
	owed, backed := map[string]int64{}, map[string]int64{}
	for _, u := range a.units.all() {
		if u.origin != "STAKE" {
			continue
		}
		if u.stage != "WITHDRAWN" && !a.ending(u) {
			owed[u.community] += u.amount
		}
		a.checkStake(u)
	}
	for point, c := range a.custody.all() {
		if c.kind != "stake" || c.quarantine != "" || c.vanished {
			continue
		}
		u, exists := a.units.at(unitKey{c.community, point})
		if !exists {
			a.fail(Stakes, point, "its deposit of %d base units has no unit", c.runes)
			continue
		}
		if c.spentBy == "" || (u.stage != "WITHDRAWN" && (!c.spentOurs || a.onItsWay(u, c.spentBy))) {
			backed[c.community] += a.onChain(c)
		}
	}
	for _, c := range a.communities {
		t := a.report.Totals[c.prefix]
		t.StakeUnits, t.StakeOutputs = owed[c.prefix], backed[c.prefix]
		a.report.Totals[c.prefix] = t
		if t.StakeUnits != t.StakeOutputs {
			a.fail(Stakes, "community "+c.prefix, "its units of origin STAKE add up to %d base units, the outputs behind them to %d", t.StakeUnits, t.StakeOutputs)
		}
	}
}

// onChain is what an output holds by the chain, or by the ledger while it is in no block.
func (a *auditor) onChain(c custody) int64 {
	if o := a.outputs.at(c.outpoint()); o != nil {
		base, _, _ := a.credit(o)
		return base
	}
	return c.runes
}

func (a *auditor) checkStake(u unit) {
	subject := "unit " + u.id
	c, exists := a.custody.at(u.id)
	if !exists || u.id != outpoint(u.txid, u.vout) || c.kind != "stake" || c.community != u.community {
		a.fail(Stakes, subject, "it has no output of its own")
		return
	}
	if c.owner != u.owner || (c.runes != u.amount && !a.ending(u)) || u.amount <= 0 {
		a.fail(Stakes, subject, "%d base units of %s stand on an output of %d base units of %s", u.amount, u.owner, c.runes, c.owner)
	}
	if u.stage != "WITHDRAWN" {
		a.checkLiveStake(u, c)
		return
	}
	o := a.outputs.at(u.id)
	switch {
	case o == nil || o.spentBy == "":
		a.fail(Stakes, subject, "it is WITHDRAWN, but no block spends its output")
	case (u.before != "") == a.isPayout(o.spentBy):
		a.fail(Stakes, subject, "recovered by its staker: %t, but %s spends its output", u.before != "", o.spentBy)
	}
}

func (a *auditor) checkLiveStake(u unit, c custody) {
	subject := "unit " + u.id
	if (c.quarantine != "" || c.vanished) && !a.ending(u) {
		a.fail(Stakes, subject, "it is live, but its deposit is not: %s", cmpText(c.quarantine, "it vanished"))
	}
	if c.spentOurs && !a.onItsWay(u, c.spentBy) {
		a.fail(Stakes, subject, "it is %s, but our transaction %s spends its output", u.stage, c.spentBy)
	}
	if o := a.outputs.at(u.id); o != nil && o.spentBy != "" && o.keyPath && !a.isPayout(o.spentBy) {
		a.fail(Stakes, subject, "the community's key spent its output by %s, which is no payout of ours", o.spentBy)
	}
}

// ending reports whether a unit's deposit vanished and the unit goes with it as soon
// as it can: once its order's payout is dead, or the pause of everything ends.
func (a *auditor) ending(u unit) bool {
	onItsWay := u.stage == "BATCH_LOCKED" && a.orders[u.orderID].status == "SENT"
	c, _ := a.custody.at(u.id)
	return c.vanished && (onItsWay || a.settings["pause_all"] != "")
}

func cmpText(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

func (a *auditor) isPayout(txid string) bool {
	_, ours := a.versions[txid]
	return ours
}

// onItsWay reports whether a transaction is the undelivered payout of the unit's own order.
func (a *auditor) onItsWay(u unit, txid string) bool {
	v, known := a.versions[txid]
	o, locked := a.orders[u.orderID]
	return known && locked && u.stage == "BATCH_LOCKED" && o.status == "SENT" && o.payoutID == v.payoutID
}

// sumOf adds, and reports what no ledger can count.
func (a *auditor) sumOf(invariant int, subject string, amounts ...int64) (total int64) {
	for _, n := range amounts {
		if n < 0 || total > math.MaxInt64-n {
			a.fail(invariant, subject, "the amounts %s can't be added up", fmt.Sprint(amounts))
			return total
		}
		total += n
	}
	return total
}
