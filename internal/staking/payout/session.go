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
	Until            time.Time        // until when the owner can sign
	Signed           bool             // the owner signed it, and our signer follows
	Ended            order.OneTxError // why the last one ended unsigned; zero unless it did
}

// SessionStore stores the sessions.
type SessionStore interface {
	SessionOf(ctx context.Context, orderID string) (Session, error) // or state.ErrNotFound
	// SignedSession returns the one with own coins that an owner signed, or state.ErrNotFound.
	SignedSession(ctx context.Context, community, owner string) (Session, error)
	SignedSessions(ctx context.Context) ([]Session, error) // those that end first first
	PutSession(ctx context.Context, s Session) error       // in place of the order's previous one
	EndSession(ctx context.Context, orderID string) error  // deletes that of an order, if there is one
	// ForgetSessions deletes at most 100 of the unsigned ones that ended before a time.
	ForgetSessions(ctx context.Context, before time.Time) error
}
