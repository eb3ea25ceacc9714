package follower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/state"
)

// fetched is what the node says about transactions, asked before the database
// transaction that takes them in: that one waits for nobody.
type fetched struct {
	untracked   map[chainhash.Hash][]bool            // by transaction that pays us; nil: every rune is followed
	commitments map[chainhash.Hash]runes.Commitments // by block
	ancestors   map[chainhash.Hash]chain.Tx          // unconfirmed ones, of transactions in the mempool
}

// untrackedOf returns which outputs of a transaction may bear runes that the index does
// not follow; nil when it follows every rune, or when no output is ours.
func (d fetched) untrackedOf(t chain.Tx, paysUs bool) ([]bool, error) {
	if d.untracked == nil || !paysUs {
		return nil, nil
	}
	untracked, found := d.untracked[t.ID]
	if !found {
		return nil, errors.New("its inputs were not looked up before it was taken in")
	}
	return untracked, nil
}

// fetchBlocks asks the node about blocks that follow the ledger's block at a height.
func (f *Follower) fetchBlocks(ctx context.Context, blocks []chain.Block, fork int64) (fetched, error) {
	d := fetched{commitments: map[chainhash.Hash]runes.Commitments{}}
	for _, block := range blocks {
		d.commitments[block.Hash] = f.Rules.FetchCommitments(ctx, runes.NodeCommitments{Node: f.Node}, block)
	}
	if f.Rules.Follow == nil {
		return d, nil
	}
	d.untracked = map[chainhash.Hash][]bool{}
	judge, err := f.newJudge(ctx, blocks, fork)
	if err != nil {
		return d, err
	}
	for _, block := range blocks {
		for _, t := range block.Txs {
			if !f.paysUs(t) {
				continue
			}
			if d.untracked[t.ID], err = judge.untracked(ctx, t); err != nil {
				return d, fmt.Errorf("block %d: transaction %s: %w", block.Height, t.ID, err)
			}
		}
	}
	return d, nil
}

// fetchUnconfirmed asks the node about transactions of the mempool. What can't be
// looked up counts as not clear: the block decides.
func (f *Follower) fetchUnconfirmed(ctx context.Context, txs []chain.Tx) (fetched, error) {
	d := fetched{ancestors: map[chainhash.Hash]chain.Tx{}}
	for _, t := range txs {
		if err := f.fetchAncestors(ctx, t, d.ancestors); err != nil {
			return d, err
		}
	}
	if f.Rules.Follow == nil {
		return d, nil
	}
	d.untracked = map[chainhash.Hash][]bool{}
	judge, err := f.newJudge(ctx, nil, math.MaxInt64)
	if err != nil {
		return d, err
	}
	for _, t := range txs {
		if !f.paysUs(t) {
			continue
		}
		untracked, err := judge.untracked(ctx, t)
		if err != nil && !errors.Is(err, chain.ErrUnknown) {
			return d, fmt.Errorf("transaction %s: %w", t.ID, err)
		}
		d.untracked[t.ID] = untracked
	}
	return d, nil
}

// paysUs reports whether an output of a transaction is at an address of ours.
func (f *Follower) paysUs(t chain.Tx) bool {
	return slices.ContainsFunc(t.Msg.TxOut, func(out *wire.TxOut) bool {
		_, ours := f.watch.Script(out.PkScript)
		return ours
	})
}

// judge proves of outputs, in the order of the chain, that they bear no rune that is
// not followed. It reads the ledger in short transactions between questions to the node.
type judge struct {
	*Follower
	fork   int64                  // the last block of the ledger that stays
	judged map[wire.OutPoint]bool // outputs of ours in blocks above it: whether they are clear; nil for the mempool
	etched etchings
}

func (f *Follower) newJudge(ctx context.Context, blocks []chain.Block, fork int64) (*judge, error) {
	j := &judge{Follower: f, fork: fork, etched: etchings{}}
	if len(blocks) > 0 {
		j.judged = map[wire.OutPoint]bool{}
	}
	err := f.View(ctx, func(tx Tx) error {
		for id := range f.Rules.Follow {
			if id.Block > uint64(max(0, fork)) {
				continue
			}
			entry, found, err := tx.Index.Runes(ctx).RuneEntry(id)
			if err != nil {
				return err
			}
			if found {
				j.etched[id] = entry.Etching
			}
		}
		return nil
	})
	// Of an etching in these blocks the index does not know yet whether it is valid. An
	// invalid one makes no rune at all, so that nothing depends on it here.
	for _, block := range blocks {
		for id := range f.Rules.Follow {
			if id.Block != uint64(block.Height) {
				continue
			}
			if txid, err := f.Rules.Etched(id, block); err == nil {
				j.etched[id] = txid
			}
		}
	}
	return j, err
}

// etchings are the transactions that etched the followed runes.
type etchings map[runes.ID]chainhash.Hash

// RuneEntry implements runes.EntryReader, as far as Provenance needs it.
func (e etchings) RuneEntry(id runes.ID) (runes.Entry, bool, error) {
	txid, found := e[id]
	return runes.Entry{ID: id, Etching: txid}, found, nil
}

// untracked judges a transaction that pays us.
func (j *judge) untracked(ctx context.Context, t chain.Tx) ([]bool, error) {
	p := runes.Provenance{
		Rules: j.Rules, Entries: j.etched, Node: j.Node, Limit: cmp.Or(j.LookBack, runes.ProvenanceLimit), Known: j.known,
	}
	untracked, err := p.UntrackedOutputs(ctx, t)
	for vout, isUntracked := range untracked {
		if _, ours := j.watch.Script(t.Msg.TxOut[vout].PkScript); ours && err == nil && j.judged != nil {
			j.judged[wire.OutPoint{Hash: t.ID, Index: uint32(vout)}] = !isUntracked
		}
	}
	return untracked, err
}

// known reports whether an output was judged clear before: every output of ours in a block is judged.
func (j *judge) known(ctx context.Context, out wire.OutPoint) (clear bool, err error) {
	if clear, judged := j.judged[out]; judged {
		return clear, nil
	}
	err = j.View(ctx, func(tx Tx) error {
		output, err := tx.Outputs.Output(ctx, out)
		if errors.Is(err, state.ErrNotFound) {
			return nil
		}
		clear = output.Height != chain.None && output.Height <= j.fork && output.Quarantine != ledger.Unfollowed
		return err
	})
	return clear, err
}
