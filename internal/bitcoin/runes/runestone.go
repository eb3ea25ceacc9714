// Package runes decodes and encodes runestones and maintains the index of runes: it applies blocks to a store and
// undoes them, following the rules of the reference implementation (ord 0.27), in 128-bit arithmetic.
//
// Amounts are in base units of a rune as uint128; heights are block heights.
package runes

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/btcsuite/btcd/txscript/v2"
	"lukechampine.com/uint128"
)

// Limits of an etching.
const (
	MaxDivisibility = 38
	MaxSpacers      = 1<<27 - 1
)

// ErrRunestone is returned for a runestone that has no encoding that decodes to the same runestone, wrapped with the
// reason.
var ErrRunestone = errors.New("runestone can't be written")

// Edict moves an amount of a rune to an output. Amount 0 means the whole unallocated amount. An Output equal to the
// number of outputs addresses every output that is not an OP_RETURN: amount 0 splits the unallocated amount evenly, any
// other amount goes to each in turn.
type Edict struct {
	ID     ID
	Amount uint128.Uint128
	Output uint32
}

// Terms are the terms of an open mint. A mint is possible from the later start until before the earlier end; offsets
// are relative to the block of the etching.
type Terms struct {
	Amount      *uint128.Uint128 // base units per mint
	Cap         *uint128.Uint128 // number of mints
	HeightStart *uint64
	HeightEnd   *uint64
	OffsetStart *uint64
	OffsetEnd   *uint64
}

// Etching creates a rune. Nil fields are absent.
type Etching struct {
	Name         *Name // nil: the rune gets a reserved name
	Spacers      *uint32
	Divisibility *uint8
	Symbol       *rune
	Premine      *uint128.Uint128 // base units
	Terms        *Terms           // nil: no open mint
	Turbo        bool
}

// MaxSupply returns premine + cap × amount in base units, and whether it fits in 128 bits.
func (e Etching) MaxSupply() (uint128.Uint128, bool) {
	var minted uint128.Uint128
	fits := true
	if e.Terms != nil {
		minted, fits = product(value(e.Terms.Cap), value(e.Terms.Amount))
	}
	supply, ok := sum(value(e.Premine), minted)
	return supply, ok && fits
}

// Runestone is a valid protocol message.
type Runestone struct {
	Edicts  []Edict
	Etching *Etching
	Mint    *ID
	Pointer *uint32 // output for unallocated runes; nil: the first that is not an OP_RETURN
}

// Cenotaph is an invalid protocol message. All runes that enter its transaction burn. A mint still counts, and a named
// etching creates a rune without supply.
type Cenotaph struct {
	Flaw    Flaw
	Etching *Name
	Mint    *ID
}

// Artifact is the protocol message of a transaction: exactly one field is set.
type Artifact struct {
	Runestone *Runestone
	Cenotaph  *Cenotaph
}

func (a *Artifact) mint() *ID {
	if a.Cenotaph != nil {
		return a.Cenotaph.Mint
	}
	return a.Runestone.Mint
}

// Flaw is the reason why a runestone is a cenotaph.
type Flaw string

// Flaws have the names of the reference implementation.
const (
	FlawEdictOutput         Flaw = "EdictOutput"         // output beyond the transaction's outputs
	FlawEdictRuneID         Flaw = "EdictRuneId"         // id out of range
	FlawInvalidScript       Flaw = "InvalidScript"       // the script ends within a push
	FlawOpcode              Flaw = "Opcode"              // an opcode other than a data push
	FlawSupplyOverflow      Flaw = "SupplyOverflow"      // premine + cap × amount ≥ 2^128
	FlawTrailingIntegers    Flaw = "TrailingIntegers"    // an incomplete edict
	FlawTruncatedField      Flaw = "TruncatedField"      // a tag without value
	FlawUnrecognizedEvenTag Flaw = "UnrecognizedEvenTag" // unknown, doubled or unreadable even tag
	FlawUnrecognizedFlag    Flaw = "UnrecognizedFlag"
	FlawVarint              Flaw = "Varint" // invalid LEB128
)

// Tags of the payload's fields. An unknown even tag makes a cenotaph.
const (
	tagBody         = 0
	tagFlags        = 2
	tagName         = 4
	tagPremine      = 6
	tagCap          = 8
	tagAmount       = 10
	tagHeightStart  = 12
	tagHeightEnd    = 14
	tagOffsetStart  = 16
	tagOffsetEnd    = 18
	tagMint         = 20
	tagPointer      = 22
	tagDivisibility = 1
	tagSpacers      = 3
	tagSymbol       = 5
)

// Bits of the flags field.
const (
	flagEtching = 1 << iota
	flagTerms
	flagTurbo
)

const (
	opReturn = txscript.OP_RETURN
	opMagic  = txscript.OP_13
)

// Script returns the output script OP_RETURN OP_13 PUSH with the encoded runestone, edicts sorted by id. It returns
// ErrRunestone for a field out of range, which decoders would drop or treat as a cenotaph.
func (r Runestone) Script() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var p payload
	if r.Etching != nil {
		p.etching(*r.Etching)
	}
	if r.Mint != nil {
		p.field(tagMint, uint128.From64(r.Mint.Block))
		p.field(tagMint, uint128.From64(uint64(r.Mint.Tx)))
	}
	optional(&p, tagPointer, r.Pointer)
	p.edicts(r.Edicts)
	return appendPush([]byte{opReturn, opMagic}, p), nil
}

func (r Runestone) check() error {
	for _, e := range r.Edicts {
		if !e.ID.valid() {
			return fmt.Errorf("%w: edict of rune %s", ErrRunestone, e.ID)
		}
	}
	if r.Mint != nil && !r.Mint.valid() {
		return fmt.Errorf("%w: mint of rune %s", ErrRunestone, r.Mint)
	}
	e := r.Etching
	if e == nil {
		return nil
	}
	if e.Divisibility != nil && *e.Divisibility > MaxDivisibility {
		return fmt.Errorf("%w: divisibility %d is over %d", ErrRunestone, *e.Divisibility, MaxDivisibility)
	}
	if e.Spacers != nil && *e.Spacers > MaxSpacers {
		return fmt.Errorf("%w: spacers out of range", ErrRunestone)
	}
	if e.Symbol != nil && !utf8.ValidRune(*e.Symbol) {
		return fmt.Errorf("%w: symbol is no character", ErrRunestone)
	}
	if _, fits := e.MaxSupply(); !fits {
		return fmt.Errorf("%w: supply exceeds 128 bits", ErrRunestone)
	}
	return nil
}

// payload is an encoded message: a sequence of LEB128 integers.
type payload []byte

func (p *payload) integer(n uint128.Uint128) { *p = appendVarint(*p, n) }

func (p *payload) field(tag uint64, n uint128.Uint128) {
	p.integer(uint128.From64(tag))
	p.integer(n)
}

// optional writes a field if it is present.
func optional[T ~uint8 | ~uint32 | ~int32 | ~uint64](p *payload, tag uint64, v *T) {
	if v != nil {
		p.field(tag, uint128.From64(uint64(*v)))
	}
}

func (p *payload) optional128(tag uint64, v *uint128.Uint128) {
	if v != nil {
		p.field(tag, *v)
	}
}

func (p *payload) etching(e Etching) {
	flags := uint64(flagEtching)
	if e.Terms != nil {
		flags |= flagTerms
	}
	if e.Turbo {
		flags |= flagTurbo
	}
	p.field(tagFlags, uint128.From64(flags))
	p.optional128(tagName, (*uint128.Uint128)(e.Name))
	optional(p, tagDivisibility, e.Divisibility)
	optional(p, tagSpacers, e.Spacers)
	optional(p, tagSymbol, e.Symbol)
	p.optional128(tagPremine, e.Premine)
	if t := e.Terms; t != nil {
		p.optional128(tagAmount, t.Amount)
		p.optional128(tagCap, t.Cap)
		optional(p, tagHeightStart, t.HeightStart)
		optional(p, tagHeightEnd, t.HeightEnd)
		optional(p, tagOffsetStart, t.OffsetStart)
		optional(p, tagOffsetEnd, t.OffsetEnd)
	}
}

// edicts writes the body: four integers per edict, with the id as the delta from the previous edict.
func (p *payload) edicts(edicts []Edict) {
	if len(edicts) == 0 {
		return
	}
	sorted := slices.Clone(edicts)
	slices.SortStableFunc(sorted, func(a, b Edict) int { return a.ID.Compare(b.ID) })
	p.integer(uint128.From64(tagBody))
	var last ID
	for _, e := range sorted {
		tx := e.ID.Tx
		if e.ID.Block == last.Block {
			tx -= last.Tx
		}
		p.integer(uint128.From64(e.ID.Block - last.Block))
		p.integer(uint128.From64(uint64(tx)))
		p.integer(e.Amount)
		p.integer(uint128.From64(uint64(e.Output)))
		last = e.ID
	}
}

// appendPush appends one data push of any size, or nothing if data is empty. The 520-byte limit on pushes does not
// apply to unspendable outputs.
func appendPush(script, data []byte) []byte {
	switch n := len(data); {
	case n == 0:
		return script
	case n < txscript.OP_PUSHDATA1:
		script = append(script, byte(n))
	case n <= 0xff:
		script = append(script, txscript.OP_PUSHDATA1, byte(n))
	case n <= 0xffff:
		script = binary.LittleEndian.AppendUint16(append(script, txscript.OP_PUSHDATA2), uint16(n))
	default:
		script = binary.LittleEndian.AppendUint32(append(script, txscript.OP_PUSHDATA4), uint32(n))
	}
	return append(script, data...)
}
