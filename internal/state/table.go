// Package state has the transition table that all state machines in the database use, and the errors of reads and
// guarded updates of their rows.
package state

import "fmt"

// Always is the guard of a row that applies under every condition.
const Always = ""

// Unguarded is the guard type of a table whose rows have no conditions.
type Unguarded string

// Row is one transition: in state From, Event leads to state To. For is the condition under which the row applies, such
// as the purpose that a unit is locked for; Always means every condition.
type Row[S, E, G ~string] struct {
	From  S
	Event E
	For   G
	To    S
}

// Table has every transition of one kind of record. The state "" means that the record does not exist yet or was
// removed.
type Table[S, E, G ~string] struct {
	Of    string // name of the record in errors, such as "unit"
	Start S      // the state before the first event
	Ends  []S    // states in which a record may remain forever; events such as a reorg may still leave them
	Rows  []Row[S, E, G]
}

// Must returns t if it is valid, and panics otherwise. It is for tables that are package variables.
func Must[S, E, G ~string](t Table[S, E, G]) Table[S, E, G] {
	if err := t.Validate(); err != nil {
		panic(err)
	}
	return t
}

// Next returns the state that event leads to in state from under the condition guard. It returns an error if the table
// has no such row. The result "" without an error means that the record is removed.
func (t Table[S, E, G]) Next(from S, event E, guard G) (S, error) {
	for _, row := range t.Rows {
		if row.From == from && row.Event == event && (row.For == Always || row.For == guard) {
			return row.To, nil
		}
	}
	if guard != Always {
		return "", fmt.Errorf("no row for a %s in state %q on %q for %q", t.Of, from, event, guard)
	}
	return "", fmt.Errorf("no row for a %s in state %q on %q", t.Of, from, event)
}

// Validate returns an error unless every row has an event, no two rows apply to the same state, event and guard, every
// state can be reached from Start, and one of Ends can be reached from every state.
func (t Table[S, E, G]) Validate() error {
	if err := t.checkRows(); err != nil {
		return err
	}
	reached := t.closure([]S{t.Start}, func(row Row[S, E, G]) (S, S) { return row.From, row.To })
	leaves := t.closure(t.Ends, func(row Row[S, E, G]) (S, S) { return row.To, row.From })
	for _, row := range t.Rows {
		for _, s := range []S{row.From, row.To} {
			if !reached[s] {
				return fmt.Errorf("state table of a %s: no event leads to %q", t.Of, s)
			}
			if !leaves[s] {
				return fmt.Errorf("state table of a %s: no end can be reached from %q", t.Of, s)
			}
		}
	}
	for _, s := range t.Ends {
		if !reached[s] {
			return fmt.Errorf("state table of a %s: no event leads to the end %q", t.Of, s)
		}
	}
	return nil
}

// checkRows returns an error if two rows apply to the same state, event and guard, or if a row has no event.
func (t Table[S, E, G]) checkRows() error {
	for i, row := range t.Rows {
		if row.Event == "" {
			return fmt.Errorf("state table of a %s: a row from %q has no event", t.Of, row.From)
		}
		for _, other := range t.Rows[:i] {
			same := row.From == other.From && row.Event == other.Event
			if same && (row.For == other.For || row.For == Always || other.For == Always) {
				return fmt.Errorf("state table of a %s: two rows for %q on %q", t.Of, row.From, row.Event)
			}
		}
	}
	return nil
}

// closure returns first and every state that can be reached from first along the edges of the rows.
func (t Table[S, E, G]) closure(first []S, edge func(Row[S, E, G]) (from, to S)) map[S]bool {
	found := map[S]bool{}
	for _, s := range first {
		found[s] = true
	}
	for range t.Rows { // no path is longer than the number of rows
		for _, row := range t.Rows {
			if from, to := edge(row); found[from] {
				found[to] = true
			}
		}
	}
	return found
}
