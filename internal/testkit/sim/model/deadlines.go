package model

import "time"

// Times of the specification.
const (
	rateValid = 30 * time.Minute   // validity of a rate, and of an order without a payment
	payWithin = 7 * 24 * time.Hour // time to complete a payment, from the rate date on
	// confirmWithin is the time after which an unconfirmed payment no longer pays a mint or etch order.
	confirmWithin = 14 * 24 * time.Hour
	cooldown      = 1                // whole epochs that an unstaked unit waits
	tolerance     = 10 * time.Second // maximum difference of the server's clock from the true time
)

// Passed records that time passed, and whether all changes were paused during that time.
func (m *Model) Passed(by time.Duration, paused bool) {
	if paused {
		m.pausedFor += by
	}
}

// Rerated records that an order got the current rate.
func (m *Model) Rerated(orderID string, at time.Time) {
	o := m.orders[orderID]
	o.ratedAt, o.ratedPause = at, m.pausedFor
}

// standing contains sums and deadlines of an order, from which the allowed statuses follow. Disputed payments and the
// tolerance of the clock make some of them uncertain, so the times are the earliest or the latest possible ones.
type standing struct {
	*order
	base, need       int64 // sats that pay the price at least with any payments, and at most with the undisputed ones
	known, sure      int64 // sats of all payments, and of the undisputed confirmed ones
	inTime           int64 // sats of the undisputed payments that were seen while the rate was valid
	n                int   // number of undisputed payments
	begun            bool  // the server has seen one of the undisputed payments
	confirmed        bool  // all payments of inTime are confirmed
	rateMayBeOver    time.Time
	weekFrom         time.Time // the creation, or when a reorg undid a payment after the week
	rateOver, weekUp time.Time
}

func (m *Model) standing(row Order) standing {
	o := m.orders[row.ID]
	paused := m.pausedFor - o.ratedPause + tolerance
	st := standing{order: o, base: m.price(o, row.Rate) - m.lowered(row.Rate), confirmed: true,
		rateMayBeOver: o.ratedAt.Add(rateValid - tolerance),
		weekFrom:      o.created,
		rateOver:      o.ratedAt.Add(rateValid + paused),
		weekUp:        o.ratedAt.Add(payWithin + paused),
	}
	// A payment that is undone after the week gives the order another one.
	undone := m.undoneAt[row.ID]
	if undone.After(st.weekUp) {
		st.weekFrom = undone
	}
	if undone.After(o.ratedAt.Add(payWithin - tolerance)) {
		st.weekUp = undone.Add(payWithin + paused)
	}
	threshold := max(m.small(o, row.Rate), maxFloor)
	for _, p := range m.parts(o) {
		st.known += p.value
		if p.disputed || p.value <= threshold {
			continue
		}
		st.n++
		st.begun = st.begun || p.followed
		if p.confirmed {
			st.sure += p.value
		}
		if p.seen.Before(st.rateMayBeOver) {
			st.inTime += p.value
			st.confirmed = st.confirmed && p.confirmed
		}
	}
	// The price includes one payment's input. What lacks below 546 sats lowers the service fee.
	st.need = m.price(o, row.Rate) + int64(max(0, st.n-1))*feeOf(row.Rate, inputVBytes) - min(m.ServiceFee, minimum-1)
	return st
}

// few reports whether all undisputed payments fit into one delivery.
func (st standing) few() bool { return st.n <= 10 }

// timely checks that the payments and the clock allow an order's status.
func (m *Model) timely(row Order) error {
	before := m.orders[row.ID].status
	m.orders[row.ID].status, m.orders[row.ID].rate = row.Status, row.Rate
	if err := m.unsigned(row, before, m.paidAt[row.ID]); err != nil {
		return err
	}
	if _, chosen := m.speeds[row.ID]; chosen || row.Limit > 0 {
		return m.economical(row, before)
	}
	st, now := m.standing(row), m.FollowedAt
	same := before == row.Status // a transition that is due late in a step may happen in the next step
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
		if before != "" && before != "EXPIRED" && !m.neverSigned(row, now) {
			return st.expired(row.ID, before, now)
		}
	case "PAID":
		if paid := m.confirmed(st.order); paid < st.base {
			return broken("a PAID order is paid in full",
				"order %s is PAID, %d sats of %d are in blocks", row.ID, paid, st.base)
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
		return broken("a payment is completed within a week",
			"order %s is PENDING_RERATE at %s, its rate is of %s", id, now,
			st.ratedAt)
	case same && st.few() && st.inTime >= st.need:
		return broken("a payment in time fixes the rate", "order %s is PENDING_RERATE, %d sats of %d came in time", id,
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
	case began && st.begun && now.Before(st.weekFrom.Add(payWithin-tolerance)):
		return broken("a payment can be completed for a week", "order %s is EXPIRED at %s, its week began at %s", id, now,
			st.weekFrom)
	case began && st.few() && st.sure >= st.need && st.inTime >= st.need && st.confirmed:
		return broken("an order that was paid is PAID", "order %s is EXPIRED, %d sats of %d came in time", id, st.sure,
			st.need)
	}
	return nil
}

// confirmed returns the sats of an order's confirmed payments.
func (m *Model) confirmed(o *order) (sats int64) {
	for _, p := range m.parts(o) {
		if p.confirmed {
			sats += p.value
		}
	}
	return sats
}

// unlocks checks that an unstaked unit unlocks when the epoch of the unstake and the cooldown's epochs are over, and
// not before.
func (m *Model) unlocks(u Unit) error {
	changes := m.changes[u.ID]
	if m.intents[u.ID] != "UNSTAKE" || len(changes) == 0 || changes[len(changes)-1].kind != "UNSTAKE" {
		return nil
	}
	at, now := changes[len(changes)-1].epoch+1+cooldown, m.FollowedOnChain
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
