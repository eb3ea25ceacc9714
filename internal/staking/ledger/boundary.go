package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
)

// QualifyDepth is the minimum number of blocks between the block of a deposit and the cut from which the deposit is
// rewarded. Such a deposit has three confirmations at the cut.
const QualifyDepth = 2

// undoneCut is the cut of a boundary whose block was undone while the boundary could not be deleted. BeginEpochs
// deletes it.
const undoneCut = -2

// NextEpoch is the first epoch of a community without a boundary.
type NextEpoch struct {
	calendar epoch.Calendar
	number   int64
	undone   bool // the last boundary was not deleted
}

// NextEpoch returns the next epoch of a community. It is valid until BeginEpochs, an undo or a change of the calendar.
func (s *Service) NextEpoch(ctx context.Context, tx Tx, community string) (NextEpoch, error) {
	calendar, err := tx.Epochs.Calendar(ctx, community)
	if err != nil {
		return NextEpoch{}, err
	}
	last, err := tx.Epochs.LastBoundary(ctx, community)
	return NextEpoch{calendar, last.Epoch + 1, last.Cut == undoneCut}, err
}

// Due reports whether BeginEpochs has work: the tip's header time is at or after the epoch's start, or a boundary was
// not deleted.
func (n NextEpoch) Due(tip Header) bool { return n.undone || n.calendar.Passed(n.number, tip.Time) }

// BeginEpochs inserts the boundaries of these epochs, makes units eligible, and reserves the epochs' budgets. at is the
// time of the postings. Usually one epoch begins, in the first block at or after its start; more, or later, if the
// community was not served then or its epoch could not begin. The boundary is the same in any case.
func (s *Service) BeginEpochs(ctx context.Context, tx Tx, community string, tip Header, at time.Time) error {
	calendar, err := tx.Epochs.Calendar(ctx, community)
	if err != nil {
		return err
	}
	last, err := tx.Epochs.LastBoundary(ctx, community)
	if err != nil {
		return err
	}
	cause := Cause{Kind: "block", ID: tip.Hash, At: at}
	for last.Cut == undoneCut {
		if err := s.unbegin(ctx, tx, last, cause); err != nil {
			return fmt.Errorf("epoch %d of %s is undone: %w", last.Epoch, community, err)
		}
		if last, err = tx.Epochs.LastBoundary(ctx, community); err != nil {
			return err
		}
	}
	for n := last.Epoch + 1; calendar.Passed(n, tip.Time); n++ {
		first, err := tx.Headers.FirstHeaderFrom(ctx, last.Cut, calendar.Start(n))
		if err != nil {
			return err
		}
		boundary := Boundary{Community: community, Epoch: n, Cut: first.Height - 1}
		if err := tx.Epochs.PutBoundary(ctx, boundary); err != nil {
			return err
		}
		if err := s.begin(ctx, tx, boundary, cause); err != nil {
			return fmt.Errorf("epoch %d of %s begins: %w", n, community, err)
		}
	}
	return nil
}

// begin sets the eligible epoch of the units that qualify at the boundary, and reserves the epoch's budget.
func (s *Service) begin(ctx context.Context, tx Tx, boundary Boundary, cause Cause) error {
	unplaced, err := tx.UnitLists.UnitsUnplaced(ctx, boundary.Community)
	if err != nil {
		return err
	}
	var b Batch
	for _, unit := range unplaced {
		if !qualifies(unit, boundary) {
			continue
		}
		if unit.Stage == PendingStake {
			_, err = b.Move(unit, BecameEligible, Any, cause, func(u *Unit) { u.EligibleEpoch = boundary.Epoch })
			if err != nil {
				return err
			}
			continue
		}
		unit.EligibleEpoch, unit.Before = boundary.Epoch, unit.Before.after(PendingStake, Staked)
		b.update(unit, unit.Stage)
	}
	if err := b.Write(ctx, tx.Units); err != nil {
		return err
	}
	return s.reserve(ctx, tx, boundary)
}

// after returns the stage that a recovered unit gets if its recovery is undone. s is this stage before a boundary is
// added or undone. The boundary moves units from stage from to stage to, and the recovered unit in the same way.
func (s Stage) after(from, to Stage) Stage {
	if s == from {
		return to
	}
	return s
}

// qualifies reports whether a unit without an eligible epoch earns from this boundary on. A reward qualifies only once
// it is compounded. The stage alone does not show this, because a claimed reward is BATCH_LOCKED like a withdrawn
// stake.
func qualifies(u Unit, boundary Boundary) bool {
	claimed := u.Virtual() && u.NotBefore == 0
	if claimed || u.NotBefore > boundary.Epoch {
		return false
	}
	return u.Virtual() || (!u.Vanished && u.Height != chain.None && u.Height <= boundary.Cut-QualifyDepth)
}

// BegunAt returns the communities of which a block began an epoch.
func (s *Service) BegunAt(ctx context.Context, tx Tx, h Header) (communities []string, err error) {
	boundaries, err := tx.Epochs.BoundariesAt(ctx, h.Height-1)
	for _, boundary := range boundaries {
		if !slices.Contains(communities, boundary.Community) {
			communities = append(communities, boundary.Community)
		}
	}
	return communities, err
}

// UndoEpochs deletes the boundaries of a community at the block that is about to be undone, the latest first. at is the
// time of the postings.
func (s *Service) UndoEpochs(ctx context.Context, tx Tx, community string, h Header, at time.Time) error {
	cause := Cause{Kind: "block", ID: "undone " + h.Hash, At: at}
	return eachBoundary(ctx, tx, community, h, func(boundary Boundary) error {
		if err := s.unbegin(ctx, tx, boundary, cause); err != nil {
			return fmt.Errorf("epoch %d of %s is undone: %w", boundary.Epoch, community, err)
		}
		return nil
	})
}

// PostponeUndo makes BeginEpochs delete the boundaries that UndoEpochs could not delete.
func (s *Service) PostponeUndo(ctx context.Context, tx Tx, community string, h Header) error {
	return eachBoundary(ctx, tx, community, h, func(boundary Boundary) error {
		boundary.Cut = undoneCut
		return tx.Epochs.MoveBoundary(ctx, boundary)
	})
}

// eachBoundary calls fn for the boundaries of a community at a block, the latest first.
func eachBoundary(ctx context.Context, tx Tx, community string, h Header, fn func(Boundary) error) error {
	boundaries, err := tx.Epochs.BoundariesAt(ctx, h.Height-1)
	for _, boundary := range boundaries {
		if boundary.Community != community {
			continue
		}
		if err := fn(boundary); err != nil {
			return err
		}
	}
	return err
}

// UndoBlock reverts the block at the tip, without its boundaries: it marks the transactions in the block as
// unconfirmed, and deletes the header. at is the time at which they become unconfirmed.
func (s *Service) UndoBlock(ctx context.Context, tx Tx, h Header, at time.Time) error {
	if err := tx.Headers.Unconfirm(ctx, h.Height, at); err != nil {
		return err
	}
	return tx.Headers.DeleteHeader(ctx, h.Height)
}

// unbegin reverts begin and deletes the boundary. It does not delete the account of a settled epoch.
func (s *Service) unbegin(ctx context.Context, tx Tx, boundary Boundary, cause Cause) error {
	placed, err := tx.UnitLists.UnitsEligibleFrom(ctx, boundary.Community, boundary.Epoch)
	if err != nil {
		return err
	}
	var b Batch
	for _, unit := range placed {
		if unit.Stage == Staked {
			_, err = b.Move(unit, LostEligibility, Any, cause, func(u *Unit) { u.EligibleEpoch = chain.None })
			if err != nil {
				return err
			}
			continue
		}
		unit.EligibleEpoch, unit.Before = chain.None, unit.Before.after(Staked, PendingStake)
		b.update(unit, unit.Stage)
	}
	if err := b.Write(ctx, tx.Units); err != nil {
		return err
	}
	account, err := tx.Rewards.AccountOf(ctx, boundary.Community, boundary.Epoch)
	if err != nil {
		return err
	}
	if !account.Settled { // the rewards of a settled epoch are never undone
		if err := tx.Rewards.DeleteAccount(ctx, boundary.Community, boundary.Epoch); err != nil {
			return err
		}
	}
	return tx.Epochs.DeleteBoundary(ctx, boundary)
}
