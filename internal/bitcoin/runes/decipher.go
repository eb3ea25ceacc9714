package runes

import (
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// Decipher returns the message in the first output of tx that starts with OP_RETURN OP_13, or nil if there is none. A
// malformed message is a cenotaph, not an error.
func Decipher(tx *wire.MsgTx) *Artifact {
	script := runestoneScript(tx)
	if script == nil {
		return nil
	}
	data, flaw := joinPushes(script[2:])
	if flaw != "" {
		return &Artifact{Cenotaph: &Cenotaph{Flaw: flaw}}
	}
	integers, ok := readIntegers(data)
	if !ok {
		return &Artifact{Cenotaph: &Cenotaph{Flaw: FlawVarint}}
	}
	m := readMessage(integers, len(tx.TxOut))
	return m.artifact(len(tx.TxOut))
}

// runestoneScript returns the first output script that starts with OP_RETURN OP_13, or nil.
func runestoneScript(tx *wire.MsgTx) []byte {
	for _, out := range tx.TxOut {
		if s := out.PkScript; len(s) >= 2 && s[0] == opReturn && s[1] == opMagic {
			return s
		}
	}
	return nil
}

// nextPush parses the first instruction of a script: its opcode, the data of a push of bytes, and the rest of the
// script. ok is false if the script ends within the instruction.
func nextPush(script []byte) (op byte, data, rest []byte, ok bool) {
	op, script = script[0], script[1:]
	var n uint64
	width := 0
	switch {
	case op < txscript.OP_PUSHDATA1:
		n = uint64(op)
	case op <= txscript.OP_PUSHDATA4:
		width = 1 << (op - txscript.OP_PUSHDATA1)
	default:
		return op, nil, script, true
	}
	if width > 0 {
		if len(script) < width {
			return op, nil, nil, false
		}
		var size [8]byte
		copy(size[:], script[:width])
		n, script = binary.LittleEndian.Uint64(size[:]), script[width:]
	}
	if uint64(len(script)) < n {
		return op, nil, nil, false
	}
	return op, script[:n:n], script[n:], true
}

// joinPushes concatenates the data pushes of a script that contains nothing else.
func joinPushes(script []byte) ([]byte, Flaw) {
	var all []byte
	for len(script) > 0 {
		op, data, rest, ok := nextPush(script)
		if !ok {
			return nil, FlawInvalidScript
		}
		if op > txscript.OP_PUSHDATA4 {
			return nil, FlawOpcode
		}
		if all == nil && len(rest) == 0 {
			return data, ""
		}
		all, script = append(all, data...), rest
	}
	return all, ""
}

func readIntegers(data []byte) ([]uint128.Uint128, bool) {
	integers := make([]uint128.Uint128, 0, min(len(data), 64))
	for len(data) > 0 {
		n, length, ok := readVarint(data)
		if !ok {
			return nil, false
		}
		integers, data = append(integers, n), data[length:]
	}
	return integers, true
}

// field is a tag with one value.
type field struct{ tag, value uint128.Uint128 }

// message is a payload whose fields are not interpreted yet.
type message struct {
	flaw   Flaw
	fields []field
	edicts []Edict
}

// setFlaw records the first flaw.
func (m *message) setFlaw(f Flaw) {
	if m.flaw == "" {
		m.flaw = f
	}
}

func readMessage(integers []uint128.Uint128, outputs int) *message {
	m := &message{}
	for ; len(integers) > 0; integers = integers[2:] {
		if integers[0].IsZero() { // tagBody: the rest are edicts
			m.readEdicts(integers[1:], outputs)
			break
		}
		if len(integers) == 1 {
			m.setFlaw(FlawTruncatedField)
			break
		}
		m.fields = append(m.fields, field{integers[0], integers[1]})
	}
	return m
}

func (m *message) readEdicts(integers []uint128.Uint128, outputs int) {
	var id ID
	for ; len(integers) > 0; integers = integers[4:] {
		if len(integers) < 4 {
			m.setFlaw(FlawTrailingIntegers)
			return
		}
		next, ok := id.next(integers[0], integers[1])
		if !ok {
			m.setFlaw(FlawEdictRuneID)
			return
		}
		output := integers[3]
		if output.Hi != 0 || output.Lo > math.MaxUint32 || output.Lo > uint64(outputs) {
			m.setFlaw(FlawEdictOutput)
			return
		}
		m.edicts = append(m.edicts, Edict{ID: next, Amount: integers[2], Output: uint32(output.Lo)})
		id = next
	}
}

// next returns the id that an edict encodes as a delta: tx is relative to id's if block is 0.
func (id ID) next(block, tx uint128.Uint128) (ID, bool) {
	if block.IsZero() {
		var fits bool
		if tx, fits = sum(tx, uint128.From64(uint64(id.Tx))); !fits {
			return ID{}, false
		}
	}
	block, fits := sum(block, uint128.From64(id.Block))
	if !fits {
		return ID{}, false
	}
	return newID(block, tx)
}

func newID(block, tx uint128.Uint128) (ID, bool) {
	if block.Hi != 0 || tx.Hi != 0 || tx.Lo > math.MaxUint32 {
		return ID{}, false
	}
	id := ID{Block: block.Lo, Tx: uint32(tx.Lo)}
	return id, id.valid()
}

// take removes the first value of a tag and returns it as parsed by read. A value that read rejects is not removed; a
// remaining even tag makes a cenotaph.
func take[T any](m *message, tag uint64, read func(uint128.Uint128) (T, bool)) *T {
	at := slices.IndexFunc(m.fields, func(f field) bool { return f.tag == uint128.From64(tag) })
	if at < 0 {
		return nil
	}
	v, ok := read(m.fields[at].value)
	if !ok {
		return nil
	}
	m.fields = slices.Delete(m.fields, at, at+1)
	return &v
}

func any128(n uint128.Uint128) (uint128.Uint128, bool) { return n, true }

func any64(n uint128.Uint128) (uint64, bool) { return n.Lo, n.Hi == 0 }

// upTo returns a parser of integers up to limit, inclusive.
func upTo[T uint8 | uint32](limit uint64) func(uint128.Uint128) (T, bool) {
	return func(n uint128.Uint128) (T, bool) { return T(n.Lo), n.Hi == 0 && n.Lo <= limit }
}

func asName(n uint128.Uint128) (Name, bool) { return Name(n), true }

func asSymbol(n uint128.Uint128) (rune, bool) {
	ok := n.Hi == 0 && n.Lo <= utf8.MaxRune && utf8.ValidRune(rune(n.Lo))
	return rune(n.Lo), ok
}

// takeMint removes and returns both values of the mint's id, or neither.
func (m *message) takeMint() *ID {
	var at []int
	for i, f := range m.fields {
		if f.tag == uint128.From64(tagMint) {
			if at = append(at, i); len(at) == 2 {
				break
			}
		}
	}
	if len(at) < 2 {
		return nil
	}
	id, ok := newID(m.fields[at[0]].value, m.fields[at[1]].value)
	if !ok {
		return nil
	}
	m.fields = slices.Delete(m.fields, at[1], at[1]+1)
	m.fields = slices.Delete(m.fields, at[0], at[0]+1)
	return &id
}

func (m *message) takeEtching(flags *uint128.Uint128) *Etching {
	if !takeFlag(flags, flagEtching) {
		return nil
	}
	e := &Etching{
		Divisibility: take(m, tagDivisibility, upTo[uint8](MaxDivisibility)),
		Premine:      take(m, tagPremine, any128),
		Name:         take(m, tagName, asName),
		Spacers:      take(m, tagSpacers, upTo[uint32](MaxSpacers)),
		Symbol:       take(m, tagSymbol, asSymbol),
	}
	if takeFlag(flags, flagTerms) {
		e.Terms = &Terms{
			Cap:         take(m, tagCap, any128),
			HeightStart: take(m, tagHeightStart, any64),
			HeightEnd:   take(m, tagHeightEnd, any64),
			Amount:      take(m, tagAmount, any128),
			OffsetStart: take(m, tagOffsetStart, any64),
			OffsetEnd:   take(m, tagOffsetEnd, any64),
		}
	}
	e.Turbo = takeFlag(flags, flagTurbo)
	return e
}

func takeFlag(flags *uint128.Uint128, flag uint64) bool {
	set := flags.Lo&flag != 0
	flags.Lo &^= flag
	return set
}

// artifact interprets the fields. A remaining flag or even tag makes a cenotaph.
func (m *message) artifact(outputs int) *Artifact {
	flags := value(take(m, tagFlags, any128))
	etching := m.takeEtching(&flags)
	mint := m.takeMint()
	pointer := take(m, tagPointer, func(n uint128.Uint128) (uint32, bool) {
		return uint32(n.Lo), n.Hi == 0 && n.Lo <= math.MaxUint32 && n.Lo < uint64(outputs)
	})
	if etching != nil {
		if _, fits := etching.MaxSupply(); !fits {
			m.setFlaw(FlawSupplyOverflow)
		}
	}
	if !flags.IsZero() {
		m.setFlaw(FlawUnrecognizedFlag)
	}
	if slices.ContainsFunc(m.fields, func(f field) bool { return f.tag.Lo%2 == 0 }) {
		m.setFlaw(FlawUnrecognizedEvenTag)
	}
	if m.flaw == "" {
		return &Artifact{Runestone: &Runestone{Edicts: m.edicts, Etching: etching, Mint: mint, Pointer: pointer}}
	}
	c := &Cenotaph{Flaw: m.flaw, Mint: mint}
	if etching != nil {
		c.Etching = etching.Name
	}
	return &Artifact{Cenotaph: c}
}
