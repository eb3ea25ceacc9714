package ledger

import (
	"context"
	"maps"
	"slices"
	"time"

	"moonfund/chain"

	"github.com/btcsuite/btcd/wire/v2"
)

// seeDeposits creates the units of the creditable deposits among the outputs of a transaction. When a block says
// something else than the mempool did, the unit that the mempool made is removed.
func (b *Book) seeDeposits(ctx context.Context, tx Tx, outputs []Output, s Observation) error {
	cause := Cause{Kind: "mempool", ID: s.Tx.ID.String(), At: s.At}
	if s.Height != chain.None {
		cause.Kind = "block"
	}
	units, err := unitsOfDeposits(ctx, tx, outputs)
	if err != nil {
		return err
	}
	var fresh []Output
	for _, output := range outputs {
		unit, exists := units[output.OutPoint]
		switch {
		case output.Kind != StakeKind:
			continue
		case exists && output.Quarantine == "" && unit.Amount == output.Runes:
			continue
		case exists && (unit.Stage == Withdrawn || unit.OrderID != ""):
			output.Vanished = true // its order ends first; then the unit is removed
			if err := tx.Outputs.PutOutput(ctx, output); err != nil {
				return err
			}
			continue
		case exists:
			if _, err := Move(ctx, tx.Units, unit, DepositVanished, Any, cause, nil); err != nil {
				return err
			}
		}
		fresh = append(fresh, output)
	}
	return b.deposit(ctx, tx, fresh, s.At, cause)
}

// unitsOfDeposits returns the units that the deposits among some outputs have.
func unitsOfDeposits(ctx context.Context, tx Tx, outputs []Output) (map[wire.OutPoint]Unit, error) {
	ids := map[string][]string{} // by community
	for _, output := range outputs {
		if output.Kind == StakeKind {
			ids[output.Community] = append(ids[output.Community], output.OutPoint.String())
		}
	}
	found := map[wire.OutPoint]Unit{}
	for _, community := range slices.Sorted(maps.Keys(ids)) {
		units, err := tx.Units.UnitsByID(ctx, community, ids[community])
		if err != nil {
			return nil, err
		}
		for _, unit := range units {
			found[unit.OutPoint] = unit
		}
	}
	return found, nil
}

// deposit makes the units of the creditable ones among some deposits.
func (b *Book) deposit(ctx context.Context, tx Tx, outputs []Output, at time.Time, cause Cause) error {
	last := map[string]Boundary{} // by community
	var units []Unit
	for _, output := range outputs {
		if output.Quarantine != "" {
			continue
		}
		boundary, read := last[output.Community]
		if !read {
			var err error
			if boundary, err = tx.Epochs.LastBoundary(ctx, output.Community); err != nil {
				return err
			}
			last[output.Community] = boundary
		}
		unit := Unit{
			ID: output.OutPoint.String(), Community: output.Community, Owner: output.Owner, Origin: FromStake,
			Amount: output.Runes, EligibleEpoch: chain.None, StakedTo: chain.None, UnlockEpoch: chain.None,
			RewardEpoch: chain.None,
			Created:     at, OutPoint: output.OutPoint, Value: output.Value, Height: output.Height, SpentHeight: chain.None,
		}
		if boundary.Epoch != chain.None && qualifies(unit, boundary) {
			unit.NotBefore = boundary.Epoch + 1 // seen too late for epochs that have begun, as at an adopted address
		}
		units = append(units, unit)
	}
	return insertUnits(ctx, tx.Units, units, Deposited, cause)
}

// revive makes a unit anew whose deposit is there, but holds something else than
// it did before a reorg: its order had to end first.
func (b *Book) revive(ctx context.Context, tx Tx, gone Unit, cause Cause) error {
	tracked, err := tx.Tracked.TrackedTx(ctx, gone.OutPoint.Hash.String())
	if err != nil || tracked.Vanished {
		return err
	}
	output, err := tx.Outputs.Output(ctx, gone.OutPoint)
	if err != nil {
		return err
	}
	output.Vanished = false
	if err := tx.Outputs.PutOutput(ctx, output); err != nil {
		return err
	}
	return b.deposit(ctx, tx, []Output{output}, output.SeenAt, cause)
}
