package runes

import (
	"errors"
	"fmt"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"lukechampine.com/uint128"
)

// Reasons why a rune can't be minted at a height. The wrapping error carries the number.
var (
	ErrUnmintable   = errors.New("the rune has no open mint")
	ErrMintNotBegun = errors.New("the mint has not begun")
	ErrMintOver     = errors.New("the mint is over")
	ErrMintCap      = errors.New("all mints are taken")
)

// Entry is what the index knows of one rune. What Symbol and Terms point to is never changed.
type Entry struct {
	ID           ID
	Etching      chainhash.Hash // transaction that etched it
	Name         Name
	Spacers      uint32
	Divisibility uint8           // decimals shown
	Symbol       *rune           // nil: none
	Premine      uint128.Uint128 // base units
	Terms        *Terms          // nil: no open mint
	Mints        uint128.Uint128 // number of mints so far
	Burned       uint128.Uint128 // base units
	Number       uint64          // order of etching, from 0
	Timestamp    int64           // of the etching's block, Unix seconds
	Turbo        bool
}

// SpacedName returns the name with its spacers.
func (e Entry) SpacedName() SpacedName { return SpacedName{Name: e.Name, Spacers: e.Spacers} }

// Supply returns the base units issued so far, burned ones included.
func (e Entry) Supply() uint128.Uint128 {
	if e.Terms == nil {
		return e.Premine
	}
	// An etching whose cap × amount exceeds 128 bits is a cenotaph, so this fits.
	return e.Premine.AddWrap(e.Mints.MulWrap(value(e.Terms.Amount)))
}

// Mintable returns the base units that a mint in the block of the given height
// yields, or why there is none: ErrUnmintable, ErrMintNotBegun, ErrMintOver, ErrMintCap.
func (e Entry) Mintable(height int64) (uint128.Uint128, error) {
	if e.Terms == nil {
		return uint128.Zero, ErrUnmintable
	}
	at := uint64(height)
	if begin := e.mintBegin(); at < begin {
		return uint128.Zero, fmt.Errorf("%w: it begins with block %d", ErrMintNotBegun, begin)
	}
	if end, ends := e.mintEnd(); ends && at >= end {
		return uint128.Zero, fmt.Errorf("%w: it ended with block %d", ErrMintOver, end)
	}
	if limit := value(e.Terms.Cap); e.Mints.Cmp(limit) >= 0 {
		return uint128.Zero, fmt.Errorf("%w: the limit is %s", ErrMintCap, limit)
	}
	return value(e.Terms.Amount), nil
}

// mintBegin returns the first height of the mint: the later of the absolute and
// the relative start.
func (e Entry) mintBegin() uint64 {
	var begin uint64
	if start := e.Terms.HeightStart; start != nil {
		begin = *start
	}
	if offset := e.Terms.OffsetStart; offset != nil {
		begin = max(begin, saturating(e.ID.Block, *offset))
	}
	return begin
}

// mintEnd returns the first height after the mint, the earlier of the absolute
// and the relative end, and whether there is one.
func (e Entry) mintEnd() (uint64, bool) {
	end, ends := uint64(math.MaxUint64), false
	if height := e.Terms.HeightEnd; height != nil {
		end, ends = *height, true
	}
	if offset := e.Terms.OffsetEnd; offset != nil {
		end, ends = min(end, saturating(e.ID.Block, *offset)), true
	}
	return end, ends
}

func saturating(a, b uint64) uint64 {
	if s := a + b; s >= a {
		return s
	}
	return math.MaxUint64
}
