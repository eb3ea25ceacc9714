package store

import (
	"context"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

func toInstruction(row sqlc.AutoCompound) (ledger.Instruction, error) {
	i := ledger.Instruction{
		ID: row.ID, Community: row.Community, Owner: row.Owner, First: row.FirstEpoch, Last: row.LastEpoch,
		Done: row.DoneEpoch, Signed: instant(row.SignedAt),
	}
	if row.EndedAt != 0 {
		i.Ended = instant(row.EndedAt)
	}
	return i, nil
}

// ActiveInstruction returns the active instruction of an owner, or state.ErrNotFound.
func (t *Tx) ActiveInstruction(ctx context.Context, community, owner string) (ledger.Instruction, error) {
	row, err := t.q.ActiveInstruction(ctx, sqlc.ActiveInstructionParams{Community: community, Owner: owner})
	if err != nil {
		return ledger.Instruction{}, wrap(err)
	}
	return toInstruction(row)
}

// LastInstruction returns the instruction that an owner signed last, or state.ErrNotFound.
func (t *Tx) LastInstruction(ctx context.Context, community, owner string) (ledger.Instruction, error) {
	row, err := t.q.LastInstruction(ctx, sqlc.LastInstructionParams{Community: community, Owner: owner})
	if err != nil {
		return ledger.Instruction{}, wrap(err)
	}
	return toInstruction(row)
}

// ActiveInstructions returns the active instructions of a community, ordered by owner.
func (t *Tx) ActiveInstructions(ctx context.Context, community string) ([]ledger.Instruction, error) {
	rows, err := t.q.ActiveInstructions(ctx, community)
	return mapAll(rows, err, toInstruction)
}

// RestoredInstructions returns at most limit active instructions of a community that were signed before the last
// restore from a backup, oldest first.
func (t *Tx) RestoredInstructions(ctx context.Context, community string, limit int32) ([]ledger.Instruction, error) {
	rows, err := t.q.RestoredInstructions(ctx, sqlc.RestoredInstructionsParams{Community: community, Limit: limit})
	return mapAll(rows, err, toInstruction)
}

// InsertInstruction inserts an active instruction. It fails if the owner has another one.
func (t *Tx) InsertInstruction(ctx context.Context, i ledger.Instruction) error {
	return wrap(t.q.InsertInstruction(ctx, sqlc.InsertInstructionParams{
		ID: i.ID, Community: i.Community, Owner: i.Owner, FirstEpoch: i.First, LastEpoch: i.Last, DoneEpoch: i.Done,
		SignedAt: unix(i.Signed),
	}))
}

// UpdateInstruction stores the progress and the end of an active instruction. It returns state.ErrConflict if the
// instruction is not active.
func (t *Tx) UpdateInstruction(ctx context.Context, i ledger.Instruction) error {
	params := sqlc.UpdateInstructionParams{ID: i.ID, DoneEpoch: i.Done}
	if !i.Ended.IsZero() {
		params.EndedAt = unix(i.Ended)
	}
	return exactlyOne(t.q.UpdateInstruction(ctx, params))
}

// LastSettled returns the newest settled epoch of a community, or chain.None.
func (t *Tx) LastSettled(ctx context.Context, community string) (int64, error) {
	last, err := t.q.LastSettled(ctx, community)
	return last, wrap(err)
}

// DueInstructions returns at most limit active instructions of a community that have considered no reward of an epoch
// up to settled, each with the reward of its next epoch.
func (t *Tx) DueInstructions(
	ctx context.Context, community string, settled int64, limit int32,
) ([]ledger.DueInstruction, error) {
	rows, err := t.q.DueInstructions(ctx, sqlc.DueInstructionsParams{
		Community: community, DoneEpoch: settled, Limit: limit,
	})
	return mapAll(rows, err, func(row sqlc.DueInstructionsRow) (ledger.DueInstruction, error) {
		i, err := toInstruction(sqlc.AutoCompound{
			ID: row.ID, Community: row.Community, Owner: row.Owner, FirstEpoch: row.FirstEpoch, LastEpoch: row.LastEpoch,
			DoneEpoch: row.DoneEpoch, SignedAt: row.SignedAt, EndedAt: row.EndedAt,
		})
		return ledger.DueInstruction{Instruction: i, UnitID: row.UnitID, Ordered: row.Ordered != 0}, err
	})
}

// InstructionEnd returns the event that ended an instruction, or state.ErrNotFound if it is active.
func (t *Tx) InstructionEnd(ctx context.Context, id string) (event string, err error) {
	event, err = t.q.InstructionEnd(ctx, id)
	return event, wrap(err)
}

// CompoundedBy returns the number of an owner's rewards that an instruction compounded.
func (t *Tx) CompoundedBy(ctx context.Context, community, owner, id string) (int64, error) {
	n, err := t.q.CompoundedBy(ctx, sqlc.CompoundedByParams{Community: community, Owner: owner, CauseID: id})
	return n, wrap(err)
}
