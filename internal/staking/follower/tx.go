package follower

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
)

// Tx is one database transaction, as the follower uses it.
type Tx struct {
	payout.Tx
	Watched  WatchStore
	Stakes   StakeStore
	Etching  etching.Database
	Actions  ActionStore
	Lease    LeaseStore
	Refusals ledger.RefusalStore
	Rebuild  RebuildStore
	Adopted  AdoptedStore

	Unevaluated UnevaluatedStore
	Waits       WaitStore
}

// WatchStore lists the scripts, outputs and transactions that the follower watches.
type WatchStore interface {
	// RuneOutputs returns the number of unspent outputs that hold runes.
	RuneOutputs(ctx context.Context) (int, error)
	// EachRuneOutput calls visit for every unspent output that holds runes.
	EachRuneOutput(ctx context.Context, visit func(wire.OutPoint)) error
	// EachScript calls visit for every watched script, in any order, and returns the number of the last one. The script
	// is valid until visit returns.
	EachScript(ctx context.Context, visit func(script []byte)) (last int64, err error)
	// EachWatched calls visit for every watched script with a number above the given one, in the order of their
	// numbers. The script is valid until visit returns.
	EachWatched(ctx context.Context, number int64, visit func(number int64, script []byte)) error
	// EachOpenOutpoint calls visit for every output of ours that is unspent, or whose spend is unconfirmed or above a
	// height, in any order.
	EachOpenOutpoint(ctx context.Context, height int64, visit func(wire.OutPoint)) error
	// TrackedUnconfirmed returns the tracked transactions that are unconfirmed and have not vanished, oldest first.
	TrackedUnconfirmed(ctx context.Context) ([]ledger.Tracked, error)
	PayoutTxs(ctx context.Context, txids ...string) (map[string]bool, error) // the ids of our payouts among them
}

// StakeStore expires stake addresses.
type StakeStore interface {
	// ExpiringStakes returns at most limit expired addresses, in the order of their expiry.
	ExpiringStakes(ctx context.Context, now time.Time, limit int32) ([]ExpiringStake, error)
	// ExpireStake deletes an address. It returns state.ErrConflict if the address was requested meanwhile.
	ExpireStake(ctx context.Context, s ExpiringStake, script []byte, now time.Time) error
	ExtendStake(ctx context.Context, address string, expires time.Time) error // zero time: never expires
}

// ActionStore deletes unused actions.
type ActionStore interface {
	// ForgetIntents deletes at most limit unused actions that expired before an instant, the oldest first.
	ForgetIntents(ctx context.Context, expired time.Time, limit int32) error
}

// LeaseStore checks the leader lease.
type LeaseStore interface {
	// Leading returns nil if the lease is valid until the end of this transaction, or state.ErrNotLeading.
	Leading(ctx context.Context, term int64) error
}

// UnevaluatedStore stores the orders that a block left to be evaluated.
type UnevaluatedStore interface {
	Unevaluated(ctx context.Context) (Unevaluated, error) // without IDs if there are none
	PutUnevaluated(ctx context.Context, u Unevaluated) error
}

// AdoptedStore stores outputs at adopted stake addresses until they are credited.
type AdoptedStore interface {
	// AdoptedOutputs returns at most limit of the stored outputs.
	AdoptedOutputs(ctx context.Context, limit int32) ([]wire.OutPoint, error)
	ForgetAdoptedOutput(ctx context.Context, out wire.OutPoint) error
}

// RebuildStore deletes the facts of the chain, which a rebuild reads again.
type RebuildStore interface {
	// PutFollowed stores the runes that the index tracks; none means every rune.
	PutFollowed(ctx context.Context, ids []runes.ID) error
	// ForgetChain deletes the blocks, the rune index, the confirmations and the confirmed spends.
	ForgetChain(ctx context.Context) error
	// CustodyFacts returns the confirmations and spends of all our outputs.
	CustodyFacts(ctx context.Context) (map[wire.OutPoint]ledger.Fact, error)
}
