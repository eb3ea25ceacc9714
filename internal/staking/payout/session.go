package payout

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
)

// Session is a transaction that delivers a withdrawal and that its owner signs, until our signer signed it (ADR 67 and
// 68). An order has at most one, and an owner at most one in a community that is signed and spends own coins.
type Session struct {
	Community, Owner string
	OrderID          string
	Tx               *wire.MsgTx  // has the owner's witnesses, and no others, once Signed
	Coins            []vault.Coin // its inputs that are the owner's own coins
	Fee              amount.Sats
	VBytes           int64
	Rate             amount.FeeRate
	Until            time.Time        // until when the owner can sign; in the past once it ended
	Signed           bool             // the owner signed it, and our signer follows
	Ended            order.OneTxError // why it, or the one before it, ended unsigned; zero unless one did
}

// VoidSession returns the session that says why the owner of a paid order must sign again: its delivery v spends a
// payment that was replaced.
func VoidSession(o order.Order, v Version, at time.Time) Session {
	return Session{Community: o.Community, Owner: o.Owner, OrderID: o.ID, Tx: v.Tx.Msg, Fee: v.Fee, VBytes: v.VBytes,
		Until: at.Add(-time.Second), Ended: order.OneTxError{Reason: order.OneTxPaymentGone}}
}

// SessionStore stores the sessions.
type SessionStore interface {
	SessionOf(ctx context.Context, orderID string) (Session, error) // or state.ErrNotFound
	// SignedSession returns the one with own coins that an owner signed, or state.ErrNotFound.
	SignedSession(ctx context.Context, community, owner string) (Session, error)
	SignedSessions(ctx context.Context) ([]Session, error) // those that end first first
	PutSession(ctx context.Context, s Session) error       // in place of the order's previous one
	EndSession(ctx context.Context, orderID string) error  // deletes an order's session, if there is one
	// ForgetSessions deletes at most 100 of the unsigned ones that ended before a time.
	ForgetSessions(ctx context.Context, before time.Time) error
}
