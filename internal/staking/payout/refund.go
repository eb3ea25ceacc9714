package payout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// RefundOf justifies a refund: the order, and its signed message, which contains the payment address.
type RefundOf struct {
	Order order.Order
	Proof Proof
}

// waitError is the reason why a refund or a return can't be sent yet.
type waitError struct {
	reason string
	limit  bool // whether the reason is a limit of the signer
}

func (w *waitError) Error() string { return w.reason }

func waitf(format string, args ...any) error { return &waitError{reason: fmt.Sprintf(format, args...)} }

// refunds stores the refunds that operators requested. A request that can't be carried out yet stays open with the
// reason. It does not delay other requests.
func (s *Service) refunds(ctx context.Context, tx Tx, watch ledger.WatchList, rate amount.FeeRate,
	now time.Time) (stored []Payout, err error) {
	requests, err := tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range requests {
		if r.Kind != RequestRefund {
			continue
		}
		p, err := s.refund(ctx, tx, watch, r, rate, now)
		waiting, refusal := new(waitError), new(order.Refusal)
		switch {
		case errors.As(err, &waiting):
			if r.Note == waiting.reason {
				continue
			}
			s.log.Warn("a refund waits", "order", r.OrderID, "reason", waiting.reason)
			r.Note = waiting.reason
			if err := tx.Requests.UpdateRequest(ctx, r); err != nil {
				return nil, err
			}
			continue
		case errors.As(err, &refusal) && r.PayoutID != "":
			err = nil // earlier refunds spent all payments, or the server refunded the rest automatically
		case errors.As(err, &refusal):
		case err != nil:
			return nil, err
		default:
			r.PayoutID = p.ID
			stored = append(stored, p)
			more, err := s.unfinished(ctx, tx, p)
			if err != nil {
				return nil, err
			}
			if more {
				r.Note = fmt.Sprintf("one refund spends at most %d payments; the rest follows", order.MaxRefunded)
				if err := tx.Requests.UpdateRequest(ctx, r); err != nil {
					return nil, err
				}
				continue
			}
		}
		if err := s.closeRequest(ctx, tx, r, err); err != nil {
			return nil, err
		}
	}
	return stored, nil
}

// unfinished reports whether a refund spends the maximum number of payments and a further refund of its order is due.
// Then the request stays open, because the operator approved the refund of all payments.
func (s *Service) unfinished(ctx context.Context, tx Tx, p Payout) (bool, error) {
	if len(p.Versions[0].Tx.Msg.TxIn) < order.MaxRefunded {
		return false, nil
	}
	o, err := tx.Orders.Order(ctx, p.OrderIDs[0])
	return o.Owed.Sats > 0, err
}

// refund builds, signs and stores one refund that an operator requested. The refund spends the order's anchor or, if
// the anchor is spent, the first unspent payment in the chain, so that no payment is refunded twice.
func (s *Service) refund(ctx context.Context, tx Tx, watch ledger.WatchList, r Request, rate amount.FeeRate,
	now time.Time) (p Payout, err error) {
	o, err := tx.Orders.Order(ctx, r.OrderID)
	if errors.Is(err, state.ErrNotFound) {
		return p, refusal("there is no such order")
	}
	if err != nil {
		return p, err
	}
	if !s.terms.Has(o.Community) {
		return p, waitf("its community %s is not served here", o.Community)
	}
	if err := refundable(o); err != nil {
		return p, err
	}
	unsigned, cost, err := s.buildRefund(ctx, tx, o, rate)
	if err != nil {
		return p, err
	}
	return s.storeRefund(ctx, tx, watch, unsigned, cost, now)
}

// storeRefund signs and stores a refund, and counts it against the limits. It returns a *waitError if the signer
// refuses.
func (s *Service) storeRefund(
	ctx context.Context, tx Tx, watch ledger.WatchList, unsigned Unsigned, cost vault.PayoutCost, now time.Time,
) (p Payout, err error) {
	o := unsigned.Refund.Order
	if p, err = s.storeRequested(ctx, tx, Refund, []string{o.ID}, unsigned, cost, now); err != nil {
		return p, err
	}
	if err := chargeRefund(ctx, tx, p.ID, o, unsigned.Inputs, now); err != nil {
		return p, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: now}
	_, err = s.orders.ChangeSpends(ctx, tx.OrderTx(), o.ID, "refund sent", cause, func() error {
		return s.recordVersion(ctx, tx, watch, unsigned.Inputs, p.Versions[0], now)
	})
	s.info("refund stored", "payout", p.ID, "order", o.ID, "txid", p.Versions[0].Tx.ID.String(), "fee_sats",
		int64(cost.Fee))
	return p, err
}

// refundable returns the reason why an order can't be refunded now (*waitError) or at all (*order.Refusal).
func refundable(o order.Order) error {
	switch o.Status {
	case order.Canceled, order.Expired, order.Invalid, order.Audit, order.Delivered, order.Consolidated:
		return nil
	case order.Sent:
		return waitf("its payout is not confirmed yet")
	}
	return refusal(fmt.Sprintf("it is %s; an order is refunded once it is closed, and its overpayment when it is "+
		"delivered", o.Status))
}

// buildRefund builds the next refund of an order at a fee rate, at most Terms.MaxRate. It returns a *waitError if that
// is not possible now, and a *order.Refusal if no payment is unspent.
func (s *Service) buildRefund(ctx context.Context, tx Tx, o order.Order,
	rate amount.FeeRate) (u Unsigned, cost vault.PayoutCost, err error) {
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return u, cost, err
	}
	u = Unsigned{Community: o.Community, Refund: &RefundOf{Order: o}}
	rate = min(rate, terms.MaxRate)
	if u.Inputs, err = s.refunded(ctx, tx, o, rate); err != nil {
		return u, cost, err
	}
	cost, err = s.buildRefundTx(ctx, tx, &u, s.version(), rate)
	return u, cost, err
}

// buildRefundTx builds the transaction of a refund from the inputs of u, checks it, and sets u.Tx and the proof of
// u.Refund. It returns a *waitError if the refund can't be built or relayed.
func (s *Service) buildRefundTx(ctx context.Context, tx Tx, u *Unsigned, version int32,
	rate amount.FeeRate) (cost vault.PayoutCost, err error) {
	o := u.Refund.Order
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return cost, err
	}
	to, err := chain.ParseAddress(o.Payment, s.network)
	if err != nil {
		return cost, fmt.Errorf("payment address of order %s: %w", o.ID, err)
	}
	if u.Refund.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID); err != nil {
		return cost, err
	}
	rate = min(rate, terms.MaxRate)
	u.Tx, cost, err = vault.BuildRefund(vault.RefundPlan{Inputs: u.Inputs, To: to.Script, FeeRate: rate, Version: version})
	if short := new(vault.ErrSatsShort); errors.As(err, &short) {
		return cost, waitf("at %s sat/vB its payments are %d sats too small to be refunded", rate, short.Missing)
	}
	if err != nil {
		return cost, waitf("it can't be built: %v", err)
	}
	if err := s.checkPolicy(u.Tx, u.Inputs); err != nil {
		return cost, waitf("nodes would not relay it: %v", err)
	}
	return cost, nil
}

// bumpRefund is Bump for a refund. The higher fee reduces the sats that the owner receives.
func (s *Service) bumpRefund(ctx context.Context, tx Tx, watch ledger.WatchList, p Payout, rate amount.FeeRate,
	cause ledger.Cause) (Payout, error) {
	if p.Status != Live || p.height() != chain.None {
		return p, notReplaceable("it is %s, in block %d", p.Status, p.height())
	}
	terms, err := s.terms.Of(p.Community)
	if err != nil {
		return p, notReplaceable("its community %s is not served here", p.Community)
	}
	o, err := tx.Orders.Order(ctx, p.OrderIDs[0])
	if err != nil {
		return p, err
	}
	last := p.Versions[len(p.Versions)-1]
	u := Unsigned{Community: p.Community, Refund: &RefundOf{Order: o}}
	if u.Inputs, err = s.coins(ctx, tx, terms, last.Tx.Msg); err != nil {
		return p, err
	}
	for _, coin := range u.Inputs {
		output, err := tx.Outputs.Output(ctx, coin.OutPoint)
		if err != nil {
			return p, err
		}
		if output.Vanished {
			return p, notReplaceable("its payment %s was replaced", coin.OutPoint)
		}
	}
	cost, err := s.buildRefundTx(ctx, tx, &u, last.Tx.Msg.Version, rate)
	if waiting := new(waitError); errors.As(err, &waiting) {
		return p, notReplaceable("%s", waiting.reason)
	}
	if err != nil {
		return p, err
	}
	if least := last.Fee + minRelay.Fee(cost.VBytes); cost.Fee < least {
		return p, notReplaceable("it would pay a fee of %d sats, nodes require at least %d", cost.Fee, least)
	}
	return s.replace(ctx, tx, watch, p, u, cost, cause)
}

// replace signs and stores a new version of a refund, a return or a withdrawal.
func (s *Service) replace(
	ctx context.Context, tx Tx, watch ledger.WatchList, p Payout, u Unsigned, cost vault.PayoutCost, cause ledger.Cause,
) (Payout, error) {
	last := p.Versions[len(p.Versions)-1]
	signed, err := s.signed(u)
	if err != nil {
		return p, notReplaceable("the signer refuses it: %v", err)
	}
	next := Version{Tx: chain.NewTx(signed), Fee: cost.Fee, VBytes: cost.VBytes, Created: cause.At, Height: chain.None}
	if err := tx.Payouts.InsertVersion(ctx, p.ID, next); err != nil {
		return p, err
	}
	if u.Refund != nil {
		if err := chargeRefund(ctx, tx, p.ID, u.Refund.Order, u.Inputs, cause.At); err != nil {
			return p, err
		}
	}
	p.Versions = append(p.Versions, next)
	s.info("payout replaced", "payout", p.ID, "kind", string(p.Kind), "txid", next.Tx.ID.String(), "fee_sats",
		int64(next.Fee), "was_sats", int64(last.Fee))
	return p, s.recordCurrent(ctx, tx, watch, p, cause.At)
}

// refunded returns the payments that the order's next refund spends, see order.Order.Refunding. It returns a *waitError
// if none is confirmed, and a *order.Refusal if all payments are spent.
func (s *Service) refunded(ctx context.Context, tx Tx, o order.Order, rate amount.FeeRate) ([]vault.Coin, error) {
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
		return nil, &order.Refusal{Reason: "all its payments are spent: there is nothing left to refund"}
	}
	spent := o.Refunding(unspent, tip.Height, rate)
	if len(spent) == 0 {
		return nil, waitf("its payment %s is not confirmed yet", unspent[0].OutPoint)
	}
	return s.paymentCoins(o, spent)
}

// paymentCoins returns payments of an order with the data needed to spend them.
func (s *Service) paymentCoins(o order.Order, payments []order.Payment) (coins []vault.Coin, err error) {
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return nil, err
	}
	for _, p := range payments {
		coin, err := terms.Account.Coin(vault.Payment, p.OutPoint, p.Value, nil, o.ID)
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// checkPolicy returns an error if nodes would not relay a transaction.
func (s *Service) checkPolicy(tx *wire.MsgTx, inputs []vault.Coin) error {
	return chain.CheckPolicy(tx, vault.Outputs(inputs), s.policy)
}

// confirmRefund applies at most one event to a refund and at most one to its order, and returns the order if one of
// them changed.
func (s *Service) confirmRefund(ctx context.Context, tx Tx, p *Payout, depth int64, tip ledger.Header,
	cause ledger.Cause) ([]order.Order, error) {
	before := p.Status
	var on Event
	switch {
	case before == Live && depth >= order.DeliveryDepth:
		on = Deep
	case before == Confirmed && depth < order.DeliveryDepth:
		on = Shallow
	case before == Confirmed && depth >= finalDepth:
		on = Settled
	case before == Live && depth == 0:
		return s.markRefundDead(ctx, tx, p, tip, cause)
	}
	if on != "" {
		if err := move(ctx, tx, p, on); err != nil {
			return nil, err
		}
	}
	o, err := tx.Orders.Order(ctx, p.OrderIDs[0])
	if err != nil {
		return nil, err
	}
	fell := before == Confirmed && p.Status == Live
	event, err := s.afterRefund(ctx, tx, *p, fell, o, tip)
	if err != nil || (event == "" && p.Status == before) {
		return nil, err
	}
	if event != "" {
		o, err = s.orders.Apply(ctx, tx.OrderTx(), o, event, cause, nil)
	}
	return []order.Order{o}, err
}

// afterRefund returns the event of an order that follows from the state of its refunds, or "". fell is true if refund p
// has fewer than 3 confirmations since this call of Confirm.
func (s *Service) afterRefund(ctx context.Context, tx Tx, p Payout, fell bool, o order.Order,
	tip ledger.Header) (order.Event, error) {
	switch {
	case o.Status == order.Canceled && o.ByRefund && fell:
		return order.RefundUnconfirmed, nil
	case o.Status == order.Audit && p.Status != Live:
		refunds, err := tx.Payouts.RefundsOf(ctx, o.ID)
		for _, other := range refunds {
			if other.Status == Live {
				return "", err
			}
		}
		if err != nil {
			return "", err
		}
		payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
		if o.Refundable(payments) > 0 {
			return "", err // another refund is due
		}
		return order.RefundConfirmed, err
	case o.Status == order.Delivered && p.Status != Live:
		delivery, err := tx.Payouts.PayoutOf(ctx, o.PayoutTx)
		if err != nil {
			return "", err
		}
		swept, err := nothingLeft(ctx, tx, o)
		if swept && ledger.Confirmations(delivery.height(), tip.Height) >= order.FinalDepth {
			return order.Swept, err
		}
		return "", err
	}
	return "", nil
}

// height returns the height of the confirmed version, or chain.None.
func (p Payout) height() int64 {
	for _, v := range p.Versions {
		if v.Height != chain.None {
			return v.Height
		}
	}
	return chain.None
}

// markRefundDead marks a refund as DEAD if it can never spend one of its payments. Another refund can spend the others.
// A refund of a community that is not served stays as it is until it is served again.
func (s *Service) markRefundDead(ctx context.Context, tx Tx, p *Payout, tip ledger.Header,
	cause ledger.Cause) ([]order.Order, error) {
	if !s.terms.Has(p.Community) {
		return nil, nil
	}
	lost, err := s.lostInputs(ctx, tx, *p, tip)
	if err != nil || len(lost) == 0 {
		return nil, err
	}
	if err := move(ctx, tx, p, InputTaken); err != nil {
		return nil, err
	}
	s.log.Warn("refund dead", "payout", p.ID, "inputs_taken", len(lost))
	o, err := s.orders.ChangeSpends(ctx, tx.OrderTx(), p.OrderIDs[0], "refund dead", cause, func() error {
		for _, v := range p.Versions {
			if err := s.dropVersion(ctx, tx, v, cause.At); err != nil {
				return err
			}
		}
		return nil
	})
	return []order.Order{o}, err
}
