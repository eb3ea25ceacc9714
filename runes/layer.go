package runes

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// layer is one block's changes over a store. Nothing is written before flush, so
// a block that fails leaves the store as it was; what the block creates and
// spends itself is never written.
type layer struct {
	store    Store
	old      map[ID]*Entry // as in the store, of every entry touched; nil: absent
	entries  map[ID]Entry  // as they are now
	names    map[Name]bool // etched in this block
	made     map[wire.OutPoint][]Balance
	spent    map[wire.OutPoint][]Balance // taken out of the store
	mine     map[chainhash.Hash]bool     // this block's transactions so far
	before   Counters
	counters Counters
}

func newLayer(store Store, transactions int) (*layer, error) {
	counters, err := store.RuneCounters()
	if err != nil {
		return nil, err
	}
	return &layer{
		store:    store,
		old:      map[ID]*Entry{},
		entries:  map[ID]Entry{},
		names:    map[Name]bool{},
		made:     map[wire.OutPoint][]Balance{},
		spent:    map[wire.OutPoint][]Balance{},
		mine:     make(map[chainhash.Hash]bool, transactions),
		before:   counters,
		counters: counters,
	}, nil
}

// RuneEntry implements EntryReader.
func (l *layer) RuneEntry(id ID) (Entry, bool, error) {
	if e, ok := l.entries[id]; ok {
		return e, true, nil
	}
	return l.store.RuneEntry(id)
}

// change keeps an entry that exists in the store or in this layer.
func (l *layer) change(e Entry) error {
	if _, touched := l.old[e.ID]; !touched {
		stored, found, err := l.store.RuneEntry(e.ID)
		if err != nil {
			return err
		}
		l.old[e.ID] = nil
		if found {
			l.old[e.ID] = &stored
		}
	}
	l.entries[e.ID] = e
	return nil
}

// create numbers and keeps a new entry.
func (l *layer) create(e Entry) {
	e.Number = l.counters.Runes
	l.counters.Runes++
	l.old[e.ID] = nil
	l.entries[e.ID] = e
	l.names[e.Name] = true
}

func (l *layer) nameTaken(name Name) (bool, error) {
	if l.names[name] {
		return true, nil
	}
	_, taken, err := l.store.RuneEntryByName(name)
	return taken, err
}

// isMine says whether a transaction came earlier in this block.
func (l *layer) isMine(tx chainhash.Hash) bool { return l.mine[tx] }

// spend takes an output's runes.
func (l *layer) spend(o wire.OutPoint) ([]Balance, error) {
	if l.mine[o.Hash] {
		balances := l.made[o]
		delete(l.made, o)
		return balances, nil
	}
	if _, gone := l.spent[o]; gone {
		return nil, nil
	}
	balances, err := l.store.RuneBalances(o)
	if err == nil && len(balances) > 0 {
		l.spent[o] = balances
	}
	return balances, err
}

// flush writes the changes and the record that undoes them, in a fixed order.
func (l *layer) flush(height int64) error {
	undo := l.undo()
	for _, id := range slices.SortedFunc(maps.Keys(l.entries), ID.Compare) {
		if err := l.store.PutRuneEntry(l.entries[id]); err != nil {
			return err
		}
	}
	for _, o := range outpoints(l.spent) {
		if err := l.store.DeleteRuneBalances(o); err != nil {
			return err
		}
	}
	for _, o := range outpoints(l.made) {
		if err := l.store.PutRuneBalances(o, l.made[o]); err != nil {
			return err
		}
	}
	if l.counters != l.before {
		if err := l.store.PutRuneCounters(l.counters); err != nil {
			return err
		}
	}
	if err := l.store.DeleteRuneUndo(height - UndoDepth); err != nil {
		return err
	}
	return l.store.PutRuneUndo(height, undo)
}

// undo returns the record that Undo reads: counters, entries as they were,
// outputs to bring back, outputs to remove.
func (l *layer) undo() []byte {
	var w writer
	w.number(l.before.Runes)
	w.number(l.before.Reserved)
	w.number(uint64(len(l.old)))
	for _, id := range slices.SortedFunc(maps.Keys(l.old), ID.Compare) {
		w.id(id)
		optionalInto(&w, l.old[id], w.entry)
	}
	w.number(uint64(len(l.spent)))
	for _, o := range outpoints(l.spent) {
		w.outpoint(o)
		w.balances(l.spent[o])
	}
	w.number(uint64(len(l.made)))
	for _, o := range outpoints(l.made) {
		w.outpoint(o)
	}
	return w
}

func outpoints(m map[wire.OutPoint][]Balance) []wire.OutPoint {
	return slices.SortedFunc(maps.Keys(m), func(a, b wire.OutPoint) int {
		return cmp.Or(bytes.Compare(a.Hash[:], b.Hash[:]), cmp.Compare(a.Index, b.Index))
	})
}

// Undo restores the store as it was before the block of the given height, which
// must be the last one applied. It returns ErrNoUndo, ErrEncoding and errors of
// the store.
func Undo(store Store, height int64) error {
	data, found, err := store.RuneUndo(height)
	if err != nil {
		return err
	}
	if _, later, err := store.RuneUndo(height + 1); err != nil {
		return err
	} else if later || !found {
		return ErrNoUndo
	}
	u, err := readUndo(data)
	if err != nil {
		return err
	}
	for _, id := range u.entries {
		if old := u.old[id]; old != nil {
			err = store.PutRuneEntry(*old)
		} else {
			err = store.DeleteRuneEntry(id)
		}
		if err != nil {
			return err
		}
	}
	for _, o := range u.made {
		if err := store.DeleteRuneBalances(o); err != nil {
			return err
		}
	}
	for _, o := range outpoints(u.spent) {
		if err := store.PutRuneBalances(o, u.spent[o]); err != nil {
			return err
		}
	}
	if err := store.PutRuneCounters(u.counters); err != nil {
		return err
	}
	return store.DeleteRuneUndo(height)
}

// undoRecord is what undo wrote.
type undoRecord struct {
	counters Counters
	entries  []ID
	old      map[ID]*Entry // nil: there was none
	spent    map[wire.OutPoint][]Balance
	made     []wire.OutPoint
}

// readUndo reads a whole record before any of it takes effect. It returns ErrEncoding.
func readUndo(data []byte) (undoRecord, error) {
	r := reader{rest: data}
	u := undoRecord{
		counters: Counters{Runes: r.number(), Reserved: r.number()},
		old:      map[ID]*Entry{},
		spent:    map[wire.OutPoint][]Balance{},
	}
	for range r.count() {
		id := r.id()
		u.entries = append(u.entries, id)
		u.old[id] = optionalFrom(&r, r.entry)
	}
	for range r.count() {
		o := r.outpoint()
		u.spent[o] = r.balances()
	}
	for range r.count() {
		u.made = append(u.made, r.outpoint())
	}
	return u, r.end()
}
