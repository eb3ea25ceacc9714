package follower

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/etching"
	"moonfund/ledger"
	"moonfund/payout"
	"moonfund/runes"
)

// Tx is one database transaction, as the follower uses it.
type Tx struct {
	payout.Tx
	Watched  WatchStore
	Stakes   StakeStore
	Etching  etching.Database
	Intents  IntentStore
	Lease    LeaseStore
	Refusals ledger.RefusalStore
	Rebuild  RebuildStore
	Adopted  AdoptedStore
}

// WatchStore knows the scripts, outputs and transactions that the follower looks for.
type WatchStore interface {
	EachRuneOutput(ctx context.Context, visit func(wire.OutPoint)) error // every output that holds runes
	WatchedAfter(ctx context.Context, number int64) ([]ledger.Watched, error)
	OpenOutpoints(ctx context.Context, height int64) ([]wire.OutPoint, error)
	TrackedUnconfirmed(ctx context.Context) ([]ledger.Tracked, error)
	IsPayout(ctx context.Context, txid string) (bool, error)
}

// StakeStore lets stake addresses expire.
type StakeStore interface {
	ExpiringStakes(ctx context.Context, now time.Time, most int32) ([]ExpiringStake, error)
	// ExpireStake deletes an address; it returns state.ErrConflict if the address was asked for meanwhile.
	ExpireStake(ctx context.Context, s ExpiringStake, script []byte, now time.Time) error
	ExtendStake(ctx context.Context, address string, expires time.Time) error // the zero time: it never expires
}

// IntentStore forgets the intents that nobody proved.
type IntentStore interface {
	ForgetIntents(ctx context.Context, expired time.Time, most int32) error
}

// LeaseStore tells whether this server leads.
type LeaseStore interface {
	// Leading returns nil if the term lasts until this transaction ends, and state.ErrNotLeading if it is over.
	Leading(ctx context.Context, term int64) error
}

// AdoptedStore holds outputs at adopted stake addresses until they are credited.
type AdoptedStore interface {
	AdoptedOutputs(ctx context.Context, most int32) ([]wire.OutPoint, error)
	ForgetAdoptedOutput(ctx context.Context, out wire.OutPoint) error
}

// RebuildStore forgets what the chain said, to read it again.
type RebuildStore interface {
	// PutFollowed records the runes that the index follows; none means every rune.
	PutFollowed(ctx context.Context, ids []runes.ID) error
	ForgetChain(ctx context.Context) error
	CustodyFacts(ctx context.Context) (map[wire.OutPoint]ledger.Fact, error)
}
