package onetx

import (
	"context"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// EstimateRequest asks for the price of a withdrawal in one transaction that is not ordered yet.
type EstimateRequest struct {
	Community, Owner, Payment string
	UnitIDs                   []string
	Units                     []ledger.Unit // the existing units of UnitIDs
	Coins                     []vault.Coin
	Rate                      amount.FeeRate
}

// Estimate returns the transaction that would withdraw units. It returns a *order.OneTxError if one transaction can't
// withdraw the units, ErrUnitsNotReady, or *vault.ErrSatsShort.
func (s *Payouts) Estimate(ctx context.Context, tx payout.Tx, r EstimateRequest) (payout.Session, error) {
	o := order.Order{Community: r.Community, Reason: ledger.ForWithdraw, Owner: r.Owner, Payment: r.Payment,
		UnitIDs: r.UnitIDs, Status: order.Pending}
	for _, unit := range r.Units {
		if unit.Owner != r.Owner || unit.Stage != ledger.Unlocked {
			return payout.Session{}, &order.OneTxError{Reason: order.OneTxUnits}
		}
		var err error
		if o.Amount, err = o.Amount.Add(unit.Amount); err != nil {
			return payout.Session{}, err
		}
	}
	terms, err := s.book.Communities.Of(o.Community)
	if err != nil {
		return payout.Session{}, err
	}
	d, err := s.unitsToDeliver(ctx, tx, terms, o, r.Units)
	if err != nil {
		return payout.Session{}, err
	}
	if d.isCold() {
		return payout.Session{}, &order.OneTxError{Reason: order.OneTxAmount}
	}
	session, _, err := s.draft(d, vault.OneTxPlan{Coins: r.Coins, FeeRate: r.Rate})
	return session, err
}

// Draft returns the transaction that delivers an order, for its owner to sign, with its inputs. The payments of a PAID
// order pay its fee, at a fee rate or, if they don't suffice, the rate that they pay. Otherwise its owner's coins pay.
// It returns a *order.OneTxError if one transaction can't deliver the order, ErrUnitsNotReady, or *vault.ErrSatsShort.
func (s *Payouts) Draft(ctx context.Context, tx payout.Tx, o order.Order, coins []vault.Coin, rate amount.FeeRate,
	now time.Time) (session payout.Session, inputs []vault.Coin, err error) {
	d, replaced, err := s.deliveryOf(ctx, tx, o, now)
	if err != nil {
		return session, nil, err
	}
	plan := vault.OneTxPlan{Coins: slices.Concat(d.payments, coins), Must: len(d.payments), FeeRate: rate}
	until := o.RateDate.Add(order.FeeValid)
	switch {
	case replaced != nil:
		plan.Replaced = vault.PayoutCost{VBytes: replaced.Last().VBytes, Fee: replaced.Last().Fee}
		until = now.Add(order.FeeValid)
	case o.NeedsSignature():
		plan.Coins, plan.Least = d.payments, o.FeeRate
		until = now.Add(SignedValid)
	}
	if session, inputs, err = s.draft(d, plan); err != nil {
		return session, nil, err
	}
	session.Until = until
	return session, inputs, s.check(session.Tx, inputs, d)
}

// draft builds the transaction of a delivery by a plan, of which it sets the units and the outputs.
func (s *Payouts) draft(d owed, plan vault.OneTxPlan) (session payout.Session, inputs []vault.Coin, err error) {
	if plan.OneTxTargets, err = s.targets(d); err != nil {
		return session, nil, err
	}
	plan.FeeRate = min(plan.FeeRate, d.terms.MaxRate)
	plan.Units, plan.MaxRunestone = d.units, d.terms.MaxRunestone
	tx, inputs, cost, err := vault.BuildOneTx(plan)
	rate := plan.FeeRate
	if err == nil && plan.Least > 0 {
		rate = min(rate, amount.FeeRate(int64(cost.Fee)*1000/max(1, cost.VBytes)))
	}
	return payout.Session{
		Community: d.Order.Community, Owner: d.Order.Owner, OrderID: d.Order.ID, Tx: tx, Coins: payout.OwnOf(inputs),
		Fee: cost.Fee, VBytes: cost.VBytes, Rate: rate,
	}, inputs, err
}

// PSBT returns a session's transaction as a base64 PSBT for the owner's wallet. key is the public key of the payment
// address, or nil.
func (s *Payouts) PSBT(session payout.Session, inputs []vault.Coin, key []byte) (string, error) {
	terms, err := s.book.Communities.Of(session.Community)
	if err != nil {
		return "", err
	}
	return terms.Account.OneTxPSBT(Issued(session), inputs, key)
}

// Inputs returns the inputs of the transaction of an order's session. It returns a *order.OneTxError if the transaction
// can't deliver the order any more, or ErrUnitsNotReady.
func (s *Payouts) Inputs(ctx context.Context, tx payout.Tx, o order.Order, session payout.Session,
	now time.Time) ([]vault.Coin, error) {
	_, _, inputs, err := s.deliveryOfSession(ctx, tx, o, session, now)
	return inputs, err
}

// Read returns the transaction of a session with the signatures of its owner from a PSBT. It returns a fault if the
// PSBT deviates.
func (s *Payouts) Read(session payout.Session, psbt string, inputs []vault.Coin) (*wire.MsgTx, error) {
	terms, err := s.book.Communities.Of(session.Community)
	if err != nil {
		return nil, err
	}
	signed, err := terms.Account.ReadOneTxPSBT(psbt, Issued(session), inputs)
	if err != nil {
		return nil, psbtFault(err)
	}
	return signed, nil
}

// SignedValid is the time for which a session of a PAID order can be signed, and is kept signed while it waits.
const SignedValid = order.LastRerate

// Issued returns the transaction of a session as it was issued to its owner, without signatures.
func Issued(session payout.Session) *wire.MsgTx {
	tx := session.Tx.Copy()
	for _, in := range tx.TxIn {
		in.Witness, in.SignatureScript = nil, nil
	}
	return tx
}
