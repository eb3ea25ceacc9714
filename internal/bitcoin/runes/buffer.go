package runes

import (
	"cmp"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
)

// Buffer is a Store that keeps the changes of several blocks in memory, above another store, until Flush. An output
// that one block creates and a later one spends is never written, an entry that many blocks change is written once, and
// outputs are written in the order of their keys. Until Flush, nothing else may use the store below.
//
// Like Apply and Undo, a caller puts only outputs that the index does not hold.
type Buffer struct {
	below    Store         // not embedded, so that a further method of Store can't bypass the buffer
	entries  map[ID]*Entry // read or put; nil: the store below has none
	put      map[ID]bool   // entries to write
	names    map[Name]ID   // of the entries to write
	outputs  map[wire.OutPoint]bufferedOutput
	loaded   map[wire.OutPoint]Holding // by Load, as the store below has them; empty: it has no row
	undo     map[int64][]byte          // records to write, by height
	dropped  map[int64]bool            // heights whose record in the store below is deleted, unless undo has another
	counters *Counters                 // nil: not read
	counted  bool                      // whether the counters changed
	undoFrom int64                     // see OmitUndo
}

// bufferedOutput is an output that was put or deleted. It is empty if it was deleted.
type bufferedOutput struct {
	Holding
	stored bool // the store below has a row of the output
}

// NewBuffer returns a buffer without changes.
func NewBuffer(below Store) *Buffer {
	return &Buffer{
		below: below, entries: map[ID]*Entry{}, put: map[ID]bool{}, names: map[Name]ID{},
		outputs: map[wire.OutPoint]bufferedOutput{}, loaded: map[wire.OutPoint]Holding{},
		undo: map[int64][]byte{}, dropped: map[int64]bool{},
	}
}

// Len returns the number of outputs that Flush would write or delete.
func (b *Buffer) Len() int { return len(b.outputs) }

// RuneEntry implements Store.
func (b *Buffer) RuneEntry(id ID) (Entry, bool, error) {
	e, known := b.entries[id]
	if !known {
		below, found, err := b.below.RuneEntry(id)
		if err != nil {
			return below, false, err
		}
		if found {
			e = &below
		}
		b.entries[id] = e
	}
	if e == nil {
		return Entry{}, false, nil
	}
	return *e, true, nil
}

// RuneEntryByName implements Store.
func (b *Buffer) RuneEntryByName(name Name) (Entry, bool, error) {
	if id, put := b.names[name]; put {
		return *b.entries[id], true, nil
	}
	return b.below.RuneEntryByName(name)
}

// PutRuneEntry implements Store.
func (b *Buffer) PutRuneEntry(entries ...Entry) error {
	for _, e := range entries {
		b.entries[e.ID], b.put[e.ID], b.names[e.Name] = &e, true, e.ID
	}
	return nil
}

// DeleteRuneEntry implements Store. It flushes the buffer, because only an undo deletes entries.
func (b *Buffer) DeleteRuneEntry(ids ...ID) error {
	if err := b.Flush(); err != nil {
		return err
	}
	return b.below.DeleteRuneEntry(ids...)
}

// Load reads the runes of outputs that RuneBalances will be called with. One query for many blocks takes less time than
// one for each of them.
func (b *Buffer) Load(outs ...wire.OutPoint) error {
	if len(outs) == 0 {
		return nil
	}
	stored, err := b.below.RuneBalances(outs...)
	for _, o := range outs {
		b.loaded[o] = Holding{}
	}
	for _, h := range stored {
		b.loaded[h.OutPoint] = h.Holding
	}
	return err
}

// RuneBalances implements Store.
func (b *Buffer) RuneBalances(outs ...wire.OutPoint) (held []Held, _ error) {
	var below []wire.OutPoint
	for _, o := range outs {
		output, known := b.outputs[o]
		if !known {
			output.Holding, known = b.loaded[o]
		}
		if !known {
			below = append(below, o)
		} else if !output.isEmpty() {
			held = append(held, Held{o, output.Holding})
		}
	}
	if len(below) == 0 {
		return held, nil
	}
	stored, err := b.below.RuneBalances(below...)
	return append(held, stored...), err
}

// PutRuneBalances implements Store.
func (b *Buffer) PutRuneBalances(held ...Held) error {
	for _, h := range held {
		b.outputs[h.OutPoint] = bufferedOutput{h.Holding, b.outputs[h.OutPoint].stored}
	}
	return nil
}

// DeleteRuneBalances implements Store.
func (b *Buffer) DeleteRuneBalances(outs ...wire.OutPoint) error {
	for _, o := range outs {
		if output, known := b.outputs[o]; known && !output.stored {
			delete(b.outputs, o)
		} else {
			b.outputs[o] = bufferedOutput{stored: true}
		}
	}
	return nil
}

// OmitUndo makes the buffer store no undo records of blocks below a height, which will be too deep to be undone.
func (b *Buffer) OmitUndo(height int64) { b.undoFrom = height }

// PutRuneUndo implements Store.
func (b *Buffer) PutRuneUndo(records ...BlockUndo) error {
	for _, r := range records {
		if r.Height >= b.undoFrom {
			b.undo[r.Height] = r.Data
		}
	}
	return nil
}

// RuneUndo implements Store. The store below has no record above a height whose record was put.
func (b *Buffer) RuneUndo(height int64) ([]byte, bool, error) {
	data, put := b.undo[height]
	_, above := b.undo[height-1]
	if put || above || b.dropped[height] {
		return data, put, nil
	}
	return b.below.RuneUndo(height)
}

// DeleteRuneUndo implements Store. Where Apply put the record, the store below has none, unless the record of an undone
// block was dropped before.
func (b *Buffer) DeleteRuneUndo(heights ...int64) error {
	for _, height := range heights {
		if _, put := b.undo[height]; put {
			delete(b.undo, height)
		} else {
			b.dropped[height] = true
		}
	}
	return nil
}

// RuneCounters implements Store.
func (b *Buffer) RuneCounters() (Counters, error) {
	if b.counters == nil {
		counters, err := b.below.RuneCounters()
		if err != nil {
			return counters, err
		}
		b.counters = &counters
	}
	return *b.counters, nil
}

// PutRuneCounters implements Store.
func (b *Buffer) PutRuneCounters(c Counters) error {
	b.counters, b.counted = &c, true
	return nil
}

// Flush writes the changes to the store below, in a fixed order, and empties the buffer.
func (b *Buffer) Flush() error {
	var entries []Entry
	for _, id := range slices.SortedFunc(maps.Keys(b.put), ID.Compare) {
		entries = append(entries, *b.entries[id])
	}
	if err := b.below.PutRuneEntry(entries...); err != nil {
		return err
	}
	var deleted []wire.OutPoint
	var created []Held
	for o, output := range b.outputs {
		if output.isEmpty() {
			deleted = append(deleted, o)
		} else {
			created = append(created, Held{o, output.Holding})
		}
	}
	slices.SortFunc(deleted, compareOutPoints)
	slices.SortFunc(created, func(a, b Held) int { return compareOutPoints(a.OutPoint, b.OutPoint) })
	if err := b.below.DeleteRuneBalances(deleted...); err != nil {
		return err
	}
	if err := b.below.PutRuneBalances(created...); err != nil {
		return err
	}
	if b.counted {
		if err := b.below.PutRuneCounters(*b.counters); err != nil {
			return err
		}
	}
	if err := b.flushUndo(); err != nil {
		return err
	}
	undoFrom := b.undoFrom
	*b = *NewBuffer(b.below)
	b.undoFrom = undoFrom
	return nil
}

func (b *Buffer) flushUndo() error {
	if err := b.below.DeleteRuneUndo(slices.Sorted(maps.Keys(b.dropped))...); err != nil {
		return err
	}
	var records []BlockUndo
	for _, height := range slices.Sorted(maps.Keys(b.undo)) {
		records = append(records, BlockUndo{height, b.undo[height]})
	}
	return b.below.PutRuneUndo(records...)
}

func compareOutPoints(a, b wire.OutPoint) int {
	return cmp.Or(compareHashes(a.Hash, b.Hash), cmp.Compare(a.Index, b.Index))
}
