package ledger

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/epoch"
)

// Terms are the parameters of a community.
type Terms struct {
	Prefix       string // identifies the community
	Network      chain.Network
	Rune         runes.ID
	MinimumStake amount.Runes                   // smaller deposits are quarantined
	Budget       func(epoch int64) amount.Runes // planned reward of an epoch, base units
}

// Service is the ledger of all communities of a server.
type Service struct {
	communities Communities[Terms]
}

// NewService returns the ledger of the given communities.
func NewService(terms ...Terms) *Service {
	s := &Service{}
	for _, t := range terms {
		s.communities.Add(t.Prefix, t)
	}
	return s
}

// Communities returns the communities that the server serves, ordered by name.
func (s *Service) Communities() (all []string) {
	for community := range s.communities.All() {
		all = append(all, community)
	}
	return all
}

// Header is a block header of the followed chain.
type Header struct {
	Height int64 // chain.None before the first block
	Hash   string
	Prev   string    // hash of the previous block
	Time   time.Time // header time
}

// Boundary is the start of an epoch on the chain. Its cut is the last block before the first block whose header time is
// at or after the start.
type Boundary struct {
	Community string
	Epoch     int64
	Cut       int64 // height
}

// HeaderStore stores the headers of the followed chain.
type HeaderStore interface {
	Tip(ctx context.Context) (Header, error)                    // Height is chain.None before the first block
	HeaderAt(ctx context.Context, height int64) (Header, error) // or state.ErrNotFound
	// FirstHeaderFrom returns the first header above a height whose time is at or after an instant, or state.ErrNotFound.
	FirstHeaderFrom(ctx context.Context, above int64, at time.Time) (Header, error)
	PutHeader(ctx context.Context, h Header) error
	DeleteHeader(ctx context.Context, height int64) error
	// Unconfirm marks the outputs, spends, payout versions and tracked transactions of a block as unconfirmed. The
	// transactions of the outputs must be tracked. at is the new Since of the tracked transactions.
	Unconfirm(ctx context.Context, height int64, at time.Time) error
}

// EpochStore stores the calendar of each community and the boundaries of its epochs.
type EpochStore interface {
	// Communities returns every community of the ledger, also one that is not served.
	Communities(ctx context.Context) ([]string, error)
	Calendar(ctx context.Context, community string) (epoch.Calendar, error)
	// LastBoundary returns the boundary of the latest epoch that began. Epoch and Cut are chain.None if none began.
	LastBoundary(ctx context.Context, community string) (Boundary, error)
	BoundaryOf(ctx context.Context, community string, epoch int64) (Boundary, error) // or state.ErrNotFound
	// BoundariesAt returns the boundaries of every community that have a cut, the latest epoch first.
	BoundariesAt(ctx context.Context, cut int64) ([]Boundary, error)
	PutBoundary(ctx context.Context, b Boundary) error
	MoveBoundary(ctx context.Context, b Boundary) error // stores the cut
	DeleteBoundary(ctx context.Context, b Boundary) error
}

// Tx is one database transaction. Packages that use the ledger embed it in their own Tx.
type Tx struct {
	Units       UnitStore
	UnitLists   UnitLists
	Outputs     OutputStore
	Tracked     TrackedStore
	Headers     HeaderStore
	Epochs      EpochStore
	Rewards     RewardStore
	Unexplained UnexplainedSpendStore
	Journal     Journal

	Instructions InstructionStore
}

// LedgerTx returns tx, for a call of the ledger with a Tx that embeds this one.
func (tx Tx) LedgerTx() Tx { return tx }

// UnitLists reads the units that a block or the clock may move.
type UnitLists interface {
	// UnitsCooledDown returns the PENDING_UNLOCK units with unlock_epoch ≤ epoch.
	UnitsCooledDown(ctx context.Context, community string, epoch int64) ([]Unit, error)
	// UnitsUnplaced returns the live or recovered units without an eligible epoch, except rewards that are CLAIMABLE or
	// PO_CLAIMED.
	UnitsUnplaced(ctx context.Context, community string) ([]Unit, error)
	UnitsEligibleFrom(ctx context.Context, community string, epoch int64) ([]Unit, error) // eligible_epoch = epoch
	// UnitsOfSpentOutputs returns the units that are not WITHDRAWN and whose output is spent by a transaction that is
	// no payout.
	UnitsOfSpentOutputs(ctx context.Context, community string) ([]Unit, error)
	UnitsRecovered(ctx context.Context, community string) ([]Unit, error) // units that are WITHDRAWN because of a recovery
	UnitsVanished(ctx context.Context, community string) ([]Unit, error)  // units whose deposit vanished
}

// Confirmations returns the number of confirmations of a block at height when the tip is at height tip. It is 0 for
// chain.None and for a block above the tip.
func Confirmations(height, tip int64) int64 {
	if height == chain.None || height > tip {
		return 0
	}
	return tip - height + 1
}

// RecoveryDepth is the number of confirmations after which a spend that is no payout makes its unit WITHDRAWN.
const RecoveryDepth = 3

// ApplyLosses removes units of a community whose deposit vanished, makes recovered units WITHDRAWN, and restores units
// whose recovery a reorg undid. It skips a unit that an order locks until the order releases the unit. It returns the
// units that it moved, so that the caller can notify their owners.
func (s *Service) ApplyLosses(ctx context.Context, tx Tx, community string, at time.Time) (owners []Unit, err error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	cause := Cause{Kind: "block", ID: tip.Hash, At: at}
	removed, err := s.removeVanished(ctx, tx, community, cause)
	if err != nil {
		return nil, err
	}
	spent, err := tx.UnitLists.UnitsOfSpentOutputs(ctx, community)
	if err != nil {
		return nil, err
	}
	recovered, err := tx.UnitLists.UnitsRecovered(ctx, community)
	if err != nil {
		return nil, err
	}
	var b Batch
	for _, unit := range spent {
		_, noRow := Stages.Next(unit.Stage, RecoveredByStaker, Any)
		if noRow != nil || Confirmations(unit.SpentHeight, tip.Height) < RecoveryDepth {
			continue
		}
		before := unit.Stage
		if _, err := b.Move(unit, RecoveredByStaker, Any, cause, func(u *Unit) { u.Before = before }); err != nil {
			return nil, err
		}
		owners = append(owners, unit)
	}
	for _, unit := range recovered {
		if Confirmations(unit.SpentHeight, tip.Height) >= RecoveryDepth {
			continue
		}
		b.moveTo(unit, unit.Before, RecoveryUndone, cause, func(u *Unit) { u.Before = nowhere })
		owners = append(owners, unit)
	}
	return append(removed, owners...), b.Write(ctx, tx.Units)
}

// removeVanished removes and returns the units whose deposit vanished, unless an order locks them.
func (s *Service) removeVanished(
	ctx context.Context, tx Tx, community string, cause Cause,
) (removed []Unit, err error) {
	vanished, err := tx.UnitLists.UnitsVanished(ctx, community)
	if err != nil {
		return nil, err
	}
	var b Batch
	for _, unit := range vanished {
		if _, err := Stages.Next(unit.Stage, DepositVanished, Any); err != nil {
			continue
		}
		if _, err := b.Move(unit, DepositVanished, Any, cause, nil); err != nil {
			return nil, err
		}
		removed = append(removed, unit)
	}
	if err := b.Write(ctx, tx.Units); err != nil {
		return nil, err
	}
	return removed, s.recreate(ctx, tx, removed, cause)
}

// Unlock moves the units of a community whose cooldown has ended to UNLOCKED, and returns them.
func (s *Service) Unlock(ctx context.Context, tx Tx, community string, m Moment) (unlocked []Unit, err error) {
	calendar, err := tx.Epochs.Calendar(ctx, community)
	if err != nil {
		return nil, err
	}
	cooled, err := tx.UnitLists.UnitsCooledDown(ctx, community, calendar.At(m.Chain))
	if err != nil {
		return nil, err
	}
	var b Batch
	for _, unit := range cooled {
		unit, err = b.Move(unit, CooldownOver, Any, Cause{Kind: "clock", ID: community, At: m.Now}, nil)
		if err != nil {
			return nil, err
		}
		unlocked = append(unlocked, unit)
	}
	return unlocked, b.Write(ctx, tx.Units)
}
