package runes

import (
	"bytes"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// layer buffers the changes of one block over a store. Nothing is written before flush, so that a block that fails
// leaves the store unchanged. Outputs that the block both creates and spends are never written.
type layer struct {
	store    Store
	previous map[ID]*Entry // stored state of every changed entry; nil: absent
	stored   map[ID]*Entry // entries that were read from the store
	entries  map[ID]Entry  // current state of every changed entry
	names    map[Name]bool // etched in this block
	created  map[wire.OutPoint]Holding
	unspent  map[wire.OutPoint]Holding // outputs of earlier blocks that load has read
	spent    map[wire.OutPoint]Holding // outputs of earlier blocks
	blockTxs map[chainhash.Hash]bool   // transactions of this block applied so far
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
		previous: map[ID]*Entry{},
		stored:   map[ID]*Entry{},
		entries:  map[ID]Entry{},
		names:    map[Name]bool{},
		created:  map[wire.OutPoint]Holding{},
		unspent:  map[wire.OutPoint]Holding{},
		spent:    map[wire.OutPoint]Holding{},
		blockTxs: make(map[chainhash.Hash]bool, transactions),
		before:   counters,
		counters: counters,
	}, nil
}

// RuneEntry implements EntryReader.
func (l *layer) RuneEntry(id ID) (Entry, bool, error) {
	if e, ok := l.entries[id]; ok {
		return e, true, nil
	}
	if stored, read := l.stored[id]; read {
		return *stored, true, nil
	}
	e, found, err := l.store.RuneEntry(id)
	if err == nil && found {
		l.stored[id] = &e
	}
	return e, found, err
}

// putEntry sets an entry that exists in the store or in this layer.
func (l *layer) putEntry(e Entry) error {
	if _, touched := l.previous[e.ID]; !touched {
		if _, _, err := l.RuneEntry(e.ID); err != nil {
			return err
		}
		l.previous[e.ID] = l.stored[e.ID]
	}
	l.entries[e.ID] = e
	return nil
}

// create assigns the next number to a new entry and adds it.
func (l *layer) create(e Entry) {
	e.Number = l.counters.Runes
	l.counters.Runes++
	l.previous[e.ID] = nil
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

// inBlock reports whether the block has applied this transaction already.
func (l *layer) inBlock(tx chainhash.Hash) bool { return l.blockTxs[tx] }

// load reads the runes of all outputs of earlier blocks that a block spends, because one block can spend thousands.
func (l *layer) load(txs []chain.Tx) error {
	spent := make([]wire.OutPoint, 0, 2*len(txs))
	for i := range txs {
		for _, in := range txs[i].Msg.TxIn {
			if in.PreviousOutPoint.Index != wire.MaxPrevOutIndex { // not the coinbase's
				spent = append(spent, in.PreviousOutPoint)
			}
		}
	}
	held, err := l.store.RuneBalances(spent...)
	for _, h := range held {
		l.unspent[h.OutPoint] = h.Holding
	}
	return err
}

// spend removes and returns the runes of an output.
func (l *layer) spend(o wire.OutPoint) Holding {
	if l.blockTxs[o.Hash] {
		holding := l.created[o]
		delete(l.created, o)
		return holding
	}
	holding, found := l.unspent[o]
	if found {
		delete(l.unspent, o)
		l.spent[o] = holding
	}
	return holding
}

// flush writes the changes and the undo record to the store, in a fixed order.
func (l *layer) flush(height int64) error {
	spent, created := outpoints(l.spent), outpoints(l.created)
	undo := l.undo(spent, created)
	var entries []Entry
	for _, id := range slices.SortedFunc(maps.Keys(l.entries), ID.Compare) {
		entries = append(entries, l.entries[id])
	}
	if err := l.store.PutRuneEntry(entries...); err != nil {
		return err
	}
	if err := l.store.DeleteRuneBalances(spent...); err != nil {
		return err
	}
	if err := l.store.PutRuneBalances(held(l.created, created)...); err != nil {
		return err
	}
	if l.counters != l.before {
		if err := l.store.PutRuneCounters(l.counters); err != nil {
			return err
		}
	}
	if err := l.store.DeleteRuneUndo(height - UndoDepth); err != nil {
		return err
	}
	return l.store.PutRuneUndo(BlockUndo{height, undo})
}

// undo returns the undo record: counters, previous entries, outputs to restore, outputs to delete, and the shared lists
// of the outputs to restore if there are any.
func (l *layer) undo(spent, created []wire.OutPoint) []byte {
	w := make(writer, 0, 64*(1+len(spent)+len(created)))
	w.number(l.before.Runes)
	w.number(l.before.Reserved)
	w.number(uint64(len(l.previous)))
	for _, id := range slices.SortedFunc(maps.Keys(l.previous), ID.Compare) {
		w.id(id)
		writeOptional(&w, l.previous[id], w.entry)
	}
	w.number(uint64(len(spent)))
	shared := map[chainhash.Hash][]Balance{}
	for _, o := range spent {
		h := l.spent[o]
		w.outpoint(o)
		w.holding(h)
		if len(h.Shared) > 0 {
			shared[o.Hash] = h.Shared
		}
	}
	w.number(uint64(len(created)))
	for _, o := range created {
		w.outpoint(o)
	}
	if len(shared) > 0 {
		w.number(uint64(len(shared)))
		for _, tx := range slices.SortedFunc(maps.Keys(shared), compareHashes) {
			w.hash(tx)
			w.balances(shared[tx])
		}
	}
	return w
}

func compareHashes(a, b chainhash.Hash) int { return bytes.Compare(a[:], b[:]) }

func outpoints(m map[wire.OutPoint]Holding) []wire.OutPoint {
	return slices.SortedFunc(maps.Keys(m), compareOutPoints)
}

// held returns outputs with their balances.
func held(m map[wire.OutPoint]Holding, outs []wire.OutPoint) []Held {
	all := make([]Held, len(outs))
	for i, o := range outs {
		all[i] = Held{o, m[o]}
	}
	return all
}

// Undo restores the store to its state before the block of the given height, which must be the last one applied. It
// returns ErrNoUndo, ErrEncoding and errors of the store.
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
	var changed []Entry
	var etched []ID
	for _, id := range u.entries {
		if previous := u.previous[id]; previous != nil {
			changed = append(changed, *previous)
		} else {
			etched = append(etched, id)
		}
	}
	if err := store.DeleteRuneEntry(etched...); err != nil {
		return err
	}
	if err := store.PutRuneEntry(changed...); err != nil {
		return err
	}
	if err := store.DeleteRuneBalances(u.created...); err != nil {
		return err
	}
	if err := store.PutRuneBalances(held(u.spent, outpoints(u.spent))...); err != nil {
		return err
	}
	if err := store.PutRuneCounters(u.counters); err != nil {
		return err
	}
	return store.DeleteRuneUndo(height)
}

// undoRecord is a decoded undo record.
type undoRecord struct {
	counters Counters
	entries  []ID
	previous map[ID]*Entry // nil: did not exist
	spent    map[wire.OutPoint]Holding
	created  []wire.OutPoint
}

// readUndo decodes an undo record. It returns ErrEncoding.
func readUndo(data []byte) (undoRecord, error) {
	r := reader{rest: data}
	u := undoRecord{
		counters: Counters{Runes: r.number(), Reserved: r.number()},
		previous: map[ID]*Entry{},
		spent:    map[wire.OutPoint]Holding{},
	}
	for range r.count() {
		id := r.id()
		u.entries = append(u.entries, id)
		u.previous[id] = readOptional(&r, r.entry)
	}
	var sharing []wire.OutPoint
	for range r.count() {
		o := r.outpoint()
		own, shares := r.holding()
		if u.spent[o] = (Holding{Own: own}); shares {
			sharing = append(sharing, o)
		}
	}
	for range r.count() {
		u.created = append(u.created, r.outpoint())
	}
	if len(sharing) == 0 {
		return u, r.end()
	}
	shared := map[chainhash.Hash][]Balance{}
	for range r.count() {
		tx := r.hash()
		shared[tx] = r.balances()
	}
	for _, o := range sharing {
		if len(shared[o.Hash]) == 0 {
			return u, ErrEncoding
		}
		u.spent[o] = Holding{u.spent[o].Own, shared[o.Hash]}
	}
	return u, r.end()
}
