package model

import "time"

// Times of the specification.
const (
	rateValid = 30 * time.Minute   // a rate holds, and so does an order without a payment
	payWithin = 7 * 24 * time.Hour // from the rate date, to complete a payment
	tolerance = 10 * time.Second   // the server's clock may differ a little from the true one
)

// Passed records that time passed, and whether every change was paused meanwhile.
func (m *Model) Passed(by time.Duration, paused bool) {
	if paused {
		m.pausedFor += by
	}
}

// Rerated records that somebody gave an order the rate in force.
func (m *Model) Rerated(orderID string, at time.Time) {
	o := m.orders[orderID]
	o.ratedAt, o.ratedPause = at, m.pausedFor
}

// timely checks that an order's status is the one that its payments and the clock imply. It decides
// only where no payment was disputed.
func (m *Model) timely(row Order) error {
	o := m.orders[row.ID]
	before := o.status
	o.status = row.Status
	base, n := m.price(o, row.Rate), int64(0)
	var known, sure, inTime int64
	confirmed := true
	earliest := o.ratedAt.Add(rateValid - tolerance)                                // the rate may be over
	latest := o.ratedAt.Add(rateValid + (m.pausedFor - o.ratedPause) + tolerance)   // the rate is over
	weekOver := o.ratedAt.Add(payWithin + (m.pausedFor - o.ratedPause) + tolerance) // the week is over
	weekEnds := o.created.Add(payWithin - tolerance)                                // the week may be over
	threshold := max(m.small(o, row.Rate), maxFloor)
	for _, p := range m.parts(o) {
		known += p.value
		if p.disputed || p.value <= threshold {
			continue
		}
		n++
		if p.confirmed {
			sure += p.value
		}
		if p.seen.Before(earliest) {
			inTime += p.value
			confirmed = confirmed && p.confirmed
		}
	}
	need := base + n*feeOf(row.Rate, inputVBytes)
	now, few := m.FollowedAt, n <= 10
	switch row.Status {
	case "PENDING":
		if now.After(latest) {
			return broken("an unpaid order expires", "order %s is PENDING at %s, its rate is of %s", row.ID, now, o.ratedAt)
		}
	case "CONFIRMED":
		if few && sure >= need && (now.Before(earliest) || (inTime >= need && confirmed)) {
			return broken("an order that was paid is PAID", "order %s is CONFIRMED, %d sats of %d are in blocks", row.ID, sure,
				need)
		}
		if known < base && now.After(latest) {
			return broken("a rate holds for 30 minutes", "order %s is CONFIRMED at %s, its rate is of %s, %d of %d sats",
				row.ID, now, o.ratedAt, known, base)
		}
	case "PENDING_RERATE":
		switch {
		case now.Before(earliest):
			return broken("a rate holds for 30 minutes", "order %s is PENDING_RERATE at %s, its rate is of %s", row.ID, now,
				o.ratedAt)
		case now.After(weekOver):
			return broken("a payment is completed within a week", "order %s is PENDING_RERATE at %s, its rate is of %s", row.ID,
				now, o.ratedAt)
		case few && inTime >= need:
			return broken("what was paid in time keeps its rate", "order %s is PENDING_RERATE, %d sats of %d came in time",
				row.ID, inTime, need)
		}
	case "EXPIRED":
		began := before == "CONFIRMED" || before == "PENDING_RERATE"
		switch {
		case before != "" && before != "EXPIRED" && now.Before(o.created.Add(rateValid-tolerance)):
			return broken("an order can be paid for 30 minutes", "order %s is EXPIRED at %s, it is of %s", row.ID, now, o.created)
		case began && n > 0 && now.Before(weekEnds):
			return broken("a payment can be completed for a week", "order %s is EXPIRED at %s, it is of %s", row.ID, now,
				o.created)
		case began && few && sure >= need && inTime >= need && confirmed:
			return broken("an order that was paid is PAID", "order %s is EXPIRED, %d sats of %d came in time", row.ID, sure, need)
		}
	case "PAID":
		var paid int64
		for _, p := range m.parts(o) {
			if p.confirmed {
				paid += p.value
			}
		}
		if paid < base {
			return broken("what is PAID was paid", "order %s is PAID, %d sats of %d are in blocks", row.ID, paid, base)
		}
	}
	return nil
}

// unlocks checks that an unstaked unit unlocks at the end of the epoch after the one in which its
// owner unstaked it, and not before.
func (m *Model) unlocks(u Unit) error {
	changes := m.changes[u.ID]
	if m.intents[u.ID] != "UNSTAKE" || len(changes) == 0 || changes[len(changes)-1].kind != "UNSTAKE" {
		return nil
	}
	at, now := changes[len(changes)-1].epoch+2, m.FollowedOnChain
	switch {
	case u.Stage == "PENDING_UNLOCK" && m.epochAt(now.Add(-tolerance)) >= at:
		return broken("a unit unlocks in time", "%s is PENDING_UNLOCK in epoch %d, it unlocks in %d", u.ID, m.epochAt(now), at)
	case u.Stage == "UNLOCKED" && m.epochAt(now.Add(tolerance)) < at:
		return broken("a unit cools down", "%s is UNLOCKED in epoch %d, it unlocks in %d", u.ID, m.epochAt(now), at)
	}
	return nil
}

// earning checks that a deposit is STAKED from the first epoch that it qualifies for, and not before.
func (m *Model) earning(u Unit, cuts []int64) error {
	out, isDeposit := m.depositOf(u)
	if !isDeposit || len(m.changes[u.ID]) > 0 {
		return nil
	}
	at, _ := m.Chain.Where(out.Hash)
	qualifies := false
	for _, cut := range cuts {
		qualifies = qualifies || (at >= 0 && at <= cut-qualifyDepth)
	}
	switch {
	case u.Stage == "STAKED" && !qualifies:
		return broken("a deposit earns from the next epoch on", "%s of block %d is STAKED", u.ID, at)
	case u.Stage == "PENDING_STAKE" && qualifies:
		return broken("a deposit earns from its first epoch on", "%s of block %d is PENDING_STAKE", u.ID, at)
	}
	return nil
}
