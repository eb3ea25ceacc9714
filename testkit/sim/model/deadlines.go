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

// standing is what an order's payments and the clock allow. It is certain only where no payment was
// disputed, so its times are the earliest or the latest possible ones.
type standing struct {
	*order
	base, need       int64 // sats: for one payment, and for every undisputed one
	known, sure      int64 // sats of all payments, and of the undisputed ones in blocks
	inTime           int64 // sats of the undisputed ones that came while the rate was valid
	n                int   // undisputed payments
	confirmed        bool  // those of inTime are all in blocks
	rateMayBeOver    time.Time
	rateOver, weekUp time.Time
}

func (m *Model) standing(row Order) standing {
	o := m.orders[row.ID]
	paused := m.pausedFor - o.ratedPause + tolerance
	st := standing{order: o, base: m.price(o, row.Rate), confirmed: true,
		rateMayBeOver: o.ratedAt.Add(rateValid - tolerance),
		rateOver:      o.ratedAt.Add(rateValid + paused),
		weekUp:        o.ratedAt.Add(payWithin + paused),
	}
	threshold := max(m.small(o, row.Rate), maxFloor)
	for _, p := range m.parts(o) {
		st.known += p.value
		if p.disputed || p.value <= threshold {
			continue
		}
		st.n++
		if p.confirmed {
			st.sure += p.value
		}
		if p.seen.Before(st.rateMayBeOver) {
			st.inTime += p.value
			st.confirmed = st.confirmed && p.confirmed
		}
	}
	st.need = st.base + int64(max(0, st.n-1))*feeOf(row.Rate, inputVBytes) // the price includes one payment's input
	return st
}

// few reports whether all undisputed payments fit into one delivery.
func (st standing) few() bool { return st.n <= 10 }

// timely checks that an order's status is one that its payments and the clock allow.
func (m *Model) timely(row Order) error {
	before := m.orders[row.ID].status
	m.orders[row.ID].status = row.Status
	st, now := m.standing(row), m.FollowedAt
	same := before == row.Status // what moves an order late in a step moves it again in the next one
	switch row.Status {
	case "PENDING":
		if same && now.After(st.rateOver) {
			return broken("an unpaid order expires", "order %s is PENDING at %s, its rate is of %s", row.ID, now, st.ratedAt)
		}
	case "CONFIRMED":
		inTime := now.Before(st.rateMayBeOver) || (st.inTime >= st.need && st.confirmed)
		switch {
		case same && st.few() && st.sure >= st.need && inTime:
			return broken("an order that was paid is PAID", "order %s is CONFIRMED, %d sats of %d are in blocks", row.ID,
				st.sure, st.need)
		case same && st.known < st.base && now.After(st.rateOver):
			return broken("a rate holds for 30 minutes", "order %s is CONFIRMED at %s, its rate is of %s, %d of %d sats",
				row.ID, now, st.ratedAt, st.known, st.base)
		}
	case "PENDING_RERATE":
		return st.rerated(row.ID, same, now)
	case "EXPIRED":
		if before != "" && before != "EXPIRED" {
			return st.expired(row.ID, before, now)
		}
	case "PAID":
		if paid := m.confirmed(st.order); paid < st.base {
			return broken("what is PAID was paid", "order %s is PAID, %d sats of %d are in blocks", row.ID, paid, st.base)
		}
	}
	return nil
}

// rerated checks an order that waits for a new rate.
func (st standing) rerated(id string, same bool, now time.Time) error {
	switch {
	case now.Before(st.rateMayBeOver):
		return broken("a rate holds for 30 minutes", "order %s is PENDING_RERATE at %s, its rate is of %s", id, now,
			st.ratedAt)
	case same && now.After(st.weekUp):
		return broken("a payment is completed within a week", "order %s is PENDING_RERATE at %s, its rate is of %s", id, now,
			st.ratedAt)
	case same && st.few() && st.inTime >= st.need:
		return broken("what was paid in time keeps its rate", "order %s is PENDING_RERATE, %d sats of %d came in time", id,
			st.inTime, st.need)
	}
	return nil
}

// expired checks an order that expired since the last check.
func (st standing) expired(id, before string, now time.Time) error {
	began := before == "CONFIRMED" || before == "PENDING_RERATE"
	switch {
	case now.Before(st.created.Add(rateValid - tolerance)):
		return broken("an order can be paid for 30 minutes", "order %s is EXPIRED at %s, it is of %s", id, now,
			st.created)
	case began && st.n > 0 && now.Before(st.created.Add(payWithin-tolerance)):
		return broken("a payment can be completed for a week", "order %s is EXPIRED at %s, it is of %s", id, now,
			st.created)
	case began && st.few() && st.sure >= st.need && st.inTime >= st.need && st.confirmed:
		return broken("an order that was paid is PAID", "order %s is EXPIRED, %d sats of %d came in time", id, st.sure,
			st.need)
	}
	return nil
}

// confirmed returns the sats of an order's payments that are in blocks.
func (m *Model) confirmed(o *order) (sats int64) {
	for _, p := range m.parts(o) {
		if p.confirmed {
			sats += p.value
		}
	}
	return sats
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
		return broken("a unit unlocks in time", "%s is PENDING_UNLOCK in epoch %d, it unlocks in %d", u.ID,
			m.epochAt(now), at)
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
	at, _ := m.Chain.Locate(out.Hash)
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
