package audit

import (
	"slices"

	"moonfund/chain"
)

// outgoDepth is how deep what this ledger does not remember must be before somebody has to have said what it was.
const outgoDepth = 12

// outgo is what a transaction that is no payout of this ledger took out of the treasury for one address.
type outgo struct {
	txid, owner, community string
	amount                 int64
	status                 string
	unitIDs                names
}

var outgoRows = table[outgo]{"SELECT txid, owner, community, amount, status, unit_ids FROM outgo", func(o *outgo) []any {
	return []any{&o.txid, &o.owner, &o.community, &o.amount, &o.status, &o.unitIDs}
}}

func (o outgo) open() bool { return o.status != "found" && o.status != "told" }

// outgone reports whether an outgo delivered a unit.
func (b *books) outgone(u unit) bool {
	return slices.ContainsFunc(b.outgoes, func(o outgo) bool {
		return o.community == u.community && o.owner == u.owner && slices.Contains(o.unitIDs, u.id)
	})
}

// checkOutgoes holds what left the treasury without a payout against what is
// known of it (invariant 2).
func (a *auditor) checkOutgoes() {
	known := map[[2]string]int64{}
	delivered := map[unitKey]bool{}
	for _, o := range a.outgoes {
		key := [2]string{o.txid, o.community}
		known[key] = a.sumOf(Backing, "transaction "+o.txid, known[key], o.amount)
		if o.open() {
			a.checkOpen(o)
		} else {
			a.checkExplained(o, delivered)
		}
	}
	taken := map[[2]string]int64{}
	for _, c := range a.custody.others {
		if c.kind == "runes" && c.quarantine == "" && c.spentHeight != chain.None && !a.isPayout(c.spentBy) {
			taken[[2]string{c.spentBy, c.community}] += c.runes
		}
	}
	for _, c := range a.custody.others {
		if key := [2]string{c.txid, c.community}; taken[key] > 0 && !c.vanished {
			taken[key] -= c.runes
		}
	}
	for key, n := range taken {
		if n > known[key] {
			a.fail(Backing, "transaction "+key[0], "it is no payout of ours, and took %d base units out of the treasury of %s; it is known where %d of them went", n, key[1], known[key])
		}
	}
}

// checkOpen wants to be told of what is deep, and at once of what went to somebody
// who is not owed as much. Until then the owner's rewards are held. While
// everything is paused the units may not be there yet.
func (a *auditor) checkOpen(o outgo) {
	t := a.tracked[o.txid]
	deep := t.height != chain.None && a.tip()-t.height+1 >= outgoDepth
	if t.vanished || a.settings["pause_all"] != "" || (!deep && a.virtual(o.community, o.owner) >= o.amount) {
		return
	}
	to := o.owner
	if to == "" {
		to = "no address"
	}
	a.fail(Backing, "transaction "+o.txid, "it is no payout of ours, and took %d base units out of the treasury of %s to %s: say what it was with 'moonfund treasury explain'", o.amount, o.community, to)
}

// checkExplained wants units that are over by it, each by it alone, and what was
// found to be a delivery to add up to it.
func (a *auditor) checkExplained(o outgo, delivered map[unitKey]bool) {
	subject := "transaction " + o.txid
	var sum int64
	for _, id := range o.unitIDs {
		key := unitKey{o.community, id}
		u, exists := a.units.at(key)
		if !exists || delivered[key] || u.owner != o.owner || u.origin != "REWARD" || u.stage != "WITHDRAWN" || u.orderID != "" {
			a.fail(Backing, subject, "the unit %s, which it delivered to %s, is not over by it alone", id, o.owner)
			continue
		}
		delivered[key] = true
		sum = a.sumOf(Backing, subject, sum, u.amount)
	}
	if o.status == "found" && sum != o.amount {
		a.fail(Backing, subject, "it delivered %d base units to %s, the units that it is for are %d", o.amount, o.owner, sum)
	}
}

// virtual is what an owner has of units that the treasury backs.
func (a *auditor) virtual(community, owner string) (sum int64) {
	for _, u := range a.units.all() {
		if u.community == community && u.owner == owner && u.origin == "REWARD" && u.stage != "WITHDRAWN" {
			sum = a.sumOf(Backing, "unit "+u.id, sum, u.amount)
		}
	}
	return sum
}

// awaited is what open outgoes of a community have delivered already, of units that still stand in the ledger.
func (a *auditor) awaited(community string) (sum int64) {
	to := map[string]int64{}
	for _, o := range a.outgoes {
		if o.open() && o.community == community && !a.tracked[o.txid].vanished {
			to[o.owner] = a.sumOf(Backing, "transaction "+o.txid, to[o.owner], o.amount)
		}
	}
	for owner, n := range to {
		sum = a.sumOf(Backing, "community "+community, sum, min(n, a.virtual(community, owner)))
	}
	return sum
}
