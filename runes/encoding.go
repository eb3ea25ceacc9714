package runes

import (
	"errors"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// ErrEncoding is returned for stored bytes that this package did not write.
var ErrEncoding = errors.New("runes: stored bytes can't be read")

// writer appends LEB128 integers and hashes.
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

// optionalInto writes whether a value is there, and it.
func optionalInto[T any](w *writer, v *T, write func(T)) {
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
	optionalInto(w, e.Symbol, func(s rune) { w.number(uint64(s)) })
	w.big(e.Premine)
	optionalInto(w, e.Terms, func(t Terms) {
		optionalInto(w, t.Amount, w.big)
		optionalInto(w, t.Cap, w.big)
		optionalInto(w, t.HeightStart, w.number)
		optionalInto(w, t.HeightEnd, w.number)
		optionalInto(w, t.OffsetStart, w.number)
		optionalInto(w, t.OffsetEnd, w.number)
	})
	w.big(e.Mints)
	w.big(e.Burned)
	w.number(e.Number)
	w.number(uint64(e.Timestamp))
	w.flag(e.Turbo)
}

// reader takes apart what a writer wrote. After the first fault everything reads
// as zero; end tells.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) end() error {
	if r.bad || len(r.rest) > 0 {
		return ErrEncoding
	}
	return nil
}

func (r *reader) big() uint128.Uint128 {
	n, length, ok := readVarint(r.rest)
	if !ok {
		r.bad, r.rest = true, nil
		return uint128.Zero
	}
	r.rest = r.rest[length:]
	return n
}

func (r *reader) upTo(limit uint64) uint64 {
	n := r.big()
	if n.Hi != 0 || n.Lo > limit {
		r.bad, r.rest = true, nil
		return 0
	}
	return n.Lo
}

func (r *reader) number() uint64 { return r.upTo(math.MaxUint64) }

func (r *reader) number32() uint32 { return uint32(r.upTo(math.MaxUint32)) }

func (r *reader) flag() bool { return r.upTo(1) == 1 }

// count reads the length of a list; no item is shorter than a byte.
func (r *reader) count() int { return int(r.upTo(uint64(len(r.rest)))) }

func (r *reader) hash() (h chainhash.Hash) {
	if len(r.rest) < len(h) {
		r.bad, r.rest = true, nil
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

func optionalFrom[T any](r *reader, read func() T) *T {
	if !r.flag() {
		return nil
	}
	v := read()
	return &v
}

func (r *reader) terms() Terms {
	return Terms{
		Amount:      optionalFrom(r, r.big),
		Cap:         optionalFrom(r, r.big),
		HeightStart: optionalFrom(r, r.number),
		HeightEnd:   optionalFrom(r, r.number),
		OffsetStart: optionalFrom(r, r.number),
		OffsetEnd:   optionalFrom(r, r.number),
	}
}

func (r *reader) entry() Entry {
	return Entry{
		ID:           r.id(),
		Etching:      r.hash(),
		Name:         Name(r.big()),
		Spacers:      r.number32(),
		Divisibility: uint8(r.upTo(math.MaxUint8)),
		Symbol:       optionalFrom(r, func() rune { return rune(r.upTo(math.MaxInt32)) }),
		Premine:      r.big(),
		Terms:        optionalFrom(r, r.terms),
		Mints:        r.big(),
		Burned:       r.big(),
		Number:       r.number(),
		Timestamp:    int64(r.number()),
		Turbo:        r.flag(),
	}
}
