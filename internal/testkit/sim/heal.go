package sim

import (
	"maps"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/sim/model"
)

// Times of the specification, independent of the product's constants.
const (
	rateValid    = 30 * time.Minute
	paymentWeek  = 7 * 24 * time.Hour
	givenUpAfter = 14 * 24 * time.Hour // age at which an unconfirmed transaction is given up
)

// finish ends faults, pauses, high fee rates and instructions, advances the clock past every deadline, and refunds
// every order that waits for an operator. Then every order, unit and payout must be in a final state.
func (sc *scenario) finish() {
	sc.note("heal")
	clear(sc.skipped)
	sc.Clock.Set(sc.trueClock.Now())
	sc.Rate = amount.SatPerVB(1)
	sc.resume()
	sc.endInstructions()
	sc.mineAndFollow(5)
	sc.pass(givenUpAfter + testkit.EpochLength)
	sc.Node.Evict(slices.Collect(maps.Keys(sc.unminable))...) // nodes evict them after two weeks
	sc.mineAndFollow(9)
	sc.follow() // without a new block, because only then does the server give up unconfirmed transactions
	sc.passSignatures()
	sc.refundReviewed()
	sc.checkFinished()
	if sc.limited {
		sc.checkLimits()
	}
	sc.Audit()
	sc.Check()
	sc.require(sc.model.Durable(sc.Context(), sc.db))
	if sc.plan.Runes {
		sc.require(sc.runeOrders.Finished(sc.Context(), sc.db))
		sc.require(sc.runeOrders.Kept(sc.Context(), sc.db, int64(sc.Rate)))
	}
}

// passSignatures waits until no order waits for its owner's signature. A pause moves the deadline by its whole length,
// so an order that was paid during a long one waits for longer than a week.
func (sc *scenario) passSignatures() {
	for range 4 {
		if !slices.ContainsFunc(sc.tables.Orders, func(o model.Order) bool { return sc.Order(o.ID).NeedsSignature() }) {
			return
		}
		sc.pass(paymentWeek)
		sc.mineAndFollow(1)
	}
}

// mineAndFollow mines blocks with all minable transactions. The server follows each block.
func (sc *scenario) mineAndFollow(blocks int) {
	for range blocks {
		sc.pass(10 * time.Minute)
		sc.mineMempool()
		sc.synced = false
		sc.follow()
		if !sc.synced {
			sc.Fatal("the server does not follow the chain although there is no fault")
		}
		sc.check()
	}
}

// refundReviewed requests the refund of every order in AUDIT or above the limits, once. The server refunds the other
// orders automatically, and sends further refunds if one cannot spend all payments.
func (sc *scenario) refundReviewed() {
	for _, o := range sc.tables.Orders {
		if sc.waitsForPerson(o.ID) {
			sc.requestOnce(payout.RequestRefund, o.ID)
		}
	}
	sc.mineAndFollow(9)
}

// checkFinished checks that no order, unit or payout is left unfinished.
func (sc *scenario) checkFinished() {
	over := []order.Status{order.Delivered, order.Consolidated, order.Canceled, order.Expired, order.Invalid}
	waiting := sc.Payouts.Waiting()
	for _, o := range sc.tables.Orders {
		if slices.Contains(over, order.Status(o.Status)) && !sc.refundable(o.ID) {
			continue
		}
		if o.Status == string(order.Audit) && !sc.refundable(o.ID) {
			continue
		}
		sc.Fatalf("order %s did not finish: %+v\nit waits %s", o.ID, o, waiting[o.ID])
	}
	for _, u := range sc.tables.Units {
		if !slices.Contains([]string{"STAKED", "UNLOCKED", "CLAIMABLE", "WITHDRAWN"}, u.Stage) {
			sc.Fatalf("unit %s is in no final stage: %+v", u.ID, u)
		}
	}
	if late := sc.column(`SELECT id FROM payout WHERE status = 'live'`); len(late) > 0 {
		sc.Fatalf("payouts that did not confirm: %v", late)
	}
	if open := sc.column(`SELECT kind || ' ' || order_id || ': ' || note FROM operator_request WHERE status = 'open'
		AND kind = 'refund'
		AND order_id IN (SELECT id FROM payment_order WHERE refund_due > 0)`); len(open) > 0 && sc.mustRefund() {
		sc.Fatalf("requests that are still open: %v", open)
	}
}

// refundable reports whether a closed or delivered order has confirmed payments left that are worth refunding.
func (sc *scenario) refundable(id string) (worth bool) {
	o := sc.Order(id)
	sc.Update(func(tx *store.Tx) error {
		payments, err := tx.PaymentsOf(sc.Context(), id)
		unspent := order.Unspent(payments)
		sum := amount.Sats(0)
		for _, p := range unspent {
			sum += p.Value
		}
		worth = len(unspent) > 0 && o.Refundable(payments) > 0 && sum > 2*amount.Sats(60*(len(unspent)+1))+546
		return err
	})
	return worth
}

// mustRefund reports whether an order has a refund due that is worth sending.
func (sc *scenario) mustRefund() bool {
	for _, o := range sc.tables.Orders {
		if o.RefundDue > 0 && sc.refundable(o.ID) {
			return true
		}
	}
	return false
}
