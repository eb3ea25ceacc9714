package runes

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"lukechampine.com/uint128"
)

// Name is a rune's name as the protocol stores it: letters A to Z as a number in
// bijective base 26, so "A" is 0, "Z" 25, "AA" 26.
type Name uint128.Uint128

// ErrName is returned for text that is not a rune's name; the wrapping error says why.
var ErrName = errors.New("not a rune name")

// maxLetters is the length of the longest name that fits 128 bits.
const maxLetters = 28

// reservedFrom is the first reserved name, 27 times A. Names from there on are
// given to runes that were etched without one.
var reservedFrom = Name(mustParse("6402364363415443603228541259936211926"))

func mustParse(s string) uint128.Uint128 {
	n, err := uint128.FromString(s)
	if err != nil {
		panic(err)
	}
	return n
}

// ParseName reads a name without spacers. It returns ErrName.
func ParseName(text string) (Name, error) {
	if text == "" {
		return Name{}, fmt.Errorf("%w: it is empty", ErrName)
	}
	var n uint128.Uint128
	for i, c := range text {
		if c < 'A' || c > 'Z' {
			return Name{}, fmt.Errorf("%w: %q is not a capital letter", ErrName, c)
		}
		added, scaled, ended := true, true, true
		if i > 0 {
			n, added = sum(n, uint128.From64(1))
		}
		n, scaled = product(n, uint128.From64(26))
		n, ended = sum(n, uint128.From64(uint64(c-'A')))
		if !added || !scaled || !ended {
			return Name{}, fmt.Errorf("%w: it is too long", ErrName)
		}
	}
	return Name(n), nil
}

// String returns the name's letters.
func (n Name) String() string {
	var letters [maxLetters]byte
	at := len(letters)
	for rest := uint128.Uint128(n); ; rest = rest.Sub64(1) {
		var letter uint64
		rest, letter = rest.QuoRem64(26)
		at--
		letters[at] = 'A' + byte(letter)
		if rest.IsZero() {
			return string(letters[at:])
		}
	}
}

// Cmp orders names by their number: the shorter, the smaller.
func (n Name) Cmp(other Name) int { return uint128.Uint128(n).Cmp(uint128.Uint128(other)) }

// Reserved says whether the name belongs to those that nobody can etch.
func (n Name) Reserved() bool { return n.Cmp(reservedFrom) >= 0 }

// Commitment returns the bytes that a named etching must have committed to in a
// tapscript: the number, little-endian, without trailing zeros. "A" gives none.
func (n Name) Commitment() []byte {
	b := make([]byte, 16)
	uint128.Uint128(n).PutBytes(b)
	return b[:(uint128.Uint128(n).Len()+7)/8]
}

// ReservedName returns the name of a rune that was etched without one.
func ReservedName(id ID) Name {
	place := uint128.From64(id.Block).Lsh(32).Or64(uint64(id.Tx))
	return Name(uint128.Uint128(reservedFrom).AddWrap(place))
}

// The unlocking of short names: from the first rune height on, within one
// halving interval, the least name goes from twelve letters to one in twelve steps.
const (
	halvingInterval = 210_000
	unlockInterval  = halvingInterval / 12
	unlockedLetters = 13 // letters of the least name before the first rune height
)

// leastOf returns the least name of so many letters: leastOf(1) is "A", leastOf(2) "AA", and so on to 13 letters.
func leastOf(letters int) uint64 {
	var n uint64
	for range letters - 1 {
		n = (n + 1) * 26
	}
	return n
}

// minimumName returns the least name that can be etched in the block of the given height.
func minimumName(first, height int64) Name {
	progress := height + 1 - first
	switch {
	case progress < 0:
		return Name(uint128.From64(leastOf(unlockedLetters)))
	case progress >= halvingInterval:
		return Name{}
	}
	letters := unlockedLetters - int(progress/unlockInterval)
	from, to := leastOf(letters), leastOf(letters-1)
	hi, lo := bits.Mul64(from-to, uint64(progress%unlockInterval))
	gone, _ := bits.Div64(hi, lo, unlockInterval)
	return Name(uint128.From64(from - gone))
}

// SpacedName is a name and the bullets between its letters: bit i of Spacers
// stands for a bullet after letter i.
type SpacedName struct {
	Name    Name
	Spacers uint32
}

// ParseSpacedName reads a name whose letters may be separated by single • or "."
// spacers. It returns ErrName.
func ParseSpacedName(text string) (SpacedName, error) {
	var letters strings.Builder
	var spacers uint32
	for _, c := range text {
		if c != '•' && c != '.' {
			letters.WriteRune(c)
			continue
		}
		if letters.Len() == 0 || letters.Len() >= maxLetters {
			return SpacedName{}, fmt.Errorf("%w: a spacer must stand between two letters", ErrName)
		}
		bit := uint32(1) << (letters.Len() - 1)
		if spacers&bit != 0 {
			return SpacedName{}, fmt.Errorf("%w: two spacers in a row", ErrName)
		}
		spacers |= bit
	}
	name, err := ParseName(letters.String())
	if err != nil {
		return SpacedName{}, err
	}
	if bits.Len32(spacers) >= letters.Len() {
		return SpacedName{}, fmt.Errorf("%w: a spacer must stand between two letters", ErrName)
	}
	return SpacedName{Name: name, Spacers: spacers}, nil
}

// String returns the letters with • at the spacers; spacers past the end are not shown.
func (s SpacedName) String() string {
	letters := s.Name.String()
	var b strings.Builder
	for i := range len(letters) {
		b.WriteByte(letters[i])
		if i < len(letters)-1 && s.Spacers&(1<<i) != 0 {
			b.WriteRune('•')
		}
	}
	return b.String()
}
