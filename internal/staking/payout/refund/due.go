package refund

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
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

// Prepare stores the due refunds that return at least their cost, the smallest first. It skips held refunds and AUDIT
// orders, about which an operator decides. If more than refundsExamined refunds are due, one call examines some of
// them, and the next call continues after these, because anyone can cause many refunds that wait.
func (s *Service) Prepare(ctx context.Context, r payout.Round) (stored []payout.Payout, err error) {
	s.examined = map[string]payout.RefundPosition{}
	for prefix, terms := range s.book.Communities.All() {
		if s.book.Paused[prefix] != "" {
			continue
		}
		search := payout.RefundSearch{Community: prefix, Rate: min(r.Rate, terms.MaxRate), At: r.Now,
			After: s.from[prefix], Examine: refundsExamined, Most: refundsRead}
		orders, next, err := r.Tx.Payouts.RefundsToSend(ctx, search)
		if err != nil {
			return nil, err
		}
		payouts, signed, err := s.sendDue(ctx, r, terms, orders)
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

// End makes the next Prepare begin after the refunds that this one examined.
func (s *Service) End() { s.from = s.examined }

// sendDue stores the refunds of orders that are not held, at most refundsSigned. signed is the number of refunds that
// it signed.
func (s *Service) sendDue(ctx context.Context, r payout.Round, terms payout.Terms,
	orders []order.Order) (stored []payout.Payout, signed int, err error) {
	for _, o := range orders {
		if signed == refundsSigned {
			break
		}
		if s.book.Unevaluated[o.ID] != "" {
			continue // what is owed may be wrong
		}
		var p payout.Payout
		done, err := s.book.Attempt(ctx, r.Tx, "refund "+o.ID, func() error {
			d, err := s.draftDue(ctx, r, terms, o)
			if err != nil {
				return err
			}
			if d.ready() {
				signed++
				if p, err = s.storeDue(ctx, r, &d); err != nil {
					return err
				}
			}
			return s.recordHold(ctx, r, d)
		})
		if err != nil {
			return nil, signed, err
		}
		if done && p.ID != "" {
			stored = append(stored, p)
		}
	}
	return stored, signed, nil
}

// dueRefund is a due refund with the transaction that would be sent now.
type dueRefund struct {
	order    order.Order
	unsigned payout.Unsigned // Tx is nil while the refund costs more than it returns
	cost     vault.PayoutCost
	hold     order.RefundHold // why it is not sent now
	refusal  string           // see order.Refund
}

func (d dueRefund) ready() bool { return d.unsigned.Tx != nil && d.hold == order.HoldNone }

// draftDue builds the due refund of an order and decides whether it is held.
func (s *Service) draftDue(ctx context.Context, r payout.Round, terms payout.Terms,
	o order.Order) (d dueRefund, err error) {
	rate := min(r.Rate, terms.MaxRate)
	tip, err := r.Tx.Headers.Tip(ctx)
	if err != nil {
		return d, err
	}
	payments, err := r.Tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return d, err
	}
	d.order = o
	spent := o.Returning(order.Unspent(payments), tip.Height, rate)
	if len(spent) == 0 {
		return d, s.waitForRate(ctx, r, &d, rate)
	}
	d.unsigned = payout.Unsigned{Community: o.Community, Refund: &payout.RefundOf{Order: o}}
	if d.unsigned.Inputs, err = paymentCoins(terms, o, spent); err != nil {
		return d, err
	}
	d.cost, err = s.buildTx(ctx, r.Tx, &d.unsigned, s.book.TxVersion(), rate)
	if waiting := new(payout.WaitError); errors.As(err, &waiting) {
		s.book.Log.Warn("a refund can't be built", "order", o.ID, "reason", waiting.Reason)
		d.hold, d.refusal = order.HoldRefused, waiting.Reason
		return d, nil
	}
	if err != nil {
		return d, err
	}
	within, err := withinLimits(ctx, r, terms, o, d.unsigned.Inputs)
	if err == nil && !within {
		d.hold = order.HoldLimit
	}
	return d, err
}

// waitForRate computes the highest fee rate at which the refund returns at least its cost again, since payments may
// have changed. If that rate is at least rate, only unconfirmed payments prevent the refund, so it is held.
func (s *Service) waitForRate(ctx context.Context, r payout.Round, d *dueRefund, rate amount.FeeRate) (err error) {
	cause := ledger.Cause{Kind: "order", ID: d.order.ID, At: r.Now}
	s.book.Changed = append(s.book.Changed, d.order.ID)
	d.order, err = s.book.Orders.ChangeSpends(ctx, r.Tx.OrderTx(), d.order.ID, "", cause, func() error { return nil })
	if d.order.Owed.Rate >= rate {
		d.hold = order.HoldConfirmation
	}
	return err
}

// storeDue signs and stores a refund. If the signer refuses the refund, storeDue sets d.hold instead.
func (s *Service) storeDue(ctx context.Context, r payout.Round, d *dueRefund) (payout.Payout, error) {
	p, err := s.store(ctx, r, d.unsigned, d.cost)
	if refused := new(payout.WaitError); errors.As(err, &refused) {
		s.book.Log.Warn("a refund is held", "order", d.order.ID, "reason", refused.Reason)
		d.hold, d.refusal = order.HoldRefused, refused.Reason
		if refused.Limit {
			d.hold = order.HoldLimit
		}
		return p, nil
	}
	return p, err
}

// recordHold stores the reason why a refund is held, and when it is tried again.
func (s *Service) recordHold(ctx context.Context, r payout.Round, d dueRefund) error {
	if d.hold == order.HoldNone {
		return nil
	}
	s.book.Changed = append(s.book.Changed, d.order.ID)
	held := d.order.WithHold(d.hold, d.refusal, r.Now.Add(retryAfter[d.hold]))
	return r.Tx.Orders.UpdateOrders(ctx, order.Change{Order: held, From: held.Status})
}
