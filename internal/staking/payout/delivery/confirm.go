package delivery

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/fees"
)

// Confirm applies at most one event to a payout that delivers orders, and returns the orders that it changes. When the
// payout becomes final, Confirm books its fees.
func (s *Service) Confirm(ctx context.Context, r payout.Round, p *payout.Payout,
	tip ledger.Header) (changed []order.Order, err error) {
	before := p.Status
	now, err := s.book.Advance(ctx, r, p, tip)
	if err != nil {
		return nil, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	if before == payout.Confirmed && now.Depth >= order.FinalDepth {
		if changed, err = s.sweep(ctx, r.Tx, *p, cause); err != nil {
			return nil, err
		}
	}
	switch now.Event {
	case payout.Deep:
		txid := now.Version.Tx.ID.String()
		return s.apply(ctx, r.Tx, *p, transition{order.Sent, order.PayoutConfirmed, txid}, cause)
	case payout.Shallow:
		for _, from := range []order.Status{order.Delivered, order.Consolidated} {
			orders, err := s.apply(ctx, r.Tx, *p, transition{from, order.PayoutUnconfirmed, ""}, cause)
			if err != nil {
				return nil, err
			}
			changed = append(changed, orders...)
		}
	case payout.Settled:
		err = fees.Post(ctx, r.Tx, *p, now.Version, cause)
	case payout.InputTaken:
		return s.release(ctx, r.Tx, *p, now.Lost, cause)
	}
	return changed, err
}

// transition is an event for the orders of a payout that are in a status.
type transition struct {
	from  order.Status
	event order.Event
	txid  string // the order's new PayoutTx; "" leaves it unchanged
}

// apply applies t.event to the orders of a payout that are in t.from, and returns them.
func (s *Service) apply(
	ctx context.Context, tx payout.Tx, p payout.Payout, t transition, cause ledger.Cause,
) (changed []order.Order, err error) {
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return nil, err
		}
		if o.Status != t.from || o.PayoutID != p.ID {
			continue
		}
		if o, err = s.book.Orders.Apply(ctx, tx.OrderTx(), o, t.event, cause, func(o *order.Order) {
			if t.txid != "" {
				o.PayoutTx = t.txid
			}
		}); err != nil {
			return nil, err
		}
		changed = append(changed, o)
	}
	return changed, nil
}

// sweep moves the DELIVERED orders of a payout to CONSOLIDATED if they have no payments worth a refund.
func (s *Service) sweep(ctx context.Context, tx payout.Tx, p payout.Payout,
	cause ledger.Cause) (changed []order.Order, err error) {
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return nil, err
		}
		swept, err := payout.NothingLeft(ctx, tx, o)
		if err != nil {
			return nil, err
		}
		if o.Status != order.Delivered || !swept {
			continue
		}
		if o, err = s.book.Orders.Apply(ctx, tx.OrderTx(), o, order.Swept, cause, nil); err != nil {
			return nil, err
		}
		changed = append(changed, o)
	}
	return changed, nil
}

// release releases the orders of a payout that can never spend one of its inputs. An order that lost a unit, or a
// payment to another transaction of our key, moves to AUDIT, or to INVALID if its owner's coins paid and no payment was
// seen. A withdrawal in one transaction that lost only such a coin is CANCELED. The others move back to PAID and are
// evaluated, because one of their payments may have been replaced.
func (s *Service) release(ctx context.Context, tx payout.Tx, p payout.Payout, lost map[wire.OutPoint]ledger.Output,
	cause ledger.Cause) (changed []order.Order, err error) {
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return nil, err
		}
		event := order.PayoutDead
		switch {
		case causedBy(o, lost) && p.Kind == payout.OneTx && o.Seen+o.Late == 0: // nothing to decide about
			event = order.UnitLost
		case causedBy(o, lost):
			event = order.PayoutDeadByInput
		case o.OneTx:
			event = order.CoinTaken
		case p.Kind == payout.OneTx:
			if err := tx.Sessions.PutSession(ctx, payout.VoidSession(o, p.Last(), cause.At)); err != nil {
				return nil, err
			}
		}
		if o, err = s.book.Orders.Apply(ctx, tx.OrderTx(), o, event, cause, func(o *order.Order) {
			o.PayoutID, o.PayoutTx = "", ""
			o.OneTx = event == order.CoinTaken // its owner is told why it is CANCELED
		}); err != nil {
			return nil, err
		}
		changed = append(changed, o)
	}
	moved, err := s.book.Orders.Evaluate(ctx, tx.OrderTx(), p.OrderIDs, cause.At, false)
	return append(changed, moved...), err
}

// causedBy reports whether the lost inputs include a unit of an order, or a payment of the order that a transaction
// which is no payout spends.
func causedBy(o order.Order, inputs map[wire.OutPoint]ledger.Output) bool {
	for point, output := range inputs {
		if notOurs := output.SpentBy != "" && !output.SpentOurs; notOurs && output.Kind == ledger.PaymentKind &&
			output.Ref == o.ID {
			return true
		}
		for _, id := range o.UnitIDs {
			if id == point.String() {
				return true
			}
		}
	}
	return false
}
