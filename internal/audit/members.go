package audit

import (
	"math"

	"moonfund/internal/bitcoin/chain"
)

// members are the units that a settled epoch must reward by their own fields.
type members struct {
	epoch int64
	start int64 // last block before the epoch
	end   int64 // last block of the epoch
	due   unitSum
	late  bool // the deposit of one of them came too late
}

// restaked is a unit that was staked again. It has only the epochs of its latest stake; the earlier ones are in the
// journal.
type restaked struct {
	owner     string
	amount    int64
	notBefore int64 // first epoch that may reward its latest stake
	height    int64 // block of its deposit; math.MinInt64 without a deposit
}

// mayHaveEarned reports whether an epoch that began after block start may have rewarded an earlier stake of the unit.
func (u restaked) mayHaveEarned(epoch, start int64) bool {
	return u.notBefore > epoch && u.height <= start-qualifyDepth
}

// readEpochs reads the accounts of epochs, and selects the settled epochs whose rewards this audit recomputes.
func (a *auditor) readEpochs(r *reader) {
	a.epochs = list(r, epochRows, "ORDER BY community, epoch")
	a.report.Checked.Epochs = len(a.epochs)
	cuts := a.cuts()
	a.members, a.recomputed = map[epochKey]*members{}, map[string][]*members{}
	for _, e := range a.epochs {
		if !a.recomputes(e) || !e.settled {
			continue
		}
		m := &members{epoch: e.epoch, start: cuts[e.key()], end: cuts[epochKey{e.community, e.epoch + 1}]}
		a.members[e.key()] = m
		a.recomputed[e.community] = append(a.recomputed[e.community], m)
	}
}

// addMember adds a unit to the members of each recomputed epoch for whose whole length it was staked. The journal must
// have been replayed, which lists the restaked units.
func (a *auditor) addMember(u unit) {
	height := int64(math.MinInt64)
	switch {
	case u.origin == "STAKE" && u.output == nil:
		height = math.MaxInt64
	case u.origin == "STAKE":
		height = u.output.height
	}
	if _, again := a.restaked[u.key()]; again {
		a.restaked[u.key()] = restaked{u.owner, u.amount, u.notBefore, height}
	}
	for _, m := range a.recomputed[u.community] {
		began := u.eligible != chain.None && u.eligible <= m.epoch
		ended := u.stakedTo != chain.None && u.stakedTo <= m.epoch
		if !began || ended || u.deposit.vanished || !a.isUnspentAt(u.output, m.end) {
			continue
		}
		m.due.add(u.community, u.id, u.owner, "", u.amount)
		m.late = m.late || height > m.start-qualifyDepth
	}
}
