package runes

import (
	"errors"
	"fmt"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"lukechampine.com/uint128"
)

// Reasons why a rune can't be minted at a height. The error that wraps them contains the limit.
var (
	ErrUnmintable   = errors.New("the rune has no open mint")
	ErrMintNotBegun = errors.New("the mint has not begun")
	ErrMintOver     = errors.New("the mint is over")
	ErrMintCap      = errors.New("all mints are taken")
)

// Entry is the state of one rune in the index. The values that Symbol and Terms point to are never modified.
type Entry struct {
	ID           ID
	Etching      chainhash.Hash // transaction that etched it
	Name         Name
	Spacers      uint32
	Divisibility uint8           // number of decimals
	Symbol       *rune           // nil: none
	Premine      uint128.Uint128 // base units
	Terms        *Terms          // nil: no open mint
	Mints        uint128.Uint128 // number of mints
	Burned       uint128.Uint128 // base units
	Number       uint64          // order of etching, from 0
	Timestamp    int64           // of the etching's block, Unix seconds
	Turbo        bool
}

// SpacedName returns the name and its spacers.
func (e Entry) SpacedName() SpacedName { return SpacedName{Name: e.Name, Spacers: e.Spacers} }

// Supply returns the base units issued, including burned ones.
func (e Entry) Supply() uint128.Uint128 {
	if e.Terms == nil {
		return e.Premine
	}
	// An etching whose cap × amount exceeds 128 bits is a cenotaph, so this fits.
	return e.Premine.AddWrap(e.Mints.MulWrap(value(e.Terms.Amount)))
}

// Mintable returns the base units that a mint yields in a block of the given height. It returns ErrUnmintable,
// ErrMintNotBegun, ErrMintOver or ErrMintCap if a mint has no effect.
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

// mintBegin returns the first height of the mint, which is the later of the absolute and the relative start.
func (e Entry) mintBegin() uint64 {
	var begin uint64
	if start := e.Terms.HeightStart; start != nil {
		begin = *start
	}
	if offset := e.Terms.OffsetStart; offset != nil {
		begin = max(begin, saturatingAdd(e.ID.Block, *offset))
	}
	return begin
}

// mintEnd returns the first height after the mint, which is the earlier of the absolute and the relative end, and
// whether the mint ends.
func (e Entry) mintEnd() (uint64, bool) {
	end, ends := uint64(math.MaxUint64), false
	if height := e.Terms.HeightEnd; height != nil {
		end, ends = *height, true
	}
	if offset := e.Terms.OffsetEnd; offset != nil {
		end, ends = min(end, saturatingAdd(e.ID.Block, *offset)), true
	}
	return end, ends
}

// saturatingAdd returns a + b, or the maximum if the sum overflows.
func saturatingAdd(a, b uint64) uint64 {
	if s := a + b; s >= a {
		return s
	}
	return math.MaxUint64
}
