package runes

import (
	"errors"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// UndoDepth is the number of most recent blocks that can be undone.
const UndoDepth = 144

// ErrNoUndo is returned if a block has no undo record, because it was not applied or is too
// deep.
var ErrNoUndo = errors.New("runes: the block can't be undone, nothing is kept of it")

// ErrApplied is returned if a block of the same height has been applied already.
var ErrApplied = errors.New("runes: a block of this height is applied already")

// Balance is an amount of one rune in base units. A store has no balances of 0.
type Balance struct {
	ID     ID
	Amount uint128.Uint128
}

// Held are the runes of an output, ordered by id.
type Held struct {
	OutPoint wire.OutPoint
	Balances []Balance
}

// BalancesOf returns the runes of an unspent output, ordered by id.
func BalancesOf(store Store, out wire.OutPoint) ([]Balance, error) {
	held, err := store.RuneBalances(out)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	return held[0].Balances, nil
}

// Counters are totals over the index.
type Counters struct {
	Runes    uint64 // number of etched runes, which is the next rune's number
	Reserved uint64 // number of those etched without a name
}

// EntryReader looks up runes.
type EntryReader interface {
	// RuneEntry returns the entry of a rune and whether it exists.
	RuneEntry(ID) (Entry, bool, error)
}

// Store persists the index. Apply and Undo write only after all checks of the block have
// passed. Call each of them in one database transaction together with the update of the tip.
type Store interface {
	EntryReader
	RuneEntryByName(Name) (Entry, bool, error)
	PutRuneEntry(...Entry) error // inserts or replaces; the entries are distinct
	DeleteRuneEntry(...ID) error

	// RuneBalances returns the runes of those of the outputs that are unspent and hold any, in no
	// particular order.
	RuneBalances(...wire.OutPoint) ([]Held, error)
	PutRuneBalances(...Held) error // inserts or replaces; the outputs are distinct
	DeleteRuneBalances(...wire.OutPoint) error

	// The undo record of the block at a height. Deleting an absent record is not an error.
	PutRuneUndo(height int64, data []byte) error
	RuneUndo(height int64) ([]byte, bool, error)
	DeleteRuneUndo(height int64) error

	RuneCounters() (Counters, error) // zero if never put
	PutRuneCounters(Counters) error
}
