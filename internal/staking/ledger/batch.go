package ledger

import (
	"context"
	"fmt"
)

// Batch collects changes of units and postings, so that few statements write them. The caller must call Write in the
// same database transaction before it reads the units again.
type Batch struct {
	changed  []UnitChange
	index    map[unitKey]int // of a unit in changed
	deleted  []Unit
	postings []Posting
}

type unitKey struct{ community, id string }

// IsEmpty reports whether the batch has no changes.
func (b *Batch) IsEmpty() bool { return len(b.changed)+len(b.deleted)+len(b.postings) == 0 }

// Post appends postings to the batch.
func (b *Batch) Post(postings ...Posting) { b.postings = append(b.postings, postings...) }

// Move applies an event of the stage table to an existing unit, journals the change, and returns the changed unit.
// change, if not nil, changes other fields. Move returns an error if the table has no row for the event.
func (b *Batch) Move(
	u Unit, event Event, reason Reason, cause Cause, change func(*Unit),
) (Unit, error) {
	to, err := Stages.Next(u.Stage, event, reason)
	if err != nil {
		return u, err
	}
	return b.moveTo(u, to, event, cause, change), nil
}

func (b *Batch) moveTo(u Unit, to Stage, event Event, cause Cause, change func(*Unit)) Unit {
	before := u
	u.Stage = to
	if change != nil {
		change(&u)
	}
	if to == nowhere {
		b.deleted = append(b.deleted, before)
	} else {
		b.update(u, before.Stage)
	}
	b.Post(unitPosting(u, before.Stage, to, event, cause))
	return u
}

// update adds a changed unit to the batch. from is its stage before the change.
func (b *Batch) update(u Unit, from Stage) {
	key := unitKey{u.Community, u.ID}
	if i, known := b.index[key]; known {
		b.changed[i].Unit = u
		return
	}
	if b.index == nil {
		b.index = map[unitKey]int{}
	}
	b.index[key] = len(b.changed)
	b.changed = append(b.changed, UnitChange{Unit: u, From: from})
}

// Write writes the changes and empties the batch. It returns state.ErrConflict if the stored stage of a unit is not the
// one that the unit had before its first change.
func (b *Batch) Write(ctx context.Context, tx UnitStore) error {
	changed, deleted, postings := b.changed, b.deleted, b.postings
	*b = Batch{}
	if err := tx.UpdateUnits(ctx, changed...); err != nil {
		return fmt.Errorf("changing %d units: %w", len(changed), err)
	}
	if err := tx.DeleteUnits(ctx, deleted...); err != nil {
		return fmt.Errorf("removing %d units: %w", len(deleted), err)
	}
	return tx.Post(ctx, postings...)
}

// Move is Batch.Move of one unit, which it also writes.
func Move(ctx context.Context, tx UnitStore, u Unit, event Event, reason Reason, cause Cause,
	change func(*Unit)) (Unit, error) {
	var b Batch
	u, err := b.Move(u, event, reason, cause, change)
	if err == nil {
		err = b.Write(ctx, tx)
	}
	return u, err
}
