package runes

import (
	"errors"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// UndoDepth is the number of latest blocks that can be undone.
const UndoDepth = 144

// ErrNoUndo is returned when a block was not applied or lies too deep to be undone.
var ErrNoUndo = errors.New("runes: the block can't be undone, nothing is kept of it")

// ErrApplied is returned when a block is applied at a height that has one already.
var ErrApplied = errors.New("runes: a block of this height is applied already")

// Balance is an amount of one rune, in base units, never 0 in a store.
type Balance struct {
	ID     ID
	Amount uint128.Uint128
}

// Counters are the totals of the index.
type Counters struct {
	Runes    uint64 // etched, and so the next rune's number
	Reserved uint64 // of them without a name of their own
}

// EntryReader reads runes.
type EntryReader interface {
	// RuneEntry returns the entry of a rune and whether there is one.
	RuneEntry(ID) (Entry, bool, error)
}

// Store keeps the index. Apply and Undo write to it only after all that can fail
// for the block's own sake; run each in one transaction with the tip.
type Store interface {
	EntryReader
	RuneEntryByName(Name) (Entry, bool, error)
	PutRuneEntry(Entry) error // inserts or replaces
	DeleteRuneEntry(ID) error

	// RuneBalances returns an unspent output's runes ordered by id, none when it holds none.
	RuneBalances(wire.OutPoint) ([]Balance, error)
	PutRuneBalances(wire.OutPoint, []Balance) error // inserts or replaces
	DeleteRuneBalances(wire.OutPoint) error

	// The record that undoes the block of a height. Deleting what is absent is no error.
	PutRuneUndo(height int64, data []byte) error
	RuneUndo(height int64) ([]byte, bool, error)
	DeleteRuneUndo(height int64) error

	RuneCounters() (Counters, error) // zero when never put
	PutRuneCounters(Counters) error
}
