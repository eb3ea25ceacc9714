package audit

import (
	"cmp"
	"fmt"
	"math"
)

// addStake adds a unit to the sum of the live units of origin STAKE, which their deposits must back.
func (a *auditor) addStake(u unit) {
	if u.origin == "STAKE" && u.stage != "WITHDRAWN" && !a.isEnding(u) {
		a.stakeUnits[u.community] += u.amount
	}
}

// addDeposit checks that a creditable deposit has a unit, and adds it to the sum of the deposits that back live units
// (invariant 1).
func (a *auditor) addDeposit(point string, c custody) {
	if c.kind != "stake" || c.quarantine != "" || c.vanished {
		return
	}
	if c.unitStage == "" {
		a.fail(Stakes, point, "its deposit of %d base units has no unit", c.runes)
		return
	}
	live := c.unitStage != "WITHDRAWN"
	if c.spentBy == "" || (live && (!c.spentOurs || a.isPayoutInFlight(c.unitStage, c.order, c.spentBy))) {
		a.stakeOutputs[c.community] += a.onChain(c)
	}
}

// checkStakes compares the sums of units and deposits (invariant 1).
func (a *auditor) checkStakes() {
	for _, c := range a.communities {
		t := a.report.Totals[c.prefix]
		t.StakeUnits, t.StakeOutputs = a.stakeUnits[c.prefix], a.stakeOutputs[c.prefix]
		a.report.Totals[c.prefix] = t
		if t.StakeUnits != t.StakeOutputs {
			a.fail(Stakes, "community "+c.prefix,
				"its units of origin STAKE add up to %d base units, the outputs behind them to %d", t.StakeUnits, t.StakeOutputs)
		}
	}
}

// checkStake compares a unit of origin STAKE with the unit's own output.
func (a *auditor) checkStake(u unit) {
	subject, d := "unit "+u.id, u.deposit
	if u.id != outpoint(u.txid, u.vout) || d.kind != "stake" || d.community != u.community {
		a.fail(Stakes, subject, "it has no output of its own")
		return
	}
	if d.owner != u.owner || (d.runes != u.amount && !a.isEnding(u)) || u.amount <= 0 {
		a.fail(Stakes, subject, "%d base units of %s stand on an output of %d base units of %s",
			u.amount, u.owner, d.runes, d.owner)
	}
	if u.stage != "WITHDRAWN" {
		a.checkLiveStake(u)
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

// checkLiveStake checks that the deposit of a live unit is creditable, and that it is spent by nothing but the payout
// of its order or by its staker.
func (a *auditor) checkLiveStake(u unit) {
	subject, d := "unit "+u.id, u.deposit
	if (d.quarantine != "" || d.vanished) && !a.isEnding(u) {
		a.fail(Stakes, subject, "it is live, but its deposit is not: %s", cmp.Or(d.quarantine, "it vanished"))
	}
	if d.spentOurs && !a.isPayoutInFlight(u.stage, u.orderID, d.spentBy) {
		a.fail(Stakes, subject, "it is %s, but our transaction %s spends its output", u.stage, d.spentBy)
	}
	if o := a.outputs.at(u.id); o != nil && o.spentBy != "" && o.keyPath && !a.isPayout(o.spentBy) {
		a.fail(Stakes, subject, "the community's key spent its output by %s, which is no payout of ours", o.spentBy)
	}
}

// isEnding reports whether a unit's deposit vanished and the unit will be removed when its order's payout is dropped,
// or when the pause of everything ends.
func (a *auditor) isEnding(u unit) bool {
	sent := u.stage == "BATCH_LOCKED" && a.orders[u.orderID].status == "SENT"
	return u.deposit.vanished && (sent || a.settings["pause_all"] != "")
}

func (a *auditor) isPayout(txid string) bool {
	_, ours := a.versions[txid]
	return ours
}

// isPayoutInFlight reports whether a transaction is the undelivered payout of a unit's order.
func (a *auditor) isPayoutInFlight(stage, orderID, txid string) bool {
	v, known := a.versions[txid]
	o, locked := a.orders[orderID]
	return known && locked && stage == "BATCH_LOCKED" && o.status == "SENT" && o.payoutID == v.payoutID
}

// sumOf returns the sum of amounts. It reports a violation for a negative amount or an overflow, and then returns the
// sum of the amounts before it.
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
