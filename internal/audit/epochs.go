package audit

import (
	"math/big"
	"slices"
	"strings"

	"moonfund/internal/bitcoin/chain"
)

// epochAccount is the account of an epoch.
type epochAccount struct {
	community                string
	epoch, planned, reserved int64
	settled                  bool
	staked, rewarded, cut    int64
	cutHash                  string
}

// epochInput is a unit that an epoch rewarded, as recorded and in its present state.
type epochInput struct {
	unitID, owner string
	amount        int64

	unit     epochUnit
	vanished bool // the unit's deposit vanished
}

// epochUnit contains the fields of a unit that determine its epochs. id is "" if there is no unit.
type epochUnit struct {
	id, owner, origin             string
	amount                        int64
	notBefore, eligible, stakedTo int64
}

// epochReward is the reward of an owner in an epoch, and the unit with its id.
type epochReward struct {
	owner         string
	stake, reward int64
	unitID        string

	unit, unitOwner string // "" if there is no such unit
	unitEpoch       int64
}

// vanishedColumn selects whether the deposit of unit u vanished. The database looks up the vanished deposits once,
// because they are few.
const vanishedColumn = `CASE WHEN (u.txid, u.vout) IN (SELECT c.txid, c.vout FROM custody c WHERE c.vanished = 1)
			THEN 1 ELSE 0 END`

var (
	epochRows = table[epochAccount]{`SELECT community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash
		FROM epoch_account`, func(e *epochAccount) []any {
		return []any{&e.community, &e.epoch, &e.planned, &e.reserved, &e.settled, &e.staked, &e.rewarded, &e.cut, &e.cutHash}
	}}
	memberRows = table[epochInput]{`SELECT i.unit_id, i.owner, i.amount FROM epoch_input i
		WHERE i.community = $1 AND i.epoch = $2`, func(i *epochInput) []any {
		return []any{&i.unitID, &i.owner, &i.amount}
	}}
	inputRows = table[epochInput]{`SELECT i.unit_id, i.owner, i.amount,
			COALESCE(u.id, ''), COALESCE(u.owner, ''), COALESCE(u.origin, ''), COALESCE(u.amount, 0),
			COALESCE(u.not_before, 0), COALESCE(u.eligible_epoch, -1), COALESCE(u.staked_to, -1), ` + vanishedColumn + `
		FROM epoch_input i
		LEFT JOIN unit u ON u.community = i.community AND u.id = i.unit_id
		WHERE i.community = $1 AND i.epoch = $2`, func(i *epochInput) []any {
		return append([]any{&i.unitID, &i.owner, &i.amount}, append(i.unit.fields(), &i.vanished)...)
	}}
	// stakedUnitRows are the units that count in an epoch by their own fields, but are not recorded as its inputs.
	stakedUnitRows = table[epochInput]{`SELECT u.id, u.owner, u.origin, u.amount, u.not_before, u.eligible_epoch,
			u.staked_to, ` + vanishedColumn + `
		FROM unit u
		WHERE u.community = $1 AND u.eligible_epoch <> -1 AND u.eligible_epoch <= $2
			AND (u.staked_to = -1 OR u.staked_to > $2)
			AND NOT EXISTS (SELECT 1 FROM epoch_input i
				WHERE i.community = u.community AND i.epoch = $2 AND i.owner = u.owner AND i.unit_id = u.id)`,
		func(i *epochInput) []any { return append(i.unit.fields(), &i.vanished) }}
	paidRows = table[epochKey]{"SELECT DISTINCT community, epoch FROM epoch_reward", func(k *epochKey) []any {
		return []any{&k.community, &k.epoch}
	}}
	rewardRows = table[epochReward]{`SELECT w.owner, w.stake, w.reward, w.unit_id, COALESCE(u.id, ''),
			COALESCE(u.owner, ''), COALESCE(u.reward_epoch, -1)
		FROM epoch_reward w LEFT JOIN unit u ON u.community = w.community AND u.id = w.unit_id
		WHERE w.community = $1 AND w.epoch = $2`, func(w *epochReward) []any {
		return []any{&w.owner, &w.stake, &w.reward, &w.unitID, &w.unit, &w.unitOwner, &w.unitEpoch}
	}}
)

func (u *epochUnit) fields() []any {
	return []any{&u.id, &u.owner, &u.origin, &u.amount, &u.notBefore, &u.eligible, &u.stakedTo}
}

// checkEpochs recomputes boundaries, members and rewards (invariant 2).
func (a *auditor) checkEpochs(r *reader) {
	cuts := a.cuts()
	for _, c := range a.communities {
		calendar, err := a.calendarOf(c.prefix)
		if err != nil {
			a.fail(Backing, onCommunity(c.prefix), "its calendar can't be read: %v", err)
			continue
		}
		a.checkBoundaries(c.prefix, calendar, cuts)
	}
	known := byKey(a.epochs, func(e epochAccount) (epochKey, bool) { return e.key(), true })
	for key := range cuts {
		if !known[key] {
			a.fail(Backing, key.subject(), "it began, but has no account")
		}
	}
	paid := keyed(r, paidRows, epochKey.entry, "")
	for _, e := range a.epochs {
		a.checkEpoch(r, e, paid[e.key()], cuts)
		if e.settled {
			delete(paid, e.key())
		}
	}
	for key := range paid {
		a.fail(Backing, key.subject(), "it has rewards, but no settled account")
	}
}

// checkEpoch checks the account of an epoch and, if the epoch is settled, its members and rewards. paid reports whether
// the epoch has rewards.
func (a *auditor) checkEpoch(r *reader, e epochAccount, paid bool, cuts map[epochKey]int64) {
	key := e.key()
	if e.reserved < 0 || e.reserved > e.planned {
		a.fail(Backing, key.subject(), "%d base units are reserved of a planned %d", e.reserved, e.planned)
	}
	if !e.settled {
		inputs := list(r, memberRows, "LIMIT 1", e.community, e.epoch)
		if e.staked != 0 || e.rewarded != 0 || len(inputs) > 0 || paid {
			a.fail(Backing, key.subject(), "it paid before it settled")
		}
		return
	}
	a.checkSettled(key, e, cuts)
	if m := a.members[key]; m != nil {
		stakes := a.checkMembers(r, key, m, cuts)
		a.checkSplit(r, key, e, stakes)
	}
}

// checkMembers compares the units that an epoch rewarded with the units that it must reward, and returns the stakes of
// their owners. The units are looked up only if their sums differ.
func (a *auditor) checkMembers(r *reader, key epochKey, m *members, cuts map[epochKey]int64) ownerStakes {
	stakes := ownerStakes{}
	var rewarded unitSum
	each(r, memberRows, "", func(i epochInput) {
		stakes.add(i)
		u := a.restaked[unitKey{key.community, i.unitID}]
		if !u.mayHaveEarned(m.epoch, m.start) || u.owner != i.owner || u.amount != i.amount {
			rewarded.add(key.community, i.unitID, i.owner, "", i.amount)
		}
	}, key.community, key.epoch)
	if rewarded != m.due || m.late {
		a.compareMembers(r, key, cuts)
	}
	return stakes
}

// compareMembers looks up the units that an epoch rewarded, and the units that it must reward.
func (a *auditor) compareMembers(r *reader, key epochKey, cuts map[epochKey]int64) {
	each(r, inputRows, "", func(i epochInput) {
		if i.unit.id == "" {
			a.fail(Backing, key.subject(), "unit %s was rewarded, but does not exist", i.unitID)
			return
		}
		a.checkMember(key, i, cuts)
	}, key.community, key.epoch)
	each(r, stakedUnitRows, "", func(i epochInput) {
		if a.countsIn(key, i, cuts) {
			a.fail(Backing, key.subject(), "unit %s was staked, but not rewarded", i.unit.id)
		}
	}, key.community, key.epoch)
}

// checkMember checks a unit that an epoch rewarded.
func (a *auditor) checkMember(key epochKey, i epochInput, cuts map[epochKey]int64) {
	u := i.unit
	// A restaked unit has only the epochs of its latest stake; the earlier ones are in the journal.
	_, again := a.restaked[unitKey{key.community, u.id}]
	earlier := again && u.notBefore > key.epoch
	switch {
	case !earlier && !a.countsIn(key, i, cuts):
		a.fail(Backing, key.subject(), "unit %s was rewarded, but not staked", u.id)
	case i.owner != u.owner || i.amount != u.amount:
		a.fail(Backing, key.subject(), "unit %s was rewarded as %d of %s", u.id, i.amount, i.owner)
	}
	if o := a.outputs.at(u.id); u.origin == "STAKE" && (o == nil || o.height > cuts[key]-qualifyDepth) {
		a.fail(Backing, key.subject(), "unit %s was rewarded, but its deposit came too late for it", u.id)
	}
}

// countsIn reports whether a unit was staked for the whole epoch.
func (a *auditor) countsIn(key epochKey, i epochInput, cuts map[epochKey]int64) bool {
	u, end := i.unit, cuts[epochKey{key.community, key.epoch + 1}]
	began := u.eligible != chain.None && u.eligible <= key.epoch
	ended := u.stakedTo != chain.None && u.stakedTo <= key.epoch
	if i.vanished || !began || ended {
		return false
	}
	return a.isUnspentAt(a.outputs.at(u.id), end)
}

// isUnspentAt reports whether no staker spent an output in the blocks up to a height.
func (a *auditor) isUnspentAt(o *output, height int64) bool {
	return o == nil || o.spentBy == "" || a.isPayout(o.spentBy) || o.spentHeight > height
}

// share is the part of an epoch's budget for one owner.
type share struct {
	stake, reward, remainder big.Int
	owner, lowest            string // lowest is the lowest id of the owner's units
	paid                     bool   // the epoch has a reward for the owner
}

// ownerStakes are the stakes of owners in an epoch.
type ownerStakes map[string]*share

func (p ownerStakes) add(i epochInput) {
	s := p[i.owner]
	if s == nil {
		s = &share{owner: i.owner, lowest: i.unitID}
		p[i.owner] = s
	}
	s.lowest = min(s.lowest, i.unitID)
	s.stake.Add(&s.stake, big.NewInt(i.amount))
}

// split divides the budget by the published rule: each owner gets floor(budget × stake ÷ total). The owners with the
// largest remainders get one of the remaining base units each, ties by lowest unit id.
func (p ownerStakes) split(budget int64) (shares []*share, total *big.Int) {
	total = new(big.Int)
	for _, s := range p {
		shares = append(shares, s)
		total.Add(total, &s.stake)
	}
	if total.Sign() <= 0 {
		return nil, total
	}
	left, product := big.NewInt(budget), new(big.Int)
	for _, s := range shares {
		s.reward.DivMod(product.Mul(big.NewInt(budget), &s.stake), total, &s.remainder)
		left.Sub(left, &s.reward)
	}
	slices.SortFunc(shares, func(x, y *share) int {
		if c := y.remainder.Cmp(&x.remainder); c != 0 {
			return c
		}
		return strings.Compare(x.lowest, y.lowest)
	})
	one := big.NewInt(1)
	for i := int64(0); i < left.Int64(); i++ {
		shares[i].reward.Add(&shares[i].reward, one)
	}
	return shares, total
}

// split divides a budget among the owners of the inputs.
func split(budget int64, inputs []epochInput) (shares []*share, total *big.Int) {
	p := ownerStakes{}
	for _, i := range inputs {
		p.add(i)
	}
	return p.split(budget)
}

// checkSplit compares the rewards of an epoch with the rewards that its inputs imply.
func (a *auditor) checkSplit(r *reader, key epochKey, e epochAccount, stakes ownerStakes) {
	shares, total := stakes.split(e.reserved)
	if total.Sign() <= 0 {
		clear(stakes)
	}
	sum := new(big.Int)
	each(r, rewardRows, "", func(w epochReward) {
		if w.unit != "" && (w.unitOwner != w.owner || w.unitEpoch != key.epoch) {
			a.fail(Backing, a.onUnit(key.community, w.unit), "it is not what an epoch rewarded")
		}
		s := stakes[w.owner]
		if s == nil {
			a.fail(Backing, key.subject(), "%s was rewarded without a stake", w.owner)
			return
		}
		s.paid = true
		sum.Add(sum, big.NewInt(w.reward))
		a.checkShare(key, s, w)
	}, key.community, key.epoch)
	for _, s := range shares {
		if !s.paid {
			a.checkShare(key, s, epochReward{})
		}
	}
	due := e.reserved
	if total.Sign() == 0 {
		due = 0
	}
	if sum.Cmp(big.NewInt(due)) != 0 || e.rewarded != due || total.Cmp(big.NewInt(e.staked)) != 0 {
		a.fail(Backing, key.subject(),
			"%s base units were rewarded (recorded: %d of %d), for a stake of %s (recorded: %d)",
			sum, e.rewarded, due, total, e.staked)
	}
}

// checkShare compares a reward with the owner's share.
func (a *auditor) checkShare(key epochKey, s *share, w epochReward) {
	if !s.paid || s.stake.Cmp(big.NewInt(w.stake)) != 0 || s.reward.Cmp(big.NewInt(w.reward)) != 0 {
		a.fail(Backing, key.subject(), "%s is due %s for a stake of %s, and was rewarded %d for %d",
			s.owner, &s.reward, &s.stake, w.reward, w.stake)
	}
	if (w.reward > 0) != (w.unitID != "") {
		a.fail(Backing, key.subject(), "%s was rewarded %d by unit %q", s.owner, w.reward, w.unitID)
	} else if w.unitID != "" && w.unit == "" {
		a.fail(Backing, key.subject(), "the reward %s of %s is not there", w.unitID, s.owner)
	}
}
