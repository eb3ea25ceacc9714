package runes

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// The encodings of a store's rows. Each value has exactly one encoding, and any other bytes are an error.

// outPointSize is the size of an encoded outpoint: the hash as in a transaction, and the index, big-endian.
const outPointSize = chainhash.HashSize + 4

// EncodeOutPoint returns the bytes of an outpoint.
func EncodeOutPoint(o wire.OutPoint) []byte {
	data := make([]byte, outPointSize)
	binary.BigEndian.PutUint32(data[copy(data, o.Hash[:]):], o.Index)
	return data
}

// DecodeOutPoint decodes an outpoint. It returns ErrEncoding.
func DecodeOutPoint(data []byte) (o wire.OutPoint, err error) {
	if len(data) != outPointSize {
		return o, fmt.Errorf("%w: an outpoint has %d bytes", ErrEncoding, len(data))
	}
	o.Index = binary.BigEndian.Uint32(data[copy(o.Hash[:], data):])
	return o, nil
}

// EncodeHolding returns the bytes of an output's runes without its shared list.
func EncodeHolding(h Holding) []byte {
	w := make(writer, 0, 2+16*len(h.Own))
	w.holding(h)
	return w
}

// DecodeHolding decodes an output's own runes, and reports whether the output has a shared list, which is in the row of
// its transaction. It returns ErrEncoding.
func DecodeHolding(data []byte) (own []Balance, shares bool, err error) {
	if shares = len(data) > 0 && data[0] == 0; shares {
		data = data[1:]
	}
	own, err = DecodeBalances(data)
	if err == nil && len(own) == 0 && !shares {
		err = ErrEncoding
	}
	return own, shares, err
}

// EncodeBalances returns the bytes of a list of balances.
func EncodeBalances(balances []Balance) []byte {
	w := make(writer, 0, 1+16*len(balances))
	w.balances(balances)
	return w
}

// DecodeBalances decodes a list of balances. It returns ErrEncoding, also for an amount of 0 and for balances that are
// not ordered by id.
func DecodeBalances(data []byte) ([]Balance, error) {
	r := reader{rest: data}
	balances := r.balances()
	if err := r.end(); err != nil {
		return nil, err
	}
	if !bytes.Equal(data, EncodeBalances(balances)) {
		return nil, ErrEncoding
	}
	for i, b := range balances {
		if b.Amount.IsZero() || !b.ID.valid() || i > 0 && b.ID.Compare(balances[i-1].ID) <= 0 {
			return nil, fmt.Errorf("%w: balance %d is of %s base units of rune %s", ErrEncoding, i, b.Amount, b.ID)
		}
	}
	return balances, nil
}

// EncodeEntry returns the bytes of an entry.
func EncodeEntry(e Entry) []byte {
	w := make(writer, 0, 160)
	w.entry(e)
	return w
}

// DecodeEntry decodes an entry. It returns ErrEncoding.
func DecodeEntry(data []byte) (Entry, error) {
	r := reader{rest: data}
	e := r.entry()
	if err := r.end(); err != nil || !bytes.Equal(data, EncodeEntry(e)) {
		return Entry{}, ErrEncoding
	}
	return e, nil
}
