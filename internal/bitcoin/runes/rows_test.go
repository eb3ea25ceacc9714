package runes

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

var (
	manyBalances = []Balance{{ID{840_000, 1}, uint128.From64(5000)}, {ID{840_000, 2}, uint128.Max}, {ID{1 << 63, 0},
		uint128.From64(1)}}
	fullEntry = Entry{
		ID: ID{840_000, 3}, Etching: chainhash.HashH([]byte("etching")), Name: Name(uint128.New(1, 2)), Spacers: 1 << 26,
		Divisibility: 38, Symbol: new('🐺'), Premine: uint128.Max, Terms: &Terms{Amount: new(uint128.From64(7)),
			HeightEnd: new(uint64(0)), OffsetStart: new(uint64(1 << 63))},
		Mints: uint128.From64(300), Burned: uint128.From64(9), Number: 12, Timestamp: -1, Turbo: true,
	}
)

// Rows decode to the encoded values. A row with a byte less or more is an error.
func TestRows(t *testing.T) {
	point := wire.OutPoint{Hash: chainhash.HashH([]byte("x")), Index: 1<<32 - 1}
	if got, err := DecodeOutPoint(EncodeOutPoint(point)); err != nil || got != point {
		t.Errorf("outpoint: got %v, %v", got, err)
	}
	for _, want := range [][]Balance{nil, manyBalances[:1], manyBalances} {
		if got, err := DecodeBalances(EncodeBalances(want)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("balances: got %v, %v, want %v", got, err, want)
		}
	}
	for _, want := range []Entry{{}, fullEntry} {
		if got, err := DecodeEntry(EncodeEntry(want)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("entry: got %v, %v, want %v", got, err, want)
		}
	}
	for name, row := range map[string]struct {
		data   []byte
		decode func([]byte) error
	}{
		"outpoint": {EncodeOutPoint(point), func(b []byte) error { _, err := DecodeOutPoint(b); return err }},
		"balances": {EncodeBalances(manyBalances), func(b []byte) error { _, err := DecodeBalances(b); return err }},
		"entry":    {EncodeEntry(fullEntry), func(b []byte) error { _, err := DecodeEntry(b); return err }},
	} {
		for n := range row.data {
			if err := row.decode(row.data[:n]); !errors.Is(err, ErrEncoding) {
				t.Errorf("%d bytes of an %s: %v", n, name, err)
			}
		}
		if err := row.decode(append(bytes.Clone(row.data), 0)); !errors.Is(err, ErrEncoding) {
			t.Errorf("%s and a byte: %v", name, err)
		}
	}
}

// Balances that an index never writes are errors.
func TestImpossibleBalances(t *testing.T) {
	one := uint128.From64(1)
	for name, balances := range map[string][]Balance{
		"nothing of a rune": {{ID{1, 1}, uint128.Zero}},
		"an impossible id":  {{ID{0, 1}, one}},
		"a rune twice":      {{ID{1, 1}, one}, {ID{1, 1}, one}},
		"another order":     {{ID{1, 2}, one}, {ID{1, 1}, one}},
	} {
		if got, err := DecodeBalances(EncodeBalances(balances)); !errors.Is(err, ErrEncoding) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
}

// FuzzRows decodes arbitrary bytes as rows. An accepted row has these bytes as its only encoding.
func FuzzRows(f *testing.F) {
	f.Add(EncodeBalances(manyBalances))
	f.Add(EncodeEntry(fullEntry))
	f.Add(EncodeEntry(Entry{}))
	f.Add(EncodeOutPoint(wire.OutPoint{Index: 7}))
	f.Add([]byte{1, 0x81, 0, 1, 5}) // an integer in more bytes than it needs
	f.Fuzz(func(t *testing.T, data []byte) {
		if balances, err := DecodeBalances(data); err == nil && !bytes.Equal(EncodeBalances(balances), data) {
			t.Errorf("balances %v", balances)
		} else if err != nil && !errors.Is(err, ErrEncoding) {
			t.Errorf("balances: an error of another kind: %v", err)
		}
		if entry, err := DecodeEntry(data); err == nil && !bytes.Equal(EncodeEntry(entry), data) {
			t.Errorf("entry %v", entry)
		} else if err != nil && !errors.Is(err, ErrEncoding) {
			t.Errorf("entry: an error of another kind: %v", err)
		}
		if point, err := DecodeOutPoint(data); err == nil && !bytes.Equal(EncodeOutPoint(point), data) {
			t.Errorf("outpoint %v", point)
		}
	})
}
