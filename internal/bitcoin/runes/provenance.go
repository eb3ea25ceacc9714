package runes

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// ProvenanceLimit is the maximum number of transactions to look up for each input of a transaction. All components that
// must reach the same result use this limit.
const ProvenanceLimit = 100

// Provenance proves that outputs hold no untracked rune, which is a rune that a partial index does not follow. A
// partial index does not know which untracked runes an input holds, but the transaction determines their outputs: the
// pointer's output, by default the first output that is not an OP_RETURN, and the outputs of edicts on untracked runes.
// Every other output is clean for any inputs, and these outputs are clean if all inputs are clean, which Provenance
// derives from the ancestors of the transaction. An output that is not proved clean within the limit counts as not
// clean.
//
// A result depends only on transactions, which txids commit to: it holds in the mempool, in any block, and after every
// reorg.
type Provenance struct {
	Rules   Rules
	Entries EntryReader // the index, to identify the etchings of followed runes
	Node    Node        // with a transaction index
	Limit   int         // maximum number of transactions looked up for each input

	// Known reports whether an output has been proved clean already. It may be nil.
	Known func(context.Context, wire.OutPoint) (bool, error)
}

// UntrackedOutputs reports for each output of a transaction whether it may hold an untracked rune. It returns the
// node's error if the node does not have an ancestor, which is impossible for a transaction in a block, and other
// errors of the node and of Known.
func (p Provenance) UntrackedOutputs(ctx context.Context, tx chain.Tx) ([]bool, error) {
	flow, err := p.flowOf(tx)
	if err != nil || flow.creates || !flow.any() {
		return flow.outputs, err
	}
	s := search{p, map[chainhash.Hash]bool{}, 0}
	for _, in := range tx.Msg.TxIn {
		s.remaining = p.Limit
		if clean, err := s.clean(ctx, in.PreviousOutPoint); err != nil || !clean {
			return flow.outputs, err
		}
	}
	return make([]bool, len(tx.Msg.TxOut)), nil
}

// Untracked reports whether an output on the chain or in the mempool may hold an untracked rune. See UntrackedOutputs.
func (p Provenance) Untracked(ctx context.Context, out wire.OutPoint) (bool, error) {
	if p.Known != nil {
		if clean, err := p.Known(ctx, out); err != nil || clean {
			return false, err
		}
	}
	tx, status, err := p.Node.Tx(ctx, out.Hash)
	if err != nil {
		return true, fmt.Errorf("transaction %s: %w", out.Hash, err)
	}
	if early, err := p.beforeFirstRune(ctx, status); err != nil || early {
		return false, err
	}
	if int(out.Index) >= len(tx.Msg.TxOut) {
		return true, nil
	}
	if flow, err := p.flowOf(tx); err != nil || !flow.outputs[out.Index] {
		return false, err
	}
	untracked, err := p.UntrackedOutputs(ctx, tx)
	return err != nil || untracked[out.Index], err
}

// beforeFirstRune reports whether a transaction is in a block before the first rune. The caller gets the confirmations
// before this method gets the height, so a block in between makes the computed height too high, never too low.
func (p Provenance) beforeFirstRune(ctx context.Context, status chain.Status) (bool, error) {
	if p.Rules.FirstHeight == 0 || status.Confirmations < 1 {
		return false, nil
	}
	_, best, err := p.Node.Best(ctx)
	return best-status.Confirmations+1 < p.Rules.FirstHeight, err
}

// flow describes where a transaction sends untracked runes.
type flow struct {
	outputs []bool // by index: may receive untracked runes
	creates bool   // may create untracked runes by a mint or an etching
}

func (f flow) any() bool {
	for _, receives := range f.outputs {
		if receives {
			return true
		}
	}
	return false
}

func (p Provenance) flowOf(tx chain.Tx) (f flow, err error) {
	f.outputs = make([]bool, len(tx.Msg.TxOut))
	var pointer *uint32
	artifact := Decipher(tx.Msg)
	if artifact != nil {
		if artifact.Cenotaph != nil {
			return f, nil // burns everything
		}
		stone := artifact.Runestone
		etches := stone.Etching != nil
		if etches {
			followed, err := p.isFollowedEtching(tx.ID)
			if err != nil {
				return f, err
			}
			etches = !followed
		}
		f.creates = etches || (stone.Mint != nil && !p.Rules.follows(*stone.Mint))
		pointer = stone.Pointer
		for _, e := range stone.Edicts {
			if own := e.ID == (ID{}); (own && etches) || (!own && !p.Rules.follows(e.ID)) {
				f.addEdict(tx.Msg, e.Output)
			}
		}
	}
	f.addUnallocated(tx.Msg, pointer)
	return f, nil
}

// isFollowedEtching reports whether a transaction is the etching of a followed rune.
func (p Provenance) isFollowedEtching(txid chainhash.Hash) (bool, error) {
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

// addEdict marks the outputs that an edict sends runes to: one output, or all of them.
func (f *flow) addEdict(tx *wire.MsgTx, output uint32) {
	for i, out := range tx.TxOut {
		if (int(output) == i || int(output) >= len(tx.TxOut)) && !isOpReturn(out) {
			f.outputs[i] = true
		}
	}
}

// addUnallocated marks the output that receives the runes that no edict moves.
func (f *flow) addUnallocated(tx *wire.MsgTx, pointer *uint32) {
	for i, out := range tx.TxOut {
		if (pointer != nil && int(*pointer) != i) || isOpReturn(out) {
			continue
		}
		f.outputs[i] = true
		return
	}
}

// search walks the ancestors of one transaction.
type search struct {
	Provenance
	proved    map[chainhash.Hash]bool // transactions whose inputs are all clean
	remaining int                     // remaining number of lookups
}

// clean reports whether an output is proved to hold no untracked rune.
func (s *search) clean(ctx context.Context, out wire.OutPoint) (bool, error) {
	if out.Index == wire.MaxPrevOutIndex { // input of a coinbase
		return true, nil
	}
	if s.Known != nil {
		if clean, err := s.Known(ctx, out); err != nil || clean {
			return clean, err
		}
	}
	if s.remaining--; s.remaining < 0 {
		return false, nil
	}
	tx, status, err := s.Node.Tx(ctx, out.Hash)
	if err != nil {
		return false, fmt.Errorf("transaction %s: %w", out.Hash, err)
	}
	if early, err := s.beforeFirstRune(ctx, status); err != nil || early {
		return early, err
	}
	flow, err := s.flowOf(tx)
	if err != nil || int(out.Index) >= len(flow.outputs) {
		return false, err
	}
	if !flow.outputs[out.Index] {
		return true, nil
	}
	return s.inputsClean(ctx, tx, flow)
}

// inputsClean reports whether all inputs of a transaction are proved clean.
func (s *search) inputsClean(ctx context.Context, tx chain.Tx, f flow) (bool, error) {
	if f.creates || s.proved[tx.ID] {
		return s.proved[tx.ID], nil
	}
	for _, in := range tx.Msg.TxIn {
		if clean, err := s.clean(ctx, in.PreviousOutPoint); err != nil || !clean {
			return false, err
		}
	}
	s.proved[tx.ID] = true
	return true, nil
}
