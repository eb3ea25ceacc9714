package onetx

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// EstimateRequest asks for the price of a withdrawal in one transaction that is not ordered yet.
type EstimateRequest struct {
	Community, Owner, Payment string
	UnitIDs                   []string
	Units                     []ledger.Unit // those of UnitIDs that exist
	Coins                     []vault.Coin
	Rate                      amount.FeeRate
}

// Estimate returns the transaction that would withdraw units. It returns a *order.OneTxError if one
// transaction can't withdraw the units, ErrUnitsNotReady, or *vault.ErrSatsShort.
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
	if terms.Cold(d.Delivery) {
		return payout.Session{}, &order.OneTxError{Reason: order.OneTxAmount}
	}
	session, _, err := s.draft(d, r.Coins, r.Rate, vault.PayoutCost{})
	return session, err
}

// Draft returns the transaction that delivers an order, whose fee its owner's coins pay at a fee rate, for the owner to
// sign, with its inputs. It returns a *order.OneTxError if one transaction can't deliver the order, ErrUnitsNotReady,
// or *vault.ErrSatsShort.
func (s *Payouts) Draft(ctx context.Context, tx payout.Tx, o order.Order, coins []vault.Coin, rate amount.FeeRate,
	now time.Time) (session payout.Session, inputs []vault.Coin, err error) {
	d, replaced, err := s.deliveryOf(ctx, tx, o, now)
	if err != nil {
		return session, nil, err
	}
	var earlier vault.PayoutCost
	if replaced != nil {
		earlier = vault.PayoutCost{VBytes: replaced.Last().VBytes, Fee: replaced.Last().Fee}
	}
	if session, inputs, err = s.draft(d, coins, rate, earlier); err != nil {
		return session, nil, err
	}
	if session.Until = o.RateDate.Add(order.FeeValid); replaced != nil {
		session.Until = now.Add(order.FeeValid)
	}
	return session, inputs, s.check(session.Tx, inputs, d)
}

// draft builds the transaction of a delivery that coins pay.
func (s *Payouts) draft(d owed, coins []vault.Coin, rate amount.FeeRate,
	replaced vault.PayoutCost) (session payout.Session, inputs []vault.Coin, err error) {
	change, err := chain.ParseAddress(d.Order.Payment, s.book.Network)
	if err != nil {
		return session, nil, err
	}
	rate = min(rate, d.terms.MaxRate)
	tx, inputs, cost, err := vault.BuildOneTx(vault.OneTxPlan{
		Units: d.units, Coins: coins, Delivery: d.Delivery, Change: change.Script, FeeRate: rate, Replaced: replaced,
		MaxRunestone: d.terms.MaxRunestone,
	})
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

// Inputs returns the inputs of the transaction of an order's session. It returns a *order.OneTxError if one
// transaction can't deliver the order any more, or ErrUnitsNotReady.
func (s *Payouts) Inputs(ctx context.Context, tx payout.Tx, o order.Order, session payout.Session,
	now time.Time) ([]vault.Coin, error) {
	d, _, err := s.deliveryOf(ctx, tx, o, now)
	if err != nil {
		return nil, err
	}
	return inputsOf(session, d.units)
}

// Issued returns the transaction of a session as it was issued to its owner, without signatures.
func Issued(session payout.Session) *wire.MsgTx {
	tx := session.Tx.Copy()
	for _, in := range tx.TxIn {
		in.Witness, in.SignatureScript = nil, nil
	}
	return tx
}
