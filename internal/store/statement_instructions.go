package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moonfund/internal/signed/statement"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

// instructionEnds maps the event that ended an instruction to its end in a statement.
var instructionEnds = map[string]string{
	"":                         statement.InstructionActive,
	ledger.CompoundingEnded:    statement.InstructionEnded,
	ledger.CompoundingReplaced: statement.InstructionReplaced,
	ledger.CompoundingExpired:  statement.InstructionExpired,
	ledger.CompoundingRestored: statement.InstructionRestored,
}

// statementInstructions returns the instructions of a statement's details, in their state at the posting at which its
// facts were recorded: the instructions that were active after the previous statement or compounded an input.
func (t *Tx) statementInstructions(ctx context.Context, row sqlc.Statement) ([]statement.Instruction, error) {
	if found, err := t.q.HasInstructions(ctx, row.Community); err != nil || found == 0 {
		return nil, wrap(err)
	}
	before := int64(-1)
	if row.Sequence > 0 {
		previous, err := t.q.StatementAt(ctx, sqlc.StatementAtParams{Community: row.Community, Sequence: row.Sequence - 1})
		if err != nil {
			return nil, wrap(err)
		}
		before = previous.Journal
	}
	inputs, err := t.q.InstructedInputs(ctx, sqlc.InstructedInputsParams{Community: row.Community, Epoch: row.Epoch})
	if err != nil {
		return nil, wrap(err)
	}
	rewards := map[string][]int64{}
	for _, input := range inputs {
		number := strings.SplitN(input.UnitID, ":", 3)
		epoch, err := strconv.ParseInt(number[min(1, len(number)-1)], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("unit %q was compounded and is no reward: %w", input.UnitID, err)
		}
		rewards[input.Instruction] = append(rewards[input.Instruction], epoch)
	}
	rows, err := t.q.InstructionsAt(ctx, sqlc.InstructionsAtParams{
		Journal: row.Journal, Community: row.Community, Before: before, Epoch: row.Epoch,
	})
	all, err := mapAll(rows, err, func(row sqlc.InstructionsAtRow) (statement.Instruction, error) {
		epochs := rewards[row.ID]
		slices.Sort(epochs)
		return statement.Instruction{
			Begun: row.BegunAt, End: instructionEnds[row.EndEvent], Ended: row.EndedAt, First: row.FirstEpoch,
			ID: row.ID, Last: row.LastEpoch, Message: statement.MessageHash(row.Message), Owner: row.Owner, Rewards: epochs,
		}, nil
	})
	slices.SortFunc(all, func(a, b statement.Instruction) int { return cmp.Compare(a.ID, b.ID) })
	return all, err
}
