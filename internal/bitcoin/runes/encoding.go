package runes

import (
	"errors"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// ErrEncoding is returned for stored bytes that are not in the encoding of this package.
var ErrEncoding = errors.New("runes: stored bytes can't be read")

// writer encodes values as LEB128 integers and hashes.
type writer []byte

func (w *writer) big(n uint128.Uint128) { *w = appendVarint(*w, n) }

func (w *writer) number(n uint64) { w.big(uint128.From64(n)) }

func (w *writer) flag(set bool) {
	if set {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *writer) hash(h chainhash.Hash) { *w = append(*w, h[:]...) }

func (w *writer) id(id ID) {
	w.number(id.Block)
	w.number(uint64(id.Tx))
}

func (w *writer) outpoint(o wire.OutPoint) {
	w.hash(o.Hash)
	w.number(uint64(o.Index))
}

func (w *writer) balances(balances []Balance) {
	w.number(uint64(len(balances)))
	for _, b := range balances {
		w.id(b.ID)
		w.big(b.Amount)
	}
}

// holding writes an output's own balances. If the output also has a shared list, a 0 precedes them:
// the list is encoded elsewhere, by the transaction.
func (w *writer) holding(h Holding) {
	if len(h.Shared) > 0 {
		w.number(0)
	}
	w.balances(h.Own)
}

// writeOptional writes whether v is present, and then its value.
func writeOptional[T any](w *writer, v *T, write func(T)) {
	w.flag(v != nil)
	if v != nil {
		write(*v)
	}
}

func (w *writer) entry(e Entry) {
	w.id(e.ID)
	w.hash(e.Etching)
	w.big(uint128.Uint128(e.Name))
	w.number(uint64(e.Spacers))
	w.number(uint64(e.Divisibility))
	writeOptional(w, e.Symbol, func(s rune) { w.number(uint64(s)) })
	w.big(e.Premine)
	writeOptional(w, e.Terms, func(t Terms) {
		writeOptional(w, t.Amount, w.big)
		writeOptional(w, t.Cap, w.big)
		writeOptional(w, t.HeightStart, w.number)
		writeOptional(w, t.HeightEnd, w.number)
		writeOptional(w, t.OffsetStart, w.number)
		writeOptional(w, t.OffsetEnd, w.number)
	})
	w.big(e.Mints)
	w.big(e.Burned)
	w.number(e.Number)
	w.number(uint64(e.Timestamp))
	w.flag(e.Turbo)
}

// reader decodes what a writer encoded. After the first error all reads return zero values; end reports the error.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) end() error {
	if r.failed || len(r.rest) > 0 {
		return ErrEncoding
	}
	return nil
}

func (r *reader) big() uint128.Uint128 {
	n, length, ok := readVarint(r.rest)
	if !ok {
		r.failed, r.rest = true, nil
		return uint128.Zero
	}
	r.rest = r.rest[length:]
	return n
}

func (r *reader) upTo(limit uint64) uint64 {
	n := r.big()
	if n.Hi != 0 || n.Lo > limit {
		r.failed, r.rest = true, nil
		return 0
	}
	return n.Lo
}

func (r *reader) number() uint64 { return r.upTo(math.MaxUint64) }

func (r *reader) number32() uint32 { return uint32(r.upTo(math.MaxUint32)) }

func (r *reader) flag() bool { return r.upTo(1) == 1 }

// count reads the length of a list. Every item takes at least one byte, so a longer list than the remaining bytes is an
// error.
func (r *reader) count() int { return int(r.upTo(uint64(len(r.rest)))) }

func (r *reader) hash() (h chainhash.Hash) {
	if len(r.rest) < len(h) {
		r.failed, r.rest = true, nil
		return h
	}
	r.rest = r.rest[copy(h[:], r.rest):]
	return h
}

func (r *reader) id() ID { return ID{Block: r.number(), Tx: r.number32()} }

func (r *reader) outpoint() wire.OutPoint { return wire.OutPoint{Hash: r.hash(), Index: r.number32()} }

func (r *reader) balances() []Balance {
	var balances []Balance
	for range r.count() {
		balances = append(balances, Balance{ID: r.id(), Amount: r.big()})
	}
	return balances
}

// holding reads an output's own balances, and whether it has a shared list.
func (r *reader) holding() (own []Balance, shares bool) {
	if shares = len(r.rest) > 0 && r.rest[0] == 0; shares {
		r.rest = r.rest[1:]
	}
	return r.balances(), shares
}

func readOptional[T any](r *reader, read func() T) *T {
	if !r.flag() {
		return nil
	}
	v := read()
	return &v
}

func (r *reader) terms() Terms {
	return Terms{
		Amount:      readOptional(r, r.big),
		Cap:         readOptional(r, r.big),
		HeightStart: readOptional(r, r.number),
		HeightEnd:   readOptional(r, r.number),
		OffsetStart: readOptional(r, r.number),
		OffsetEnd:   readOptional(r, r.number),
	}
}

func (r *reader) entry() Entry {
	return Entry{
		ID:           r.id(),
		Etching:      r.hash(),
		Name:         Name(r.big()),
		Spacers:      r.number32(),
		Divisibility: uint8(r.upTo(math.MaxUint8)),
		Symbol:       readOptional(r, func() rune { return rune(r.upTo(math.MaxInt32)) }),
		Premine:      r.big(),
		Terms:        readOptional(r, r.terms),
		Mints:        r.big(),
		Burned:       r.big(),
		Number:       r.number(),
		Timestamp:    int64(r.number()),
		Turbo:        r.flag(),
	}
}
