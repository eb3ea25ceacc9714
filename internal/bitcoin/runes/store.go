package runes

import (
	"errors"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// UndoDepth is the number of most recent blocks that can be undone.
const UndoDepth = 144

// ErrNoUndo is returned if a block has no undo record, because it was not applied or is too deep.
var ErrNoUndo = errors.New("runes: the block can't be undone, nothing is kept of it")

// ErrApplied is returned if a block of the same height has been applied already.
var ErrApplied = errors.New("runes: a block of this height is applied already")

// Balance is an amount of one rune in base units. A store has no balances of 0.
type Balance struct {
	ID     ID
	Amount uint128.Uint128
}

// Holding are the runes of an output. Own and Shared are ordered by id, and one rune can be in both. Outputs of a
// transaction share a list of at least minShared runes, so that the work and the memory for a transaction grow with its
// size, not with the product of its outputs and runes. Nothing may modify a shared list.
type Holding struct {
	Own    []Balance
	Shared []Balance // runes that each spendable output of the transaction holds in addition
}

// minShared is the number of runes from which outputs share a list. Lists of few runes, which nearly all outputs hold,
// are part of the output's row.
const minShared = 32

// isEmpty reports whether the output holds no runes.
func (h Holding) isEmpty() bool { return len(h.Own) == 0 && len(h.Shared) == 0 }

// All returns all runes of the output, ordered by id. The caller must not modify the list.
func (h Holding) All() []Balance {
	own, shared := h.Own, h.Shared
	if len(shared) == 0 {
		return own
	}
	if len(own) == 0 {
		return shared
	}
	all := make([]Balance, 0, len(own)+len(shared))
	for len(own) > 0 && len(shared) > 0 {
		switch order := own[0].ID.Compare(shared[0].ID); {
		case order < 0:
			all, own = append(all, own[0]), own[1:]
		case order > 0:
			all, shared = append(all, shared[0]), shared[1:]
		default: // together at most the supply, so no overflow
			all = append(all, Balance{own[0].ID, own[0].Amount.Add(shared[0].Amount)})
			own, shared = own[1:], shared[1:]
		}
	}
	return append(append(all, own...), shared...)
}

// Held are the runes of an unspent output.
type Held struct {
	OutPoint wire.OutPoint
	Holding
}

// Allocated are the runes that a block allocates to the outputs of its transactions, without transactions that allocate
// none.
type Allocated map[chainhash.Hash][]Holding

// To returns the runes on an output of the block, ordered by id.
func (a Allocated) To(out wire.OutPoint) []Balance {
	if outputs := a[out.Hash]; int64(out.Index) < int64(len(outputs)) {
		return outputs[out.Index].All()
	}
	return nil
}

// BalancesOf returns the runes of an unspent output, ordered by id.
func BalancesOf(store Store, out wire.OutPoint) ([]Balance, error) {
	held, err := store.RuneBalances(out)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	return held[0].All(), nil
}

// Counters are totals over the index.
type Counters struct {
	Runes    uint64 // number of etched runes, which is the next rune's number
	Reserved uint64 // number of runes etched without a name
}

// BlockUndo is the undo record of the block at a height.
type BlockUndo struct {
	Height int64
	Data   []byte
}

// EntryReader looks up runes.
type EntryReader interface {
	// RuneEntry returns the entry of a rune and whether it exists.
	RuneEntry(ID) (Entry, bool, error)
}

// Store persists the index. Apply and Undo write only after all checks of the block have passed. Call each of them in
// one database transaction together with the update of the tip.
type Store interface {
	EntryReader
	RuneEntryByName(Name) (Entry, bool, error)
	PutRuneEntry(...Entry) error // inserts or replaces; the entries are distinct
	DeleteRuneEntry(...ID) error

	// RuneBalances returns the runes of the outputs that are unspent and hold runes, in no particular order.
	RuneBalances(...wire.OutPoint) ([]Held, error)

	// PutRuneBalances inserts or replaces the runes of distinct outputs. Outputs of one transaction have the same
	// shared list.
	PutRuneBalances(...Held) error
	DeleteRuneBalances(...wire.OutPoint) error

	// The undo records of blocks of consecutive heights. Deleting an absent record is not an error.
	PutRuneUndo(...BlockUndo) error
	RuneUndo(height int64) ([]byte, bool, error)
	DeleteRuneUndo(heights ...int64) error

	RuneCounters() (Counters, error) // zero if never put
	PutRuneCounters(Counters) error
}
