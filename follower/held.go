package follower

import (
	"context"
	"encoding/binary"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/ledger"
	"moonfund/runes"
)

// held remembers, as a Bloom filter, which outputs may hold runes: nearly every
// input of a block spends one that holds none, and needs no question to the store.
// It may answer yes too often, never no too often.
type held struct {
	bits  []uint64 // a power of two of them
	room  int      // how many outputs it is made for
	count int
	tip   string // hash of the block up to which it is complete
	ready bool
}

const (
	leastRoom  = 1 << 16
	bitsEach   = 16
	questions  = 4
	goldenStep = 0x9e3779b97f4a7c15 // spreads the outputs of one transaction
)

// begin empties the filter and makes room for twice as many outputs as there were.
func (h *held) begin() {
	h.room = max(leastRoom, 2*h.count)
	size := leastRoom * bitsEach / 64
	for size < h.room*bitsEach/64 {
		size *= 2
	}
	h.bits, h.count = make([]uint64, size), 0
}

// places says where the bits of an output are: at first, and then in steps. A
// transaction's id is as good as random.
func places(out *wire.OutPoint) (first, step uint64) {
	return binary.LittleEndian.Uint64(out.Hash[:8]) + goldenStep*uint64(out.Index), binary.LittleEndian.Uint64(out.Hash[8:16]) | 1
}

func (h *held) add(out wire.OutPoint) {
	h.count++
	at, step := places(&out)
	last := uint64(len(h.bits)*64 - 1)
	for range questions {
		bit := at & last
		h.bits[bit/64] |= 1 << (bit % 64)
		at += step
	}
}

func (h *held) may(out *wire.OutPoint) bool {
	at, step := places(out)
	last := uint64(len(h.bits)*64 - 1)
	for range questions {
		bit := at & last
		if h.bits[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
		at += step
	}
	return true
}

// index returns the rune index of a transaction at a tip, behind the filter. The
// filter is read anew when it is not of that tip, or has grown too full.
func (f *Follower) index(ctx context.Context, tx Tx, tip ledger.Header) (runes.Store, error) {
	if !f.held.ready || f.held.tip != tip.Hash || f.held.count > f.held.room {
		f.held.ready = false
		f.held.begin()
		if err := tx.Watched.EachRuneOutput(ctx, f.held.add); err != nil {
			return nil, err
		}
		if f.held.count > f.held.room { // there were more than the last time: once more, with room
			f.held.begin()
			if err := tx.Watched.EachRuneOutput(ctx, f.held.add); err != nil {
				return nil, err
			}
		}
		f.held.ready, f.held.tip = true, tip.Hash
	}
	return filtered{tx.Index.Runes(ctx), &f.held}, nil
}

// filtered asks the store only about outputs that may hold runes.
type filtered struct {
	runes.Store
	held *held
}

// RuneBalances implements runes.Store.
func (s filtered) RuneBalances(out wire.OutPoint) ([]runes.Balance, error) {
	if !s.held.may(&out) {
		return nil, nil
	}
	return s.Store.RuneBalances(out)
}

// PutRuneBalances implements runes.Store.
func (s filtered) PutRuneBalances(out wire.OutPoint, balances []runes.Balance) error {
	s.held.add(out)
	return s.Store.PutRuneBalances(out, balances)
}
