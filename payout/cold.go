package payout

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/message"
	"moonfund/order"
	"moonfund/state"
	"moonfund/vault"
)

// cold reports whether an order is so large that its payout is signed by the
// operator's own hand, elsewhere, and never by the server's signer.
func (t Terms) cold(d vault.Delivery) bool { return t.ColdAbove > 0 && d.Amount > t.ColdAbove }

// olderOrder reports whether an order is from before an order's id was derived
// from the message that opened it. The signer can't tell the payments of such an
// order from those of any other: a person signs for it.
func (o Owed) olderOrder() bool { return o.Order.ID != message.OrderID(o.Proof.Text) }

// Draft builds what is to be signed elsewhere for one order, or for one output in
// quarantine, at the given rate or as near to it as there is money for. Of an order
// that is the delivery while it is PAID, a replacement of that while it is SENT, and
// else a refund; of an output it is the return to its owner. Draft stores nothing, so that it can be made
// again; the inputs stay free until a signed one is taken in. The error is
// *order.Refusal when there is nothing to sign now.
func (c *Service) Draft(ctx context.Context, tx Tx, orderID string,
	rate amount.FeeRate) (u Unsigned, cost vault.PayoutCost, err error) {
	if _, err := ledger.ParseOutPoint(orderID); err == nil {
		return c.draftReturn(ctx, tx, orderID, rate)
	}
	o, err := tx.Orders.Order(ctx, orderID)
	if errors.Is(err, state.ErrNotFound) {
		return u, cost, refusal("there is no such order")
	}
	if err != nil {
		return u, cost, err
	}
	if _, served := c.terms[o.Community]; !served {
		return u, cost, refusal("its community " + o.Community + " is not served here")
	}
	var batch []due
	var b built
	switch o.Status {
	case order.Paid:
		batch, b, err = c.draftDelivery(ctx, tx, o, rate)
	case order.Sent:
		batch, b, err = c.draftReplacement(ctx, tx, o, rate)
	default:
		if refundable(o) != nil {
			return u, cost, refusal(fmt.Sprintf("it is %s: only what is PAID or SENT has a payout to sign, and it is not "+
				"refunded either", o.Status))
		}
		return c.buildRefund(ctx, tx, o, rate)
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

// exported is the draft of an order's payout in the form that goes to the signer elsewhere.
func (c *Service) exported(ctx context.Context, tx Tx, orderID string, rate amount.FeeRate) (string, error) {
	if c.export == nil {
		return "", refusal("this server exports nothing")
	}
	u, _, err := c.Draft(ctx, tx, orderID, rate)
	if refused := new(order.Refusal); err != nil && ctx.Err() == nil && !errors.As(err, &refused) {
		err = refusal("it can't be built now: " + err.Error())
	}
	if err != nil {
		return "", err
	}
	return c.export(u)
}

func (c *Service) draftDelivery(ctx context.Context, tx Tx, o order.Order, rate amount.FeeRate) ([]due, built, error) {
	d, ready, err := c.gather(ctx, tx, o)
	if err == nil && !ready {
		err = refusal("its units or payments are not confirmed deeply enough yet")
	}
	if err != nil {
		return nil, built{}, err
	}
	batch := []due{d.keep(min(rate, c.terms[o.Community].MaxRate))}
	b, err := c.build(ctx, tx, o.Community, batch, rate)
	return batch, b, err
}

func (c *Service) draftReplacement(ctx context.Context, tx Tx, o order.Order,
	rate amount.FeeRate) ([]due, built, error) {
	p, err := tx.Payouts.Payout(ctx, o.PayoutID)
	if err != nil {
		return nil, built{}, err
	}
	batch, err := c.replaceable(ctx, tx, p)
	if err != nil {
		return nil, built{}, err
	}
	b, err := c.rebuild(ctx, tx, p, batch, rate)
	return batch, b, err
}

// takeSigned stores a payout that was signed elsewhere, after the checks that a
// payout of our own passes: it brings its orders what they are owed, spends
// nothing that is not there, costs no more than may be spent, and every signature
// is right.
func (c *Service) takeSigned(ctx context.Context, tx Tx, watch ledger.Watch, r Request,
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
	if _, err := ledger.ParseOutPoint(r.OrderID); err == nil {
		return c.takeSignedReturn(ctx, tx, watch, f, r.OrderID)
	}
	if err := c.explain(ctx, tx, &f, anyOutput); err != nil {
		return p, err
	}
	if f.unexplained || !slices.ContainsFunc(f.orders, func(o order.Order) bool { return o.ID == r.OrderID }) {
		return p, refusal("it is not a payout of this order, or spends what this ledger does not know")
	}
	if status := f.orders[0].Status; status != order.Paid && status != order.Sent {
		if err := c.checkSignedRefund(ctx, tx, f); err != nil {
			return p, err
		}
		return c.takeIn(ctx, tx, watch, f, Refund, "")
	}
	replaces := f.orders[0].Status == order.Sent
	if replaces {
		if p, err = tx.Payouts.Payout(ctx, f.orders[0].PayoutID); err != nil {
			return p, err
		}
		if p.made(t.ID.String()) {
			return p, refusal("it was taken in already")
		}
	}
	if err := c.checkSigned(ctx, tx, f, p); err != nil {
		return p, err
	}
	if replaces {
		return p, c.takeInVersion(ctx, tx, watch, f, p)
	}
	return c.takeIn(ctx, tx, watch, f, Delivery, order.PayoutStored)
}

// checkSigned refuses, in words, a signed transaction that may not go out.
// replaced is the payout that it is a new version of, or the zero Payout.
func (c *Service) checkSigned(ctx context.Context, tx Tx, f finding, replaced Payout) error {
	wanted, known := order.Paid, c.terms[f.community]
	if replaced.ID != "" {
		wanted = order.Sent
		if !replaced.isOf(f.orders) {
			return refusal("it does not replace the whole payout of its order")
		}
	}
	if delivers, err := c.delivers(ctx, tx, f, wanted); err != nil {
		return err
	} else if !delivers {
		return refusal("it does not bring its orders exactly what they are owed now")
	}
	if err := c.checkSpends(ctx, tx, known, f, replaced); err != nil {
		return err
	}
	return c.affordable(ctx, tx, f, replaced)
}

// checkSignedRefund refuses a signed transaction that is not a refund of one order
// to where its staker signed, or that does not spend the payment which every refund
// of that order spends.
func (c *Service) checkSignedRefund(ctx context.Context, tx Tx, f finding) error {
	o := f.orders[0]
	if err := refundable(o); err != nil {
		return err
	}
	if len(f.orders) != 1 || !c.paysBack(f, o) {
		return refusal("it does not bring everything to the payment address in the order's message")
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
	return c.checkSpends(ctx, tx, c.terms[f.community], f, Payout{})
}

// checkSpends refuses inputs that can't be spent, a transaction that nodes would
// not relay, and a signature that is wrong.
func (c *Service) checkSpends(ctx context.Context, tx Tx, terms Terms, f finding, replaced Payout) error {
	inputs, err := c.coins(ctx, tx, terms, f.tx.Msg)
	if err != nil {
		return err
	}
	if err := c.spendable(ctx, tx, inputs, replaced); err != nil {
		return err
	}
	if err := c.policed(f.tx.Msg, inputs); err != nil {
		return refusal("nodes would not relay it: " + err.Error())
	}
	if err := chain.CheckSignatures(f.tx.Msg, vault.Outputs(inputs)); err != nil {
		return refusal("it is not signed rightly: " + err.Error())
	}
	return nil
}

// spendable refuses inputs that something else spends, or that are not deep enough.
func (c *Service) spendable(ctx context.Context, tx Tx, inputs []vault.Coin, replaced Payout) error {
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

// affordable refuses a fee beyond the network money of the orders and what the
// fee account may add.
func (c *Service) affordable(ctx context.Context, tx Tx, f finding, replaced Payout) error {
	topUp, err := c.topUp(ctx, tx, f.community, replaced.ID)
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
		funds += max(0, spent-o.Fees.Total()) // surplus that pays for the output that keeps it
	}
	if slack := amount.Sats(vault.DustSats); f.fee > funds+slack {
		return refusal(fmt.Sprintf("it pays a fee of %d sats, and %d may be spent", f.fee, funds))
	}
	return nil
}
