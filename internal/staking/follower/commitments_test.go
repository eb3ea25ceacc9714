package follower

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// Heights in committedNode.
const (
	committedIn = 20
	etchedIn    = 40
)

// committedNode is a lateNode that also finds transactions. An etching in block etchedIn reveals a commitment that is
// in block committedIn.
type committedNode struct {
	*lateNode
	commitment chain.Tx
	lookups    int    // number of calls of Tx
	looks      func() // called at the beginning of Tx; may be nil
}

func newCommittedNode(t *testing.T, blocks int) *committedNode {
	t.Helper()
	name, err := runes.ParseName("ZZZZZZZZZZZZZZZZZ")
	must(t, err)
	commitment := wire.NewMsgTx(2)
	commitment.AddTxOut(wire.NewTxOut(1000, append([]byte{txscript.OP_1, txscript.OP_DATA_32}, make([]byte, 32)...)))
	leaf, err := txscript.NewScriptBuilder().AddData(name.Commitment()).Script()
	must(t, err)
	stone, err := (runes.Runestone{Etching: &runes.Etching{Name: &name}}).Script()
	must(t, err)
	etching := wire.NewMsgTx(2)
	etching.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: commitment.TxHash()},
		Witness: wire.TxWitness{leaf, make([]byte, 33)}})
	etching.AddTxOut(wire.NewTxOut(0, stone))
	n := &committedNode{lateNode: newLateNode(blocks), commitment: chain.NewTx(commitment)}
	n.include(committedIn, n.commitment)
	n.include(etchedIn, chain.NewTx(etching))
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// include adds a transaction to a block of the best chain. It does not change the block's hash.
func (n *committedNode) include(height int64, tx chain.Tx) {
	n.blocks[height].Txs = append(n.blocks[height].Txs, tx)
	n.known[n.blocks[height].Hash] = n.blocks[height]
}

func (n *committedNode) follower() *Follower {
	return &Follower{Config: Config{Node: n, FetchAhead: blocksAtOnce}}
}

func (n *committedNode) Best(context.Context) (chainhash.Hash, int64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	tip := n.blocks[len(n.blocks)-1]
	return tip.Hash, tip.Height, nil
}

func (n *committedNode) Tx(_ context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	if n.looks != nil {
		n.looks()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lookups++
	for _, block := range n.blocks {
		for _, tx := range block.Txs {
			if tx.ID == id {
				return tx, chain.Status{Confirmations: int64(len(n.blocks)) - block.Height}, nil
			}
		}
	}
	return chain.Tx{}, chain.Status{}, chain.ErrUnknown
}

// committedAt returns the height of a commitment in a block's commitments.
func (n *committedNode) committedAt(c runes.Commitments) (int64, error) {
	if c == nil {
		return 0, errors.New("no commitment was looked up")
	}
	_, height, err := c.CommitOutput(context.Background(), wire.OutPoint{Hash: n.commitment.ID})
	return height, err
}

// A block is fetched ahead with its commitments, so that applying the block makes no call to the node.
func TestCommitmentsAhead(t *testing.T) {
	n := newCommittedNode(t, 100)
	f := n.follower()
	s := &blockSource{Follower: f}
	defer s.stop()
	blocks, err := s.next(t.Context(), 0, 99)
	must(t, err)
	if n.lookups != 1 || len(blocks) <= etchedIn {
		t.Fatalf("%d lookups of the commitment with %d blocks, want 1", n.lookups, len(blocks))
	}
	for _, block := range blocks {
		if block.commitments == nil {
			t.Errorf("block %d was fetched without its commitments", block.Height)
		}
	}
	d, err := f.fetchBlocks(t.Context(), blocks, -1)
	must(t, err)
	if height, err := n.committedAt(d.commitments[blocks[etchedIn].Hash]); err != nil || height != committedIn {
		t.Errorf("the commitment is at height %d, want %d, error %v", height, committedIn, err)
	}
	if n.lookups != 1 {
		t.Errorf("%d lookups of the commitment, want 1", n.lookups)
	}
}

// If a reorg moves a commitment during its lookup, and a second reorg restores the first branch, the block is never
// applied with the height from the other branch. The error ends the Step, and the next Step looks the commitment up
// again.
func TestCommitmentOfAnotherBranch(t *testing.T) {
	for _, during := range []string{"the fetch of the block", "the lookup"} {
		n := newCommittedNode(t, 100)
		first := n.blocks
		second := append(slices.Clone(first[:10]), chainOf(7, 100, 10, first[9].Hash)...)
		second[committedIn+5].Txs = append(second[committedIn+5].Txs, n.commitment)
		reorg := func(to []chain.Block) {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.blocks = to
		}
		if during == "the lookup" {
			n.looks = func() { reorg(second) }
		} else {
			n.answer = func(context.Context, int64) (chain.Block, error) {
				reorg(second)
				return first[etchedIn], nil
			}
		}
		a := n.follower().newAhead(t.Context(), 0)
		defer a.stop()
		block := a.fetch(etchedIn)
		reorg(first)
		must(t, block.err)
		if height, err := n.committedAt(block.commitments); !errors.Is(err, runes.ErrOtherBranch) {
			t.Errorf("a reorg during %s: the commitment is at height %d, error %v", during, height, err)
		}
		n.looks, n.answer = nil, nil
		if height, err := n.committedAt(a.fetch(etchedIn).commitments); err != nil || height != committedIn {
			t.Errorf("after a reorg during %s: the commitment is at height %d, want %d, error %v", during, height,
				committedIn, err)
		}
	}
}
