package audit

import (
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

const (
	settleDepth  = 8 - maxReorg // confirmations of the last block of a settled epoch: it had 8, and a reorg may undo some
	qualifyDepth = 2            // minimum depth of a deposit below the cut, in blocks
)

// addVirtual adds a unit to the sum of the units that the treasury must back. It omits the units of an undelivered
// payout that can confirm, because the payout has taken their runes from the treasury. It also adds up the rewards of
// the owners that unexplained spends paid.
func (a *auditor) addVirtual(u unit) {
	o := a.orders[u.orderID]
	taken := o.status == "SENT" && !a.conflicted[o.payoutTx]
	if u.origin != "STAKE" && u.stage != "WITHDRAWN" && !taken {
		a.virtualUnits[u.community] = a.sumOf(Backing, onCommunity(u.community), a.virtualUnits[u.community], u.amount)
	}
	owner := [2]string{u.community, u.owner}
	if u.origin == "REWARD" && u.stage != "WITHDRAWN" && a.isRecipient(owner) {
		a.virtualOf[owner] = a.sumOf(Backing, a.onUnit(u.community, u.id), a.virtualOf[owner], u.amount)
	}
}

// checkBacking compares the virtual units with the treasury (invariant 2).
func (a *auditor) checkBacking() {
	funds := map[string]int64{}
	for _, c := range a.custody {
		unspent := c.spentBy == "" || a.conflicted[c.spentBy]
		if c.kind == "runes" && c.booked && !c.vanished && c.quarantine == "" && unspent && !a.conflicted[c.txid] {
			funds[c.community] = a.sumOf(Backing, a.onOutput(c), funds[c.community], a.treasury(c))
		}
	}
	for _, c := range a.communities {
		t := a.report.Totals[c.prefix]
		t.VirtualUnits, t.VirtualFunds = a.virtualUnits[c.prefix], funds[c.prefix]
		a.report.Totals[c.prefix] = t
		if t.VirtualUnits-a.deliveredEarlier(c.prefix) > t.VirtualFunds {
			a.fail(Backing, onCommunity(c.prefix), "its virtual units are %d base units, its treasury holds %d",
				t.VirtualUnits, t.VirtualFunds)
		}
	}
}

// checkRewarded checks that a virtual unit is the reward of an epoch. A reward of zero has no unit.
func (a *auditor) checkRewarded(u unit) {
	if u.origin == "STAKE" {
		return
	}
	if u.origin != "REWARD" || u.rewardUnit != u.id || u.reward != u.amount {
		a.fail(Backing, a.onUnit(u.community, u.id), "it is not what an epoch rewarded")
	}
}

// treasury returns the runes on a treasury output: by the chain or, for our own unconfirmed change, by the payout that
// creates the output.
func (a *auditor) treasury(c custody) int64 {
	v, ours := a.versions[c.txid]
	if a.outputs.at(c.outpoint()) != nil || !ours {
		return a.onChain(c)
	}
	tx, err := chain.DecodeTx(v.raw)
	if err != nil {
		return 0 // reported by another check
	}
	balances := func(out wire.OutPoint) []runes.Balance { return a.balancesOf(out.String()) }
	outputs, _, _, err := a.Rules.Allocate(tx.Msg, balances, a.index, max(0, a.tip()))
	if err != nil || c.vout >= int64(len(outputs)) {
		return 0
	}
	amount, _ := held(outputs[c.vout], a.runeOf(c.community))
	if !amount.Equals64(uint64(c.runes)) {
		a.fail(Backing, a.onOutput(c), "the ledger has %d base units of change on it, the payout %s", c.runes, amount)
	}
	return min(c.runes, int64(amount.Lo))
}

// calendar contains the start times of one community's epochs.
type calendar struct {
	anchors []anchor
	length  time.Duration
	manual  bool
}

func (a *auditor) calendarOf(prefix string) (c calendar, err error) {
	text := a.settings["epoch_length:"+prefix]
	if c.manual = text == "by hand"; !c.manual {
		if c.length, err = time.ParseDuration(text); err == nil && c.length <= 0 {
			err = fmt.Errorf("epochs of %s", text)
		}
	}
	for _, anchor := range a.anchors {
		if anchor.community == prefix {
			c.anchors = append(c.anchors, anchor)
		}
	}
	if err == nil && len(c.anchors) == 0 {
		err = fmt.Errorf("no epoch was ever set")
	}
	return c, err
}

// start returns the start of epoch n, or false if it is unknown.
func (c calendar) start(n int64) (time.Time, bool) {
	last := c.anchors[0]
	for _, anchor := range c.anchors {
		if c.manual && anchor.epoch >= n {
			return time.Unix(anchor.startsAt, 0), true
		}
		if anchor.epoch <= n {
			last = anchor
		}
	}
	return time.Unix(last.startsAt, 0).Add(time.Duration(n-last.epoch) * c.length), !c.manual
}

// added reports whether epoch n was started by hand, on a dev network. The ledger followed the blocks before that
// without knowing this start.
func (c calendar) added(n int64) bool {
	return slices.ContainsFunc(c.anchors[1:], func(anchor anchor) bool { return anchor.epoch == n })
}

// cut returns the last block before the first block whose header time is at or after t, or false if there is no such
// block yet.
func (c chainState) cut(t time.Time) (int64, bool) {
	for _, h := range c.headers {
		if h.time >= t.Unix() && !time.Unix(h.time, 0).Before(t) {
			return h.height - 1, true
		}
	}
	return chain.None, false
}

// epochKey identifies an epoch of a community.
type epochKey struct {
	community string
	epoch     int64
}

func (e epochAccount) key() epochKey { return epochKey{e.community, e.epoch} }

// String returns the subject of the epoch's violations.
func (k epochKey) String() string { return fmt.Sprintf("epoch %d of %s", k.epoch, k.community) }

// cuts returns the recorded last blocks before each epoch.
func (a *auditor) cuts() map[epochKey]int64 {
	return byKey(a.boundaries, func(b boundary) (epochKey, int64) { return epochKey{b.community, b.epoch}, b.cut })
}

// checkBoundaries recomputes the cut of every epoch from the headers.
func (a *auditor) checkBoundaries(prefix string, c calendar, cuts map[epochKey]int64) {
	for n := int64(0); ; n++ {
		key := epochKey{prefix, n}
		recorded, known := cuts[key]
		starts, fixed := c.start(n)
		cut, passed := a.cut(starts)
		passed = passed && fixed
		if !known {
			if passed && !c.added(n) {
				a.fail(Backing, key.subject(), "it began after block %d, but the ledger does not know", cut)
			}
			if _, later := cuts[epochKey{prefix, n + 1}]; !later {
				return
			}
			continue
		}
		if !passed || recorded < cut || (recorded > cut && !c.added(n)) {
			a.fail(Backing, key.subject(), "its cut is recorded as block %d, by the headers it is %d", recorded, cut)
		}
	}
}

// checkPlace checks the first epoch in which a unit counts.
func (a *auditor) checkPlace(u unit, cuts map[epochKey]int64) {
	if u.eligible == chain.None {
		return
	}
	cut, known := cuts[epochKey{u.community, u.eligible}]
	o := u.output
	early := u.eligible < u.notBefore || (u.origin == "STAKE" && (o == nil || o.height > cut-qualifyDepth))
	if !known || early {
		a.fail(Backing, a.onUnit(u.community, u.id), "it counts from epoch %d on, which is too early", u.eligible)
		return
	}
	before, known := cuts[epochKey{u.community, u.eligible - 1}]
	if known && u.origin == "STAKE" && u.notBefore == 0 && o.height <= before-qualifyDepth {
		a.fail(Backing, a.onUnit(u.community, u.id), "it counts from epoch %d on, but qualified before", u.eligible)
	}
}

// checkSettled checks that an epoch was settled at its last block, with enough confirmations.
func (a *auditor) checkSettled(key epochKey, e epochAccount, cuts map[epochKey]int64) {
	end, known := cuts[epochKey{key.community, key.epoch + 1}]
	if !known || e.cut != end || a.tip()-end+1 < settleDepth {
		a.fail(Backing, key.subject(), "it settled at block %d, its end is block %d", e.cut, end)
		return
	}
	if i := end - a.Start; i >= 0 && i < int64(len(a.headers)) && a.headers[i].hash != e.cutHash {
		a.fail(Backing, key.subject(), "it settled on block %s, which is %s", e.cutHash, a.headers[i].hash)
	}
}
