package payout

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// The methods of this file read only what does not change, so they are safe for concurrent use.

// OneTxRequest asks for the price of a withdrawal in one transaction that is not ordered yet.
type OneTxRequest struct {
	Community, Owner, Payment string
	UnitIDs                   []string
	Units                     []ledger.Unit // those of UnitIDs that exist
	Coins                     []vault.Coin
	Rate                      amount.FeeRate
}

// EstimateOneTx returns the transaction that would withdraw units. It returns a *order.OneTxError if the units can't be
// withdrawn so, ErrUnitsNotReady, or *vault.ErrSatsShort.
func (s *Service) EstimateOneTx(ctx context.Context, tx Tx, r OneTxRequest) (Session, error) {
	o := order.Order{Community: r.Community, Reason: ledger.ForWithdraw, Owner: r.Owner, Payment: r.Payment,
		UnitIDs: r.UnitIDs, Status: order.Pending}
	for _, unit := range r.Units {
		if unit.Owner != r.Owner || unit.Stage != ledger.Unlocked {
			return Session{}, &order.OneTxError{Reason: order.OneTxUnits}
		}
		var err error
		if o.Amount, err = o.Amount.Add(unit.Amount); err != nil {
			return Session{}, err
		}
	}
	d, err := s.unitsToDeliver(ctx, tx, o, r.Units)
	if err != nil {
		return Session{}, err
	}
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return Session{}, err
	}
	if terms.cold(d.Delivery) {
		return Session{}, &order.OneTxError{Reason: order.OneTxAmount}
	}
	session, _, err := s.draft(d, r.Coins, r.Rate, vault.PayoutCost{})
	return session, err
}

// DraftOneTx returns the transaction that delivers an order and that its owner's coins pay at a fee rate, for the owner
// to sign, with its inputs. It returns a *order.OneTxError if the order can't be delivered so, ErrUnitsNotReady, or
// *vault.ErrSatsShort.
func (s *Service) DraftOneTx(ctx context.Context, tx Tx, o order.Order, coins []vault.Coin, rate amount.FeeRate,
	now time.Time) (session Session, inputs []vault.Coin, err error) {
	d, replaced, err := s.oneTxDelivery(ctx, tx, o, now)
	if err != nil {
		return session, nil, err
	}
	var earlier vault.PayoutCost
	if replaced != nil {
		earlier = vault.PayoutCost{VBytes: replaced.last().VBytes, Fee: replaced.last().Fee}
	}
	if session, inputs, err = s.draft(d, coins, rate, earlier); err != nil {
		return session, nil, err
	}
	if session.Until = o.RateDate.Add(order.FeeValid); replaced != nil {
		session.Until = now.Add(order.FeeValid)
	}
	b := built{tx: session.Tx, cost: vault.PayoutCost{VBytes: session.VBytes, Fee: session.Fee}, inputs: inputs}
	return session, inputs, s.checkOneTx(b, d, o.Payment)
}

// draft builds the transaction of a delivery that coins pay.
func (s *Service) draft(d dueDelivery, coins []vault.Coin, rate amount.FeeRate,
	replaced vault.PayoutCost) (session Session, inputs []vault.Coin, err error) {
	terms, err := s.terms.Of(d.Order.Community)
	if err != nil {
		return session, nil, err
	}
	change, err := chain.ParseAddress(d.Order.Payment, s.network)
	if err != nil {
		return session, nil, err
	}
	rate = min(rate, terms.MaxRate)
	tx, inputs, cost, err := vault.BuildOneTx(vault.OneTxPlan{
		Units: d.inputs, Coins: coins, Delivery: d.Delivery, Change: change.Script, FeeRate: rate, Replaced: replaced,
		MaxRunestone: terms.MaxRunestone,
	})
	return Session{
		Community: d.Order.Community, Owner: d.Order.Owner, OrderID: d.Order.ID, Tx: tx, Coins: ownOf(inputs),
		Fee: cost.Fee, VBytes: cost.VBytes, Rate: rate,
	}, inputs, err
}

// OneTxPSBT returns a session's transaction as a base64 PSBT for the owner's wallet. key is the public key of the
// payment address, or nil.
func (s *Service) OneTxPSBT(session Session, inputs []vault.Coin, key []byte) (string, error) {
	terms, err := s.terms.Of(session.Community)
	if err != nil {
		return "", err
	}
	return terms.Account.OneTxPSBT(Issued(session), inputs, key)
}

// OneTxInputs returns the inputs of the transaction of an order's session. It returns a *order.OneTxError if the order
// can't be delivered so any more, or ErrUnitsNotReady.
func (s *Service) OneTxInputs(ctx context.Context, tx Tx, o order.Order, session Session,
	now time.Time) ([]vault.Coin, error) {
	d, _, err := s.oneTxDelivery(ctx, tx, o, now)
	if err != nil {
		return nil, err
	}
	return oneTxInputs(session, d.inputs)
}

// Issued returns the transaction of a session as it was issued to its owner, without signatures.
func Issued(session Session) *wire.MsgTx {
	tx := session.Tx.Copy()
	for _, in := range tx.TxIn {
		in.Witness, in.SignatureScript = nil, nil
	}
	return tx
}
