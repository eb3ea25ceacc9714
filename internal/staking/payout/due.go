package payout

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Limits of one Prepare for each community.
const (
	refundsExamined = 2000 // maximum number of due refunds whose index entries are read
	refundsRead     = 100  // maximum number of due refunds whose orders are read
	refundsSigned   = 20   // maximum number of refunds that are signed
)

// retryAfter has the time until a held refund is tried again. A refund whose amount changes is tried at once.
var retryAfter = map[order.RefundHold]time.Duration{
	order.HoldConfirmation: 10 * time.Minute,
	order.HoldLimit:        time.Hour,
	order.HoldRefused:      10 * time.Minute,
}

// RefundPosition is a position in a community's due refunds, which are ordered by amount and order number. The zero
// value precedes all refunds.
type RefundPosition struct {
	Sats   amount.Sats
	Number int64 // of the order
}

// RefundSearch selects the due refunds of a community that can be sent.
type RefundSearch struct {
	Community     string
	Rate          amount.FeeRate // selects refunds that return at least their cost at this rate
	At            time.Time      // selects refunds that are not held at this instant
	After         RefundPosition // selects refunds after this position
	Examine, Most int            // maximum numbers of due refunds to examine, and to return
}

// dueRefunds stores the due refunds that return at least their cost, the smallest first. It skips held refunds and
// AUDIT orders, about which an operator decides. If more than refundsExamined refunds are due, one call examines some
// of them, and the next call continues after these, because anyone can cause many refunds that wait.
func (s *Service) dueRefunds(ctx context.Context, tx Tx, watch ledger.WatchList, rate amount.FeeRate,
	now time.Time) (stored []Payout, err error) {
	s.examined = map[string]RefundPosition{}
	for prefix, terms := range s.terms.All() {
		search := RefundSearch{Community: prefix, Rate: min(rate, terms.MaxRate), At: now,
			After: s.refundsFrom[prefix], Examine: refundsExamined, Most: refundsRead}
		orders, next, err := tx.Payouts.RefundsToSend(ctx, search)
		if err != nil {
			return nil, err
		}
		payouts, signed, err := s.sendDue(ctx, tx, watch, orders, search)
		if err != nil {
			return nil, err
		}
		if len(orders) == search.Most || signed == refundsSigned {
			next = search.After // there may be more in this part
		}
		s.examined[prefix] = next
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// sendDue stores the refunds of orders that are not held, at most refundsSigned. signed is the number of refunds that
// it signed.
func (s *Service) sendDue(ctx context.Context, tx Tx, watch ledger.WatchList, orders []order.Order,
	search RefundSearch) (stored []Payout, signed int, err error) {
	now := search.At
	for _, o := range orders {
		if signed == refundsSigned {
			break
		}
		d, err := s.draftDue(ctx, tx, o, search.Rate, now)
		if err != nil {
			return nil, signed, err
		}
		if d.ready() {
			signed++
			p, err := s.storeDue(ctx, tx, watch, &d, now)
			if err != nil {
				return nil, signed, err
			}
			if d.hold == order.HoldNone {
				stored = append(stored, p)
			}
		}
		if err := recordHold(ctx, tx, d, now); err != nil {
			return nil, signed, err
		}
	}
	return stored, signed, nil
}

// dueRefund is a due refund with the transaction that would be sent now.
type dueRefund struct {
	order    order.Order
	unsigned Unsigned // Tx is nil while the refund costs more than it returns
	cost     vault.PayoutCost
	hold     order.RefundHold // why it is not sent now
}

func (d dueRefund) ready() bool { return d.unsigned.Tx != nil && d.hold == order.HoldNone }

// draftDue builds the due refund of an order and decides whether it is held.
func (s *Service) draftDue(ctx context.Context, tx Tx, o order.Order, rate amount.FeeRate,
	now time.Time) (d dueRefund, err error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return d, err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return d, err
	}
	d.order = o
	spent := o.Returning(order.Unspent(payments), tip.Height, rate)
	if len(spent) == 0 {
		return d, s.waitForRate(ctx, tx, &d, rate, now)
	}
	d.unsigned = Unsigned{Community: o.Community, Refund: &RefundOf{Order: o}}
	if d.unsigned.Inputs, err = s.paymentCoins(o, spent); err != nil {
		return d, err
	}
	d.cost, err = s.buildRefundTx(ctx, tx, &d.unsigned, s.version(), rate)
	if waiting := new(waitError); errors.As(err, &waiting) {
		s.log.Warn("a refund can't be built", "order", o.ID, "reason", waiting.reason)
		d.hold = order.HoldRefused
		return d, nil
	}
	if err != nil {
		return d, err
	}
	d.hold, err = s.holdRefund(ctx, tx, d.unsigned, now)
	return d, err
}

// waitForRate computes the highest fee rate at which the refund returns at least its cost again, since payments may
// have changed. If that rate is at least rate, only unconfirmed payments prevent the refund, so it is held.
func (s *Service) waitForRate(ctx context.Context, tx Tx, d *dueRefund, rate amount.FeeRate,
	now time.Time) (err error) {
	cause := ledger.Cause{Kind: "order", ID: d.order.ID, At: now}
	d.order, err = s.orders.ChangeSpends(ctx, tx.OrderTx(), d.order.ID, "", cause, func() error { return nil })
	if d.order.Owed.Rate >= rate {
		d.hold = order.HoldConfirmation
	}
	return err
}

// storeDue signs and stores a refund. If the signer refuses the refund, storeDue sets d.hold instead.
func (s *Service) storeDue(ctx context.Context, tx Tx, watch ledger.WatchList, d *dueRefund,
	now time.Time) (Payout, error) {
	p, err := s.storeRefund(ctx, tx, watch, d.unsigned, d.cost, now)
	if refused := new(waitError); errors.As(err, &refused) {
		s.log.Warn("a refund is held", "order", d.order.ID, "reason", refused.reason)
		d.hold = order.HoldRefused
		if refused.limit {
			d.hold = order.HoldLimit
		}
		return p, nil
	}
	return p, err
}

// recordHold stores the reason why a refund is held, and when it is tried again.
func recordHold(ctx context.Context, tx Tx, d dueRefund, now time.Time) error {
	if d.hold == order.HoldNone {
		return nil
	}
	held := d.order.WithHold(d.hold, now.Add(retryAfter[d.hold]))
	return tx.Orders.UpdateOrders(ctx, order.Change{Order: held, From: held.Status})
}

// holdRefund returns the reason why the server does not send a refund automatically now, or order.HoldNone. It is not
// called for refunds that operators request.
func (s *Service) holdRefund(ctx context.Context, tx Tx, u Unsigned, now time.Time) (order.RefundHold, error) {
	within, err := s.withinLimits(ctx, tx, u.Refund.Order, u.Inputs, now)
	if err != nil || within {
		return order.HoldNone, err
	}
	return order.HoldLimit, nil
}
