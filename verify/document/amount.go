package document

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
)

// maxDigits is the number of decimal digits of 2^128 - 1.
const maxDigits = 39

// ErrOverflow means that a sum is not below 2^128.
var ErrOverflow = errors.New("a sum is not below 2^128")

// Amount is an integer from 0 to 2^128 - 1.
type Amount struct{ hi, lo uint64 }

// ParseAmount reads a decimal number without a sign or leading zeros.
func ParseAmount(text string) (Amount, error) {
	if text == "" || len(text) > maxDigits || (text[0] == '0' && text != "0") {
		return Amount{}, fmt.Errorf("%q is not an amount", text)
	}
	var n Amount
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return Amount{}, fmt.Errorf("%q is not an amount", text)
		}
		over, hi := bits.Mul64(n.hi, 10)
		carry, lo := bits.Mul64(n.lo, 10)
		lo, c1 := bits.Add64(lo, uint64(c-'0'), 0)
		hi, c2 := bits.Add64(hi, carry, c1)
		if over != 0 || c2 != 0 {
			return Amount{}, fmt.Errorf("%q is not below 2^128", text)
		}
		n = Amount{hi, lo}
	}
	return n, nil
}

// Add returns a + b, or ErrOverflow.
func (a Amount) Add(b Amount) (Amount, error) {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, carry := bits.Add64(a.hi, b.hi, carry)
	if carry != 0 {
		return Amount{}, ErrOverflow
	}
	return Amount{hi, lo}, nil
}

// Less reports whether a < b.
func (a Amount) Less(b Amount) bool { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo) }

// IsZero reports whether a is 0.
func (a Amount) IsZero() bool { return a == Amount{} }

// Big returns the amount as an integer of any size.
func (a Amount) Big() *big.Int { return new(big.Int).SetBytes(a.appendTo(nil)) }

// String returns the amount in decimal.
func (a Amount) String() string { return a.Big().String() }

// appendTo appends the amount as 16 bytes, big-endian.
func (a Amount) appendTo(message []byte) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(message, a.hi), a.lo)
}
