// Package amount represents satoshis, base units of a rune and fee rates as integers, with arithmetic that detects
// overflow. Amounts are never floats.
package amount

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// ErrOverflow is returned when a sum or product leaves the range of int64.
var ErrOverflow = errors.New("amount: overflow")

// ErrSyntax is returned for text that is not a non-negative decimal integer.
var ErrSyntax = errors.New("amount: not a whole number of base units")

// Sats is an amount in satoshis. It can be negative.
type Sats int64

// RuneDecimals is the divisibility that the rune of every manifest must have (Rune in staking/community/manifest.go).
// Code with the manifest uses the rune's own divisibility. RuneDecimals is for commands that read only the database.
// The layout of signed messages has its own constant.
const RuneDecimals = 8

// Runes is an amount of a community's rune in base units. The amount can be negative.
type Runes int64

// Add returns a + b, or ErrOverflow.
func (a Sats) Add(b Sats) (Sats, error) { s, err := add(int64(a), int64(b)); return Sats(s), err }

// Sub returns a - b, or ErrOverflow. The result may be negative.
func (a Sats) Sub(b Sats) (Sats, error) { s, err := sub(int64(a), int64(b)); return Sats(s), err }

// Mul returns a × n, or ErrOverflow.
func (a Sats) Mul(n int64) (Sats, error) { p, err := mul(int64(a), n); return Sats(p), err }

// Add returns a + b, or ErrOverflow.
func (a Runes) Add(b Runes) (Runes, error) { s, err := add(int64(a), int64(b)); return Runes(s), err }

// Sub returns a - b, or ErrOverflow. The result may be negative.
func (a Runes) Sub(b Runes) (Runes, error) { s, err := sub(int64(a), int64(b)); return Runes(s), err }

func add(a, b int64) (int64, error) {
	s := a + b
	if (s > a) != (b > 0) && b != 0 {
		return 0, ErrOverflow
	}
	return s, nil
}

func sub(a, b int64) (int64, error) {
	if b == math.MinInt64 {
		return 0, ErrOverflow
	}
	return add(a, -b)
}

func mul(a, b int64) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	p := a * b
	if p/b != a || (a == -1 && b == math.MinInt64) || (b == -1 && a == math.MinInt64) {
		return 0, ErrOverflow
	}
	return p, nil
}

// MulDiv returns ⌊a × b ÷ c⌋ and the remainder. The product has 128 bits and can't overflow. MulDiv returns
// ErrOverflow if an argument is negative, if c is 0, or if the quotient exceeds an int64.
func MulDiv(a, b, c int64) (quotient, remainder int64, err error) {
	if a < 0 || b < 0 || c <= 0 {
		return 0, 0, ErrOverflow
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return 0, 0, ErrOverflow
	}
	q, r := bits.Div64(hi, lo, uint64(c))
	if q > math.MaxInt64 {
		return 0, 0, ErrOverflow
	}
	return int64(q), int64(r), nil
}

// ParseRunes parses a number of base units in decimal. It returns ErrSyntax unless s consists of one or more digits,
// and ErrOverflow if the number exceeds an int64.
func ParseRunes(s string) (Runes, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, ErrSyntax
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, ErrOverflow
	}
	return Runes(n), nil
}

// String returns the number of base units in decimal.
func (a Runes) String() string { return strconv.FormatInt(int64(a), 10) }

// Decimal returns the amount ÷ 10^decimals without trailing zeros: Runes(150).Decimal(2) is "1.5". decimals must not
// be negative.
func (a Runes) Decimal(decimals int) string { return decimal(int64(a), decimals, true) }

// Whole is Decimal with RuneDecimals: Runes(150000000).Whole() is "1.5".
func (a Runes) Whole() string { return a.Decimal(RuneDecimals) }

// BTC returns the amount in bitcoin with 8 decimals: Sats(30).BTC() is "0.00000030".
func (a Sats) BTC() string { return decimal(int64(a), 8, false) }

func decimal(n int64, decimals int, trim bool) string {
	sign := ""
	magnitude := uint64(n)
	if n < 0 {
		sign, magnitude = "-", -magnitude
	}
	digits := fmt.Sprintf("%0*d", decimals+1, magnitude)
	whole, fraction := digits[:len(digits)-decimals], digits[len(digits)-decimals:]
	if trim {
		fraction = strings.TrimRight(fraction, "0")
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// Share returns part ÷ whole, rounded down to the given number of decimals, without an exponent and without trailing
// zeros, such as "0.00114712". It returns "0" if part or whole is not positive, or if part × 10^digits ÷ whole
// exceeds an int64. digits must be at most 18.
func Share(part, whole Runes, digits int) string {
	if whole <= 0 || part <= 0 {
		return "0"
	}
	scale := int64(math.Pow10(digits))
	q, _, err := MulDiv(int64(part), scale, int64(whole))
	if err != nil {
		return "0"
	}
	return decimal(q, digits, true)
}
