package store

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

func toUnit(row sqlc.UnitView) (ledger.Unit, error) {
	unit := ledger.Unit{
		ID: row.ID, Community: row.Community, Owner: row.Owner, Origin: ledger.Origin(row.Origin),
		Amount: amount.Runes(row.Amount), Stage: ledger.Stage(row.Stage), NotBefore: row.NotBefore,
		EligibleEpoch: row.EligibleEpoch, StakedTo: row.StakedTo, UnlockEpoch: row.UnlockEpoch, RewardEpoch: row.RewardEpoch,
		OrderID: row.OrderID, Before: ledger.Stage(row.StageBefore), Created: instant(row.CreatedAt), Number: row.Number,
		Value: amount.Sats(row.Value), Height: row.Height, Vanished: row.Vanished != 0, Contested: row.Contested != 0,
		SpentHeight: row.SpentHeight, Self: row.SelfCustody != 0,
	}
	if row.Txid == "" {
		return unit, nil
	}
	var err error
	unit.OutPoint, err = outPoint(row.Txid, row.Vout)
	return unit, err
}

func outPoint(txid string, vout int64) (wire.OutPoint, error) {
	hash, err := chainhash.NewHashFromStr(txid)
	if err != nil {
		return wire.OutPoint{}, err
	}
	return wire.OutPoint{Hash: *hash, Index: uint32(vout)}, nil
}

// Unit returns one unit with its deposit's data, or state.ErrNotFound.
func (t *Tx) Unit(ctx context.Context, community, id string) (ledger.Unit, error) {
	row, err := t.q.UnitView(ctx, sqlc.UnitViewParams{Community: community, ID: id})
	if err != nil {
		return ledger.Unit{}, wrap(err)
	}
	return toUnit(row)
}

// InsertUnit inserts units and assigns their numbers, in the order of the arguments.
func (t *Tx) InsertUnit(ctx context.Context, units ...ledger.Unit) error {
	last, err := t.reserve(ctx, "unit", int64(len(units)))
	if err != nil {
		return err
	}
	number := last - int64(len(units))
	err = writeAll(ctx, t, units, func(q *sqlc.Queries, u ledger.Unit) error {
		number++
		params := sqlc.InsertUnitParams{
			Community: u.Community, ID: u.ID, Number: number, Owner: u.Owner, Origin: string(u.Origin), Amount: int64(u.Amount),
			Stage: string(u.Stage), NotBefore: u.NotBefore, EligibleEpoch: u.EligibleEpoch, StakedTo: u.StakedTo,
			UnlockEpoch: u.UnlockEpoch, RewardEpoch: u.RewardEpoch, OrderID: u.OrderID, StageBefore: string(u.Before),
			CreatedAt: unix(u.Created),
		}
		if !u.Virtual() {
			params.Txid, params.Vout = u.OutPoint.Hash.String(), int64(u.OutPoint.Index)
		}
		return q.InsertUnit(ctx, params)
	})
	if err != nil {
		return err
	}
	changes := make([]ledger.UnitChange, len(units))
	for i, u := range units {
		changes[i].Unit = u
	}
	return t.addStaked(ctx, changes)
}

// addStaked updates the stored sum of the STAKED units after the stages of units changed. A stage is "" for a new or a
// deleted unit.
func (t *Tx) addStaked(ctx context.Context, changes []ledger.UnitChange) error {
	sums := map[string]int64{} // by community
	for _, c := range changes {
		if c.From != ledger.Staked && c.Stage == ledger.Staked {
			sums[c.Community] += int64(c.Amount)
		} else if c.From == ledger.Staked && c.Stage != ledger.Staked {
			sums[c.Community] -= int64(c.Amount)
		}
	}
	for _, community := range slices.Sorted(maps.Keys(sums)) {
		if err := t.q.AddStaked(ctx, sqlc.AddStakedParams{Community: community, Amount: sums[community]}); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// UpdateUnits writes the changeable fields of units if the stage of each is still From. Otherwise it returns
// state.ErrConflict. The units must be distinct.
func (t *Tx) UpdateUnits(ctx context.Context, changes ...ledger.UnitChange) error {
	if err := writeAll(ctx, t, changes, func(q *sqlc.Queries, c ledger.UnitChange) error {
		return exactlyOne(q.UpdateUnit(ctx, sqlc.UpdateUnitParams{
			Community: c.Community, ID: c.ID, StageWas: string(c.From), Stage: string(c.Stage), NotBefore: c.NotBefore,
			EligibleEpoch: c.EligibleEpoch, StakedTo: c.StakedTo, UnlockEpoch: c.UnlockEpoch, OrderID: c.OrderID,
			StageBefore: string(c.Before),
		}))
	}); err != nil {
		return err
	}
	return t.addStaked(ctx, changes)
}

// DeleteUnits deletes units whose deposits vanished, if the stage of each is still u.Stage. Otherwise it returns
// state.ErrConflict.
func (t *Tx) DeleteUnits(ctx context.Context, units ...ledger.Unit) error {
	type group struct {
		community string
		stage     ledger.Stage
	}
	ids := map[group][]string{}
	var changes []ledger.UnitChange
	for _, u := range units {
		of := group{u.Community, u.Stage}
		ids[of] = append(ids[of], u.ID)
		change := ledger.UnitChange{Unit: u, From: u.Stage}
		change.Stage = ""
		changes = append(changes, change)
	}
	var deleted int64
	for of, ids := range ids {
		if err := eachList(t, []any{of.community, string(of.stage)}, ids, func(q *sqlc.Queries) error {
			n, err := q.DeleteUnits(ctx, sqlc.DeleteUnitsParams{})
			deleted += n
			return err
		}); err != nil {
			return err
		}
	}
	if deleted != int64(len(units)) {
		return state.ErrConflict
	}
	return t.addStaked(ctx, changes)
}

// UnitsOf returns every unit of an owner, newest first.
func (t *Tx) UnitsOf(ctx context.Context, community, owner string) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsOf(ctx, sqlc.UnitsOfParams{Community: community, Owner: owner})
	slices.Reverse(rows) // SQLite finds the next row faster than the previous one
	return mapAll(rows, err, toUnit)
}

// UnitNumbersOf returns the ids and numbers of every unit of an owner, newest first. The other fields are zero.
func (t *Tx) UnitNumbersOf(ctx context.Context, community, owner string) ([]ledger.Unit, error) {
	rows, err := t.q.UnitNumbersOf(ctx, sqlc.UnitNumbersOfParams{Community: community, Owner: owner})
	return mapAll(rows, err, func(row sqlc.UnitNumbersOfRow) (ledger.Unit, error) {
		return ledger.Unit{ID: row.ID, Number: row.Number}, nil
	})
}

// ClaimableUnitsOf returns the claimable units of an owner, oldest first.
func (t *Tx) ClaimableUnitsOf(ctx context.Context, community, owner string) ([]ledger.Unit, error) {
	rows, err := t.q.ClaimableUnitsOf(ctx, sqlc.ClaimableUnitsOfParams{Community: community, Owner: owner})
	return mapAll(rows, err, toUnit)
}

// UnitsInStage returns every unit of a community in a stage, oldest first.
func (t *Tx) UnitsInStage(ctx context.Context, community string, stage ledger.Stage) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsInStage(ctx, sqlc.UnitsInStageParams{Community: community, Stage: string(stage)})
	return mapAll(rows, err, toUnit)
}

// UnitsCooledDown returns the units whose cooldown ends at or before the start of an epoch.
func (t *Tx) UnitsCooledDown(ctx context.Context, community string, epoch int64) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsCooledDown(ctx, sqlc.UnitsCooledDownParams{Community: community, UnlockEpoch: epoch})
	return mapAll(rows, err, toUnit)
}

// LiveUnits returns every unit of a community that is not WITHDRAWN, oldest first.
func (t *Tx) LiveUnits(ctx context.Context, community string) ([]ledger.Unit, error) {
	rows, err := t.q.LiveUnits(ctx, community)
	return mapAll(rows, err, toUnit)
}

// UnitsOfOrder returns the units that an order locks or delivered.
func (t *Tx) UnitsOfOrder(ctx context.Context, o order.Order) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsOfOrder(ctx, sqlc.UnitsOfOrderParams{Community: o.Community, OrderID: o.ID})
	return mapAll(rows, err, toUnit)
}

// UnitsOfOrders returns the units that orders lock or delivered, oldest first within each order.
func (t *Tx) UnitsOfOrders(ctx context.Context, orderIDs []string) (units []ledger.Unit, err error) {
	err = eachList(t, nil, orderIDs, func(q *sqlc.Queries) error {
		rows, err := q.UnitsOfOrders(ctx, "")
		part, err := mapAll(rows, err, toUnit)
		units = append(units, part...)
		return err
	})
	return units, err
}

// UnitsByID returns the existing units with the ids, in the order of ids.
func (t *Tx) UnitsByID(ctx context.Context, community string, ids []string) (units []ledger.Unit, err error) {
	found := map[string]ledger.Unit{}
	err = eachList(t, []any{community}, ids, func(q *sqlc.Queries) error {
		rows, err := q.UnitsByID(ctx, sqlc.UnitsByIDParams{})
		part, err := mapAll(rows, err, toUnit)
		for _, unit := range part {
			found[unit.ID] = unit
		}
		return err
	})
	for _, id := range ids {
		if unit, exists := found[id]; exists {
			units = append(units, unit)
		}
	}
	return units, err
}

// UnitsUnplaced returns live or recovered units whose first rewarded epoch is not known yet.
func (t *Tx) UnitsUnplaced(ctx context.Context, community string) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsUnplaced(ctx, community)
	return mapAll(rows, err, toUnit)
}

// UnitsEligibleFrom returns the units whose first rewarded epoch is the given one.
func (t *Tx) UnitsEligibleFrom(ctx context.Context, community string, epoch int64) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsEligibleFrom(ctx, sqlc.UnitsEligibleFromParams{Community: community, EligibleEpoch: epoch})
	return mapAll(rows, err, toUnit)
}

// UnitsOfSpentOutputs returns live units whose output was spent by a transaction that is not ours.
func (t *Tx) UnitsOfSpentOutputs(ctx context.Context, community string) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsOfSpentOutputs(ctx, community)
	return mapAll(rows, err, toUnit)
}

// UnitsRecovered returns the units that their stakers recovered.
func (t *Tx) UnitsRecovered(ctx context.Context, community string) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsRecovered(ctx, community)
	return mapAll(rows, err, toUnit)
}

// UnitsVanished returns the units whose deposit vanished.
func (t *Tx) UnitsVanished(ctx context.Context, community string) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsVanished(ctx, community)
	return mapAll(rows, err, toUnit)
}

// Post appends postings to the journal.
func (t *Tx) Post(ctx context.Context, postings ...ledger.Posting) error {
	if len(postings) == 0 {
		return nil
	}
	last, err := t.reserve(ctx, "journal", int64(len(postings)))
	if err != nil {
		return err
	}
	number := last - int64(len(postings))
	return writeAll(ctx, t, postings, func(q *sqlc.Queries, p ledger.Posting) error {
		number++
		return q.InsertPosting(ctx, sqlc.InsertPostingParams{
			Number: number, Community: p.Community, Subject: p.Subject, Owner: p.Owner, Event: p.Event, Asset: string(p.Asset),
			Amount: p.Amount, FromAccount: p.From, ToAccount: p.To,
			CauseKind: p.Cause.Kind, CauseID: p.Cause.ID, At: unix(p.Cause.At),
		})
	})
}

// JournalLine is a numbered posting.
type JournalLine struct {
	Number int64
	ledger.Posting
}

// Journal returns at most limit postings of an owner with numbers below before, or from the newest on if before is 0,
// newest first.
func (t *Tx) Journal(ctx context.Context, community, owner string, before int64, limit int) ([]JournalLine, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	rows, err := t.q.JournalOf(ctx, sqlc.JournalOfParams{Community: community, Owner: owner, Number: before,
		Limit: int32(limit)})
	return mapAll(rows, err, toJournalLine)
}

// JournalAbout returns every posting about a unit or an order, oldest first.
func (t *Tx) JournalAbout(ctx context.Context, community, subject string) ([]JournalLine, error) {
	rows, err := t.q.JournalAbout(ctx, sqlc.JournalAboutParams{Subject: subject, Community: community})
	return mapAll(rows, err, toJournalLine)
}

func toJournalLine(row sqlc.Journal) (JournalLine, error) {
	return JournalLine{row.Number, ledger.Posting{
		Community: row.Community, Subject: row.Subject, Owner: row.Owner, Event: row.Event, Asset: ledger.Asset(row.Asset),
		Amount: row.Amount, From: row.FromAccount, To: row.ToAccount,
		Cause: ledger.Cause{Kind: row.CauseKind, ID: row.CauseID, At: instant(row.At)},
	}}, nil
}

// Sums are the sums of an owner's units by stage, in base units.
type Sums struct {
	Units                                                    int // number of units in any stage
	PendingStake, Staked, Claimable, PendingUnlock, Unlocked amount.Runes
	AllStaked                                                amount.Runes // of every owner of the community
}

// SumsOf returns the sums of an owner's units.
func (t *Tx) SumsOf(ctx context.Context, community, owner string) (Sums, error) {
	row, err := t.q.SumsOf(ctx, sqlc.SumsOfParams{Community: community, Owner: owner})
	return Sums{
		Units: int(row.Units), PendingStake: amount.Runes(row.PendingStake), Staked: amount.Runes(row.Staked),
		Claimable: amount.Runes(row.Claimable), PendingUnlock: amount.Runes(row.PendingUnlock),
		Unlocked: amount.Runes(row.Unlocked), AllStaked: amount.Runes(row.AllStaked),
	}, wrap(err)
}

// TotalStaked returns the sum of a community's STAKED units, in base units.
func (t *Tx) TotalStaked(ctx context.Context, community string) (amount.Runes, error) {
	total, err := t.q.TotalStaked(ctx, community)
	return amount.Runes(total), wrap(err)
}

// WalletKnown reports whether an owner ever had a unit or a stake address.
func (t *Tx) WalletKnown(ctx context.Context, community, owner string) (bool, error) {
	n, err := t.q.WalletKnown(ctx, sqlc.WalletKnownParams{Community: community, Owner: owner})
	return n > 0, wrap(err)
}
