package audit

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/runes"
)

const (
	settleDepth  = 8 // confirmations of the cut at an epoch's end before it settles
	qualifyDepth = 2 // blocks that a deposit must be below the cut
)

// checkBacking holds the virtual units against the treasury (invariant 2).
func (a *auditor) checkBacking() {
	owed, funds := map[string]int64{}, map[string]int64{}
	rewarded := map[unitKey]epochReward{}
	for _, w := range a.rewards {
		if w.unitID != "" {
			rewarded[unitKey{w.community, w.unitID}] = w
		}
	}
	for key, u := range a.units {
		a.checkRewarded(u, rewarded[key])
		// An undelivered payout carries its own units: it took them out of the treasury.
		if u.origin != "STAKE" && u.stage != "WITHDRAWN" && a.orders[u.orderID].status != "SENT" {
			owed[u.community] = a.sumOf(Backing, "community "+u.community, owed[u.community], u.amount)
		}
	}
	for point, c := range a.custody {
		if c.kind == "runes" && c.booked && !c.vanished && c.quarantine == "" && c.spentBy == "" {
			funds[c.community] = a.sumOf(Backing, point, funds[c.community], a.treasury(c))
		}
	}
	for _, c := range a.communities {
		t := a.report.Totals[c.prefix]
		t.VirtualUnits, t.VirtualFunds = owed[c.prefix], funds[c.prefix]
		a.report.Totals[c.prefix] = t
		if t.VirtualUnits-a.awaited(c.prefix) > t.VirtualFunds {
			a.fail(Backing, "community "+c.prefix, "its virtual units are %d base units, its treasury holds %d", t.VirtualUnits, t.VirtualFunds)
		}
	}
}

// checkRewarded checks that a virtual unit is what an epoch rewarded; the zero reward is none.
func (a *auditor) checkRewarded(u unit, w epochReward) {
	if u.origin == "STAKE" {
		return
	}
	if u.origin != "REWARD" || w.unitID != u.id || w.owner != u.owner || w.reward != u.amount || w.epoch != u.rewardEpoch {
		a.fail(Backing, "unit "+u.id, "it is not what an epoch rewarded")
	}
}

// treasury is what a treasury output holds: by the chain or, of our own
// unconfirmed change, by the payout that makes it.
func (a *auditor) treasury(c custody) int64 {
	v, ours := a.versions[c.txid]
	if a.outputs[c.outpoint()] != nil || !ours {
		return a.onChain(c)
	}
	tx, err := chain.DecodeTx(v.raw)
	if err != nil {
		return 0 // said elsewhere
	}
	outputs, _, _, err := a.Rules.Allocate(tx.Msg, func(out wire.OutPoint) []runes.Balance { return a.balancesOf(out.String()) }, a.index, max(0, a.tip()))
	if err != nil || c.vout >= int64(len(outputs)) {
		return 0
	}
	amount, _ := held(outputs[c.vout], a.runeOf(c.community))
	if !amount.Equals64(uint64(c.runes)) {
		a.fail(Backing, c.outpoint(), "the ledger has %d base units of change on it, the payout %s", c.runes, amount)
	}
	return min(c.runes, int64(amount.Lo))
}

// calendar says when the epochs of one community start.
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

// start returns when epoch n starts, and false when nobody knows.
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

// added reports whether epoch n was started by hand, on a dev network: the
// blocks before that moment did not know of it.
func (c calendar) added(n int64) bool {
	return slices.ContainsFunc(c.anchors[1:], func(anchor anchor) bool { return anchor.epoch == n })
}

// cut returns the last block before the first block whose header time is at or
// after t; false when there is no such block yet.
func (c chained) cut(t time.Time) (int64, bool) {
	for _, h := range c.headers {
		if h.time >= t.Unix() && !time.Unix(h.time, 0).Before(t) {
			return h.height - 1, true
		}
	}
	return none, false
}

// epochKey names an epoch of a community.
type epochKey struct {
	community string
	epoch     int64
}

func (k epochKey) String() string { return fmt.Sprintf("epoch %d of %s", k.epoch, k.community) }

// checkEpochs recomputes boundaries, membership and rewards (invariant 2).
func (a *auditor) checkEpochs() {
	cuts := a.cuts()
	for _, c := range a.communities {
		calendar, err := a.calendarOf(c.prefix)
		if err != nil {
			a.fail(Backing, "community "+c.prefix, "its calendar can't be read: %v", err)
			continue
		}
		a.checkBoundaries(c.prefix, calendar, cuts)
	}
	accounts := byKey(a.epochs, func(e epochAccount) (epochKey, bool) { return epochKey{e.community, e.epoch}, true })
	for key := range cuts {
		if !accounts[key] {
			a.fail(Backing, key.String(), "it began, but has no account")
		}
	}
	a.checkPlaces(cuts)
	inputs, rewards := map[epochKey][]epochInput{}, map[epochKey][]epochReward{}
	for rest := a.inputs; len(rest) > 0; { // they come in order
		key := epochKey{rest[0].community, rest[0].epoch}
		end := slices.IndexFunc(rest, func(i epochInput) bool { return key != epochKey{i.community, i.epoch} })
		if end < 0 {
			end = len(rest)
		}
		inputs[key], rest = rest[:end], rest[end:]
	}
	for _, w := range a.rewards {
		key := epochKey{w.community, w.epoch}
		rewards[key] = append(rewards[key], w)
	}
	for _, e := range a.epochs {
		key := epochKey{e.community, e.epoch}
		if e.reserved < 0 || e.reserved > e.planned {
			a.fail(Backing, key.String(), "%d base units are reserved of a planned %d", e.reserved, e.planned)
		}
		if !e.settled {
			if e.staked != 0 || e.rewarded != 0 || len(inputs[key])+len(rewards[key]) > 0 {
				a.fail(Backing, key.String(), "it paid before it settled")
			}
			continue
		}
		a.checkSettled(key, e, cuts)
		if a.recomputes(e) {
			a.checkMembers(key, inputs[key], cuts)
			a.checkSplit(key, e, inputs[key], rewards[key])
		}
		delete(rewards, key)
	}
	for key := range rewards {
		a.fail(Backing, key.String(), "it has rewards, but no settled account")
	}
}

// cuts are the recorded last blocks before each epoch.
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
				a.fail(Backing, key.String(), "it began after block %d, but the ledger does not know", cut)
			}
			if _, later := cuts[epochKey{prefix, n + 1}]; !later {
				return
			}
			continue
		}
		if !passed || recorded < cut || (recorded > cut && !c.added(n)) {
			a.fail(Backing, key.String(), "its cut is recorded as block %d, by the headers it is %d", recorded, cut)
		}
	}
}

// checkPlaces checks from which epoch on each unit counts.
func (a *auditor) checkPlaces(cuts map[epochKey]int64) {
	for _, u := range a.units {
		a.checkPlace(u, cuts)
	}
}

func (a *auditor) checkPlace(u unit, cuts map[epochKey]int64) {
	if u.eligible == none {
		return
	}
	cut, known := cuts[epochKey{u.community, u.eligible}]
	o := a.outputs[u.id]
	early := u.eligible < u.notBefore || (u.origin == "STAKE" && (o == nil || o.height > cut-qualifyDepth))
	if !known || early {
		a.fail(Backing, "unit "+u.id, "it counts from epoch %d on, which is too early", u.eligible)
		return
	}
	before, known := cuts[epochKey{u.community, u.eligible - 1}]
	if known && u.origin == "STAKE" && u.notBefore == 0 && o.height <= before-qualifyDepth {
		a.fail(Backing, "unit "+u.id, "it counts from epoch %d on, but qualified before", u.eligible)
	}
}

func (a *auditor) checkSettled(key epochKey, e epochAccount, cuts map[epochKey]int64) {
	end, known := cuts[epochKey{key.community, key.epoch + 1}]
	if !known || e.cut != end || a.tip()-end+1 < settleDepth {
		a.fail(Backing, key.String(), "it settled at block %d, its end is block %d", e.cut, end)
		return
	}
	if i := end - a.Start; i >= 0 && i < int64(len(a.headers)) && a.headers[i].hash != e.cutHash {
		a.fail(Backing, key.String(), "it settled on block %s, which is %s", e.cutHash, a.headers[i].hash)
	}
}

// checkMembers compares the units that an epoch rewarded with those that it should have.
func (a *auditor) checkMembers(key epochKey, inputs []epochInput, cuts map[epochKey]int64) {
	listed := make(map[string]*epochInput, len(inputs))
	for i := range inputs {
		listed[inputs[i].unitID] = &inputs[i]
	}
	end := cuts[epochKey{key.community, key.epoch + 1}]
	for _, u := range a.units {
		if u.community != key.community {
			continue
		}
		input, in := listed[u.id]
		delete(listed, u.id)
		inside := u.eligible != none && u.eligible <= key.epoch && (u.stakedTo == none || key.epoch < u.stakedTo)
		if o := a.outputs[u.id]; inside && o != nil && o.spentBy != "" && !a.isPayout(o.spentBy) && o.spentHeight <= end {
			inside = false
		}
		inside = inside && !a.custody[u.id].vanished
		// A unit that was staked again tells only of its latest stake; the journal tells of earlier ones.
		earlier := u.notBefore > key.epoch && a.restaked(u)
		switch {
		case inside && !in:
			a.fail(Backing, key.String(), "unit %s was staked, but not rewarded", u.id)
		case in && !inside && !earlier:
			a.fail(Backing, key.String(), "unit %s was rewarded, but not staked", u.id)
		case in && (input.owner != u.owner || input.amount != u.amount):
			a.fail(Backing, key.String(), "unit %s was rewarded as %d of %s", u.id, input.amount, input.owner)
		}
		if o := a.outputs[u.id]; in && u.origin == "STAKE" && (o == nil || o.height > cuts[key]-qualifyDepth) {
			a.fail(Backing, key.String(), "unit %s was rewarded, but its deposit came too late for it", u.id)
		}
	}
	for id := range listed {
		a.fail(Backing, key.String(), "unit %s was rewarded, but does not exist", id)
	}
}

func (a *auditor) restaked(u unit) bool {
	return slices.ContainsFunc(a.history[u.id], func(p posting) bool { return p.event == "restake" && p.community == u.community })
}

// share is one owner's part of an epoch.
type share struct {
	stake, reward, remainder *big.Int
	owner, lowest            string
}

// split divides the budget by the published rule: ⌊budget × stake ÷ total⌋ each,
// what is left one base unit each by largest remainder, ties by lowest unit id.
func split(budget int64, inputs []epochInput) (shares []*share, total *big.Int) {
	total = new(big.Int)
	byOwner := map[string]*share{}
	for _, i := range inputs {
		s := byOwner[i.owner]
		if s == nil {
			s = &share{stake: new(big.Int), reward: new(big.Int), remainder: new(big.Int), owner: i.owner, lowest: i.unitID}
			byOwner[i.owner] = s
			shares = append(shares, s)
		}
		s.lowest = min(s.lowest, i.unitID)
		s.stake.Add(s.stake, big.NewInt(i.amount))
		total.Add(total, big.NewInt(i.amount))
	}
	if total.Sign() <= 0 {
		return nil, total
	}
	left := big.NewInt(budget)
	for _, s := range shares {
		s.reward.DivMod(new(big.Int).Mul(big.NewInt(budget), s.stake), total, s.remainder)
		left.Sub(left, s.reward)
	}
	slices.SortFunc(shares, func(x, y *share) int {
		if c := y.remainder.Cmp(x.remainder); c != 0 {
			return c
		}
		return strings.Compare(x.lowest, y.lowest)
	})
	one := big.NewInt(1)
	for i := int64(0); i < left.Int64(); i++ {
		shares[i].reward.Add(shares[i].reward, one)
	}
	return shares, total
}

func (a *auditor) checkSplit(key epochKey, e epochAccount, inputs []epochInput, rewards []epochReward) {
	shares, total := split(e.reserved, inputs)
	paid := byKey(rewards, func(w epochReward) (string, epochReward) { return w.owner, w })
	sum := new(big.Int)
	for _, s := range shares {
		w, exists := paid[s.owner]
		delete(paid, s.owner)
		sum.Add(sum, big.NewInt(w.reward))
		if !exists || s.stake.Cmp(big.NewInt(w.stake)) != 0 || s.reward.Cmp(big.NewInt(w.reward)) != 0 {
			a.fail(Backing, key.String(), "%s is due %s for a stake of %s, and was rewarded %d for %d", s.owner, s.reward, s.stake, w.reward, w.stake)
		}
		if (w.reward > 0) != (w.unitID != "") {
			a.fail(Backing, key.String(), "%s was rewarded %d by unit %q", s.owner, w.reward, w.unitID)
		} else if _, exists := a.units[unitKey{key.community, w.unitID}]; w.unitID != "" && !exists {
			a.fail(Backing, key.String(), "the reward %s of %s is not there", w.unitID, s.owner)
		}
	}
	for owner := range paid {
		a.fail(Backing, key.String(), "%s was rewarded without a stake", owner)
	}
	due := e.reserved
	if total.Sign() == 0 {
		due = 0
	}
	if sum.Cmp(big.NewInt(due)) != 0 || e.rewarded != due || total.Cmp(big.NewInt(e.staked)) != 0 {
		a.fail(Backing, key.String(), "%s base units were rewarded (recorded: %d of %d), for a stake of %s (recorded: %d)", sum, e.rewarded, due, total, e.staked)
	}
}
