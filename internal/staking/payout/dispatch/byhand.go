package dispatch

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

// Draft builds the transaction to sign by hand for one order or one quarantined output, at the given fee rate or the
// highest one that its sats pay for. orderID is the id of the order or the outpoint of the output. For an order, Draft
// builds the delivery while the order is PAID, a replacement of the delivery while it is SENT, and otherwise a refund.
// For an output, it builds the return to the owner. Draft stores nothing and reserves no input. It returns a
// *order.Refusal if there is nothing to sign.
func (s *Service) Draft(ctx context.Context, tx payout.Tx, orderID string,
	rate amount.FeeRate) (u payout.Unsigned, cost vault.PayoutCost, err error) {
	if _, err := ledger.ParseOutPoint(orderID); err == nil {
		return s.returns.Draft(ctx, tx, orderID, rate)
	}
	o, err := tx.Orders.Order(ctx, orderID)
	if errors.Is(err, state.ErrNotFound) {
		return u, cost, payout.Refuse("there is no such order")
	}
	if err != nil {
		return u, cost, err
	}
	if !s.book.Communities.Has(o.Community) {
		return u, cost, payout.Refuse("its community " + o.Community + " is not served here")
	}
	if o.Status == order.Paid || o.Status == order.Sent {
		return s.deliveries.Draft(ctx, tx, o, rate)
	}
	return s.refunds.Draft(ctx, tx, o, rate)
}

// exported returns the draft of a payout or a withdrawal as a PSBT. It returns a *order.Refusal if it can't be built.
func (s *Service) exported(ctx context.Context, r payout.Round, q payout.Request) (text string, err error) {
	if s.export == nil {
		return "", payout.Refuse("this server has no export of transactions")
	}
	var u payout.Unsigned
	if q.Withdrawal.To != "" {
		u, _, err = s.withdrawals.Draft(ctx, r, q, payout.Payout{})
	} else {
		u, _, err = s.Draft(ctx, r.Tx, q.OrderID, r.Rate)
	}
	if refused := new(order.Refusal); err != nil && ctx.Err() == nil && !errors.As(err, &refused) {
		err = payout.Refuse("it can't be built now: " + err.Error())
	}
	if err != nil {
		return "", err
	}
	return s.export(u)
}

// acceptSigned stores a payout that was signed by hand. It returns a *order.Refusal unless the payout delivers exactly
// the amounts that its orders are owed, or is a valid refund, return or withdrawal, and unless it spends only available
// outputs, its fee is within the limits, and its signatures are valid.
func (s *Service) acceptSigned(ctx context.Context, r payout.Round, q payout.Request) (p payout.Payout, err error) {
	raw, err := hex.DecodeString(q.Tx)
	if err != nil {
		return p, payout.Refuse("it is not a transaction in hex")
	}
	t, err := chain.DecodeTx(raw)
	if err != nil {
		return p, payout.Refuse("it is not a transaction: " + err.Error())
	}
	f := payout.Found{Tx: t, ByHand: true}
	if err := s.book.Explain(ctx, r.Tx, &f, payout.AnyOutput); err != nil {
		return p, err
	}
	if q.Withdrawal.To != "" {
		return s.withdrawals.AcceptSigned(ctx, r, f, q)
	}
	if _, err := ledger.ParseOutPoint(q.OrderID); err == nil {
		return s.returns.AcceptSigned(ctx, r, f, q.OrderID)
	}
	if f.Unexplained || !slices.ContainsFunc(f.Orders, func(o order.Order) bool { return o.ID == q.OrderID }) {
		return p, payout.Refuse("it is not a payout of this order, or spends outputs that are not in this ledger")
	}
	if status := f.Orders[0].Status; status == order.Paid || status == order.Sent {
		return s.deliveries.AcceptSigned(ctx, r, f)
	}
	return s.refunds.AcceptSigned(ctx, r, f)
}
