package audit

import (
	"slices"

	"moonfund/internal/bitcoin/chain"
)

// explainDepth is the number of confirmations after which an unexplained spend is a violation.
const explainDepth = 12

// unexplainedSpend is the value that a transaction, which is no payout of this ledger, moved from the treasury to one
// address.
type unexplainedSpend struct {
	txid, owner, community string
	amount                 int64
	sats                   int64
	status                 string
	unitIDs                names
}

var unexplainedRows = table[unexplainedSpend]{
	"SELECT txid, owner, community, amount, sats, status, unit_ids FROM unexplained_spend",
	func(s *unexplainedSpend) []any {
		return []any{&s.txid, &s.owner, &s.community, &s.amount, &s.sats, &s.status, &s.unitIDs}
	},
}

func (s unexplainedSpend) open() bool { return s.status != "found" && s.status != "explained" }

// isRecipient reports whether an unexplained spend paid an owner, by community and address.
func (b *rows) isRecipient(owner [2]string) bool {
	return slices.ContainsFunc(b.unexplained, func(s unexplainedSpend) bool {
		return s.community == owner[0] && s.owner == owner[1]
	})
}

// isExplained reports whether an explained spend delivered a unit.
func (b *rows) isExplained(u unit) bool {
	return slices.ContainsFunc(b.unexplained, func(o unexplainedSpend) bool {
		return o.community == u.community && o.owner == u.owner && slices.Contains(o.unitIDs, u.id)
	})
}

// checkUnexplained compares the amounts that left the treasury without a payout with their explanations (invariant 2).
func (a *auditor) checkUnexplained() {
	known := map[[2]string]int64{}
	delivered := map[unitKey]bool{}
	for _, o := range a.unexplained {
		key := [2]string{o.txid, o.community}
		known[key] = a.sumOf(Backing, o.subject(), known[key], o.amount)
		if o.open() {
			a.checkOpen(o)
		} else {
			a.checkExplained(o, delivered)
		}
	}
	taken := map[[2]string]int64{}
	for _, c := range a.custody {
		if c.kind == "runes" && c.quarantine == "" && c.spentHeight != chain.None && !a.isPayout(c.spentBy) {
			taken[[2]string{c.spentBy, c.community}] += c.runes
		}
	}
	for _, c := range a.custody {
		if key := [2]string{c.txid, c.community}; taken[key] > 0 && !c.vanished {
			taken[key] -= c.runes
		}
	}
	for key, n := range taken {
		if n > known[key] {
			on := unexplainedSpend{txid: key[0], community: key[1]}.subject()
			a.fail(Backing, on, "it is no payout of ours, and took %d base units out of the treasury "+
				"of %s; it is known where %d of them went", n, key[1], known[key])
		}
	}
}

// checkOpen reports an unexplained spend with explainDepth confirmations, and immediately a spend of sats or to an
// owner whose rewards do not cover it. The owner's rewards are locked until the spend is explained. While everything is
// paused the units may be missing.
func (a *auditor) checkOpen(o unexplainedSpend) {
	t := a.tracked[o.txid]
	deep := t.height != chain.None && a.tip()-t.height+1 >= explainDepth
	rewards := a.virtualOf[[2]string{o.community, o.owner}]
	if t.vanished || a.settings["pause_all"] != "" || (!deep && rewards >= o.amount && o.sats == 0) {
		return
	}
	to := o.owner
	if to == "" {
		to = "no address"
	}
	a.fail(Backing, o.subject(), "it is no payout of ours, and took %d base units and %d sats out of the "+
		"treasury of %s to %s: say what it was with 'moonfund treasury explain'", o.amount, o.sats, o.community, to)
}

// checkExplained checks that the units of an explained spend were delivered only by this spend, and that their sum is
// the amount of a spend that was explained as a delivery.
func (a *auditor) checkExplained(o unexplainedSpend, delivered map[unitKey]bool) {
	on := o.subject()
	var sum int64
	for _, id := range o.unitIDs {
		key := unitKey{o.community, id}
		u, exists := a.units[key]
		withdrawn := u.origin == "REWARD" && u.stage == "WITHDRAWN" && u.orderID == ""
		if !exists || delivered[key] || u.owner != o.owner || !withdrawn {
			a.fail(Backing, on, "the unit %s, which it delivered to %s, is not over by it alone", id, o.owner)
			continue
		}
		delivered[key] = true
		sum = a.sumOf(Backing, on, sum, u.amount)
	}
	if o.status == "found" && sum != o.amount {
		a.fail(Backing, on, "it delivered %d base units to %s, the units that it is for are %d", o.amount, o.owner, sum)
	}
}

// deliveredEarlier returns the sum of the units in the ledger that the open spends of a community may have delivered.
func (a *auditor) deliveredEarlier(community string) (sum int64) {
	to := map[string]int64{}
	for _, o := range a.unexplained {
		if o.open() && o.community == community && !a.tracked[o.txid].vanished {
			to[o.owner] = a.sumOf(Backing, o.subject(), to[o.owner], o.amount)
		}
	}
	for owner, n := range to {
		sum = a.sumOf(Backing, onCommunity(community), sum, min(n, a.virtualOf[[2]string{community, owner}]))
	}
	return sum
}
