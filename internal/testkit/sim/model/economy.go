package model

import "time"

// Times of the specification of economy orders.
const (
	chooseWithin = 14 * 24 * time.Hour // after the limit, until the order ends
	longestWait  = 84 * 24 * time.Hour // from the creation
)

// deepestReorg is a number of blocks that no reorg of a scenario undoes.
const deepestReorg = 20

// speed is the rate and the limit that the owner of an economy order chose.
type speed struct {
	rate  int64 // sats per 1,000 vB
	until time.Time
}

// Chose records the rate and the limit in the message of an economy order, before it is submitted.
func (m *Model) Chose(orderID string, rate int64, until time.Time) {
	m.speeds[orderID] = speed{rate, until}
}

// opensAt returns the rate at which an order must be priced when it is opened.
func (m *Model) opensAt(orderID string) int64 {
	if s, chosen := m.speeds[orderID]; chosen {
		return s.rate
	}
	return m.Rate()
}

// economical checks the status and the rate of an order with a chosen rate. An economy order never waits for a rerate,
// keeps its rate, and changes from PAID to EXPIRED only after its limits. Once the difference is paid, it is a normal
// order.
func (m *Model) economical(row Order, before string) error {
	s, chosen := m.speeds[row.ID]
	if !chosen && row.Limit > 0 {
		return broken("only its owner makes an order wait", "order %s has a limit", row.ID)
	}
	if !chosen {
		return nil
	}
	o, now := m.orders[row.ID], m.FollowedAt
	first := s.until.Add(chooseWithin)
	if last := o.created.Add(longestWait); last.Before(first) {
		first = last
	}
	switch {
	case row.Limit <= 0 && row.Rate <= s.rate:
		return broken("a raised rate is higher", "order %s has the rate %d, chosen was %d", row.ID, row.Rate, s.rate)
	case row.Limit <= 0:
		return nil
	case row.Rate != s.rate:
		return broken("an economy order keeps its rate", "order %s has the rate %d, chosen was %d", row.ID, row.Rate,
			s.rate)
	case row.Status == "PENDING_RERATE":
		return broken("a chosen rate does not expire", "order %s is PENDING_RERATE", row.ID)
	case row.Status == "EXPIRED" && before == "PAID" && m.selfUnits(o) == 0 && now.Before(first.Add(-tolerance)) &&
		m.exist(o) &&
		(row.EndHeight == 0 || m.Chain.Height()+deepestReorg < row.EndHeight):
		return broken("a paid order waits until its limits", "order %s is EXPIRED at %s, its limit is %s", row.ID, now,
			s.until)
	case row.Status == before && (before == "PAID" || before == "CONFIRMED") &&
		now.After(o.created.Add(longestWait+m.pausedFor+2*tolerance)):
		return broken("an economy order ends", "order %s is %s at %s, it was created at %s", row.ID, before, now,
			o.created)
	}
	return nil
}

// exist reports whether every payment of an order is in a block or in the mempool. If a reorg replaces all of them, the
// order ends within the same step if its rate is over.
func (m *Model) exist(o *order) bool {
	for _, point := range o.paid {
		if at, waits := m.Chain.Locate(point.Hash); at < 0 && !waits {
			return false
		}
	}
	return true
}
