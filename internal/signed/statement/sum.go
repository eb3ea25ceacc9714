package statement

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/bits"

	"moonfund/internal/amount"
)

// ErrOverflow means that a sum does not fit 128 bits.
var ErrOverflow = errors.New("statement: a sum exceeds 128 bits")

// Sum is an unsigned 128-bit amount. In JSON it is a decimal string without a sign or leading zeros.
type Sum struct{ hi, lo uint64 }

// SumOf returns n as a sum, or an error if n is negative.
func SumOf[N amount.Runes | amount.Sats](n N) (Sum, error) {
	if n < 0 {
		return Sum{}, fmt.Errorf("statement: the amount %d is negative", int64(n))
	}
	return Sum{lo: uint64(n)}, nil
}

// Add returns s + t, or ErrOverflow.
func (s Sum) Add(t Sum) (Sum, error) {
	lo, carry := bits.Add64(s.lo, t.lo, 0)
	hi, carry := bits.Add64(s.hi, t.hi, carry)
	if carry != 0 {
		return Sum{}, ErrOverflow
	}
	return Sum{hi, lo}, nil
}

// IsZero reports whether the sum is 0.
func (s Sum) IsZero() bool { return s == Sum{} }

// Less reports whether s < t.
func (s Sum) Less(t Sum) bool { return s.hi < t.hi || (s.hi == t.hi && s.lo < t.lo) }

// big returns the sum as an integer of any size.
func (s Sum) big() *big.Int { return new(big.Int).SetBytes(s.appendTo(nil)) }

// fromBig returns an integer below 2^128 as a sum.
func fromBig(n *big.Int) Sum {
	var all [16]byte
	n.FillBytes(all[:])
	return Sum{binary.BigEndian.Uint64(all[:8]), binary.BigEndian.Uint64(all[8:])}
}

// appendTo appends the sum as 16 bytes, big-endian.
func (s Sum) appendTo(message []byte) []byte {
	message = binary.BigEndian.AppendUint64(message, s.hi)
	return binary.BigEndian.AppendUint64(message, s.lo)
}

// String returns the sum in decimal.
func (s Sum) String() string { return s.big().String() }

// MarshalText implements encoding.TextMarshaler.
func (s Sum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

const maxSumDigits = 39

// UnmarshalText implements encoding.TextUnmarshaler. It accepts a decimal number below 2^128 without a sign or leading
// zeros.
func (s *Sum) UnmarshalText(text []byte) error {
	wrong := fmt.Errorf("statement: %q is not an amount", text)
	if len(text) == 0 || len(text) > maxSumDigits || (text[0] == '0' && len(text) > 1) {
		return wrong
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return wrong
		}
	}
	n, ok := new(big.Int).SetString(string(text), 10)
	if !ok || n.BitLen() > 128 {
		return wrong
	}
	*s = fromBig(n)
	return nil
}

// Sums are the three amounts of an owner, or of all owners below a node of the tree, in base units of the rune.
type Sums struct {
	Owed   Sum `json:"owed"`   // of all units that are not withdrawn
	Reward Sum `json:"reward"` // of this epoch
	Stake  Sum `json:"stake"`  // that this epoch rewards
}

// Add returns the sums of both, or ErrOverflow.
func (s Sums) Add(t Sums) (sum Sums, err error) {
	if sum.Owed, err = s.Owed.Add(t.Owed); err != nil {
		return Sums{}, err
	}
	if sum.Reward, err = s.Reward.Add(t.Reward); err != nil {
		return Sums{}, err
	}
	if sum.Stake, err = s.Stake.Add(t.Stake); err != nil {
		return Sums{}, err
	}
	return sum, nil
}

// appendTo appends stake, reward and owed as 16 bytes each.
func (s Sums) appendTo(message []byte) []byte {
	return s.Owed.appendTo(s.Reward.appendTo(s.Stake.appendTo(message)))
}
