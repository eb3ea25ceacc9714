package payout

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// cold reports whether a delivery exceeds the amount above which an operator must sign it by hand.
func (t Terms) cold(d vault.Delivery) bool { return t.ColdAbove > 0 && d.Amount > t.ColdAbove }

// Draft builds the transaction to sign by hand for one order or one quarantined output, at the given fee rate or the
// highest one that its sats pay for. orderID is the id of the order or the outpoint of the output. For an order, Draft
// builds the delivery while the order is PAID, a replacement of the delivery while it is SENT, and otherwise a refund.
// For an output, it builds the return to the owner. Draft stores nothing and reserves no input. It returns a
// *order.Refusal if there is nothing to sign.
func (s *Service) Draft(ctx context.Context, tx Tx, orderID string,
	rate amount.FeeRate) (u Unsigned, cost vault.PayoutCost, err error) {
	if _, err := ledger.ParseOutPoint(orderID); err == nil {
		return s.draftReturn(ctx, tx, orderID, rate)
	}
	o, err := tx.Orders.Order(ctx, orderID)
	if errors.Is(err, state.ErrNotFound) {
		return u, cost, refusal("there is no such order")
	}
	if err != nil {
		return u, cost, err
	}
	if !s.terms.Has(o.Community) {
		return u, cost, refusal("its community " + o.Community + " is not served here")
	}
	var batch []dueDelivery
	var b built
	switch o.Status {
	case order.Paid:
		batch, b, err = s.draftDelivery(ctx, tx, o, rate)
	case order.Sent:
		batch, b, err = s.draftReplacement(ctx, tx, o, rate)
	default:
		if refundable(o) != nil {
			return u, cost, refusal(fmt.Sprintf("it is %s: only what is PAID or SENT has a payout to sign, and it is not "+
				"refunded either", o.Status))
		}
		return s.buildRefund(ctx, tx, o, rate)
	}
	if err != nil {
		return u, cost, err
	}
	u = Unsigned{Community: o.Community, Tx: b.tx, Inputs: b.inputs}
	for _, d := range batch {
		u.Orders = append(u.Orders, d.Owed)
	}
	return u, b.cost, nil
}

// exported returns the draft of a payout or a withdrawal as a PSBT. It returns a *order.Refusal if it can't be built.
func (s *Service) exported(ctx context.Context, tx Tx, watch ledger.WatchList, r Request,
	rate amount.FeeRate) (text string, err error) {
	if s.export == nil {
		return "", refusal("this server has no export of transactions")
	}
	var u Unsigned
	if r.Withdrawal.To != "" {
		u, _, err = s.draftWithdrawal(ctx, tx, watch, r, Payout{}, rate)
	} else {
		u, _, err = s.Draft(ctx, tx, r.OrderID, rate)
	}
	if refused := new(order.Refusal); err != nil && ctx.Err() == nil && !errors.As(err, &refused) {
		err = refusal("it can't be built now: " + err.Error())
	}
	if err != nil {
		return "", err
	}
	return s.export(u)
}

// draftDelivery is Draft for a PAID order.
func (s *Service) draftDelivery(
	ctx context.Context, tx Tx, o order.Order, rate amount.FeeRate,
) ([]dueDelivery, built, error) {
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return nil, built{}, err
	}
	d, ready, err := s.collectInputs(ctx, tx, o)
	if err == nil && !ready {
		err = refusal("its units or payments are not confirmed deeply enough yet")
	}
	if err != nil {
		return nil, built{}, err
	}
	batch := []dueDelivery{d.keep(min(rate, terms.MaxRate))}
	b, err := s.build(ctx, tx, o.Community, batch, rate)
	return batch, b, err
}

// draftReplacement is Draft for a SENT order. It replaces the whole payout of the order.
func (s *Service) draftReplacement(ctx context.Context, tx Tx, o order.Order,
	rate amount.FeeRate) ([]dueDelivery, built, error) {
	p, err := tx.Payouts.Payout(ctx, o.PayoutID)
	if err != nil {
		return nil, built{}, err
	}
	batch, err := s.replaceable(ctx, tx, p)
	if err != nil {
		return nil, built{}, err
	}
	b, err := s.rebuild(ctx, tx, p, batch, rate)
	return batch, b, err
}

// acceptSigned stores a payout that was signed by hand. It returns a *order.Refusal unless the payout delivers exactly
// the amounts that its orders are owed, or is a valid refund, return or withdrawal, and unless it spends only available
// outputs, its fee is within the limits, and its signatures are valid.
func (s *Service) acceptSigned(ctx context.Context, tx Tx, watch ledger.WatchList, r Request,
	now time.Time) (p Payout, err error) {
	raw, err := hex.DecodeString(r.Tx)
	if err != nil {
		return p, refusal("it is not a transaction in hex")
	}
	t, err := chain.DecodeTx(raw)
	if err != nil {
		return p, refusal("it is not a transaction: " + err.Error())
	}
	f := finding{tx: t, at: now, byHand: true}
	if r.Withdrawal.To != "" {
		return s.acceptSignedWithdrawal(ctx, tx, watch, f, r)
	}
	if _, err := ledger.ParseOutPoint(r.OrderID); err == nil {
		return s.acceptSignedReturn(ctx, tx, watch, f, r.OrderID)
	}
	if err := s.explain(ctx, tx, &f, anyOutput); err != nil {
		return p, err
	}
	if f.unexplained || !slices.ContainsFunc(f.orders, func(o order.Order) bool { return o.ID == r.OrderID }) {
		return p, refusal("it is not a payout of this order, or spends outputs that are not in this ledger")
	}
	if status := f.orders[0].Status; status != order.Paid && status != order.Sent {
		if err := s.checkSignedRefund(ctx, tx, f); err != nil {
			return p, err
		}
		return s.storeFound(ctx, tx, watch, f, Refund, "")
	}
	replaces := f.orders[0].Status == order.Sent
	if replaces {
		if p, err = tx.Payouts.Payout(ctx, f.orders[0].PayoutID); err != nil {
			return p, err
		}
		if p.made(t.ID.String()) {
			return p, refusal("it is stored already")
		}
	}
	if err := s.checkSigned(ctx, tx, f, p); err != nil {
		return p, err
	}
	if replaces {
		return p, s.storeFoundVersion(ctx, tx, watch, f, p)
	}
	return s.storeFound(ctx, tx, watch, f, Delivery, order.PayoutStored)
}

// checkSigned returns a *order.Refusal if a signed delivery may not be broadcast. replaced is the payout of which it is
// a new version, or the zero Payout.
func (s *Service) checkSigned(ctx context.Context, tx Tx, f finding, replaced Payout) error {
	wanted := order.Paid
	if replaced.ID != "" {
		wanted = order.Sent
		if !replaced.isOf(f.orders) {
			return refusal("it does not replace the whole payout of its order")
		}
	}
	if delivers, err := s.delivers(ctx, tx, f, wanted); err != nil {
		return err
	} else if !delivers {
		return refusal("it does not deliver exactly what its orders are owed now")
	}
	for _, o := range f.orders {
		units, err := tx.Orders.UnitsOfOrder(ctx, o)
		if err != nil {
			return err
		}
		if err := checkRewardsFree(ctx, tx, o, units); err != nil && replaced.ID == "" {
			return refusal(err.Error())
		}
	}
	if err := s.checkSpends(ctx, tx, f, replaced); err != nil {
		return err
	}
	return s.checkAffordable(ctx, tx, f, replaced)
}

// checkSignedRefund returns a *order.Refusal if a signed transaction is not the refund of exactly one order to the
// address in its message, or does not spend the payment that every refund of that order spends.
func (s *Service) checkSignedRefund(ctx context.Context, tx Tx, f finding) error {
	o := f.orders[0]
	if err := refundable(o); err != nil {
		return err
	}
	if len(f.orders) != 1 || !s.isRefundOf(f, o) {
		return refusal("it does not pay everything to the payment address in the order's message")
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	spent := o.Refunding(order.Unspent(payments), tip.Height, minRelay)
	if len(spent) == 0 || !slices.ContainsFunc(f.tx.Msg.TxIn, func(in *wire.TxIn) bool {
		return in.PreviousOutPoint == spent[0].OutPoint
	}) {
		return refusal("it does not spend the first unspent payment of its order: export it again")
	}
	return s.checkSpends(ctx, tx, f, Payout{})
}

// checkSpends returns a *order.Refusal if an input can't be spent, nodes would not relay the transaction, or a
// signature is invalid.
func (s *Service) checkSpends(ctx context.Context, tx Tx, f finding, replaced Payout) error {
	inputs, err := s.foundCoins(ctx, tx, f)
	if err != nil {
		return err
	}
	if err := s.checkSpendable(ctx, tx, inputs, replaced); err != nil {
		return err
	}
	if err := s.checkPolicy(f.tx.Msg, inputs); err != nil {
		return refusal("nodes would not relay it: " + err.Error())
	}
	if err := chain.CheckSignatures(f.tx.Msg, vault.Outputs(inputs)); err != nil {
		return refusal("an input is not validly signed: " + err.Error())
	}
	return nil
}

// checkSpendable returns a *order.Refusal if a transaction that is no version of replaced spends an input, or if an
// input lacks confirmations.
func (s *Service) checkSpendable(ctx context.Context, tx Tx, inputs []vault.Coin, replaced Payout) error {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	for _, coin := range inputs {
		output, err := tx.Outputs.Output(ctx, coin.OutPoint)
		if err != nil {
			return err
		}
		depth := int64(InputDepth)
		if output.Kind == ledger.PaymentKind {
			depth = 1
		}
		switch {
		case output.SpentBy != "" && !replaced.made(output.SpentBy):
			return refusal(fmt.Sprintf("its input %s was spent meanwhile: export it again", coin.OutPoint))
		case ledger.Confirmations(output.Height, tip.Height) < depth:
			return refusal(fmt.Sprintf("its input %s is not confirmed deeply enough", coin.OutPoint))
		}
	}
	return nil
}

// checkAffordable returns a *order.Refusal if the fee of a signed delivery exceeds the network fees and overpayments
// that the orders paid plus the sats that the fee account can add, by more than the dust limit.
func (s *Service) checkAffordable(ctx context.Context, tx Tx, f finding, replaced Payout) error {
	topUp, err := s.topUp(ctx, tx, f.community, replaced.ID)
	if err != nil {
		return err
	}
	funds := topUp
	for _, o := range f.orders {
		funds += o.Fees.Network + o.Fees.Rutxos
		payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
		if err != nil {
			return err
		}
		spent := amount.Sats(0)
		for _, p := range payments {
			if slices.ContainsFunc(f.tx.Msg.TxIn, func(in *wire.TxIn) bool { return in.PreviousOutPoint == p.OutPoint }) {
				spent += p.Value
			}
		}
		funds += max(0, spent-o.Fees.Total()) // overpayment pays for the output that keeps it
	}
	if slack := amount.Sats(vault.DustSats); f.fee > funds+slack {
		return refusal(fmt.Sprintf("it pays a fee of %d sats, and %d may be spent", f.fee, funds))
	}
	return nil
}
