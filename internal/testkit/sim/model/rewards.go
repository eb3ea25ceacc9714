package model

import (
	"cmp"
	"math/big"
	"slices"
	"time"
)

// Rules of epochs, from the specification: a deposit earns from the first epoch at whose start it has three
// confirmations, and an epoch settles when its last block is too deep for a reorg.
const (
	qualifyDepth = 2 // blocks between a deposit and the cut of its first epoch
	settleSoon   = 6 // minimum confirmations of the last block of a settled epoch
	settleLate   = 8 // confirmations of the last block with which an epoch must be settled
)

// Epoch is a row of the server's epochs.
type Epoch struct {
	Number, Reserved, Rewarded int64
	Settled                    bool
}

// change is an acknowledged change of what a unit earns.
type change struct {
	epoch int64 // in which the change had its effect
	kind  Intent
}

// Acted records that an action had its effect at a time on the scale of block headers.
func (m *Model) Acted(kind Intent, unitIDs []string, at time.Time) {
	if kind != "UNSTAKE" && kind != "RESTAKE" && kind != "COMPOUND" {
		return
	}
	for _, id := range unitIDs {
		m.changes[id] = append(m.changes[id], change{m.epochAt(at), kind})
	}
}

// epochAt returns the number of the epoch at a time on the scale of block headers.
func (m *Model) epochAt(at time.Time) int64 { return int64(at.Sub(m.Genesis) / m.EpochLength) }

// cuts returns the height of the last block before each epoch, for every epoch with a block.
func (m *Model) cuts() (cuts []int64) {
	for height := int64(0); height <= m.Chain.Height(); height++ {
		at := m.Chain.HeaderTime(height)
		for !at.Before(m.Genesis.Add(time.Duration(len(cuts)) * m.EpochLength)) {
			cuts = append(cuts, height-1)
		}
	}
	return cuts
}

// epochs compares every epoch that was settled since the last call with the rewards that the deposits, the acknowledged
// actions and the chain imply.
func (m *Model) epochs(b Tables) error {
	for _, e := range b.Epochs {
		m.highest = max(m.highest, m.Chain.Height())
		if !e.Settled || m.settled[e.Number] {
			continue
		}
		if err := m.reserved(e, b); err != nil {
			return err
		}
		if err := m.rewards(e, b); err != nil {
			return err
		}
		m.settled[e.Number] = true
	}
	return nil
}

// reserved checks the budget of a settled epoch. The model does not follow the treasury, so it only requires the whole
// budget while the initial treasury covers all budgets so far.
func (m *Model) reserved(e Epoch, b Tables) error {
	var before int64
	for _, other := range b.Epochs {
		if other.Number < e.Number {
			before += other.Reserved
		}
	}
	whole := e.Number > 0 && before+m.Budget <= m.Reserve // the treasury is booked in epoch 0
	if e.Reserved > m.Budget || (whole && e.Reserved < m.Budget) {
		return broken("an epoch's budget is what was planned", "epoch %d reserved %d of %d, all epochs before it %d",
			e.Number, e.Reserved, m.Budget, before)
	}
	return nil
}

// stake is the sum of an owner's earning units in an epoch.
type stake struct {
	owner, lowest string // lowest: the smallest of the unit ids
	amount        int64
}

// rewards checks the reward of each owner in a settled epoch.
func (m *Model) rewards(e Epoch, b Tables) error {
	cuts := m.cuts()
	if e.Number+1 >= int64(len(cuts)) || m.highest-cuts[e.Number+1]+1 < settleSoon {
		return broken("an epoch settles when its end is deep",
			"epoch %d is settled at block %d", e.Number, m.Chain.Height())
	}
	want := split(e.Reserved, m.stakesIn(e.Number, cuts))
	got, sum := map[string]int64{}, int64(0)
	for _, u := range b.Units {
		if epoch, is := rewardEpoch(u.ID); is && epoch == e.Number {
			owner, err := m.script(u.Owner)
			if err != nil {
				return err
			}
			if got[owner] != 0 {
				return broken("an owner has one reward of an epoch", "%s has two of epoch %d", u.Owner, e.Number)
			}
			got[owner] = u.Amount
			sum += u.Amount
			m.virtual[u.ID] = stake{owner: owner, lowest: u.ID, amount: u.Amount}
		}
	}
	for owner, n := range want {
		if got[owner] != n {
			return broken("a reward is the owner's part of the budget", "epoch %d pays %d to %x, not %d", e.Number, got[owner],
				owner, n)
		}
	}
	if len(got) > len(want) || sum != e.Rewarded {
		return broken("rewards go to stakers", "epoch %d pays %d owners, not %d, and %d in all, booked are %d", e.Number,
			len(got), len(want), sum, e.Rewarded)
	}
	return nil
}

// stakesIn returns the stake of each owner that an epoch rewards.
func (m *Model) stakesIn(epoch int64, cuts []int64) (stakes []stake) {
	by := map[string]stake{}
	add := func(owner, id string, n int64) {
		s, known := by[owner]
		if !known || id < s.lowest {
			s.lowest = id
		}
		s.owner, s.amount = owner, s.amount+n
		by[owner] = s
	}
	for _, point := range m.deposits {
		out, id := m.outputs[point], point.String()
		at, _ := m.Chain.Locate(point.Hash)
		if at < 0 || out.runes < m.Minimum || out.foreign > 0 {
			continue
		}
		first := slices.IndexFunc(cuts, func(cut int64) bool { return at <= cut-qualifyDepth })
		spent, by := m.spentIn(point)
		foreign := spent >= 0 && spent <= cuts[epoch+1] && !m.ours(by)
		if first >= 0 && !foreign && earns(int64(first), m.changes[id], epoch) {
			add(m.stakes[string(out.PkScript)], id, out.runes)
		}
	}
	for id, unit := range m.virtual {
		if earns(never, m.changes[id], epoch) {
			add(unit.owner, id, unit.amount)
		}
	}
	for _, s := range by {
		stakes = append(stakes, s)
	}
	return stakes
}

// never is the first epoch of a unit that earns nothing before an action of its owner.
const never = int64(1) << 40

// earns reports whether an epoch rewards a unit that earns from the epoch from on, after the given changes.
func earns(from int64, changes []change, epoch int64) bool {
	for _, c := range changes {
		if c.kind != "UNSTAKE" {
			from = c.epoch + 1
			continue
		}
		if from <= epoch && epoch < c.epoch {
			return true
		}
		from = never
	}
	return from <= epoch
}

// split divides a budget in proportion to the stakes: the whole part of each share, and one base unit each for the
// largest remainders, ties by the lowest unit id.
func split(budget int64, stakes []stake) map[string]int64 {
	rewards, total := map[string]int64{}, new(big.Int)
	for _, s := range stakes {
		total.Add(total, big.NewInt(s.amount))
	}
	if total.Sign() == 0 {
		return rewards
	}
	type rest struct {
		stake
		remainder *big.Int
	}
	var rests []rest
	left := budget
	for _, s := range stakes {
		share, remainder := new(big.Int).QuoRem(new(big.Int).Mul(big.NewInt(budget), big.NewInt(s.amount)), total,
			new(big.Int))
		rewards[s.owner] = share.Int64()
		left -= share.Int64()
		rests = append(rests, rest{s, remainder})
	}
	slices.SortFunc(rests, func(a, b rest) int {
		return cmp.Or(b.remainder.Cmp(a.remainder), cmp.Compare(a.lowest, b.lowest))
	})
	for _, r := range rests[:left] {
		rewards[r.owner]++
	}
	for owner, n := range rewards {
		if n == 0 {
			delete(rewards, owner)
		}
	}
	return rewards
}

// overdue checks that every epoch whose last block has settleLate confirmations is settled.
func (m *Model) overdue(b Tables, cuts []int64) error {
	settled := map[int64]bool{}
	for _, e := range b.Epochs {
		settled[e.Number] = e.Settled
	}
	for n := int64(0); n+1 < int64(len(cuts)); n++ {
		if m.depth(cuts[n+1]) >= settleLate && !settled[n] {
			return broken("an epoch is settled in time", "epoch %d ended %d blocks ago", n, m.depth(cuts[n+1]))
		}
	}
	return nil
}
