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

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// fetched holds the node's data about transactions. It is fetched before the database transaction that records the
// transactions, so that no call to the node holds the write lock.
type fetched struct {
	untracked   map[chainhash.Hash][]bool            // by transaction that pays us; nil: every rune is tracked
	commitments map[chainhash.Hash]runes.Commitments // by block
	ancestors   map[chainhash.Hash]chain.Tx          // unconfirmed ancestors of mempool transactions
}

// untrackedOf reports for each output of a transaction whether it may hold an untracked rune. It returns nil if every
// rune is tracked, or if no output is ours.
func (d fetched) untrackedOf(t chain.Tx, paysUs bool) ([]bool, error) {
	if d.untracked == nil || !paysUs {
		return nil, nil
	}
	untracked, found := d.untracked[t.ID]
	if !found {
		return nil, errors.New("its inputs were not read before it was recorded")
	}
	return untracked, nil
}

// fetchBlocks fetches from the node the data that is needed to record the blocks. fork is the height of the last block
// that the ledger keeps.
func (f *Follower) fetchBlocks(ctx context.Context, fetchedBlocks []fetchedBlock, fork int64) (fetched, error) {
	d := fetched{commitments: map[chainhash.Hash]runes.Commitments{}}
	var blocks []chain.Block
	for _, block := range fetchedBlocks {
		if block.commitments == nil {
			block.commitments = f.fetchCommitments(ctx, block.Block)
		}
		d.commitments[block.Hash] = block.commitments
		blocks = append(blocks, block.Block)
	}
	if f.Rules.Follow == nil {
		return d, nil
	}
	d.untracked = map[chainhash.Hash][]bool{}
	prover, err := f.newProver(ctx, blocks, fork)
	if err != nil {
		return d, err
	}
	for _, block := range blocks {
		for _, t := range block.Txs {
			if !f.paysUs(t) {
				continue
			}
			if d.untracked[t.ID], err = prover.untracked(ctx, t); err != nil {
				return d, fmt.Errorf("block %d: transaction %s: %w", block.Height, t.ID, err)
			}
		}
	}
	return d, nil
}

// fetchCommitments fetches the outputs that the etchings of a block may commit with. If the block is not in the node's
// best chain, fetchCommitments returns runes.ErrOtherBranch.
func (f *Follower) fetchCommitments(ctx context.Context, block chain.Block) runes.Commitments {
	from := runes.NodeCommitments{Node: f.Node, Height: block.Height, Hash: block.Hash}
	return f.Rules.FetchCommitments(ctx, from, block)
}

// fetchUnconfirmed fetches from the node the data that is needed to record mempool transactions. If the node lacks an
// ancestor of a transaction, every output that can receive runes counts as untracked until a block contains it.
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
	prover, err := f.newProver(ctx, nil, math.MaxInt64)
	if err != nil {
		return d, err
	}
	for _, t := range txs {
		if !f.paysUs(t) {
			continue
		}
		untracked, err := prover.untracked(ctx, t)
		if err != nil && !errors.Is(err, chain.ErrUnknown) {
			return d, fmt.Errorf("transaction %s: %w", t.ID, err)
		}
		d.untracked[t.ID] = untracked
	}
	return d, nil
}

// paysUs reports whether an output of a transaction may be at one of our addresses.
func (f *Follower) paysUs(t chain.Tx) bool {
	return slices.ContainsFunc(t.Msg.TxOut, func(out *wire.TxOut) bool {
		return f.watch.Script(out.PkScript)
	})
}

// prover proves that outputs hold no untracked rune. Transactions must be passed to it in the order of the chain. It
// reads the ledger in short transactions between calls to the node.
type prover struct {
	*Follower
	fork   int64                  // height of the last block that the ledger keeps
	proven map[wire.OutPoint]bool // by output of ours above fork: whether it is proven; nil for the mempool
	etched etchings
}

// newProver returns a prover for the transactions of blocks above fork, or with no blocks for the mempool.
func (f *Follower) newProver(ctx context.Context, blocks []chain.Block, fork int64) (*prover, error) {
	v := &prover{Follower: f, fork: fork, etched: etchings{}}
	if len(blocks) > 0 {
		v.proven = map[wire.OutPoint]bool{}
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
				v.etched[id] = entry.Etching
			}
		}
		return nil
	})
	// These blocks are not in the index yet, so their etchings may be invalid. An invalid etching makes no rune, so no
	// proof depends on it.
	for _, block := range blocks {
		for id := range f.Rules.Follow {
			if id.Block != uint64(block.Height) {
				continue
			}
			if txid, err := f.Rules.Etched(id, block); err == nil {
				v.etched[id] = txid
			}
		}
	}
	return v, err
}

// etchings are the transactions that etched the tracked runes.
type etchings map[runes.ID]chainhash.Hash

// RuneEntry implements runes.EntryReader for runes.Provenance, which reads only ID and Etching.
func (e etchings) RuneEntry(id runes.ID) (runes.Entry, bool, error) {
	txid, found := e[id]
	return runes.Entry{ID: id, Etching: txid}, found, nil
}

// untracked reports for each output of a transaction whether it may hold an untracked rune.
func (v *prover) untracked(ctx context.Context, t chain.Tx) ([]bool, error) {
	p := runes.Provenance{
		Rules: v.Rules, Entries: v.etched, Node: v.Node, Known: v.known,
		Limit: cmp.Or(v.ProvenanceLimit, runes.ProvenanceLimit),
	}
	untracked, err := p.UntrackedOutputs(ctx, t)
	for vout, isUntracked := range untracked {
		if err == nil && v.proven != nil && v.watch.Script(t.Msg.TxOut[vout].PkScript) {
			v.proven[wire.OutPoint{Hash: t.ID, Index: uint32(vout)}] = !isUntracked
		}
	}
	return untracked, err
}

// known reports whether an output of ours is proven to hold no untracked rune, by this prover or in the ledger.
func (v *prover) known(ctx context.Context, out wire.OutPoint) (clear bool, err error) {
	if clear, proven := v.proven[out]; proven {
		return clear, nil
	}
	err = v.View(ctx, func(tx Tx) error {
		output, err := tx.Outputs.Output(ctx, out)
		if errors.Is(err, state.ErrNotFound) {
			return nil
		}
		clear = output.Height != chain.None && output.Height <= v.fork && output.Quarantine != ledger.Unfollowed
		return err
	})
	return clear, err
}
