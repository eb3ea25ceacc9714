package order

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/fault"
	"moonfund/ledger"
)

// open are the statuses in which the clock and the chain can move an order, and
// AUDIT, where they only keep its sums. In the others only a payment can, and it
// is looked at when it is recorded.
var open = []Status{Pending, Confirmed, PendingRerate, Paid, Audit}

// Evaluate brings every open order in line with its payments, its units and, at
// the tip, the clock. It returns the orders that changed.
func (d *Desk) Evaluate(ctx context.Context, tx Tx, now time.Time, atTip bool) (changed []Order, err error) {
	for _, status := range open {
		orders, err := tx.Orders.OrdersInStatus(ctx, status)
		if err != nil {
			return nil, err
		}
		for _, o := range orders {
			if _, served := d.terms[o.Community]; !served {
				continue // what is left of a community that this server does not know any more waits
			}
			after, moved, err := d.evaluate(ctx, tx, o, now, atTip)
			if err != nil {
				return nil, fmt.Errorf("order %s: %w", o.ID, err)
			}
			if moved {
				changed = append(changed, after)
			}
		}
	}
	return changed, nil
}

// EvaluateEach brings these orders in line with their payments and units, whatever
// their status. It does not move them by the clock.
func (d *Desk) EvaluateEach(ctx context.Context, tx Tx, ids []string, now time.Time) error {
	for _, id := range ids {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return fmt.Errorf("order %s: %w", id, err)
		}
		if _, _, err := d.evaluate(ctx, tx, o, now, false); err != nil {
			return fmt.Errorf("order %s: %w", id, err)
		}
	}
	return nil
}

func (d *Desk) evaluate(ctx context.Context, tx Tx, o Order, now time.Time, atTip bool) (Order, bool, error) {
	moved := false
	for range len(Statuses) {
		fresh, payments, st, err := d.refresh(ctx, tx, o)
		if err != nil {
			return o, moved, err
		}
		lost, err := unitLost(ctx, tx, o)
		if err != nil {
			return o, moved, err
		}
		if counted, err := countWaiting(ctx, tx, fresh, payments, ledger.Cause{Kind: "order", ID: o.ID, At: now}); err != nil {
			return o, moved, err
		} else if counted {
			continue
		}
		event := decide(fresh, facts{standing: st, unitLost: lost, atTip: atTip, now: now})
		if event == "" {
			fresh = fresh.owing(payments, now)
			moved = moved || !fresh.same(o)
			fresh, err = d.update(ctx, tx, o, fresh, payments, now)
			return fresh, moved, err
		}
		cause := ledger.Cause{Kind: "order", ID: o.ID, At: now}
		if o, err = d.Apply(ctx, tx, fresh, event, cause, deadlineAfter(event, fresh)); err != nil {
			return o, moved, err
		}
		moved = true
	}
	return o, moved, fmt.Errorf("order: %s does not come to rest", o.Status)
}

func deadlineAfter(event Event, o Order) func(*Order) {
	switch event {
	case FirstPaymentSeen:
		return func(o *Order) { o.Deadline = o.RateDate.Add(PaymentWindow) }
	case PaymentsVanished:
		return func(o *Order) { o.Deadline = o.RateDate.Add(FeeValid) }
	}
	return nil
}

// refresh recomputes what the order was paid and, while it can still be paid, its price.
func (d *Desk) refresh(ctx context.Context, tx Tx, o Order) (Order, []Payment, standing, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return o, nil, standing{}, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return o, nil, standing{}, err
	}
	to, err := d.script(o)
	if err != nil {
		return o, nil, standing{}, err
	}
	payments = slices.DeleteFunc(payments, func(p Payment) bool { return p.Vanished })
	fees := o.Fees
	o, st, err := tally(d.terms[o.Community], o, to, payments, tip.Height)
	if !o.Status.payable() && (o.Status != Paid || !st.paid) {
		o.Fees = fees // what was asked for stands
	}
	return o, payments, st, err
}

// script is where the order's runes go.
func (d *Desk) script(o Order) ([]byte, error) {
	to, err := chain.ParseAddress(o.Owner, d.network)
	return to.Script, err
}

func (o Order) same(other Order) bool {
	return o.Fees == other.Fees && o.Seen == other.Seen && o.Usable == other.Usable && o.Confirmed == other.Confirmed && o.Late == other.Late &&
		o.Refunded == other.Refunded && o.Returned == other.Returned && o.Anchor == other.Anchor && o.Owed.Sats == other.Owed.Sats
}

func unitLost(ctx context.Context, tx Tx, o Order) (bool, error) {
	if !o.Status.Active() {
		return false, nil
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return false, err
	}
	units, err := tx.Orders.UnitsOfOrder(ctx, o)
	if err != nil {
		return false, err
	}
	for _, unit := range units {
		recovered := unit.Contested && ledger.Confirmations(unit.SpentHeight, tip.Height) >= ledger.RecoveryDepth
		if unit.Vanished || recovered {
			return true, nil
		}
	}
	if len(units) < len(o.UnitIDs) {
		return true, nil
	}
	return deliveredElsewhere(ctx, tx, o, units, tip)
}

// deliveredElsewhere reports whether a transaction that this ledger does not
// remember spent the order's payment and brought its owner runes of the treasury,
// out of reach of a reorg: the order can never be paid out here, and its rewards
// must be free again to be found as what was delivered.
func deliveredElsewhere(ctx context.Context, tx Tx, o Order, units []ledger.Unit, tip ledger.Header) (bool, error) {
	if !slices.ContainsFunc(units, ledger.Unit.Virtual) {
		return false, nil // the outputs of stakes tell by themselves
	}
	open, err := tx.Outgoes.OpenOutgoesTo(ctx, o.Community, o.Owner)
	if err != nil {
		return false, err
	}
	for _, out := range open {
		if ledger.Confirmations(out.Height, tip.Height) < ledger.OutgoDepth {
			continue
		}
		spent, err := tx.Outputs.OutputsSpentBy(ctx, out.TxID)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(spent, func(output ledger.Output) bool { return output.Kind == ledger.PaymentKind && output.Ref == o.ID }) {
			return true, nil
		}
	}
	return false, nil
}

// Of returns an order if it belongs to the owner.
func (d *Desk) Of(ctx context.Context, tx Tx, community, owner, id string) (Order, error) {
	o, err := tx.Orders.Order(ctx, id)
	if errors.Is(err, ledger.ErrNotFound) || (err == nil && (o.Owner != owner || o.Community != community)) {
		return Order{}, fault.Refuse(fault.OrderUnknown)
	}
	return o, err
}

// Rerate sets a new rate for an order whose fees expired. Nobody has to prove that he
// owns the order, so a call must not harm the owner: it never moves the deadline, and
// while a rate is in force it can only lower it. Whoever asks at an instant gets the
// rate of that instant or a lower one, whatever others asked for before.
func (d *Desk) Rerate(ctx context.Context, tx Tx, community, owner, id string, rate amount.FeeRate, now time.Time) (Order, error) {
	o, err := d.Of(ctx, tx, community, owner, id)
	if err != nil {
		return o, err
	}
	lowers := o.Status == Confirmed && o.RateDate.After(o.Created) && !feesOver(o, now)
	switch {
	case o.Status != PendingRerate && !lowers:
		return o, fault.Refuse(fault.OrderNotRerate)
	case lowers && rate >= o.FeeRate:
		return o, fault.Refuse(fault.OrderRerateTooSoon)
	case now.After(o.Created.Add(LastRerate)):
		return o, fault.Refuse(fault.OrderTooOld)
	}
	before := o
	if o.FeeRate = rate; !lowers {
		o.RateDate = now
	}
	o, payments, st, err := d.refresh(ctx, tx, o)
	if err != nil {
		return o, err
	}
	cause := ledger.Cause{Kind: "rerate", ID: o.ID, At: now}
	switch {
	case st.paid:
		return d.Apply(ctx, tx, o, PaidInFull, cause, nil)
	case lowers:
		return d.update(ctx, tx, before, o, payments, now)
	}
	return d.Apply(ctx, tx, o, Rerated, cause, nil)
}

// Cancelable refuses a cancel of an order that is closed, or whose payout is signed.
func (o Order) Cancelable() error {
	if !o.Status.Active() {
		return fault.Refuse(fault.OrderNotCancelable)
	}
	return nil
}

// Cancel closes an order for its owner, whose proof was accepted.
func (d *Desk) Cancel(ctx context.Context, tx Tx, o Order, actionID string, now time.Time) (Order, error) {
	if err := o.Cancelable(); err != nil {
		return o, err
	}
	fresh, _, _, err := d.refresh(ctx, tx, o)
	if err != nil {
		return o, err
	}
	return d.Apply(ctx, tx, fresh, CanceledByOwner, ledger.Cause{Kind: "action", ID: actionID, At: now}, nil)
}
