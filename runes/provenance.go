package runes

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
)

// ProvenanceLimit is how many transactions a server looks back for each input of
// one that it judges. Everybody who must come to the same result looks as far.
const ProvenanceLimit = 100

// Provenance proves of outputs that they bear no rune which an index of some runes
// does not follow. What an input bears such an index can't know; where it would go
// is fixed by the transaction: to its pointer, its first output that is no
// OP_RETURN, or where an edict on a rune that is not followed sends it. Any other
// output is clear whatever came in, and these are when all that came in is clear,
// which its origin shows. What can't be proved within the limit counts as not clear.
//
// A result rests on transactions alone, to which the txid commits: it holds in the
// mempool, in any block, and after every reorg.
type Provenance struct {
	Rules   Rules
	Entries EntryReader // of the index: which etchings it follows
	Node    Node        // with a transaction index
	Limit   int         // transactions looked up for each input, such as ProvenanceLimit

	// Known says whether an output was proved clear before. Nil: nothing was.
	Known func(context.Context, wire.OutPoint) (bool, error)
}

// Strays says of each output of a transaction whether it may bear a rune that is
// not followed. It returns chain.ErrUnknown when the node lacks an origin, which
// it can't of a transaction in a block, and errors of the node and of Known.
func (p Provenance) Strays(ctx context.Context, tx chain.Tx) ([]bool, error) {
	way, err := p.wayOf(tx)
	if err != nil || way.brings || !way.any() {
		return way.to, err
	}
	s := search{p, map[chainhash.Hash]bool{}, 0}
	for _, in := range tx.Msg.TxIn {
		s.left = p.Limit
		if clear, err := s.clear(ctx, in.PreviousOutPoint); err != nil || !clear {
			return way.to, err
		}
	}
	return make([]bool, len(tx.Msg.TxOut)), nil
}

// Stray is Strays of one output that is on the chain or in the mempool.
func (p Provenance) Stray(ctx context.Context, out wire.OutPoint) (bool, error) {
	if p.Known != nil {
		if clear, err := p.Known(ctx, out); err != nil || clear {
			return false, err
		}
	}
	tx, status, err := p.Node.Tx(ctx, out.Hash)
	if err != nil {
		return true, fmt.Errorf("transaction %s: %w", out.Hash, err)
	}
	if early, err := p.early(ctx, status); err != nil || early {
		return false, err
	}
	if int(out.Index) >= len(tx.Msg.TxOut) {
		return true, nil
	}
	if way, err := p.wayOf(tx); err != nil || !way.to[out.Index] {
		return false, err
	}
	strays, err := p.Strays(ctx, tx)
	return err != nil || strays[out.Index], err
}

// early reports whether a transaction is in a block before the first rune. The
// height is asked for after the depth, so that a block in between makes it too late, never too early.
func (p Provenance) early(ctx context.Context, status chain.Status) (bool, error) {
	if p.Rules.FirstHeight == 0 || status.Confirmations < 1 {
		return false, nil
	}
	_, best, err := p.Node.Best(ctx)
	return best-status.Confirmations+1 < p.Rules.FirstHeight, err
}

// way is where a transaction takes runes that are not followed.
type way struct {
	to     []bool // by output
	brings bool   // it may make such runes itself, by a mint or an etching
}

func (w way) any() bool {
	for _, to := range w.to {
		if to {
			return true
		}
	}
	return false
}

func (p Provenance) wayOf(tx chain.Tx) (w way, err error) {
	w.to = make([]bool, len(tx.Msg.TxOut))
	var pointer *uint32
	artifact := Decipher(tx.Msg)
	if artifact != nil {
		if artifact.Cenotaph != nil {
			return w, nil // burns everything
		}
		stone := artifact.Runestone
		etches := stone.Etching != nil
		if etches {
			followed, err := p.etched(tx.ID)
			if err != nil {
				return w, err
			}
			etches = !followed
		}
		w.brings = etches || (stone.Mint != nil && !p.Rules.follows(*stone.Mint))
		pointer = stone.Pointer
		for _, e := range stone.Edicts {
			if own := e.ID == (ID{}); (own && etches) || (!own && !p.Rules.follows(e.ID)) {
				w.send(tx.Msg, e.Output)
			}
		}
	}
	w.rest(tx.Msg, pointer)
	return w, nil
}

// etched reports whether a transaction is the etching of a followed rune.
func (p Provenance) etched(txid chainhash.Hash) (bool, error) {
	for id := range p.Rules.Follow {
		entry, found, err := p.Entries.RuneEntry(id)
		if err != nil {
			return false, err
		}
		if found && entry.Etching == txid {
			return true, nil
		}
	}
	return false, nil
}

// send notes where an edict leads: to an output, or to every one.
func (w *way) send(tx *wire.MsgTx, output uint32) {
	for i, out := range tx.TxOut {
		if (int(output) == i || int(output) >= len(tx.TxOut)) && !burns(out) {
			w.to[i] = true
		}
	}
}

// rest notes where goes what no edict moves.
func (w *way) rest(tx *wire.MsgTx, pointer *uint32) {
	for i, out := range tx.TxOut {
		if (pointer != nil && int(*pointer) != i) || burns(out) {
			continue
		}
		w.to[i] = true
		return
	}
}

// search looks back from one transaction.
type search struct {
	Provenance
	proved map[chainhash.Hash]bool // transactions into which nothing came but what is clear
	left   int                     // transactions that it may still look up
}

// clear reports whether an output is proved to bear none.
func (s *search) clear(ctx context.Context, out wire.OutPoint) (bool, error) {
	if out.Index == wire.MaxPrevOutIndex { // what a coinbase spends
		return true, nil
	}
	if s.Known != nil {
		if clear, err := s.Known(ctx, out); err != nil || clear {
			return clear, err
		}
	}
	if s.left--; s.left < 0 {
		return false, nil
	}
	tx, status, err := s.Node.Tx(ctx, out.Hash)
	if err != nil {
		return false, fmt.Errorf("transaction %s: %w", out.Hash, err)
	}
	if early, err := s.early(ctx, status); err != nil || early {
		return early, err
	}
	way, err := s.wayOf(tx)
	if err != nil || int(out.Index) >= len(way.to) {
		return false, err
	}
	if !way.to[out.Index] {
		return true, nil
	}
	return s.cleared(ctx, tx, way)
}

// cleared reports whether all that came into a transaction is proved to be clear.
func (s *search) cleared(ctx context.Context, tx chain.Tx, w way) (bool, error) {
	if w.brings || s.proved[tx.ID] {
		return s.proved[tx.ID], nil
	}
	for _, in := range tx.Msg.TxIn {
		if clear, err := s.clear(ctx, in.PreviousOutPoint); err != nil || !clear {
			return false, err
		}
	}
	s.proved[tx.ID] = true
	return true, nil
}
