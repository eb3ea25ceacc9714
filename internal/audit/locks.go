package audit

import (
	"slices"

	"moonfund/internal/bitcoin/chain"
)

// stageOf returns the stage of an order's units by the order's status and reason, or "" if the order locks no units.
func stageOf(status, reason string) string {
	switch status {
	case "PENDING":
		if reason == "CLAIM" {
			return "PO_CLAIMED"
		}
		return "PO_LOCKED"
	case "CONFIRMED", "PENDING_RERATE":
		if reason == "CLAIM" {
			return "PO_CLAIMED"
		}
		return "PENDING_WITHDRAW"
	case "PAID", "SENT":
		return "BATCH_LOCKED"
	case "DELIVERED", "CONSOLIDATED":
		return "WITHDRAWN"
	}
	return ""
}

// unlocked are the stages of units that no order locks.
var unlocked = []string{"PENDING_STAKE", "STAKED", "PENDING_UNLOCK", "UNLOCKED", "CLAIMABLE"}

// checkLocks compares the units of every order with the order's list (invariant 4).
func (a *auditor) checkLocks() {
	lockedBy := map[unitKey]string{}
	for _, id := range sortedKeys(a.orders) {
		a.checkHeld(a.orders[id], lockedBy)
	}
}

// checkStage checks that a unit's epochs match its stage.
func (a *auditor) checkStage(u unit) {
	wrong := false
	switch u.stage {
	case "PENDING_STAKE":
		wrong = u.eligible != chain.None || u.stakedTo != chain.None || u.unlock != chain.None
	case "STAKED":
		wrong = u.eligible < 0 || u.stakedTo != chain.None || u.unlock != chain.None
	case "PENDING_UNLOCK", "UNLOCKED", "PO_LOCKED", "PENDING_WITHDRAW":
		wrong = u.stakedTo < 0 || u.unlock <= u.stakedTo
	case "CLAIMABLE", "PO_CLAIMED":
		wrong = u.origin != "REWARD" || u.eligible != chain.None
	case "BATCH_LOCKED", "WITHDRAWN": // a reward that was not compounded never earns
		wrong = u.origin == "REWARD" && u.notBefore == 0 && u.eligible != chain.None
	default:
		a.fail(Locks, a.onUnit(u.community, u.id), "%q is no stage", u.stage)
	}
	if wrong {
		a.fail(Locks, a.onUnit(u.community, u.id), "it is %s, but eligible from epoch %d, staked to %d, unlocked from %d",
			u.stage, u.eligible, u.stakedTo, u.unlock)
	}
}

// checkLock checks that a unit is locked by an order as its stage implies.
func (a *auditor) checkLock(u unit) {
	on := a.onUnit(u.community, u.id)
	if u.orderID == "" {
		if !slices.Contains(unlocked, u.stage) && (u.stage != "WITHDRAWN" || (u.before == "" && !a.isExplained(u))) {
			a.fail(Locks, on, "it is %s, but on no order", u.stage)
		}
		return
	}
	o, exists := a.orders[u.orderID]
	switch {
	case !exists || o.community != u.community || o.owner != u.owner:
		a.fail(Locks, on, "its order %s is not there, or of somebody else", u.orderID)
	case !slices.Contains(o.unitIDs, u.id):
		a.fail(Locks, on, "its order %s does not list it", o.id)
	case u.stage != stageOf(o.status, o.reason):
		a.fail(Locks, on, "it is %s on a %s order (%s) that is %s", u.stage, o.reason, o.id, o.status)
	}
}

// checkHeld checks that an order locks exactly the units that it lists, and that no other order locks them. lockedBy
// has the orders that were checked before, by unit.
func (a *auditor) checkHeld(o order, lockedBy map[unitKey]string) {
	on := a.onOrder(o.id)
	if stageOf(o.status, o.reason) == "" {
		if !slices.Contains([]string{"CANCELED", "EXPIRED", "INVALID", "AUDIT"}, o.status) {
			a.fail(Locks, on, "%q is no status", o.status)
		}
		return
	}
	var total, real, self int64
	for _, id := range o.unitIDs {
		key := unitKey{o.community, id}
		u, exists := a.units[key]
		if !exists || u.orderID != o.id {
			a.fail(Locks, on, "it is %s, but does not hold its unit %s", o.status, id)
			continue
		}
		if other := lockedBy[key]; other != "" {
			a.fail(Locks, on, "its unit %s is on order %s too", id, other)
		}
		lockedBy[key] = o.id
		total = a.sumOf(Locks, on, total, u.amount)
		if u.origin == "STAKE" {
			real++
		}
		if u.deposit.self {
			self++
		}
		if (o.reason == "CLAIM") != (u.origin == "REWARD" && u.stakedTo == chain.None) {
			a.fail(Locks, on, "its unit %s is not one for a %s", id, o.reason)
		}
	}
	if total != o.amount || real != o.realUnits || self != o.selfUnits || len(o.unitIDs) == 0 {
		a.fail(Locks, on, "it owes %d base units of %d real units, %d in self-custody, its units are %d, %d and %d",
			o.amount, o.realUnits, o.selfUnits, total, real, self)
	}
}
