package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/signed/statement"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// RecordStatement records the facts of the statement of a settled epoch: liabilities, reserves and the sums of each
// owner. Call it before the next epoch settles. asOf is the block that the statement names. If the epoch already has a
// statement, for example from an import, nothing is recorded. An epoch without a known last block has no statement.
func (t *Tx) RecordStatement(ctx context.Context, a ledger.Account, asOf ledger.Header) error {
	next, err := t.q.NextStatement(ctx, sqlc.NextStatementParams{Epoch: a.Epoch, Community: a.Community})
	if err != nil || next.Recorded > 0 || a.CutHash == "" {
		return wrap(err)
	}
	calendar, err := t.Calendar(ctx, a.Community)
	if err != nil {
		return err
	}
	for _, record := range []func() error{
		func() error {
			return t.q.InsertStatementOwners(ctx, sqlc.InsertStatementOwnersParams{
				Community: a.Community, Sequence: next.Sequence, Epoch: a.Epoch,
			})
		},
		func() error {
			return t.q.InsertStatementRewarded(ctx, sqlc.InsertStatementRewardedParams{
				Community: a.Community, Sequence: next.Sequence, Epoch: a.Epoch,
			})
		},
		func() error {
			return t.q.InsertStatement(ctx, sqlc.InsertStatementParams{
				Community: a.Community, Sequence: next.Sequence, Epoch: a.Epoch, StartsAt: unix(calendar.Start(a.Epoch)),
				EndsAt: unix(calendar.End(a.Epoch)), Height: asOf.Height, Hash: asOf.Hash, BlockTime: unix(asOf.Time),
			})
		},
		func() error {
			return t.q.InsertStatementStakes(ctx, sqlc.InsertStatementStakesParams{
				Sequence: next.Sequence, Community: a.Community, Epoch: a.Epoch,
			})
		},
		func() error {
			return t.q.InsertStatementInputs(ctx, sqlc.InsertStatementInputsParams{
				Sequence: next.Sequence, Community: a.Community, Script: []byte{},
			})
		},
		func() error {
			return t.q.InsertStatementExcluded(ctx, sqlc.InsertStatementExcludedParams{
				Sequence: next.Sequence, Community: a.Community, Epoch: a.Epoch, Script: []byte{},
			})
		},
		func() error {
			return t.q.InsertStatementReserves(ctx, sqlc.InsertStatementReservesParams{
				Sequence: next.Sequence, Community: a.Community,
			})
		},
	} {
		if err := record(); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// UnsignedStatement returns the document and the details of a community's first statement that is not signed, or
// state.ErrNotFound. The rune is the community's.
func (t *Tx) UnsignedStatement(
	ctx context.Context, community string,
) (d statement.Document, details statement.Details, err error) {
	row, err := t.q.FirstUnsigned(ctx, community)
	if err != nil {
		return d, details, wrap(err)
	}
	bound, err := t.q.Community(ctx, community)
	if err != nil {
		return d, details, wrap(err)
	}
	account, err := t.AccountOf(ctx, community, row.Epoch)
	if err != nil {
		return d, details, err
	}
	d = statement.Document{
		Format: statement.Format, Network: bound.Network, Community: community, Rune: bound.RuneID,
		Sequence: row.Sequence, Epoch: row.Epoch, Start: row.StartsAt, End: row.EndsAt,
		Cut:  statement.Block{Hash: account.CutHash, Height: account.Cut},
		AsOf: statement.Snapshot{Hash: row.Hash, Height: row.Height, Time: row.BlockTime},
	}
	after := int64(0)
	if row.Sequence > 0 {
		before, err := t.q.StatementAt(ctx, sqlc.StatementAtParams{Community: community, Sequence: row.Sequence - 1})
		if err != nil {
			return d, details, wrap(err)
		}
		if d.Previous, err = statement.ParseHash(before.ID); err != nil {
			return d, details, err
		}
		after = before.LastIncident
	}
	d.Budget.Source = statement.SourceTreasury
	if account.Reserved == account.Planned {
		d.Budget.Source = statement.SourcePlanned
	}
	if d.Budget.Amount, err = statement.SumOf(account.Reserved); err != nil {
		return d, details, err
	}
	if err := t.statementLists(ctx, &d, row, after); err != nil {
		return d, details, err
	}
	if details, err = t.statementDetails(ctx, row); err != nil {
		return d, details, err
	}
	_, err = d.Complete(details)
	return d, details, err
}

// statementLists adds the incidents, the liabilities and the reserves to a document. after is the number of the last
// incident of the previous statement.
func (t *Tx) statementLists(ctx context.Context, d *statement.Document, row sqlc.Statement, after int64) error {
	incidents, err := t.q.IncidentsBetween(ctx, sqlc.IncidentsBetweenParams{
		After: after, Last: row.LastIncident, Community: row.Community,
	})
	if err != nil {
		return wrap(err)
	}
	for _, i := range incidents {
		d.Incidents = append(d.Incidents, statement.Incident{Time: i.At, Kind: i.Kind, Detail: i.Detail})
	}
	slices.SortStableFunc(d.Incidents, statement.Incident.Compare)
	reserves, err := t.statementReserves(ctx, row)
	if err != nil {
		return err
	}
	var payments statement.Sum
	for _, r := range reserves {
		sats, satsErr := statement.SumOf(amount.Sats(r.Value))
		runes, runesErr := statement.SumOf(amount.Runes(r.Runes))
		if r.Kind == statement.ReservePayment {
			payments, err = payments.Add(sats)
		}
		if err := errors.Join(satsErr, runesErr, err); err != nil {
			return err
		}
		d.Reserves = append(d.Reserves, statement.Reserve{
			CustodyKind: custodyKind(r), Kind: r.Kind, Outpoint: fmt.Sprintf("%s:%d", r.Txid, r.Vout),
			Script: hex.EncodeToString(r.Script), Sats: sats, Runes: runes,
		})
	}
	slices.SortFunc(d.Reserves, func(a, b statement.Reserve) int { return cmp.Compare(a.Outpoint, b.Outpoint) })
	d.Liabilities = []statement.Liability{{Kind: statement.Payments, Sats: payments}}
	for _, l := range []struct {
		kind        string
		runes, sats int64
	}{
		{statement.Stakes, row.Stakes, 0}, {statement.Delivering, row.Delivering, 0},
		{statement.Contested, row.Contested, 0}, {statement.Unpaid, row.Rewards, 0}, {statement.Refunds, 0, row.Refunds},
	} {
		runes, runesErr := statement.SumOf(amount.Runes(l.runes))
		sats, satsErr := statement.SumOf(amount.Sats(l.sats))
		if err := errors.Join(runesErr, satsErr); err != nil {
			return err
		}
		d.Liabilities = append(d.Liabilities, statement.Liability{Kind: l.kind, Runes: runes, Sats: sats})
	}
	slices.SortFunc(d.Liabilities, func(a, b statement.Liability) int { return strings.Compare(a.Kind, b.Kind) })
	return nil
}

func custodyKind(r sqlc.StatementReservesRow) string {
	switch {
	case r.Kind != statement.ReserveStake:
		return ""
	case r.SelfCustody != 0:
		return statement.CustodySelf
	}
	return statement.CustodyOperator
}

// Kinds of rows of statement_reserve that are no reserves.
const (
	inputsKind   = "inputs"   // the outputs of the epoch's inputs are reserves, except the excluded ones
	excludedKind = "excluded" // the output of an input that was spent, vanished or quarantined
)

// statementReserves returns the reserves of an unsigned statement. Most are the outputs of the epoch's inputs, which
// are not recorded again: their scripts and values never change.
func (t *Tx) statementReserves(
	ctx context.Context, row sqlc.Statement,
) (reserves []sqlc.StatementReservesRow, err error) {
	recorded, err := t.q.StatementReserves(ctx, sqlc.StatementReservesParams{
		Community: row.Community, Sequence: row.Sequence,
	})
	if err != nil {
		return nil, wrap(err)
	}
	for _, r := range recorded {
		switch r.Kind {
		case excludedKind:
		case inputsKind:
			inputs, err := t.q.StatementInputs(ctx, sqlc.StatementInputsParams{
				Community: row.Community, Sequence: row.Sequence, Epoch: row.Epoch,
			})
			if err != nil {
				return nil, wrap(err)
			}
			for _, input := range inputs {
				reserves = append(reserves, sqlc.StatementReservesRow(input))
			}
		default:
			reserves = append(reserves, r)
		}
	}
	return reserves, nil
}

// statementDetails returns the details of a statement.
func (t *Tx) statementDetails(ctx context.Context, d sqlc.Statement) (details statement.Details, err error) {
	bound, err := t.q.Community(ctx, d.Community)
	if err != nil {
		return details, wrap(err)
	}
	details = statement.Details{
		Format: statement.DetailsFormat, Network: bound.Network, Community: d.Community, Epoch: d.Epoch,
	}
	if details.Instructions, err = t.statementInstructions(ctx, d); err != nil {
		return details, err
	}
	inputs, err := t.Inputs(ctx, d.Community, d.Epoch)
	if err != nil {
		return details, err
	}
	for _, unit := range inputs {
		n, err := statement.SumOf(amount.Runes(unit.Amount))
		if err != nil {
			return details, err
		}
		details.Inputs = append(details.Inputs, statement.Input{Unit: unit.UnitID, Owner: unit.Owner, Amount: n})
	}
	// The databases may sort texts by their locale.
	slices.SortFunc(details.Inputs, func(a, b statement.Input) int { return strings.Compare(a.Unit, b.Unit) })
	details.Owners, err = t.StatementOwners(ctx, d.Community, d.Sequence)
	return details, err
}

// StatementOwners returns the leaves of the tree of a statement.
func (t *Tx) StatementOwners(ctx context.Context, community string, sequence int64) ([]statement.Leaf, error) {
	rows, err := t.q.StatementOwners(ctx, sqlc.StatementOwnersParams{Community: community, Sequence: sequence})
	leaves, err := mapAll(rows, err, func(row sqlc.StatementOwner) (l statement.Leaf, err error) {
		stake, stakeErr := statement.SumOf(amount.Runes(row.Stake))
		reward, rewardErr := statement.SumOf(amount.Runes(row.Reward))
		owed, owedErr := statement.SumOf(amount.Runes(row.Owed))
		return statement.Leaf{Owner: row.Owner, Stake: stake, Reward: reward, Owed: owed},
			errors.Join(stakeErr, rewardErr, owedErr)
	})
	slices.SortFunc(leaves, func(a, b statement.Leaf) int { return strings.Compare(a.Owner, b.Owner) })
	return leaves, err
}

// StoreSigned stores a signed statement, whose facts were recorded. It returns state.ErrConflict if the statement is
// signed already.
func (t *Tx) StoreSigned(ctx context.Context, s statement.Signed) error {
	text, err := s.Encode()
	if err != nil {
		return err
	}
	id, err := s.Document.ID()
	if err != nil {
		return err
	}
	d := s.Document
	if err := exactlyOne(t.q.StoreSigned(ctx, sqlc.StoreSignedParams{
		ID: id.String(), Signed: string(text), Community: d.Community, Sequence: d.Sequence,
	})); err != nil {
		return err
	}
	return wrap(t.q.DeleteStatementReserves(ctx, sqlc.DeleteStatementReservesParams{
		Community: d.Community, Sequence: d.Sequence,
	}))
}

// ImportStatement stores a signed statement of an earlier copy of this ledger, with the leaves of its tree. It replaces
// the facts that this copy recorded for the same epoch. It returns an error unless the statement follows the last
// signed one.
func (t *Tx) ImportStatement(ctx context.Context, s statement.Signed, details statement.Details) error {
	d := s.Document
	if err := d.Match(details); err != nil {
		return err
	}
	head, err := t.StatementHead(ctx, d.Community)
	if err != nil {
		return err
	}
	if err := d.Follows(head.Sequence, head.ID); err != nil {
		return err
	}
	id, err := d.ID()
	if err != nil {
		return err
	}
	text, err := s.Encode()
	if err != nil {
		return err
	}
	lastIncident, err := t.q.LastIncident(ctx)
	if err != nil {
		return wrap(err)
	}
	for _, drop := range []func() error{
		func() error {
			return t.q.DeleteUnsigned(ctx, sqlc.DeleteUnsignedParams{Community: d.Community, Sequence: d.Sequence})
		},
		func() error {
			return t.q.DeleteStatementOwners(ctx, sqlc.DeleteStatementOwnersParams{
				Community: d.Community, Sequence: d.Sequence,
			})
		},
		func() error {
			return t.q.DeleteStatementReserves(ctx, sqlc.DeleteStatementReservesParams{
				Community: d.Community, Sequence: d.Sequence,
			})
		},
	} {
		if err := drop(); err != nil {
			return wrap(err)
		}
	}
	if err := t.q.InsertSigned(ctx, sqlc.InsertSignedParams{
		Community: d.Community, Sequence: d.Sequence, Epoch: d.Epoch, StartsAt: d.Start, EndsAt: d.End,
		Height: d.AsOf.Height, Hash: d.AsOf.Hash, BlockTime: d.AsOf.Time, LastIncident: lastIncident, ID: id.String(),
		Signed: string(text),
	}); err != nil {
		return wrap(err)
	}
	return t.insertOwners(ctx, d, details.Owners)
}

func (t *Tx) insertOwners(ctx context.Context, d statement.Document, owners []statement.Leaf) error {
	for _, l := range owners {
		stake, stakeErr := amount.ParseRunes(l.Stake.String())
		reward, rewardErr := amount.ParseRunes(l.Reward.String())
		owed, owedErr := amount.ParseRunes(l.Owed.String())
		if err := errors.Join(stakeErr, rewardErr, owedErr); err != nil {
			return err
		}
		if err := t.q.InsertStatementOwner(ctx, sqlc.InsertStatementOwnerParams{
			Community: d.Community, Sequence: d.Sequence, Owner: l.Owner, Stake: int64(stake), Reward: int64(reward),
			Owed: int64(owed),
		}); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// StatementHead is the last signed statement of a community.
type StatementHead struct {
	Sequence int64 // -1: there is none
	ID       statement.Hash
	Signed   string // canonical JSON
}

// StatementHead returns the last signed statement of a community.
func (t *Tx) StatementHead(ctx context.Context, community string) (StatementHead, error) {
	row, err := t.q.LastSigned(ctx, community)
	if errors.Is(wrap(err), state.ErrNotFound) {
		return StatementHead{Sequence: -1}, nil
	}
	if err != nil {
		return StatementHead{}, wrap(err)
	}
	id, err := statement.ParseHash(row.ID)
	return StatementHead{Sequence: row.Sequence, ID: id, Signed: row.Signed}, err
}

// NewestStatement returns the id of the last signed statement of a community in hex, or "".
func (t *Tx) NewestStatement(ctx context.Context, community string) (string, error) {
	head, err := t.StatementHead(ctx, community)
	if err != nil || head.Sequence < 0 {
		return "", err
	}
	return head.ID.String(), nil
}

// HasStatement reports whether a community has a signed statement with an id. A statement has no id before it is
// signed.
func (t *Tx) HasStatement(ctx context.Context, community, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	n, err := t.q.SignedStatements(ctx, sqlc.SignedStatementsParams{ID: id, Community: community})
	return n > 0, wrap(err)
}

// SignedStatement returns a signed statement, or state.ErrNotFound.
func (t *Tx) SignedStatement(ctx context.Context, community string, sequence int64) (s statement.Signed, err error) {
	row, err := t.q.StatementAt(ctx, sqlc.StatementAtParams{Community: community, Sequence: sequence})
	if err != nil {
		return s, wrap(err)
	}
	if row.Signed == "" {
		return s, state.ErrNotFound
	}
	return statement.ParseSigned([]byte(row.Signed))
}

// StatementDetails returns the details of a signed statement.
func (t *Tx) StatementDetails(ctx context.Context, s statement.Signed) (statement.Details, error) {
	row, err := t.q.StatementAt(ctx, sqlc.StatementAtParams{
		Community: s.Document.Community, Sequence: s.Document.Sequence,
	})
	if err != nil {
		return statement.Details{}, wrap(err)
	}
	return t.statementDetails(ctx, row)
}
