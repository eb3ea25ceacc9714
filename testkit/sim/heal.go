package sim

import (
	"slices"
	"time"

	"moonfund/amount"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
	"moonfund/testkit"
)

// heal ends the faults, the pauses and the high fees, lets time pass for every
// deadline and the operator answer every order that waits for him: then whatever
// can finish must have finished.
func (l *life) heal() {
	l.note("heal")
	clear(l.skipped)
	l.Clock.Set(l.truth.Now())
	l.Rate = amount.SatPerVB(1)
	l.resume()
	l.settle(5)
	l.pass(order.Unconfirmed + testkit.EpochLength)
	l.settle(9)
	l.look() // no block comes before it: the server gives up what nobody mined only in such a step
	l.answer()
	l.settle(9)
	l.rest()
	l.Audit()
	l.Check()
	l.must(l.model.Forgotten(l.Context(), l.books))
	if l.plan.Runes {
		l.must(l.runeOrders.Finished(l.Context(), l.books))
		l.must(l.runeOrders.Kept(l.Context(), l.books, int64(l.Rate)))
	}
}

// settle mines full blocks, with a look after each.
func (l *life) settle(blocks int) {
	for range blocks {
		l.pass(10 * time.Minute)
		l.Node.Mine()
		l.synced = false
		l.look()
		if !l.synced {
			l.Fatal("without a fault the server does not follow the chain")
		}
		l.check()
	}
}

// answer has every order refunded of which a refund is due.
func (l *life) answer() {
	for _, o := range l.read.Orders {
		if o.RefundDue > 0 {
			l.ask(payout.AskRefund, o.ID)
		}
	}
}

// rest checks that nothing is left that should have gone on.
func (l *life) rest() {
	over := []order.Status{order.Delivered, order.Consolidated, order.Canceled, order.Expired, order.Invalid}
	waiting := l.Payouts.Waiting()
	for _, o := range l.read.Orders {
		if slices.Contains(over, order.Status(o.Status)) && !l.refundable(o.ID) {
			continue
		}
		if o.Status == string(order.Audit) && !l.refundable(o.ID) {
			continue
		}
		l.Fatalf("order %s did not finish: %+v\nit waits %s", o.ID, o, waiting[o.ID])
	}
	for _, u := range l.read.Units {
		if !slices.Contains([]string{"STAKED", "UNLOCKED", "CLAIMABLE", "WITHDRAWN"}, u.Stage) {
			l.Fatalf("unit %s did not come to rest: %+v", u.ID, u)
		}
	}
	if late := l.column(`SELECT id FROM payout WHERE status = 'live'`); len(late) > 0 {
		l.Fatalf("payouts that did not confirm: %v", late)
	}
	if open := l.column(`SELECT kind || ' ' || order_id || ': ' || note FROM operator_request WHERE status = 'open'
		AND kind = 'refund'
		AND order_id IN (SELECT id FROM payment_order WHERE refund_due > 0)`); len(open) > 0 && l.mustRefund() {
		l.Fatalf("requests that nobody answered: %v", open)
	}
}

// refundable reports whether an order that is closed or delivered has confirmed payments left that
// are worth giving back.
func (l *life) refundable(id string) (worth bool) {
	o := l.Order(id)
	l.Update(func(tx *store.Tx) error {
		payments, err := tx.PaymentsOf(l.Context(), id)
		unspent := order.Unspent(payments)
		sum := amount.Sats(0)
		for _, p := range unspent {
			sum += p.Value
		}
		worth = len(unspent) > 0 && o.Left(payments) > 0 && sum > 2*amount.Sats(60*(len(unspent)+1))+546
		return err
	})
	return worth
}

// mustRefund: a request may stay open only where there is too little to send.
func (l *life) mustRefund() bool {
	for _, o := range l.read.Orders {
		if o.RefundDue > 0 && l.refundable(o.ID) {
			return true
		}
	}
	return false
}
