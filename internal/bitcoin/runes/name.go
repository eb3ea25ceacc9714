package runes

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"lukechampine.com/uint128"
)

// Name is a rune's name as the protocol stores it: the letters A to Z as a number in bijective base 26, so "A" is 0,
// "Z" 25 and "AA" 26.
type Name uint128.Uint128

// ErrName is returned for text that is not a rune's name, wrapped with the reason.
var ErrName = errors.New("not a rune name")

// maxLetters is the length of the longest name that fits in 128 bits.
const maxLetters = 28

// reservedFrom is the first reserved name, 27 times A. Runes etched without a name get reserved names.
var reservedFrom = Name(mustParse("6402364363415443603228541259936211926"))

func mustParse(s string) uint128.Uint128 {
	n, err := uint128.FromString(s)
	if err != nil {
		panic(err)
	}
	return n
}

// ParseName parses a name without spacers. It returns ErrName.
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

// String returns the name as letters.
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

// Cmp compares names by their numbers. A shorter name is smaller than a longer one.
func (n Name) Cmp(other Name) int { return uint128.Uint128(n).Cmp(uint128.Uint128(other)) }

// Reserved reports whether the name is reserved, so that no transaction can etch it.
func (n Name) Reserved() bool { return n.Cmp(reservedFrom) >= 0 }

// Commitment returns the bytes that a named etching must commit to in a tapscript: the number, little-endian, without
// trailing zeros. "A" has no bytes.
func (n Name) Commitment() []byte {
	b := make([]byte, 16)
	uint128.Uint128(n).PutBytes(b)
	return b[:(uint128.Uint128(n).Len()+7)/8]
}

// ReservedName returns the name that the rune with this id gets if it is etched without a name.
func ReservedName(id ID) Name {
	place := uint128.From64(id.Block).Lsh(32).Or64(uint64(id.Tx))
	return Name(uint128.Uint128(reservedFrom).AddWrap(place))
}

// Short names unlock in twelve steps over one halving interval, starting at the first rune height. Each step reduces
// the minimum length by one letter.
const (
	halvingInterval = 210_000
	unlockInterval  = halvingInterval / 12
	unlockedLetters = 13 // minimum length before the first rune height
)

// minNameOfLength returns the smallest name with this number of letters, for 1 to 13 letters: "A", "AA", and so on.
func minNameOfLength(letters int) uint64 {
	var n uint64
	for range letters - 1 {
		n = (n + 1) * 26
	}
	return n
}

// minimumName returns the smallest name that can be etched in the block of the given height.
func minimumName(first, height int64) Name {
	progress := height + 1 - first
	switch {
	case progress < 0:
		return Name(uint128.From64(minNameOfLength(unlockedLetters)))
	case progress >= halvingInterval:
		return Name{}
	}
	letters := unlockedLetters - int(progress/unlockInterval)
	from, to := minNameOfLength(letters), minNameOfLength(letters-1)
	hi, lo := bits.Mul64(from-to, uint64(progress%unlockInterval))
	unlocked, _ := bits.Div64(hi, lo, unlockInterval)
	return Name(uint128.From64(from - unlocked))
}

// SpacedName is a name with bullets between its letters: bit i of Spacers is a bullet after letter i.
type SpacedName struct {
	Name    Name
	Spacers uint32
}

// ParseSpacedName parses a name whose letters may be separated by single • or "." spacers. It returns ErrName.
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

// String returns the letters with • at the spacers. Spacers past the last letter are omitted.
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
