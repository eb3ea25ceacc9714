package sim

import (
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// Limits for refunds in 24 hours in one of four scenarios, low enough that the server must hold refunds.
const (
	refundsPerDay      amount.Sats = 40_000
	refundsPerOwnerDay amount.Sats = 12_000
)

// refundCharge is a refund that counts against the limits.
type refundCharge struct {
	orders, owner string
	sats          amount.Sats
	at            int64
	versions      int
}

// limitRefunds sets the low limits.
func limitRefunds(t *payout.Terms) {
	t.Refunds = payout.RefundLimits{PerDay: refundsPerDay, PerOwnerDay: refundsPerOwnerDay}
}

// noteHeld counts the orders whose refunds wait because of the limits.
func (sc *scenario) noteHeld() {
	for _, id := range sc.column(`SELECT id FROM payment_order WHERE refund_due > 0 AND refund_hold = 'limit'`) {
		if !sc.limitHeld[id] {
			sc.limitHeld[id] = true
			sc.faults[refundOverLimit]++
		}
	}
}

// checkLimits checks that automatic refunds do not exceed the limits in any 24 hours. It skips refunds that were
// replaced, which count from the time of the last signature, and refunds that operators requested.
func (sc *scenario) checkLimits() {
	charges := slices.DeleteFunc(sc.charges(), func(c refundCharge) bool { return sc.model.WasRequested(c.orders) })
	for _, c := range charges {
		if c.versions > 1 {
			continue
		}
		var total, toOwner amount.Sats
		for _, other := range charges {
			if other.at > c.at-int64(24*time.Hour/time.Second) && other.at <= c.at {
				total += other.sats
				if other.owner == c.owner {
					toOwner += other.sats
				}
			}
		}
		if total > refundsPerDay || toOwner > refundsPerOwnerDay {
			sc.Fatalf("refunds stay within their limits: with the refund of %s, %d sats in 24 hours, %d of them to one "+
				"owner", c.orders, total, toOwner)
		}
	}
}

func (sc *scenario) charges() (charges []refundCharge) {
	rows, err := sc.db.QueryContext(sc.Context(), `SELECT payout.order_ids, refund_charge.owner, refund_charge.sats,
		refund_charge.charged_at, (SELECT COUNT(*) FROM payout_version WHERE payout_version.payout_id = payout.id)
		FROM refund_charge JOIN payout ON payout.id = refund_charge.payout_id`)
	testkit.Must(sc, err)
	defer rows.Close()
	for rows.Next() {
		var c refundCharge
		testkit.Must(sc, rows.Scan(&c.orders, &c.owner, &c.sats, &c.at, &c.versions))
		charges = append(charges, c)
	}
	testkit.Must(sc, rows.Err())
	return charges
}

// waitsForPerson reports whether an operator must decide about the refund of an order.
func (sc *scenario) waitsForPerson(id string) bool {
	o := sc.Order(id)
	return o.Owed.Sats > 0 && (o.Status == order.Audit || o.Owed.Hold == order.HoldLimit)
}
