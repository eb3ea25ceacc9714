package runes

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// ErrID is returned for text that is not a rune id.
var ErrID = errors.New("a rune id must have exactly two parts separated by a colon: block:tx")

// ID identifies a rune by the block height of its etching and the index of the etching transaction in the block. In an
// edict the zero ID is the rune that the same transaction etches.
type ID struct {
	Block uint64
	Tx    uint32
}

// ParseID parses "block:tx", both plain decimal integers. It returns ErrID.
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

// MarshalText implements encoding.TextMarshaler. It returns "block:tx".
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It parses "block:tx" and returns ErrID.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// Compare orders ids by block, then by transaction.
func (id ID) Compare(other ID) int {
	return cmp.Or(cmp.Compare(id.Block, other.Block), cmp.Compare(id.Tx, other.Tx))
}

// valid reports whether a runestone can encode the id: the only id with block 0 is 0:0.
func (id ID) valid() bool { return id.Block > 0 || id.Tx == 0 }
