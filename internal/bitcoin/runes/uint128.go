package runes

import (
	"errors"
	"math/bits"

	"lukechampine.com/uint128"
)

// ErrOverflow is returned if amounts of one rune add up to 2^128 or more, which no valid chain can produce.
var ErrOverflow = errors.New("runes: amount exceeds 128 bits")

// sum returns a + b, and whether it fits in 128 bits.
func sum(a, b uint128.Uint128) (uint128.Uint128, bool) {
	s := a.AddWrap(b)
	return s, s.Cmp(a) >= 0
}

// product returns a × b, and whether it fits in 128 bits.
func product(a, b uint128.Uint128) (uint128.Uint128, bool) {
	if a.Hi != 0 && b.Hi != 0 {
		return uint128.Zero, false
	}
	hi, lo := bits.Mul64(a.Lo, b.Lo)
	overAB, ab := bits.Mul64(a.Hi, b.Lo)
	overBA, ba := bits.Mul64(a.Lo, b.Hi)
	hi, carryAB := bits.Add64(hi, ab, 0)
	hi, carryBA := bits.Add64(hi, ba, 0)
	return uint128.New(lo, hi), overAB|overBA|carryAB|carryBA == 0
}

func minUint128(a, b uint128.Uint128) uint128.Uint128 {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// value returns the optional integer v, or 0 if it is absent.
func value(v *uint128.Uint128) uint128.Uint128 {
	if v == nil {
		return uint128.Zero
	}
	return *v
}

// maxVarintBytes is the length of the longest LEB128 encoding of 128 bits.
const maxVarintBytes = 19

// appendVarint appends n as LEB128, seven bits per byte, least significant first.
func appendVarint(b []byte, n uint128.Uint128) []byte {
	for n.Hi != 0 || n.Lo >= 0x80 {
		b = append(b, byte(n.Lo)|0x80)
		n = n.Rsh(7)
	}
	return append(b, byte(n.Lo))
}

// readVarint decodes one LEB128 integer and returns it with its length in bytes. ok is false if it is not terminated,
// longer than 19 bytes or larger than 128 bits.
func readVarint(b []byte) (n uint128.Uint128, length int, ok bool) {
	for i, c := range b {
		if i >= maxVarintBytes || i == maxVarintBytes-1 && c&0x7c != 0 {
			return uint128.Zero, 0, false
		}
		n = n.Or(uint128.From64(uint64(c & 0x7f)).Lsh(uint(7 * i)))
		if c&0x80 == 0 {
			return n, i + 1, true
		}
	}
	return uint128.Zero, 0, false
}
