package server

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/onetx"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// oneTx returns the state of an order's withdrawal in one transaction, or of the delivery that the owner of a paid
// order signs, or the zero value if there is none.
func oneTx(ctx context.Context, tx *store.Tx, o order.Order) (v api.OneTxView, err error) {
	if o.Status == order.Canceled && o.OneTx {
		v.State, v.Ended = api.OneTxEnded, fault.OneTxCoinSpent.Code
		return v, nil
	}
	if o.OneTx {
		p, err := tx.PayoutOf(ctx, o.PayoutTx)
		if err != nil {
			return v, err
		}
		v.State = api.OneTxSent
		for _, version := range p.Versions {
			if version.Tx.ID.String() != o.PayoutTx {
				continue
			}
			v.Quote = action.OneTxQuote{VBytes: version.VBytes, Coins: len(version.Own)}
			if version.KnowsFee() {
				v.Quote.Fee = version.Fee
				v.Quote.Rate = amount.FeeRate(int64(version.Fee) * 1000 / max(1, version.VBytes))
			}
		}
		if o.Status != order.Sent {
			return v, nil
		}
		session, err := sessionOf(ctx, tx, o)
		if session.Signed {
			v.Until = session.Until
		}
		v.Ended = endCode(session)
		return v, err
	}
	if o.Reason != ledger.ForWithdraw || !o.IsUnpaid() && !o.NeedsSignature() {
		return v, nil
	}
	session, err := sessionOf(ctx, tx, o)
	if err != nil {
		return v, err
	}
	v.Quote = action.OneTxQuote{Fee: session.Fee, VBytes: session.VBytes, Coins: len(session.Coins), Rate: session.Rate}
	switch v.Ended = endCode(session); {
	case session.Signed:
		v.State, v.Until = api.OneTxSigned, session.Until
	case v.Ended != "":
		v.State = api.OneTxEnded
	default:
		return api.OneTxView{}, nil
	}
	return v, nil
}

// signUntil returns when a paid order expires unless its owner signs its delivery, or the zero time if it needs no
// signature.
func signUntil(ctx context.Context, tx *store.Tx, o order.Order) (time.Time, error) {
	if !o.NeedsSignature() {
		return time.Time{}, nil
	}
	session, err := sessionOf(ctx, tx, o)
	if err != nil || session.Signed {
		return time.Time{}, err
	}
	return o.Deadline, nil
}

// sessionOf returns the session of an order, or a zero one.
func sessionOf(ctx context.Context, tx *store.Tx, o order.Order) (payout.Session, error) {
	session, err := tx.SessionOf(ctx, o.ID)
	if errors.Is(err, state.ErrNotFound) {
		return payout.Session{}, nil
	}
	return session, err
}

// endCode returns the code of the fault for which a session ended unsigned, or "".
func endCode(session payout.Session) string {
	if session.Ended == (order.OneTxError{}) {
		return ""
	}
	return onetx.EndFault(session.Ended).Code
}
