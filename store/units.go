package store

import (
	"context"
	"errors"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/state"
	"moonfund/store/sqlc"
)

func toUnit(row sqlc.UnitView) (ledger.Unit, error) {
	unit := ledger.Unit{
		ID: row.ID, Community: row.Community, Owner: row.Owner, Origin: ledger.Origin(row.Origin),
		Amount: amount.Runes(row.Amount), Stage: ledger.Stage(row.Stage), NotBefore: row.NotBefore,
		EligibleEpoch: row.EligibleEpoch, StakedTo: row.StakedTo, UnlockEpoch: row.UnlockEpoch, RewardEpoch: row.RewardEpoch,
		OrderID: row.OrderID, Before: ledger.Stage(row.StageBefore), Created: instant(row.CreatedAt), Number: row.Number,
		Value: amount.Sats(row.Value), Height: row.Height, Vanished: row.Vanished != 0, Contested: row.Contested != 0,
		SpentHeight: row.SpentHeight,
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
	err = insertAll(ctx, t, units, func(q *sqlc.Queries, u ledger.Unit) error {
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
	for _, u := range units {
		if err := t.addStaked(ctx, u, "", u.Stage); err != nil {
			return err
		}
	}
	return nil
}

// addStaked updates the stored sum of the STAKED units after a unit's stage changed. from or to is "" for a new or a
// deleted unit.
func (t *Tx) addStaked(ctx context.Context, u ledger.Unit, from, to ledger.Stage) error {
	change := int64(u.Amount)
	switch {
	case (from == ledger.Staked) == (to == ledger.Staked):
		return nil
	case from == ledger.Staked:
		change = -change
	}
	return wrap(t.q.AddStaked(ctx, sqlc.AddStakedParams{Community: u.Community, Amount: change}))
}

// UpdateUnit writes a unit's changeable fields if its stage is still from, and returns state.ErrConflict otherwise.
func (t *Tx) UpdateUnit(ctx context.Context, u ledger.Unit, from ledger.Stage) error {
	if err := exactlyOne(t.q.UpdateUnit(ctx, sqlc.UpdateUnitParams{
		Community: u.Community, ID: u.ID, Stage: string(u.Stage), NotBefore: u.NotBefore, EligibleEpoch: u.EligibleEpoch,
		StakedTo: u.StakedTo, UnlockEpoch: u.UnlockEpoch, OrderID: u.OrderID, StageBefore: string(u.Before),
		Stage_2: string(from),
	})); err != nil {
		return err
	}
	return t.addStaked(ctx, u, from, u.Stage)
}

// DeleteUnit deletes a unit whose deposit vanished. It returns state.ErrConflict if the unit does not exist.
func (t *Tx) DeleteUnit(ctx context.Context, u ledger.Unit) error {
	old, err := t.Unit(ctx, u.Community, u.ID)
	if errors.Is(err, state.ErrNotFound) {
		return state.ErrConflict
	}
	if err != nil {
		return err
	}
	if err := exactlyOne(t.q.DeleteUnit(ctx, sqlc.DeleteUnitParams{Community: u.Community, ID: u.ID})); err != nil {
		return err
	}
	return t.addStaked(ctx, old, old.Stage, "")
}

// UnitsOf returns every unit of an owner, newest first.
func (t *Tx) UnitsOf(ctx context.Context, community, owner string) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsOf(ctx, sqlc.UnitsOfParams{Community: community, Owner: owner})
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
func (t *Tx) UnitsOfSpentOutputs(ctx context.Context) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsOfSpentOutputs(ctx)
	return mapAll(rows, err, toUnit)
}

// UnitsRecovered returns the units that their stakers recovered.
func (t *Tx) UnitsRecovered(ctx context.Context) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsRecovered(ctx)
	return mapAll(rows, err, toUnit)
}

// UnitsVanished returns the units whose deposit vanished.
func (t *Tx) UnitsVanished(ctx context.Context) ([]ledger.Unit, error) {
	rows, err := t.q.UnitsVanished(ctx)
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
	return insertAll(ctx, t, postings, func(q *sqlc.Queries, p ledger.Posting) error {
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

// StageSums returns the sums of an owner's units by stage.
func (t *Tx) StageSums(ctx context.Context, community, owner string) (map[ledger.Stage]amount.Runes, error) {
	rows, err := t.q.SumByStage(ctx, sqlc.SumByStageParams{Community: community, Owner: owner})
	sums := map[ledger.Stage]amount.Runes{}
	for _, row := range rows {
		sums[ledger.Stage(row.Stage)] = amount.Runes(row.Total)
	}
	return sums, wrap(err)
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
