package model

import (
	"math"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// Delivered checks on the chain alone that no order and no unit is delivered twice.
func (m *Model) Delivered() error {
	by := map[string]string{} // unit → order
	for _, o := range m.orders {
		if len(o.deliveries) == 0 {
			continue
		}
		times := 0
		for _, id := range o.deliveries {
			if at, _ := m.Chain.Locate(id); at >= 0 {
				times++
			}
		}
		if times > 1 {
			return broken("an order is delivered once", "%s was delivered %d times", o.id, times)
		}
		for _, unit := range o.units {
			if times == 0 {
				continue
			}
			if other := by[unit]; other != "" {
				return broken("a unit is delivered once", "%s, by the orders %s and %s", unit, other, o.id)
			}
			by[unit] = o.id
		}
	}
	return nil
}

// undelivered checks that an order is not sent while a foreign transaction spends one of its deposits, if that
// transaction was already known at the previous check.
func (m *Model) undelivered(row Order) error {
	o := m.orders[row.ID]
	contested := slices.ContainsFunc(o.units, m.recovering)
	if row.Status == "SENT" && o.contested && contested {
		return broken("an order is not sent while its unit is recovered", "order %s is SENT", row.ID)
	}
	o.contested = contested && slices.Contains([]string{"PENDING", "CONFIRMED", "PENDING_RERATE", "PAID"}, row.Status)
	return nil
}

// recovering reports whether a transaction in the mempool or in a block spends a deposit without the community's key.
func (m *Model) recovering(unit string) bool {
	point, err := wire.NewOutPointFromString(unit)
	if isReward(unit) || err != nil {
		return false
	}
	return slices.ContainsFunc(m.spenders[*point], func(id chainhash.Hash) bool {
		at, waits := m.Chain.Locate(id)
		return (at >= 0 || waits) && !m.ours(id)
	})
}

const (
	deliveryDepth = 3
	recoveryDepth = 3
	deathDepth    = 6
)

// Synced checks the rules that hold when the server has followed the chain to its tip. It returns a *Violation if one
// is broken.
func (m *Model) Synced(b Tables) error {
	units := map[string]Unit{}
	for _, u := range b.Units {
		units[u.ID] = u
	}
	for _, point := range m.deposits {
		out := m.outputs[point]
		at, _ := m.Chain.Locate(point.Hash)
		if _, credited := units[point.String()]; at >= 0 && out.runes >= m.Minimum && out.foreign == 0 && !credited {
			return broken("every deposit becomes a unit", "%s of %d in block %d", point, out.runes, at)
		}
	}
	orders := map[string]Order{}
	for _, o := range b.Orders {
		orders[o.ID] = o
	}
	cuts := m.cuts()
	for _, u := range b.Units {
		if err := m.spent(u, orders[u.OrderID]); err != nil {
			return err
		}
		if err := m.unlocks(u); err != nil {
			return err
		}
		if err := m.earning(u, cuts); err != nil {
			return err
		}
	}
	m.paidAt, m.undoneAt = b.paidAt, b.undoneAt
	for _, row := range b.Orders {
		for _, rule := range []func(Order) error{m.coinsTaken, m.delivery, m.received, m.priced, m.timely} {
			if err := rule(row); err != nil {
				return err
			}
		}
		if err := m.owed(row, b.spending); err != nil {
			return err
		}
		if err := m.undelivered(row); err != nil {
			return err
		}
	}
	if err := m.applied(b); err != nil {
		return err
	}
	return m.overdue(b, cuts)
}

// depositOf returns the output of a unit, or false if the unit is a reward.
func (m *Model) depositOf(u Unit) (point wire.OutPoint, isDeposit bool) {
	parsed, err := wire.NewOutPointFromString(u.ID)
	if isReward(u.ID) || err != nil {
		return point, false
	}
	return *parsed, true
}

// recovered reports whether the output of a deposit's unit is spent on the chain, deep enough to end the unit.
func (m *Model) recovered(u Unit) bool {
	point, isDeposit := m.depositOf(u)
	if !isDeposit {
		return false
	}
	at, _ := m.spentIn(point)
	return m.depth(at) >= recoveryDepth
}

// spent compares the stage of a deposit's unit with its output on the chain.
func (m *Model) spent(u Unit, o Order) error {
	if isReward(u.ID) {
		return nil
	}
	point, err := wire.NewOutPointFromString(u.ID)
	if err != nil {
		return err
	}
	at, by := m.spentIn(*point)
	over := m.depth(at) >= recoveryDepth
	switch {
	case u.Stage == "WITHDRAWN" && !over:
		return broken("the output of a withdrawn unit is spent",
			"%s is WITHDRAWN, its spend %d blocks deep", u.ID, m.depth(at))
	case u.Stage != "WITHDRAWN" && over && o.Status != "SENT": // a payout is given up at a greater depth
		return broken("the unit of a spent output is withdrawn",
			"%s is %s, spent %d blocks deep by %s", u.ID, u.Stage, m.depth(at), by)
	case u.OrderID == "" && m.replaced(point.Hash, 1):
		return broken("the unit of a replaced deposit is deleted", "%s is %s", u.ID, u.Stage)
	}
	return nil
}

func (m *Model) delivery(row Order) error {
	deep := int64(0)
	for _, id := range m.orders[row.ID].deliveries {
		at, _ := m.Chain.Locate(id)
		deep = max(deep, m.depth(at))
	}
	done := row.Status == "DELIVERED" || row.Status == "CONSOLIDATED"
	if done && deep == 0 {
		deep = m.completedDepth(m.orders[row.ID].units)
	}
	if done != (deep >= deliveryDepth) {
		return broken("an order is DELIVERED with 3 confirmations",
			"order %s is %s, its delivery %d blocks deep", row.ID, row.Status,
			deep)
	}
	return nil
}

// completedDepth returns the confirmations of a transaction that a thief of the community's key completed and that
// spends these units. Signed for a canceled order, it delivers the order that its owner then made of the same units.
func (m *Model) completedDepth(units []string) int64 {
	deep := int64(math.MaxInt64)
	for _, id := range units {
		point, err := wire.NewOutPointFromString(id)
		if err != nil {
			return 0
		}
		at, by := m.spentIn(*point)
		if !m.completed[by] {
			return 0
		}
		deep = min(deep, m.depth(at))
	}
	return deep
}

const dust = 546

// received compares an order's sums with the payments at its address.
func (m *Model) received(row Order) error {
	var sure, possible, unspent, spent, n int64
	for _, point := range m.orders[row.ID].paid {
		out := m.outputs[point]
		at, _ := m.Chain.Locate(point.Hash)
		if !m.idle(point) {
			spent += out.Value
		}
		if out.runes > 0 || out.foreign > 0 {
			continue
		}
		if !m.replaced(point.Hash, 1) {
			possible += out.Value
		}
		if at >= 0 && out.Value >= maxFloor {
			sure += out.Value
			if m.idle(point) {
				unspent += out.Value
				n++
			}
		}
	}
	booked := row.Seen + row.Late + row.Refunded
	if booked < sure {
		return broken("no payment is lost", "order %s: %d sats are in blocks, %d in its books", row.ID, sure, booked)
	}
	if booked > possible {
		return broken("no payment counts twice",
			"order %s: %d sats were paid at most, %d are in its books", row.ID, possible,
			booked)
	}
	worth := 2*(row.Rate*(54+68*max(n, 1))/1000) + 4*dust
	switch row.Status {
	case "PENDING":
		if sure > 0 {
			return broken("a payment is seen", "order %s is PENDING with %d sats in blocks", row.ID, sure)
		}
	case "EXPIRED", "INVALID", "CANCELED", "AUDIT":
		unspent -= max(0, row.Refunded-spent) // a stored refund that the node currently rejects
		if unspent > worth && row.RefundDue == 0 {
			return broken("a closed order refunds its unspent payments",
				"order %s is %s with %d sats in blocks", row.ID, row.Status, unspent)
		}
	}
	if row.RefundDue > possible {
		return broken("no refund exceeds the payments", "of order %s %d sats are due, and %d were paid at most", row.ID,
			row.RefundDue, possible)
	}
	return nil
}

// maxFloor is the floor of payments at the highest fee rate of any simulated order.
const maxFloor = 68 * 50

// idle reports whether no confirmed or unconfirmed transaction spends an output, and no payout that may still confirm.
func (m *Model) idle(point wire.OutPoint) bool {
	for _, id := range m.spenders[point] {
		if at, waits := m.Chain.Locate(id); at >= 0 || waits {
			return false
		}
		if !m.dead(id) && !m.replaced(id, 1) && m.ours(id) {
			return false
		}
	}
	return true
}

// dead reports whether a transaction was replaced with deathDepth confirmations while the server was at the tip. The
// server gives up such a transaction also if a reorg undoes the replacement later.
func (m *Model) dead(id chainhash.Hash) bool {
	if m.replaced(id, deathDepth) {
		m.givenUp[id] = true
	}
	return m.givenUp[id]
}

// ours reports whether a transaction spends an output that only the community's key can spend.
func (m *Model) ours(id chainhash.Hash) bool { return m.flow(m.txs[id]).ours }
