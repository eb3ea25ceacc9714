package ledger

import (
	"context"
	"fmt"
	"time"

	"moonfund/internal/bitcoin/chain"
)

// QualifyDepth is the minimum number of blocks between the block of a deposit and the cut from which the deposit is
// rewarded. Such a deposit has three confirmations at the cut.
const QualifyDepth = 2

// EpochDue reports whether an epoch of a community has no boundary, although the tip's header time is at or after its
// start.
func (s *Service) EpochDue(ctx context.Context, tx Tx, community string, tip Header) (bool, error) {
	calendar, err := tx.Epochs.Calendar(ctx, community)
	if err != nil {
		return false, err
	}
	last, err := tx.Epochs.LastBoundary(ctx, community)
	return err == nil && calendar.Passed(last.Epoch+1, tip.Time), err
}

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
	for n := last.Epoch + 1; calendar.Passed(n, tip.Time); n++ {
		first, err := tx.Headers.FirstHeaderFrom(ctx, last.Cut, calendar.Start(n))
		if err != nil {
			return err
		}
		boundary := Boundary{Community: community, Epoch: n, Cut: first.Height - 1}
		if err := tx.Epochs.PutBoundary(ctx, boundary); err != nil {
			return err
		}
		if err := s.begin(ctx, tx, boundary, Cause{Kind: "block", ID: tip.Hash, At: at}); err != nil {
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

// qualifies reports whether a unit without an eligible epoch earns from this boundary on. A reward qualifies only
// once it is compounded. The stage alone does not show this, because a claimed reward is BATCH_LOCKED like a withdrawn
// stake.
func qualifies(u Unit, boundary Boundary) bool {
	claimed := u.Virtual() && u.NotBefore == 0
	if claimed || u.NotBefore > boundary.Epoch {
		return false
	}
	return u.Virtual() || (!u.Vanished && u.Height != chain.None && u.Height <= boundary.Cut-QualifyDepth)
}

// UndoBlock reverts the block at the tip: it deletes the block's boundaries, marks the transactions in the block as
// unconfirmed, and deletes the header. at is the time of the postings.
func (s *Service) UndoBlock(ctx context.Context, tx Tx, h Header, at time.Time) error {
	boundaries, err := tx.Epochs.BoundariesAt(ctx, h.Height-1)
	if err != nil {
		return err
	}
	cause := Cause{Kind: "block", ID: "undone " + h.Hash, At: at}
	for _, boundary := range boundaries {
		if err := s.unbegin(ctx, tx, boundary, cause); err != nil {
			return fmt.Errorf("epoch %d of %s is undone: %w", boundary.Epoch, boundary.Community, err)
		}
	}
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
