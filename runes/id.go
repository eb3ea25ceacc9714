package runes

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// ErrID is returned for text that is not a rune id.
var ErrID = errors.New("a rune id must have exactly two parts separated by a colon: block:tx")

// ID names a rune by the place of its etching: the block's height and the
// transaction's index in it. The zero ID stands, in an edict, for the rune that
// the same transaction etches.
type ID struct {
	Block uint64
	Tx    uint32
}

// ParseID reads "block:tx", both plain decimal integers. It returns ErrID.
func ParseID(text string) (ID, error) {
	block, tx, ok := strings.Cut(text, ":")
	if !ok || !decimal(block) || !decimal(tx) {
		return ID{}, ErrID
	}
	b, err := strconv.ParseUint(block, 10, 64)
	if err != nil {
		return ID{}, ErrID
	}
	t, err := strconv.ParseUint(tx, 10, 32)
	if err != nil {
		return ID{}, ErrID
	}
	id := ID{Block: b, Tx: uint32(t)}
	if !id.valid() {
		return ID{}, ErrID
	}
	return id, nil
}

func decimal(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// String returns "block:tx".
func (id ID) String() string {
	return strconv.FormatUint(id.Block, 10) + ":" + strconv.FormatUint(uint64(id.Tx), 10)
}

// MarshalText writes "block:tx".
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads "block:tx". It returns ErrID.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// Compare orders ids by block, then by transaction.
func (id ID) Compare(other ID) int {
	return cmp.Or(cmp.Compare(id.Block, other.Block), cmp.Compare(id.Tx, other.Tx))
}

// valid says whether a runestone can carry the id: block 0 holds none but 0:0.
func (id ID) valid() bool { return id.Block > 0 || id.Tx == 0 }
