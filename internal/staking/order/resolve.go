package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// Refusal is an error: the reason why a request of the operator can't be carried out.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Resume moves an AUDIT order back to PAID at the operator's request. It locks the same units again and accepts late
// payments. The owner of an economy order can choose again if its limit passed. Resume returns a *Refusal and changes
// nothing if the order is not in AUDIT, if a unit is not free, if a payment is spent, if the confirmed payments do not
// pay the price, or if the last limits of economy delivery are over.
func (s *Service) Resume(ctx context.Context, tx Tx, id string, cause ledger.Cause) (Order, error) {
	o, err := tx.Orders.Order(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		return o, refuse("there is no such order")
	}
	if err != nil {
		return o, err
	}
	if !s.terms.Has(o.Community) {
		return o, refuse("its community %s is not served here", o.Community)
	}
	if o.Status != Audit {
		return o, refuse("it is %s; only an AUDIT order can be resumed", o.Status)
	}
	payments, err := tx.Payments.PaymentsOf(ctx, id)
	if err != nil {
		return o, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return o, err
	}
	paid, err := s.repriced(o, payments, tip)
	if err != nil {
		return o, err
	}
	if paid, err = paid.resumed(cause.At, tip.Height); err != nil {
		return o, err
	}
	if err := unitsFree(ctx, tx, o); err != nil {
		return o, err
	}
	if err := acceptLate(ctx, tx, o, payments, func(Payment) bool { return true }, cause); err != nil {
		return o, err
	}
	return s.Apply(ctx, tx, paid, ResolvedByOperator, cause, nil)
}

// Review moves a CONFIRMED, PENDING_RERATE or PAID order to AUDIT at the operator's or the audit's request. It unlocks
// the order's units. Nothing is delivered or refunded before the operator decides. Review returns a *Refusal for an
// order in another status.
func (s *Service) Review(ctx context.Context, tx Tx, id string, cause ledger.Cause) (Order, error) {
	o, err := tx.Orders.Order(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		return o, refuse("there is no such order")
	}
	if err != nil {
		return o, err
	}
	if !s.terms.Has(o.Community) {
		return o, refuse("its community %s is not served here", o.Community)
	}
	if o.Status != Confirmed && o.Status != PendingRerate && o.Status != Paid {
		return o, refuse("it is %s; only an order that is being paid, or is PAID, can be reviewed", o.Status)
	}
	return s.Apply(ctx, tx, o, ReviewedByOperator, cause, nil)
}

// Close moves an AUDIT order to CANCELED at the operator's request. The journal records its unspent payments as
// abandoned. Close returns a *Refusal and changes nothing if the order is not in AUDIT, or if these payments are worth
// a refund at the order's fee rate.
func (s *Service) Close(ctx context.Context, tx Tx, id string, cause ledger.Cause) (Order, error) {
	o, err := tx.Orders.Order(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		return o, refuse("there is no such order")
	}
	if err != nil {
		return o, err
	}
	if o.Status != Audit {
		return o, refuse("it is %s; only an AUDIT order can be closed", o.Status)
	}
	payments, err := tx.Payments.PaymentsOf(ctx, id)
	if err != nil {
		return o, err
	}
	if left := o.Refundable(payments); left > 0 {
		return o, refuse("%d sats of it are owed to its owner: refund them", left)
	}
	return s.Apply(ctx, tx, o, ClosedByOperator, cause, nil)
}

// repriced returns the order with the sums and the price that include its late payments. It returns a *Refusal if a
// payment is spent or if the confirmed payments do not pay the price.
func (s *Service) repriced(o Order, payments []Payment, tip ledger.Header) (Order, error) {
	to, err := s.script(o)
	if err != nil {
		return o, err
	}
	var counted []Payment
	for _, p := range payments {
		if !p.Counted || p.Vanished {
			continue
		}
		if p.SpentBy != "" {
			return o, refuse("its payment %s is spent by %s", p.OutPoint, p.SpentBy)
		}
		p.Late = false
		counted = append(counted, p)
	}
	terms, err := s.termsOf(o)
	if err != nil {
		return o, err
	}
	o, st, err := tally(terms, o, to, counted, tip.Height)
	if err != nil {
		return o, err
	}
	if o.Confirmed == 0 {
		return o, refuse("its first payment is not confirmed")
	}
	if !st.paid {
		return o, refuse("%d sats of it are confirmed, it costs %d", o.Confirmed, o.Fees.Total())
	}
	return o, nil
}

// unitsFree returns a *Refusal unless the order can lock all of its units again.
func unitsFree(ctx context.Context, tx Tx, o Order) error {
	free := ledger.Unlocked
	if o.Reason == ledger.ForClaim {
		free = ledger.Claimable
	}
	units, err := tx.Units.UnitsByID(ctx, o.Community, o.UnitIDs)
	if err != nil {
		return err
	}
	if len(units) != len(o.UnitIDs) {
		return refuse("%d of its %d units do not exist any more", len(o.UnitIDs)-len(units), len(o.UnitIDs))
	}
	for _, u := range units {
		switch {
		case u.Owner != o.Owner || u.OrderID != "" || u.Stage != free:
			return refuse("its unit %s is %s, and has to be %s", u.ID, u.Stage, free)
		case u.Contested || u.Vanished:
			return refuse("the output of its unit %s is spent by another transaction", u.ID)
		}
	}
	return nil
}

// acceptLate clears the late flag of the payments for which selected returns true.
func acceptLate(ctx context.Context, tx Tx, o Order, payments []Payment, selected func(Payment) bool,
	cause ledger.Cause) error {
	for _, p := range payments {
		if !p.Late || !p.Counted || p.Vanished || p.Refunded || !selected(p) {
			continue
		}
		if err := tx.Payments.AcceptPayment(ctx, p.OutPoint); err != nil {
			return err
		}
		from := p.account(o.isAbandoned())
		p.Late = false
		posting := o.satsPosting("payment accepted", p.Value, from, p.account(o.isAbandoned()), cause)
		if err := tx.Journal.Post(ctx, posting); err != nil {
			return err
		}
	}
	return nil
}

// ChangeSpends calls change, which records or drops transactions that spend payments of an order. Then it posts the
// resulting moves of these payments between accounts under the name event, updates the order's sums and its due refund,
// and returns the order.
func (s *Service) ChangeSpends(ctx context.Context, tx Tx, orderID, event string, cause ledger.Cause,
	change func() error) (Order, error) {
	before, err := tx.Payments.PaymentsOf(ctx, orderID)
	if err != nil {
		return Order{}, err
	}
	if err := change(); err != nil {
		return Order{}, err
	}
	after, err := tx.Payments.PaymentsOf(ctx, orderID)
	if err != nil {
		return Order{}, err
	}
	o, err := tx.Orders.Order(ctx, orderID)
	if err != nil {
		return o, err
	}
	stored := map[wire.OutPoint]Payment{}
	for _, p := range before {
		stored[p.OutPoint] = p
	}
	var spent []Payment
	var postings []ledger.Posting
	for _, p := range after {
		was, existed := stored[p.OutPoint]
		if p.Vanished || !existed || was.account(o.isAbandoned()) == p.account(o.isAbandoned()) {
			continue
		}
		if p.Refunded {
			spent = append(spent, p)
		}
		posting := o.satsPosting(event, p.Value, was.account(o.isAbandoned()), p.account(o.isAbandoned()), cause)
		postings = append(postings, posting)
	}
	if err := tx.Journal.Post(ctx, postings...); err != nil {
		return o, err
	}
	fresh, payments, _, err := s.refresh(ctx, tx, o.Anchored(spent))
	if err != nil {
		return o, err
	}
	return s.update(ctx, tx, o, fresh.withRefundDue(payments, cause.At), payments, cause.At)
}

// Extend moves the deadlines and rate dates of all active orders by the length of a pause, during which owners could
// not act. It accepts payments that are late only because of the pause. It returns the number of orders that it
// changed.
func Extend(ctx context.Context, tx Tx, by time.Duration, cause ledger.Cause) (moved int, err error) {
	for _, status := range []Status{Pending, Confirmed, PendingRerate, Paid} {
		orders, err := tx.Orders.OrdersInStatus(ctx, status)
		if err != nil {
			return moved, err
		}
		for _, o := range orders {
			o.RateDate, o.Deadline, o.Updated = o.RateDate.Add(by), o.Deadline.Add(by), cause.At
			if o.IsEconomy() {
				o.Economy.Until = o.Economy.Until.Add(by)
			}
			if err := tx.Orders.UpdateOrders(ctx, Change{Order: o, From: status}); err != nil {
				return moved, err
			}
			payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
			if err != nil {
				return moved, err
			}
			inTime := func(p Payment) bool { return !p.SeenAt.After(o.Deadline) }
			if err := acceptLate(ctx, tx, o, payments, inTime, cause); err != nil {
				return moved, err
			}
			moved++
		}
	}
	return moved, nil
}
