package audit

import (
	"math/big"
	"slices"
	"strings"

	"moonfund/chain"
)

// inputs are what was published of the units that an epoch rewarded, as far as
// an audit goes back to it once it has added them up.
type inputs struct {
	count  int
	units  numbers
	differ map[uint32]epochInput // those that were recorded otherwise than their unit is, by its number
}

// readEpochs takes in what was published of the epochs that are asked for, and
// holds their rewards against their inputs.
func (a *auditor) readEpochs(r *reader) {
	a.epochs = list(r, epochRows, "ORDER BY community, epoch")
	a.paid = keyed(r, paidRows, epochKey.entry, "")
	for _, e := range a.epochs {
		if key := e.key(); a.recomputes(e) {
			shares := pot{}
			a.inputs[key] = a.readInputs(r, e, shares)
			if e.settled && r.err == nil {
				a.checkSplit(r, key, e, shares)
			}
		}
	}
}

func (a *auditor) readInputs(r *reader, e epochAccount, shares pot) inputs {
	listed := inputs{differ: map[uint32]epochInput{}}
	each(r, inputRows, "WHERE community = $1 AND epoch = $2", func(i epochInput) {
		listed.count++
		shares.add(i)
		u, exists := a.units.at(unitKey{e.community, i.unitID})
		if !exists {
			if e.settled {
				a.fail(Backing, e.key().String(), "unit %s was rewarded, but does not exist", i.unitID)
			}
			return
		}
		if listed.units.add(u.number); i.owner != u.owner || i.amount != u.amount {
			listed.differ[u.number] = i
		}
	}, e.community, e.epoch)
	return listed
}

// checkMembers compares the units that an epoch rewarded with those that it should have.
func (a *auditor) checkMembers(key epochKey, listed inputs, cuts map[epochKey]int64) {
	end := cuts[epochKey{key.community, key.epoch + 1}]
	for _, u := range a.units.all() {
		if u.community != key.community {
			continue
		}
		in := listed.units.has(u.number)
		inside := u.eligible != chain.None && u.eligible <= key.epoch && (u.stakedTo == chain.None || key.epoch < u.stakedTo)
		o := a.outputs.at(u.id)
		if inside && o != nil && o.spentBy != "" && !a.isPayout(o.spentBy) && o.spentHeight <= end {
			inside = false
		}
		if c, _ := a.custody.at(u.id); c.vanished {
			inside = false
		}
		// A unit that was staked again tells only of its latest stake; the journal tells of earlier ones.
		earlier := u.notBefore > key.epoch && u.restaked
		input, differs := listed.differ[u.number]
		switch {
		case inside && !in:
			a.fail(Backing, key.String(), "unit %s was staked, but not rewarded", u.id)
		case in && !inside && !earlier:
			a.fail(Backing, key.String(), "unit %s was rewarded, but not staked", u.id)
		case in && differs:
			a.fail(Backing, key.String(), "unit %s was rewarded as %d of %s", u.id, input.amount, input.owner)
		}
		if in && u.origin == "STAKE" && (o == nil || o.height > cuts[key]-qualifyDepth) {
			a.fail(Backing, key.String(), "unit %s was rewarded, but its deposit came too late for it", u.id)
		}
	}
}

// share is one owner's part of an epoch.
type share struct {
	stake, reward, remainder big.Int
	owner, lowest            string
	paid                     bool
}

// pot is what owners had staked in an epoch.
type pot map[string]*share

func (p pot) add(i epochInput) {
	s := p[i.owner]
	if s == nil {
		s = &share{owner: i.owner, lowest: i.unitID}
		p[i.owner] = s
	}
	s.lowest = min(s.lowest, i.unitID)
	s.stake.Add(&s.stake, big.NewInt(i.amount))
}

// split divides the budget by the published rule: ⌊budget × stake ÷ total⌋ each,
// what is left one base unit each by largest remainder, ties by lowest unit id.
func (p pot) split(budget int64) (shares []*share, total *big.Int) {
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

// split divides a budget among the owners of some units.
func split(budget int64, inputs []epochInput) (shares []*share, total *big.Int) {
	p := pot{}
	for _, i := range inputs {
		p.add(i)
	}
	return p.split(budget)
}

// checkSplit reads what an epoch paid and compares it with what its inputs are due.
func (a *auditor) checkSplit(r *reader, key epochKey, e epochAccount, p pot) {
	shares, total := p.split(e.reserved)
	if total.Sign() <= 0 {
		clear(p)
	}
	sum := new(big.Int)
	each(r, rewardRows, "WHERE community = $1 AND epoch = $2", func(w epochReward) {
		a.checkTwice(w)
		s := p[w.owner]
		if s == nil {
			a.fail(Backing, key.String(), "%s was rewarded without a stake", w.owner)
			return
		}
		s.paid = true
		sum.Add(sum, big.NewInt(w.reward))
		a.checkShare(key, s, w)
	}, e.community, e.epoch)
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
		a.fail(Backing, key.String(), "%s base units were rewarded (recorded: %d of %d), for a stake of %s (recorded: %d)", sum, e.rewarded, due, total, e.staked)
	}
}

// checkShare compares a reward with what its owner is due.
func (a *auditor) checkShare(key epochKey, s *share, w epochReward) {
	if !s.paid || s.stake.Cmp(big.NewInt(w.stake)) != 0 || s.reward.Cmp(big.NewInt(w.reward)) != 0 {
		a.fail(Backing, key.String(), "%s is due %s for a stake of %s, and was rewarded %d for %d", s.owner, &s.reward, &s.stake, w.reward, w.stake)
	}
	if (w.reward > 0) != (w.unitID != "") {
		a.fail(Backing, key.String(), "%s was rewarded %d by unit %q", s.owner, w.reward, w.unitID)
	} else if _, exists := a.units.at(unitKey{key.community, w.unitID}); w.unitID != "" && !exists {
		a.fail(Backing, key.String(), "the reward %s of %s is not there", w.unitID, s.owner)
	}
}

// checkTwice checks that the unit of a reward is of no other one. Whether that
// one is right shows where the unit is read.
func (a *auditor) checkTwice(w epochReward) {
	u, exists := a.units.at(unitKey{w.community, w.unitID})
	if exists && (u.owner != w.owner || u.rewardEpoch != w.epoch) {
		a.fail(Backing, "unit "+u.id, "it is not what an epoch rewarded")
	}
}
