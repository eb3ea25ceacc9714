package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moonfund/action"
	"moonfund/ledger"
	"moonfund/store/sqlc"
)

// Changes that share a commit mostly do the same: read a unit or a few, move them,
// mark an action used. So the units that changes are going to read are read together before
// the first of them runs, and what becomes of them is written together after the
// last. The guards are the same, each row must still be as it was read; where one
// fails, nothing of that transaction stays, and its changes run once more without this.

// errChanged ends a transaction whose batch could not be read, or did not find every row as it had to be.
var errChanged = errors.New("store: a row was not as it was read")

// unitKey names a unit.
type unitKey struct{ community, id string }

// move is what becomes of a unit that was in a stage.
type move struct {
	unitKey
	from    ledger.Stage
	columns string // that change, as SQL
	values  []any  // to what
}

// batch is what is read and written together.
type batch struct {
	several bool                    // changes: one that fails has all of them run once more, without this
	units   map[unitKey]ledger.Unit // as they stand in this transaction
	moves   []move
	moved   map[unitKey]bool // the units of moves
	uses    []action.Action
	used    map[string]bool // the actions of all uses, also those written
}

type aheadKey struct{}

// ReadAhead returns a context whose Update is going to read these units.
func ReadAhead(ctx context.Context, community string, unitIDs []string) context.Context {
	keys := make([]unitKey, len(unitIDs))
	for i, id := range unitIDs {
		keys[i] = unitKey{community, id}
	}
	return context.WithValue(ctx, aheadKey{}, keys)
}

// parts cuts a list into pieces of the sizes of which statements are kept prepared.
func parts[T any](list []T, visit func([]T) error) error {
	for len(list) > 0 {
		size := rowsAtOnce[slices.IndexFunc(rowsAtOnce, func(size int) bool { return size <= len(list) })]
		if err := visit(list[:size]); err != nil {
			return err
		}
		list = list[size:]
	}
	return nil
}

// begin makes a transaction a batch and reads what its changes said they would read.
func (t *Tx) begin(ctx context.Context, changes []*change) error {
	b := &t.within.batch
	b.several = len(changes) > 1
	wanted := map[string]map[string]bool{}
	for _, c := range changes {
		keys, _ := c.ctx.Value(aheadKey{}).([]unitKey)
		for _, key := range keys {
			if wanted[key.community] == nil {
				wanted[key.community] = map[string]bool{}
			}
			wanted[key.community][key.id] = true
		}
	}
	read := map[unitKey]ledger.Unit{}
	for community, ids := range wanted {
		if err := parts(slices.Sorted(maps.Keys(ids)), func(ids []string) error {
			return t.readUnits(ctx, community, ids, read)
		}); errors.Is(err, ledger.ErrNotFound) { // an id that is no text: its change is to find that out by itself
			return errChanged
		} else if err != nil {
			return err
		}
	}
	b.units = read
	return nil
}

func (t *Tx) readUnits(ctx context.Context, community string, ids []string, into map[unitKey]ledger.Unit) error {
	args := []any{community}
	for _, id := range ids {
		args = append(args, id)
	}
	rows, err := t.within.QueryContext(ctx, listText("SELECT * FROM unit_view WHERE community = $1 AND id IN (", 2, len(ids)), args...)
	if err != nil {
		return wrap(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r sqlc.UnitView
		if err := rows.Scan(
			&r.Community, &r.ID, &r.Number, &r.Owner, &r.Origin, &r.Amount, &r.Stage, &r.NotBefore, &r.EligibleEpoch, &r.StakedTo,
			&r.UnlockEpoch, &r.RewardEpoch, &r.OrderID, &r.StageBefore, &r.Txid, &r.Vout, &r.CreatedAt, &r.Value, &r.Height,
			&r.Vanished, &r.SpentHeight, &r.Contested,
		); err != nil {
			return wrap(err)
		}
		unit, err := toUnit(r)
		if err != nil {
			return err
		}
		into[unitKey{community, unit.ID}] = unit
	}
	return wrap(rows.Err())
}

// keep takes a move of a unit that was read ahead; kept is false when it must be written at once.
func (b *batch) keep(u ledger.Unit, from ledger.Stage) (kept bool, err error) {
	key := unitKey{u.Community, u.ID}
	read, known := b.units[key]
	if !known || b.moved[key] {
		return false, nil
	}
	if read.Stage != from {
		return true, ledger.ErrConflict
	}
	is := read
	is.Stage, is.NotBefore, is.EligibleEpoch, is.StakedTo = u.Stage, u.NotBefore, u.EligibleEpoch, u.StakedTo
	is.UnlockEpoch, is.OrderID, is.Before = u.UnlockEpoch, u.OrderID, u.Before
	if b.moved == nil {
		b.moved = map[unitKey]bool{}
	}
	b.units[key], b.moved[key] = is, true
	columns, values := changed(read, is)
	b.moves = append(b.moves, move{key, from, columns, values})
	return true, nil
}

// use takes the use of an action: of several changes only, since what a change goes
// on to find may depend on whether it was the first; ledger.ErrConflict when this transaction used it before.
func (b *batch) use(a action.Action) error {
	if b.used[a.ID] {
		return ledger.ErrConflict
	}
	if b.used == nil {
		b.used = map[string]bool{}
	}
	b.used[a.ID] = true
	b.uses = append(b.uses, a)
	return nil
}

func (b *batch) empty() bool { return len(b.moves) == 0 && len(b.uses) == 0 }

// changed are the columns that a move changes, and to what: a column that is
// written as it was costs as much in every index that knows it.
func changed(was, is ledger.Unit) (columns string, values []any) {
	for _, c := range []struct {
		name     string
		was, now any
	}{
		{"stage", was.Stage, is.Stage}, {"not_before", was.NotBefore, is.NotBefore},
		{"eligible_epoch", was.EligibleEpoch, is.EligibleEpoch}, {"staked_to", was.StakedTo, is.StakedTo},
		{"unlock_epoch", was.UnlockEpoch, is.UnlockEpoch}, {"order_id", was.OrderID, is.OrderID},
		{"stage_before", was.Before, is.Before},
	} {
		if c.was == c.now {
			continue
		}
		if stage, is := c.now.(ledger.Stage); is {
			c.now = string(stage)
		}
		values = append(values, c.now)
		if columns != "" {
			columns += ", "
		}
		columns += fmt.Sprintf("%s = $%d", c.name, len(values)+2)
	}
	return columns, values
}

const (
	useText = `UPDATE action SET used_at = v.column2, signature = v.column3, signer = v.column4, order_id = v.column5,
		message = v.column6, unit_ids = v.column7
		FROM (VALUES `
	useTail  = `) AS v WHERE action.id = v.column1 AND action.used_at = 0`
	useWidth = 7
)

// take returns what waits to be written, and lets it wait no more.
func (b *batch) take() (moves []move, uses []action.Action) {
	moves, uses = b.moves, b.uses
	b.moves, b.moved, b.uses = nil, nil, nil
	return moves, uses
}

// writeBatch writes moves and uses: every row of them must be as it was read.
func (w *bound) writeBatch(ctx context.Context, moves []move, uses []action.Action) error {
	for len(moves) > 0 {
		like := moves[0]
		ids, others := []any{}, []move(nil)
		for _, m := range moves {
			if m.community == like.community && m.from == like.from && m.columns == like.columns && slices.Equal(m.values, like.values) {
				ids = append(ids, m.id)
			} else {
				others = append(others, m)
			}
		}
		head := "UPDATE unit SET " + like.columns + " WHERE community = $1 AND stage = $2 AND id IN ("
		first := append([]any{like.community, string(like.from)}, like.values...)
		if err := parts(ids, func(ids []any) error {
			return w.every(ctx, len(ids), listText(head, len(first)+1, len(ids)), append(slices.Clip(first), ids...))
		}); err != nil {
			return err
		}
		moves = others
	}
	return parts(uses, func(uses []action.Action) error {
		args := make([]any, 0, useWidth*len(uses))
		for _, u := range uses {
			unitIDs, err := json.Marshal(u.UnitIDs)
			if err != nil {
				return err
			}
			args = append(args, u.ID, unix(u.UsedAt), u.Signature, u.Signer, u.OrderID, u.Message, string(unitIDs))
		}
		return w.every(ctx, len(uses), usesText(len(uses)), args)
	})
}

// every runs a statement that must change so many rows.
func (w *bound) every(ctx context.Context, n int, text string, args []any) error {
	result, err := w.ExecContext(ctx, text, args...)
	if err != nil {
		return wrap(err)
	}
	if rows, err := result.RowsAffected(); err != nil || rows != int64(n) {
		return errors.Join(errChanged, err)
	}
	return nil
}

// listText ends a text with n numbered parameters and a bracket.
func listText(head string, first, n int) string {
	return kept(insertKey{head, ")", first, n}, func(b *strings.Builder) {
		b.WriteString(head)
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "$%d", first+i)
		}
		b.WriteString(")")
	})
}

// usesText says of which type the second column is, since PostgreSQL can't tell.
func usesText(n int) string {
	return kept(insertKey{useText, useTail, useWidth, n}, func(b *strings.Builder) {
		b.WriteString(useText)
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			at := i * useWidth
			fmt.Fprintf(b, "($%d, CAST($%d AS BIGINT), $%d, $%d, $%d, $%d, $%d)", at+1, at+2, at+3, at+4, at+5, at+6, at+7)
		}
		b.WriteString(useTail)
	})
}
