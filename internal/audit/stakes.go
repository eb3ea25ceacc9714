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

// addBacking adds the creditable deposit of a unit to the sum of the deposits that back live units (invariant 1).
func (a *auditor) addBacking(u unit) {
	d := u.deposit
	if d.kind != "stake" || d.quarantine != "" || d.vanished || u.id != outpoint(u.txid, u.vout) {
		return
	}
	a.unitDeposits++
	live := u.stage != "WITHDRAWN"
	if d.spentBy == "" || (live && (!d.spentOurs || a.isPayoutInFlight(u.stage, u.orderID, d.spentBy))) {
		a.stakeOutputs[u.community] += a.heldOnChain(u.output, d.runes)
	}
}

// unitlessRows are the creditable deposits without a unit.
var unitlessRows = table[custody]{`SELECT c.txid, c.vout, c.runes, c.community, c.kind FROM custody c
	WHERE c.kind = 'stake' AND c.quarantine = '' AND c.vanished = 0
		AND NOT EXISTS (SELECT 1 FROM unit u WHERE u.community = c.community AND u.id = c.txid || ':' || c.vout)`,
	func(c *custody) []any { return []any{&c.txid, &c.vout, &c.runes, &c.community, &c.kind} }}

// checkUnitless checks that each creditable deposit has a unit (invariant 1). A unit counts one deposit at most, so
// every deposit has a unit if the numbers are equal. Otherwise the deposits without a unit are looked up.
func (a *auditor) checkUnitless(r *reader) {
	if a.unitDeposits == a.deposits {
		return
	}
	each(r, unitlessRows, "", func(c custody) {
		a.fail(Stakes, a.onOutput(c), "its deposit of %d base units has no unit", c.runes)
	})
}

// checkStakes compares the sums of units and deposits (invariant 1).
func (a *auditor) checkStakes() {
	for _, c := range a.communities {
		t := a.report.Totals[c.prefix]
		t.StakeUnits, t.StakeOutputs = a.stakeUnits[c.prefix], a.stakeOutputs[c.prefix]
		a.report.Totals[c.prefix] = t
		if t.StakeUnits != t.StakeOutputs {
			a.fail(Stakes, onCommunity(c.prefix),
				"its units of origin STAKE add up to %d base units, the outputs behind them to %d", t.StakeUnits, t.StakeOutputs)
		}
	}
}

// checkStake compares a unit of origin STAKE with the unit's own output.
func (a *auditor) checkStake(u unit) {
	on, d := a.onUnit(u.community, u.id), u.deposit
	if u.id != outpoint(u.txid, u.vout) || d.kind != "stake" {
		a.fail(Stakes, on, "it has no output of its own")
		return
	}
	if (d.runes != u.amount && !a.isEnding(u)) || u.amount <= 0 {
		a.fail(Stakes, on, "%d base units of %s stand on an output of %d base units", u.amount, u.owner, d.runes)
	}
	if u.stage != "WITHDRAWN" {
		a.checkLiveStake(u)
		return
	}
	o, recovered := u.output, u.before != ""
	switch {
	case recovered && a.settings["pause_all"] != "":
		// A reorg may have undone the recovery; the unit is restored when the pause ends.
	case (o == nil || o.spentBy == "") && a.settings["pause_all"] != "" && a.orders[u.orderID].payoutID != "":
		// A reorg undid its payout: it keeps its stage until the pause ends.
	case o == nil || o.spentBy == "":
		a.fail(Stakes, on, "it is WITHDRAWN, but no block spends its output")
	case recovered == a.isPayout(o.spentBy):
		a.fail(Stakes, on, "recovered by its staker: %t, but %s spends its output", recovered, o.spentBy)
	}
}

// checkLiveStake checks that the deposit of a live unit is creditable, and that only the payout of its order or its
// staker spends it.
func (a *auditor) checkLiveStake(u unit) {
	on, d := a.onUnit(u.community, u.id), u.deposit
	if (d.quarantine != "" || d.vanished) && !a.isEnding(u) {
		a.fail(Stakes, on, "it is live, but its deposit is not: %s", cmp.Or(d.quarantine, "it vanished"))
	}
	if d.spentOurs && !a.isPayoutInFlight(u.stage, u.orderID, d.spentBy) {
		a.fail(Stakes, on, "it is %s, but our transaction %s spends its output", u.stage, d.spentBy)
	}
	if o := u.output; o != nil && o.spentBy != "" && o.byCommunity && !a.isPayout(o.spentBy) {
		key := onCommunity(u.community)
		key.name = on.name
		a.fail(Stakes, key, "the community's key spent its output by %s, which is no payout of ours", o.spentBy)
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

// sumOf returns the sum of amounts. For a negative amount or an overflow it reports a violation and returns the sum of
// the preceding amounts.
func (a *auditor) sumOf(invariant int, on subject, amounts ...int64) (total int64) {
	for _, n := range amounts {
		if n < 0 || total > math.MaxInt64-n {
			a.fail(invariant, on, "the amounts %s can't be added up", fmt.Sprint(amounts))
			return total
		}
		total += n
	}
	return total
}
