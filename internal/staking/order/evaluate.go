package order

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// open has the statuses in which the clock or the chain can move an order, and AUDIT, in which they change only the
// order's sums. Evaluate can change an order in another status only because of a payment, and is called when the
// payment is recorded.
var open = []Status{Pending, Confirmed, PendingRerate, Paid, Audit}

// OpenIDs returns the ids of the orders in an open status, which the clock or the chain can change.
func (s *Service) OpenIDs(ctx context.Context, tx Tx) (ids []string, err error) {
	for _, status := range open {
		in, err := tx.Orders.OrderIDsInStatus(ctx, status)
		if err != nil {
			return nil, err
		}
		ids = append(ids, in...)
	}
	return ids, nil
}

// evaluatedAtOnce is the maximum number of orders that are read at once with their payments and units.
const evaluatedAtOnce = 200

// Evaluate applies the events that the payments, the units and the clock cause for orders. It applies deadlines only if
// atTip is true: the chain and the mempool were followed to their ends. Evaluate returns the orders that changed. It
// skips orders of communities that this server does not serve. The evaluation of one order can fail alone, see
// FailedEvaluation.
func (s *Service) Evaluate(
	ctx context.Context, tx Tx, ids []string, now time.Time, atTip bool,
) (changed []Order, err error) {
	for part := range slices.Chunk(ids, evaluatedAtOnce) {
		moved, failed, err := s.tryEvaluate(ctx, tx, part, now, atTip) // one savepoint while none fails
		if failed != nil && err == nil {
			moved, err = s.evaluateEach(ctx, tx, part, now, atTip)
		}
		if err != nil {
			return nil, err
		}
		changed = append(changed, moved...)
	}
	return changed, nil
}

// Prepare is Evaluate of a few hundred orders without the writes, which Evaluation.Write makes in a later transaction.
// Prepare can read a snapshot for any time without delaying writers, because one order can have any number of payments.
// tx is not used after Prepare.
func (s *Service) Prepare(ctx context.Context, tx Tx, ids []string, now time.Time, atTip bool) (*Evaluation, error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	e := &Evaluation{Service: s, ids: ids, tx: tx, tip: tip, now: now, atTip: atTip}
	orders, err := load(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	for _, o := range orders {
		e.read.orders = append(e.read.orders, o.Order)
		e.read.units = append(e.read.units, o.units...)
	}
	for _, o := range orders {
		if !s.terms.Has(o.Community) {
			continue
		}
		moved, err := e.evaluate(ctx, o)
		if err != nil {
			return nil, fmt.Errorf("order %s: %w", o.ID, err)
		}
		if moved {
			e.Changed = append(e.Changed, o.Order)
		}
	}
	return e, nil
}

// Evaluation is the result of Prepare.
type Evaluation struct {
	*Service
	batch
	Changed []Order // orders that the evaluation changes

	ids   []string
	read  rows
	tx    Tx
	tip   ledger.Header
	now   time.Time
	atTip bool // the chain and the mempool were followed to their ends, so deadlines may pass

	unexplained     []ledger.UnexplainedSpend // nil until unexplainedRead
	unexplainedRead bool
}

// rows are the orders, by ascending id, and their units. Requests can change some of them.
type rows struct {
	orders []Order
	units  []ledger.Unit
}

// ErrStale is returned by Evaluation.Write if the tip, an order or a unit changed since Prepare.
var ErrStale = errors.New("order: the orders changed since they were evaluated")

// IsEmpty reports whether the evaluation has nothing to write.
func (e *Evaluation) IsEmpty() bool { return len(e.changed)+len(e.payments) == 0 && e.batch.IsEmpty() }

// Write writes the changes of the evaluation, or returns ErrStale. It can be called again if its transaction is
// retried. Payments are not compared: only the follower, which evaluates, changes them without their order.
func (e *Evaluation) Write(ctx context.Context, tx Tx) error {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	orders, err := ordersByID(ctx, tx, e.ids)
	if err != nil {
		return err
	}
	var now rows
	for _, id := range e.ids {
		now.orders = append(now.orders, *orders[id])
	}
	units, err := unitsOf(ctx, tx, orders, e.ids)
	if err != nil {
		return err
	}
	for _, id := range e.ids {
		now.units = append(now.units, units[id]...)
	}
	if tip != e.tip || !reflect.DeepEqual(now, e.read) {
		return ErrStale
	}
	b := e.batch // write empties the batch
	return b.write(ctx, tx)
}

// evaluate applies events to one order until no event is due, and reports whether the order changed.
func (e *Evaluation) evaluate(ctx context.Context, o *loaded) (moved bool, err error) {
	for range len(Statuses.Rows) {
		now := e.now
		if now.Before(o.RateDate) { // the header of a block, or the beginning of a Step, can be older than the order
			now = o.RateDate
		}
		cause := ledger.Cause{Kind: "order", ID: o.ID, At: now}
		fresh, st, err := e.tallied(o.Order, o.payments, e.tip)
		if err != nil {
			return moved, err
		}
		if normal, err := e.payDifference(o, fresh, now); err != nil {
			return moved, err
		} else if normal {
			moved = true
			continue
		}
		lost, err := e.unitLost(ctx, o)
		if err != nil {
			return moved, err
		}
		if e.countWaiting(fresh, o.payments, cause) {
			continue
		}
		event := decide(fresh, facts{coverage: st, unitLost: lost, atTip: e.atTip, now: now,
			height: e.tip.Height})
		if event == "" {
			fresh = fresh.withRefundDue(o.payments, now)
			moved = moved || !fresh.same(o.Order)
			o.Order = e.updateSums(o.Order, fresh, o.payments, now)
			return moved, nil
		}
		o.Order = fresh
		if err := o.apply(&e.batch, event, cause, deadlineAfter(event, fresh)); err != nil {
			return moved, err
		}
		moved = true
	}
	return moved, fmt.Errorf("order: %s has no final status", o.Status)
}

// deadlineAfter returns a function that sets the deadline that an event starts, or nil if it starts none.
func deadlineAfter(event Event, o Order) func(*Order) {
	switch event {
	case FirstPaymentSeen:
		return func(o *Order) { o.Deadline = o.RateDate.Add(PaymentWindow) }
	case PaymentsVanished:
		return func(o *Order) { o.Deadline = o.RateDate.Add(FeeValid) }
	}
	return nil
}

// refresh reads an order's payments and returns the order as tallied does, and the payments that did not vanish.
func (s *Service) refresh(ctx context.Context, tx Tx, o Order) (Order, []Payment, coverage, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return o, nil, coverage{}, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return o, nil, coverage{}, err
	}
	payments = existing(payments)
	o, st, err := s.tallied(o, payments, tip)
	return o, payments, st, err
}

// existing returns the payments that did not vanish.
func existing(payments []Payment) []Payment {
	return slices.DeleteFunc(payments, func(p Payment) bool { return p.Vanished })
}

// tallied returns the order with its sums computed from payments. It also computes the price while the order can be
// paid, and while it is PAID and confirmed payments pay the price.
func (s *Service) tallied(o Order, payments []Payment, tip ledger.Header) (Order, coverage, error) {
	to, err := s.script(o)
	if err != nil {
		return o, coverage{}, err
	}
	terms, err := s.termsOf(o)
	if err != nil {
		return o, coverage{}, err
	}
	fees := o.Fees
	o, st, err := tally(terms, o, to, payments, tip.Height)
	if !o.Status.payable() && (o.Status != Paid || !st.paid) {
		o.Fees = fees // the price is final
	}
	return o, st, err
}

// script returns the output script that receives the order's runes.
func (s *Service) script(o Order) ([]byte, error) {
	to, err := chain.ParseAddress(o.Owner, s.network)
	return to.Script, err
}

// same reports whether two versions of an order have the same price, sums, anchor, due refund and speed.
func (o Order) same(other Order) bool {
	return o.Fees == other.Fees && o.Seen == other.Seen && o.Usable == other.Usable && o.Confirmed == other.Confirmed &&
		o.Late == other.Late &&
		o.Refunded == other.Refunded && o.Returned == other.Returned && o.Anchor == other.Anchor &&
		o.Owed == other.Owed && o.Economy == other.Economy
}

// unitLost reports whether an active order can no longer be delivered, because a deposit vanished, a transaction that
// is no payout spent a unit (a recovery, a thief of the key, or a delivery that this ledger lacks), or one delivered
// its rewards.
func (e *Evaluation) unitLost(ctx context.Context, o *loaded) (bool, error) {
	if !o.Status.Active() {
		return false, nil
	}
	for _, unit := range o.units {
		recovered := unit.Contested && ledger.Confirmations(unit.SpentHeight, e.tip.Height) >= ledger.RecoveryDepth
		if unit.Vanished || recovered {
			return true, nil
		}
	}
	if len(o.units) < len(o.UnitIDs) {
		return true, nil
	}
	return e.deliveredElsewhere(ctx, o)
}

// deliveredElsewhere reports whether a transaction that is no payout in this ledger spent a payment of the order and
// moved runes of the treasury to its owner, with ledger.ExplainDepth confirmations. Then this server can never deliver
// the order, and must unlock its rewards so that ledger.ExplainSpends can match them.
func (e *Evaluation) deliveredElsewhere(ctx context.Context, o *loaded) (bool, error) {
	if !slices.ContainsFunc(o.units, ledger.Unit.Virtual) {
		return false, nil // the delivery of a stake spends its output, which makes the unit contested
	}
	if !e.unexplainedRead {
		var err error
		if e.unexplained, err = e.tx.Unexplained.UnexplainedSpends(ctx); err != nil {
			return false, err
		}
		e.unexplainedRead = true
	}
	ofOrder := func(output ledger.Output) bool { return output.Kind == ledger.PaymentKind && output.Ref == o.ID }
	for _, out := range e.unexplained {
		if out.Community != o.Community || out.Owner != o.Owner ||
			ledger.Confirmations(out.Height, e.tip.Height) < ledger.ExplainDepth {
			continue
		}
		spent, err := e.tx.Outputs.OutputsSpentBy(ctx, out.TxID)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(spent, ofOrder) {
			return true, nil
		}
	}
	return false, nil
}

// Find returns an order of an owner. It returns a fault if there is no such order or if it belongs to another owner.
func (s *Service) Find(ctx context.Context, tx Tx, community, owner, id string) (Order, error) {
	o, err := tx.Orders.Order(ctx, id)
	if errors.Is(err, state.ErrNotFound) || (err == nil && (o.Owner != owner || o.Community != community)) {
		return Order{}, fault.Refuse(fault.OrderUnknown)
	}
	return o, err
}

// Rerate sets a new fee rate for an order whose rate expired, or a lower one while an earlier rerate is valid. Callers
// do not prove ownership, so a call must not harm the owner: it never moves the deadline, and never raises a valid
// rate. So the owner gets rate or a lower one, whatever other callers requested before. Rerate returns a fault if
// neither case applies, or if the order is older than LastRerate.
func (s *Service) Rerate(ctx context.Context, tx Tx, community, owner, id string, rate amount.FeeRate,
	now time.Time) (Order, error) {
	o, err := s.Find(ctx, tx, community, owner, id)
	if err != nil {
		return o, err
	}
	lowers := o.Status == Confirmed && o.RateDate.After(o.Created) && !feesOver(o, now)
	switch {
	case o.Status != PendingRerate && !lowers:
		return o, fault.Refuse(fault.OrderNotRerate)
	case lowers && max(rate, o.Economy.RaisedRate) >= o.FeeRate:
		return o, fault.Refuse(fault.OrderRerateTooSoon)
	case now.After(o.Created.Add(LastRerate)):
		return o, fault.Refuse(fault.OrderTooOld)
	}
	before := o
	// An order whose difference was paid stays above the economy price, which the signer and the audit require.
	if o.FeeRate = max(rate, o.Economy.RaisedRate); !lowers {
		o.RateDate = now
	}
	o, payments, st, err := s.refresh(ctx, tx, o)
	if err != nil {
		return o, err
	}
	cause := ledger.Cause{Kind: "rerate", ID: o.ID, At: now}
	switch {
	case st.paid:
		return s.Apply(ctx, tx, o, PaidInFull, cause, nil)
	case lowers:
		return s.update(ctx, tx, before, o, payments, now)
	}
	return s.Apply(ctx, tx, o, Rerated, cause, nil)
}

// Cancelable returns nil if the owner can cancel the order, and a fault if it is closed or its payout is signed.
func (o Order) Cancelable() error {
	if !o.Status.Active() {
		return fault.Refuse(fault.OrderNotCancelable)
	}
	return nil
}

// Cancel closes an order. The caller must have verified the owner's signed message, which is action actionID. Cancel
// returns a fault if the order is not Cancelable.
func (s *Service) Cancel(ctx context.Context, tx Tx, o Order, actionID string, now time.Time) (Order, error) {
	if err := o.Cancelable(); err != nil {
		return o, err
	}
	fresh, _, _, err := s.refresh(ctx, tx, o)
	if err != nil {
		return o, err
	}
	return s.Apply(ctx, tx, fresh, CanceledByOwner, ledger.Cause{Kind: "action", ID: actionID, At: now}, nil)
}
