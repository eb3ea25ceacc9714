package runes

import (
	"slices"
	"sync"

	"github.com/btcsuite/btcd/wire/v2"
)

// Memory is a Store in memory, safe for concurrent use. Its methods never return an error. Use NewMemory to create one.
type Memory struct {
	mu       sync.RWMutex
	entries  map[ID]Entry
	names    map[Name]ID
	balances map[wire.OutPoint]Holding
	undo     map[int64][]byte
	counters Counters
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{
		entries:  map[ID]Entry{},
		names:    map[Name]ID{},
		balances: map[wire.OutPoint]Holding{},
		undo:     map[int64][]byte{},
	}
}

// RuneEntry implements Store.
func (m *Memory) RuneEntry(id ID) (Entry, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	e, ok := m.entries[id]
	return e, ok, nil
}

// RuneEntryByName implements Store.
func (m *Memory) RuneEntryByName(name Name) (Entry, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	id, ok := m.names[name]
	return m.entries[id], ok, nil
}

// PutRuneEntry implements Store.
func (m *Memory) PutRuneEntry(entries ...Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range entries {
		m.entries[e.ID], m.names[e.Name] = e, e.ID
	}
	return nil
}

// DeleteRuneEntry implements Store.
func (m *Memory) DeleteRuneEntry(ids ...ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if e, ok := m.entries[id]; ok {
			delete(m.names, e.Name)
			delete(m.entries, id)
		}
	}
	return nil
}

// RuneBalances implements Store.
func (m *Memory) RuneBalances(outs ...wire.OutPoint) (held []Held, _ error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, o := range outs {
		if h := m.balances[o]; !h.isEmpty() {
			held = append(held, Held{o, Holding{slices.Clone(h.Own), h.Shared}})
		}
	}
	return held, nil
}

// PutRuneBalances implements Store.
func (m *Memory) PutRuneBalances(all ...Held) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range all {
		m.balances[h.OutPoint] = Holding{slices.Clone(h.Own), h.Shared}
	}
	return nil
}

// DeleteRuneBalances implements Store.
func (m *Memory) DeleteRuneBalances(outs ...wire.OutPoint) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range outs {
		delete(m.balances, o)
	}
	return nil
}

// PutRuneUndo implements Store.
func (m *Memory) PutRuneUndo(records ...BlockUndo) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range records {
		m.undo[r.Height] = slices.Clone(r.Data)
	}
	return nil
}

// RuneUndo implements Store.
func (m *Memory) RuneUndo(height int64) ([]byte, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	data, ok := m.undo[height]
	return slices.Clone(data), ok, nil
}

// DeleteRuneUndo implements Store.
func (m *Memory) DeleteRuneUndo(heights ...int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, height := range heights {
		delete(m.undo, height)
	}
	return nil
}

// RuneCounters implements Store.
func (m *Memory) RuneCounters() (Counters, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.counters, nil
}

// PutRuneCounters implements Store.
func (m *Memory) PutRuneCounters(c Counters) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counters = c
	return nil
}
