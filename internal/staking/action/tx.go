package action

import (
	"context"
	"time"

	"moonfund/internal/staking/order"
)

// Tx is one database transaction, as actions use it.
type Tx struct {
	order.Tx
	Actions ActionStore
	Stakes  StakeStore
	Links   LinkStore
	Pauses  PauseStore

	Statements StatementStore
}

// ActionStore stores actions.
type ActionStore interface {
	Action(ctx context.Context, id string) (Action, error) // or state.ErrNotFound
	InsertAction(ctx context.Context, a Action) error
	// UseAction marks an action as used and stores its proof, message and units. It returns state.ErrConflict if the
	// action was used before.
	UseAction(ctx context.Context, a Action) error
}

// StakeStore stores the issued stake addresses.
type StakeStore interface {
	// OpenStake returns the last address of an owner and leaf key to which nothing was sent, or state.ErrNotFound.
	OpenStake(ctx context.Context, s StakeRecord) (StakeRecord, error)
	InsertStake(ctx context.Context, s StakeRecord) error
	// InsertFirstStake is InsertStake for the first address of an owner, which may have expired before.
	InsertFirstStake(ctx context.Context, s StakeRecord) error
	// StakeKnown reports whether the ledger has a stake address.
	StakeKnown(ctx context.Context, address string) (bool, error)
	// ExtendStake sets when an address expires. It returns state.ErrConflict if it has expired.
	ExtendStake(ctx context.Context, address string, expires time.Time) error
	// NextStakePosition returns an unused derivation index for an address that is not an owner's first one.
	NextStakePosition(ctx context.Context, community string) (int64, error)
	// StakeDelay returns the recovery delay of a stake address in blocks, or state.ErrNotFound.
	StakeDelay(ctx context.Context, address string) (uint32, error)
	// StakeSeen reports whether a creditable deposit at the address of an action is recorded.
	StakeSeen(ctx context.Context, actionID string) (bool, error)
}

// LinkStore stores the proofs that both addresses of a wallet belong together.
type LinkStore interface {
	Link(ctx context.Context, community string, w Wallet) (Link, error) // or state.ErrNotFound
	// PutLink stores a link unless the wallet has one.
	PutLink(ctx context.Context, community string, w Wallet, link Link) error
}

// StatementStore reads the ids of signed statements, in hex.
type StatementStore interface {
	NewestStatement(ctx context.Context, community string) (id string, err error) // "" if there is none
	HasStatement(ctx context.Context, community, id string) (bool, error)
}

// PauseStore stores the pause of all actions, and which communities are retired.
type PauseStore interface {
	Retired(ctx context.Context, community string) (time.Time, error) // the zero time if it is not
	PausedAll(ctx context.Context) (reason string, err error)         // "" if not paused
}
