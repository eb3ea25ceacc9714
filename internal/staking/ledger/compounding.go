package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/state"
)

// The events of an instruction. Its accounts in the journal are Outside, instructionActive and instructionEnded.
const (
	CompoundingBegun    = "auto compound begun"
	CompoundingEnded    = "auto compound ended"    // by its owner
	CompoundingReplaced = "auto compound replaced" // by another instruction of its owner
	CompoundingExpired  = "auto compound expired"  // the rewards of its last epoch were considered
	CompoundingRestored = "auto compound restored" // ended, because the ledger was restored from a backup

	instructionActive = "ACTIVE"
	instructionEnded  = "ENDED"
)

// Instruction is a signed instruction to compound each reward of the epochs First to Last when it settles.
type Instruction struct {
	ID          string // of the signed action
	Community   string
	Owner       string // ordinals address
	First, Last int64  // epochs
	Done        int64  // the last epoch whose reward was considered, at first First - 1
	Signed      time.Time
	Ended       time.Time // zero while it is active
}

// DueInstruction is an active instruction whose next epoch, Done + 1, is settled.
type DueInstruction struct {
	Instruction
	UnitID  string // the owner's reward of that epoch, or "" if there is none
	Ordered bool   // the reward is or was on an order
}

// InstructionStore stores the instructions. An owner has at most one active instruction.
type InstructionStore interface {
	ActiveInstruction(ctx context.Context, community, owner string) (Instruction, error) // or state.ErrNotFound
	// RestoredInstructions returns at most limit active instructions that were signed before the last restore from a
	// backup.
	RestoredInstructions(ctx context.Context, community string, limit int32) ([]Instruction, error)
	InsertInstruction(ctx context.Context, i Instruction) error
	// UpdateInstruction stores Done and Ended. It returns state.ErrConflict if the instruction is not active.
	UpdateInstruction(ctx context.Context, i Instruction) error
	// LastSettled returns the newest settled epoch of a community, or chain.None.
	LastSettled(ctx context.Context, community string) (int64, error)
	// DueInstructions returns at most limit active instructions with Done below settled.
	DueInstructions(ctx context.Context, community string, settled int64, limit int32) ([]DueInstruction, error)
}

// NextCompounded returns the first epoch that a new instruction of an owner covers, and the instruction that it
// replaces; its ID is "" if there is none. The instruction begins with the first epoch that is not settled, so that
// rewards that exist when the owner signs are not compounded. If the replaced instruction has not considered earlier
// settled epochs yet, the new one begins with the first of these, so that a replacement leaves no gap.
func NextCompounded(ctx context.Context, tx Tx, community, owner string) (first int64, old Instruction, err error) {
	settled, err := tx.Instructions.LastSettled(ctx, community)
	if err != nil {
		return 0, old, err
	}
	first = settled + 1
	old, err = tx.Instructions.ActiveInstruction(ctx, community, owner)
	if errors.Is(err, state.ErrNotFound) {
		return first, Instruction{}, nil
	}
	return min(first, max(old.Done, chain.None)+1), old, err
}

// BeginCompounding inserts an instruction, which replaces the owner's active one.
func BeginCompounding(ctx context.Context, tx Tx, i Instruction, cause Cause) error {
	old, err := tx.Instructions.ActiveInstruction(ctx, i.Community, i.Owner)
	if err == nil {
		err = EndCompounding(ctx, tx, old, CompoundingReplaced, cause)
	}
	if err != nil && !errors.Is(err, state.ErrNotFound) {
		return err
	}
	i.Done = i.First - 1
	if err := tx.Instructions.InsertInstruction(ctx, i); err != nil {
		return fmt.Errorf("instruction %s: %w", i.ID, err)
	}
	return tx.Journal.Post(ctx, i.posting(CompoundingBegun, Outside, instructionActive, cause))
}

// EndCompounding ends an active instruction by an event. It returns state.ErrConflict if the instruction is not active.
func EndCompounding(ctx context.Context, tx Tx, i Instruction, event string, cause Cause) error {
	i.Ended = cause.At
	if err := tx.Instructions.UpdateInstruction(ctx, i); err != nil {
		return fmt.Errorf("instruction %s: %w", i.ID, err)
	}
	return tx.Journal.Post(ctx, i.posting(event, instructionActive, instructionEnded, cause))
}

func (i Instruction) posting(event, from, to string, cause Cause) Posting {
	return Posting{
		Community: i.Community, Subject: i.ID, Owner: i.Owner, Event: event, Asset: InstructionAsset, From: from, To: to,
		Cause: cause,
	}
}

// instructionsAtOnce is the number of instructions that ApplyInstructions reads and changes at once.
const instructionsAtOnce = 100

// ApplyInstructions compounds the rewards of settled epochs for the owners who instructed it, until all are considered
// or more returns false, which it calls after each instructionsAtOnce. First it ends the instructions that were signed
// before the last restore. It returns the units that it moved, and whether all are considered. Each reward is
// considered once, in the order of the epochs. It stays CLAIMABLE if the owner has put it on an order, even if that
// order has closed since, and while an unexplained spend to the owner may have delivered it.
func (s *Service) ApplyInstructions(
	ctx context.Context, tx Tx, community string, m Moment, more func() bool,
) (units []Unit, done bool, err error) {
	if done, err := endRestored(ctx, tx, community, m.Now, more); err != nil || !done {
		return nil, false, err
	}
	settled, err := tx.Instructions.LastSettled(ctx, community)
	if err != nil {
		return nil, false, err
	}
	calendar, err := tx.Epochs.Calendar(ctx, community)
	if err != nil {
		return nil, false, err
	}
	for {
		due, err := tx.Instructions.DueInstructions(ctx, community, settled, instructionsAtOnce)
		if err != nil || len(due) == 0 {
			return units, err == nil, err
		}
		for _, next := range due {
			moved, err := next.apply(ctx, tx, calendar, m)
			if err != nil {
				return nil, false, err
			}
			units = append(units, moved...)
		}
		if !more() {
			return units, false, nil
		}
	}
}

// apply considers the reward of the next epoch: it compounds the reward if possible, and counts the epoch as done. It
// returns the compounded unit, if any. The instruction ends with its last epoch.
func (d DueInstruction) apply(ctx context.Context, tx Tx, calendar epoch.Calendar, m Moment) (moved []Unit, err error) {
	cause := Cause{Kind: "instruction", ID: d.ID, At: m.Now}
	unit, err := d.reward(ctx, tx)
	if err != nil {
		return nil, err
	}
	if unit.ID != "" {
		unit, err = Move(ctx, tx.Units, unit, CompoundSigned, Any, cause, func(u *Unit) {
			u.StakeFrom(calendar.At(m.Chain) + 1)
		})
		if err != nil {
			return nil, err
		}
		moved = append(moved, unit)
	}
	if d.Done++; d.Done < d.Last {
		return moved, tx.Instructions.UpdateInstruction(ctx, d.Instruction)
	}
	return moved, EndCompounding(ctx, tx, d.Instruction, CompoundingExpired, cause)
}

// reward returns the reward to compound. Its ID is "" if there is none.
func (d DueInstruction) reward(ctx context.Context, tx Tx) (none Unit, err error) {
	if d.UnitID == "" || d.Ordered {
		return none, nil
	}
	unit, err := tx.Units.Unit(ctx, d.Community, d.UnitID)
	if err != nil || unit.Stage != Claimable {
		return none, err
	}
	open, err := tx.Unexplained.UnexplainedSpendsTo(ctx, d.Community, d.Owner)
	if err != nil || len(open) > 0 {
		return none, err
	}
	return unit, nil
}

// StakeFrom sets the fields of a unit that is restaked or compounded and may earn from an epoch on.
func (u *Unit) StakeFrom(epoch int64) {
	u.NotBefore, u.EligibleEpoch, u.StakedTo, u.UnlockEpoch = epoch, chain.None, chain.None, chain.None
}

// endRestored ends the instructions that were signed before the ledger was restored from a backup, because an owner may
// have ended one since the backup was made. It returns whether all are ended, or false once more returns false.
func endRestored(ctx context.Context, tx Tx, community string, at time.Time, more func() bool) (done bool, err error) {
	cause := Cause{Kind: "restore", ID: community, At: at}
	for {
		restored, err := tx.Instructions.RestoredInstructions(ctx, community, instructionsAtOnce)
		if err != nil || len(restored) == 0 {
			return err == nil, err
		}
		for _, i := range restored {
			if err := EndCompounding(ctx, tx, i, CompoundingRestored, cause); err != nil {
				return false, err
			}
		}
		if !more() {
			return false, nil
		}
	}
}
