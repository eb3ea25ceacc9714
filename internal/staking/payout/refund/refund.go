// Package refund refunds the payments of orders that are closed, and overpayments of delivered orders: automatically
// within the limits, and at an operator's request.
package refund

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Service refunds payments. It is not safe for concurrent use.
type Service struct {
	book *payout.Book

	from     map[string]payout.RefundPosition // by community, where the next Prepare begins to examine due refunds
	examined map[string]payout.RefundPosition // from after the current Prepare
}

// NewService returns the service for refunds.
func NewService(book *payout.Book) *Service { return &Service{book: book} }

// refundable returns the reason why an order can't be refunded now (*payout.WaitError) or at all (*order.Refusal).
func refundable(o order.Order) error {
	switch o.Status {
	case order.Canceled, order.Expired, order.Invalid, order.Audit, order.Delivered, order.Consolidated:
		return nil
	case order.Sent:
		return payout.Waitf("its payout is not confirmed yet")
	}
	return payout.Refusef("it is %s; an order is refunded once it is closed, and its overpayment when it is "+
		"delivered", o.Status)
}

// build builds the next refund of an order at a fee rate, at most Terms.MaxRate. It returns a *payout.WaitError if that
// is not possible now, and a *order.Refusal if no payment is unspent.
func (s *Service) build(ctx context.Context, tx payout.Tx, o order.Order,
	rate amount.FeeRate) (u payout.Unsigned, cost vault.PayoutCost, err error) {
	terms, err := s.book.Communities.Of(o.Community)
	if err != nil {
		return u, cost, err
	}
	u = payout.Unsigned{Community: o.Community, Refund: &payout.RefundOf{Order: o}}
	rate = min(rate, terms.MaxRate)
	if u.Inputs, err = refunded(ctx, tx, terms, o, rate); err != nil {
		return u, cost, err
	}
	cost, err = s.buildTx(ctx, tx, &u, s.book.TxVersion(), rate)
	return u, cost, err
}

// buildTx builds the transaction of a refund from the inputs of u, checks it, and sets u.Tx and the proof of u.Refund.
// It returns a *payout.WaitError if the refund can't be built or relayed.
func (s *Service) buildTx(ctx context.Context, tx payout.Tx, u *payout.Unsigned, version int32,
	rate amount.FeeRate) (cost vault.PayoutCost, err error) {
	o := u.Refund.Order
	terms, err := s.book.Communities.Of(o.Community)
	if err != nil {
		return cost, err
	}
	to, err := chain.ParseAddress(o.Payment, s.book.Network)
	if err != nil {
		return cost, fmt.Errorf("payment address of order %s: %w", o.ID, err)
	}
	if u.Refund.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID); err != nil {
		return cost, err
	}
	rate = min(rate, terms.MaxRate)
	u.Tx, cost, err = vault.BuildRefund(vault.RefundPlan{Inputs: u.Inputs, To: to.Script, FeeRate: rate, Version: version})
	if short := new(vault.ErrSatsShort); errors.As(err, &short) {
		return cost, payout.Waitf("at %s sat/vB its payments are %d sats too small to be refunded", rate, short.Missing)
	}
	if err != nil {
		return cost, payout.Waitf("it can't be built: %v", err)
	}
	if err := s.book.CheckPolicy(u.Tx, u.Inputs, 0); err != nil {
		return cost, payout.Waitf("nodes would not relay it: %v", err)
	}
	return cost, nil
}

// refunded returns the payments that the order's next refund spends, see order.Order.Refunding. It returns a
// *payout.WaitError if none is confirmed, and a *order.Refusal if all payments are spent.
func refunded(ctx context.Context, tx payout.Tx, terms payout.Terms, o order.Order,
	rate amount.FeeRate) ([]vault.Coin, error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	unspent := order.Unspent(payments)
	if len(unspent) == 0 {
		return nil, payout.Refuse("all its payments are spent: there is nothing left to refund")
	}
	spent := o.Refunding(unspent, tip.Height, rate)
	if len(spent) == 0 {
		return nil, payout.Waitf("its payment %s is not confirmed yet", unspent[0].OutPoint)
	}
	return paymentCoins(terms, o, spent)
}

// paymentCoins returns payments of an order with the data needed to spend them.
func paymentCoins(terms payout.Terms, o order.Order, payments []order.Payment) (coins []vault.Coin, err error) {
	for _, p := range payments {
		coin, err := terms.Account.Coin(vault.Payment, p.OutPoint, p.Value, nil, o.ID)
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}
