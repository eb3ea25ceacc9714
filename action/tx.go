package action

import (
	"context"
	"time"

	"moonfund/order"
)

// Tx is one database transaction, as actions use it.
type Tx struct {
	order.Tx
	Actions ActionStore
	Stakes  StakeStore
	Links   LinkStore
	Pauses  PauseStore
}

// ActionStore keeps the messages that owners were asked to sign.
type ActionStore interface {
	Action(ctx context.Context, id string) (Action, error) // or state.ErrNotFound
	InsertAction(ctx context.Context, a Action) error
	// UseAction marks an action used; it returns state.ErrConflict if it was used before.
	UseAction(ctx context.Context, a Action) error
}

// StakeStore keeps the stake addresses that were handed out.
type StakeStore interface {
	// OpenStake returns the last address of an owner under a leaf key that nothing was sent to yet, or state.ErrNotFound.
	OpenStake(ctx context.Context, s StakeRecord) (StakeRecord, error)
	InsertStake(ctx context.Context, s StakeRecord) error
	// InsertFirstStake is InsertStake for the first address of an owner, which may have expired and be handed out again.
	InsertFirstStake(ctx context.Context, s StakeRecord) error
	StakeKnown(ctx context.Context, address string) (bool, error)
	// ExtendStake changes when an address expires; it returns state.ErrConflict if it has.
	ExtendStake(ctx context.Context, address string, expires time.Time) error
	NextStakePosition(ctx context.Context, community string) (int64, error)
	// StakeSeen reports whether a deposit at the address of an action became a unit.
	StakeSeen(ctx context.Context, actionID string) (bool, error)
}

// LinkStore keeps the proofs that both addresses of a wallet belong together.
type LinkStore interface {
	Link(ctx context.Context, community string, w Wallet) (Link, error) // or state.ErrNotFound
	PutLink(ctx context.Context, community string, w Wallet, link Link) error
}

// PauseStore knows why all actions are paused; "" when they are not.
type PauseStore interface {
	PausedAll(ctx context.Context) (reason string, err error)
}
