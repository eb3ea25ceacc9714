package payout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// Confirm updates payouts and their orders after the numbers of confirmations of payouts changed, up or down. The
// result depends only on the current chain, not on the blocks at which Confirm was called. Confirm returns the orders
// that changed.
func (s *Service) Confirm(ctx context.Context, tx Tx, watch ledger.WatchList,
	now time.Time) (changed []order.Order, err error) {
	payouts, err := tx.Payouts.PayoutsIn(ctx, Live, Confirmed)
	if err != nil {
		return nil, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range payouts {
		if err := s.recordCurrent(ctx, tx, watch, p, now); err != nil {
			return nil, fmt.Errorf("payout %s: %w", p.ID, err)
		}
		for before := Status(""); p.Status != before; {
			before = p.Status
			orders, err := s.confirm(ctx, tx, &p, tip, now)
			if err != nil {
				return nil, fmt.Errorf("payout %s: %w", p.ID, err)
			}
			changed = append(changed, orders...)
		}
	}
	return changed, nil
}

// confirm applies at most one event to p, and returns the orders that it changes.
func (s *Service) confirm(ctx context.Context, tx Tx, p *Payout, tip ledger.Header,
	now time.Time) ([]order.Order, error) {
	best := p.Versions[len(p.Versions)-1]
	for _, v := range p.Versions {
		if v.Height != chain.None {
			best = v
		}
	}
	depth := ledger.Confirmations(best.Height, tip.Height)
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: now}
	if p.Kind == Refund {
		return s.confirmRefund(ctx, tx, p, depth, tip, cause)
	}
	switch {
	case p.Status == Live && depth >= order.DeliveryDepth:
		return s.advance(ctx, tx, p, Deep, transition{order.Sent, order.PayoutConfirmed, best.Tx.ID.String()}, cause)
	case p.Status == Confirmed && depth < order.DeliveryDepth:
		delivered, err := s.advance(ctx, tx, p, Shallow, transition{order.Delivered, order.PayoutUnconfirmed, ""}, cause)
		if err != nil {
			return nil, err
		}
		consolidated, err := s.apply(ctx, tx, *p, transition{order.Consolidated, order.PayoutUnconfirmed, ""}, cause)
		return append(delivered, consolidated...), err
	case p.Status == Confirmed && depth >= order.FinalDepth:
		return s.finish(ctx, tx, p, best, depth, cause)
	case p.Status == Live && depth == 0:
		return s.markDead(ctx, tx, p, tip, cause)
	}
	return nil, nil
}

// transition is an event for the orders of a payout that are in a status.
type transition struct {
	from  order.Status
	event order.Event
	txid  string // the order's new PayoutTx; "" leaves it unchanged
}

// advance applies the event on to a payout, and then t to its orders.
func (s *Service) advance(
	ctx context.Context, tx Tx, p *Payout, on Event, t transition, cause ledger.Cause,
) ([]order.Order, error) {
	if err := move(ctx, tx, p, on); err != nil {
		return nil, err
	}
	return s.apply(ctx, tx, *p, t, cause)
}

// apply applies t.event to the orders of a payout that are in t.from, and returns them.
func (s *Service) apply(
	ctx context.Context, tx Tx, p Payout, t transition, cause ledger.Cause,
) (changed []order.Order, err error) {
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return nil, err
		}
		if o.Status != t.from || o.PayoutID != p.ID {
			continue
		}
		if o, err = s.orders.Apply(ctx, tx.OrderTx(), o, t.event, cause, func(o *order.Order) {
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

// finish moves the DELIVERED orders of a payout to CONSOLIDATED if they have no payments worth a refund. If the payout
// has finalDepth confirmations, it becomes final, and finish books its fees.
func (s *Service) finish(ctx context.Context, tx Tx, p *Payout, confirmed Version, depth int64,
	cause ledger.Cause) (changed []order.Order, err error) {
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return nil, err
		}
		swept, err := nothingLeft(ctx, tx, o)
		if err != nil {
			return nil, err
		}
		if o.Status != order.Delivered || !swept {
			continue
		}
		if o, err = s.orders.Apply(ctx, tx.OrderTx(), o, order.Swept, cause, nil); err != nil {
			return nil, err
		}
		changed = append(changed, o)
	}
	if depth < finalDepth {
		return changed, nil
	}
	if err := move(ctx, tx, p, Settled); err != nil {
		return nil, err
	}
	return changed, s.bookFees(ctx, tx, *p, confirmed, cause)
}

// nothingLeft reports whether no unspent payment of an order is worth a refund.
func nothingLeft(ctx context.Context, tx Tx, o order.Order) (bool, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	return o.Refundable(payments) == 0, err
}

// markDead marks a payout as DEAD if it can never spend one of its inputs. An order that lost a unit, or a payment to
// another transaction of our key, moves to AUDIT. The others move back to PAID and are evaluated, because one of their
// payments may have been replaced.
func (s *Service) markDead(ctx context.Context, tx Tx, p *Payout, tip ledger.Header,
	cause ledger.Cause) (changed []order.Order, err error) {
	lost, err := s.lostInputs(ctx, tx, *p, tip)
	if err != nil || len(lost) == 0 {
		return nil, err
	}
	if err := move(ctx, tx, p, InputTaken); err != nil {
		return nil, err
	}
	for _, v := range p.Versions {
		if err := s.dropVersion(ctx, tx, v, cause.At); err != nil {
			return nil, err
		}
	}
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return nil, err
		}
		event := order.PayoutDead
		switch {
		case causedBy(o, lost):
			event = order.PayoutDeadByOwner
		case p.Kind == OneTx:
			event = order.CoinTaken
		}
		if o, err = s.orders.Apply(ctx, tx.OrderTx(), o, event, cause, func(o *order.Order) {
			o.PayoutID, o.PayoutTx = "", ""
			o.OneTx = event == order.CoinTaken // its owner is told why it is CANCELED
		}); err != nil {
			return nil, err
		}
		changed = append(changed, o)
	}
	s.log.Warn("payout dead", "payout", p.ID, "inputs_taken", len(lost))
	moved, err := s.orders.Evaluate(ctx, tx.OrderTx(), p.OrderIDs, cause.At, false)
	return append(changed, moved...), err
}

// lostInputs returns the inputs that the payout can never spend: a transaction that is no payout spends them, or a
// transaction conflicts with the one that created them, with order.FinalDepth confirmations. It returns none of a OneTx
// while a version can spend all of its inputs, because the versions share only the outputs of the units.
func (s *Service) lostInputs(ctx context.Context, tx Tx, p Payout,
	tip ledger.Header) (map[wire.OutPoint]ledger.Output, error) {
	inputs := map[wire.OutPoint]ledger.Output{}
	for _, v := range p.Versions {
		lost, err := s.lostInputsOf(ctx, tx, v, tip)
		if err != nil {
			return nil, err
		}
		if p.Kind == OneTx && len(lost) == 0 {
			return nil, nil
		}
		maps.Copy(inputs, lost)
	}
	return inputs, nil
}

// lostInputsOf returns the inputs that one version can never spend.
func (s *Service) lostInputsOf(ctx context.Context, tx Tx, v Version,
	tip ledger.Header) (map[wire.OutPoint]ledger.Output, error) {
	inputs := map[wire.OutPoint]ledger.Output{}
	for _, in := range v.Tx.Msg.TxIn {
		point := in.PreviousOutPoint
		var output ledger.Output
		var lost bool
		var err error
		if v.isOwn(point) {
			lost, err = replacedForGood(ctx, tx, v.Tx.ID, point, tip)
		} else if output, err = tx.Outputs.Output(ctx, point); err == nil {
			lost = !output.SpentOurs && output.SpentBy != "" &&
				ledger.Confirmations(output.SpentHeight, tip.Height) >= order.FinalDepth
		}
		if err == nil && !lost {
			lost, err = neverConfirms(ctx, tx, point.Hash, tip)
		}
		if err != nil {
			return nil, err
		}
		if lost {
			inputs[point] = output
		}
	}
	return inputs, nil
}

// neverConfirms reports whether an unconfirmed transaction can never confirm, because a transaction with
// order.FinalDepth confirmations spends an input of it or of its ancestors.
func neverConfirms(ctx context.Context, tx Tx, txid chainhash.Hash, tip ledger.Header) (bool, error) {
	checked := map[chainhash.Hash]bool{}
	unchecked := []chainhash.Hash{txid}
	for len(unchecked) > 0 {
		last := len(unchecked) - 1
		txid, unchecked = unchecked[last], unchecked[:last]
		if checked[txid] {
			continue
		}
		checked[txid] = true
		tracked, err := tx.Tracked.TrackedTx(ctx, txid.String())
		if errors.Is(err, state.ErrNotFound) || (err == nil && tracked.Height != chain.None) {
			continue
		}
		if err != nil {
			return false, err
		}
		for _, in := range tracked.Tx.Msg.TxIn {
			if replaced, err := replacedForGood(ctx, tx, txid, in.PreviousOutPoint, tip); replaced || err != nil {
				return replaced, err
			}
			unchecked = append(unchecked, in.PreviousOutPoint.Hash)
		}
	}
	return false, nil
}

// replacedForGood reports whether a transaction other than txid spends an output, with order.FinalDepth
// confirmations.
func replacedForGood(ctx context.Context, tx Tx, txid chainhash.Hash, spent wire.OutPoint,
	tip ledger.Header) (bool, error) {
	others, err := tx.Tracked.Spenders(ctx, spent)
	return slices.ContainsFunc(others, func(other ledger.TxState) bool {
		return other.ID != txid.String() && ledger.Confirmations(other.Height, tip.Height) >= order.FinalDepth
	}), err
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
