package ledger

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// recordDeposits inserts the units of the creditable deposits among the outputs of a transaction. If a deposit has
// another amount of runes in its block than it had in the mempool, its unit is removed, and inserted again with the new
// amount. If an order locks the unit, the deposit is marked as vanished instead, so that the order closes first.
func (s *Service) recordDeposits(ctx context.Context, tx Tx, outputs []Output, obs Observation) error {
	cause := Cause{Kind: "mempool", ID: obs.Tx.ID.String(), At: obs.At}
	if obs.Height != chain.None {
		cause.Kind = "block"
	}
	units, err := unitsOfDeposits(ctx, tx, outputs)
	if err != nil {
		return err
	}
	var fresh, held []Output
	var b Batch
	for _, output := range outputs {
		unit, exists := units[output.OutPoint]
		switch {
		case output.Kind != StakeKind:
			continue
		case exists && output.Quarantine == "" && unit.Amount == output.Runes:
			continue
		case exists && (unit.Stage == Withdrawn || unit.OrderID != ""):
			output.Vanished = true // recreate reverts this once the order released the unit
			held = append(held, output)
			continue
		case exists:
			if _, err := b.Move(unit, DepositVanished, Any, cause, nil); err != nil {
				return err
			}
		}
		fresh = append(fresh, output)
	}
	if err := tx.Outputs.PutOutput(ctx, held...); err != nil {
		return err
	}
	if err := b.Write(ctx, tx.Units); err != nil {
		return err
	}
	return s.deposit(ctx, tx, fresh, obs.At, cause)
}

// unitsOfDeposits returns the existing units of deposits, by outpoint.
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

// deposit inserts units for the deposits that are not quarantined.
func (s *Service) deposit(ctx context.Context, tx Tx, outputs []Output, at time.Time, cause Cause) error {
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
			unit.NotBefore = boundary.Epoch + 1 // the deposit was recorded after the boundary, as by Adopt
		}
		units = append(units, unit)
	}
	return insertUnits(ctx, tx.Units, units, Deposited, cause)
}

// recreate inserts the units of deposits again after their removal, unless their transaction vanished. The unit of a
// deposit is removed if a block changed the deposit's amount while an order locked the unit.
func (s *Service) recreate(ctx context.Context, tx Tx, removed []Unit, cause Cause) error {
	vanished := map[chainhash.Hash]bool{} // by transaction: one can have thousands of deposits
	for _, unit := range removed {
		txid := unit.OutPoint.Hash
		if _, read := vanished[txid]; !read {
			tracked, err := tx.Tracked.TrackedTx(ctx, txid.String())
			if err != nil {
				return err
			}
			vanished[txid] = tracked.Vanished
		}
		if vanished[txid] {
			continue
		}
		output, err := tx.Outputs.Output(ctx, unit.OutPoint)
		if err != nil {
			return err
		}
		output.Vanished = false
		if err := tx.Outputs.PutOutput(ctx, output); err != nil {
			return err
		}
		if err := s.deposit(ctx, tx, []Output{output}, output.SeenAt, cause); err != nil {
			return err
		}
	}
	return nil
}
