package runes

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// CommitConfirmations is the minimum age of a commitment when its etching is mined, in blocks, counting both the block
// of the commitment and the block of the etching.
const CommitConfirmations = 6

// annexPrefix is the first byte of a taproot annex (BIP-341).
const annexPrefix = 0x50

// Commitments looks up the outputs that named etchings commit with.
type Commitments interface {
	// CommitOutput returns a mined output's script and the height of its block.
	CommitOutput(context.Context, wire.OutPoint) (script []byte, height int64, err error)
}

// Node is the part of a Bitcoin node with a transaction index that NodeCommitments and Provenance use. *chain.Client
// implements it.
type Node interface {
	Best(context.Context) (hash chainhash.Hash, height int64, err error)
	Tx(context.Context, chainhash.Hash) (chain.Tx, chain.Status, error)
}

// ChainNode is a Node with the hashes of its best chain.
type ChainNode interface {
	Node
	BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) // or chain.ErrUnknown
}

// ErrOtherBranch is returned while the block whose commitments are looked up is not in the node's best chain.
var ErrOtherBranch = errors.New("runes: the block is not in the node's best chain")

// NodeCommitments looks up on a node the outputs that the etchings of a block commit with.
type NodeCommitments struct {
	Node   ChainNode
	Height int64 // of the block
	Hash   chainhash.Hash
}

// CommitOutput implements Commitments. The height is the one in the block's own chain: CommitOutput returns
// ErrOtherBranch while the node has another block at the block's height, and an error if the transaction is not in the
// node's best chain.
func (c NodeCommitments) CommitOutput(ctx context.Context, o wire.OutPoint) ([]byte, int64, error) {
	for {
		before, height, err := c.Node.Best(ctx)
		if err != nil {
			return nil, 0, err
		}
		hash, err := c.Node.BlockHash(ctx, c.Height)
		if errors.Is(err, chain.ErrUnknown) || err == nil && hash != c.Hash {
			err = ErrOtherBranch
		}
		if err != nil {
			return nil, 0, fmt.Errorf("commitment %s: %w", o, err)
		}
		tx, status, err := c.Node.Tx(ctx, o.Hash)
		if err != nil {
			return nil, 0, fmt.Errorf("commitment %s: %w", o, err)
		}
		after, _, err := c.Node.Best(ctx)
		if err != nil {
			return nil, 0, err
		}
		if before != after { // the tip changed, so the confirmations may count from either tip
			continue
		}
		if status.Confirmations < 1 || int(o.Index) >= len(tx.Msg.TxOut) {
			return nil, 0, fmt.Errorf("commitment %s: not in the best chain", o)
		}
		return tx.Msg.TxOut[o.Index].PkScript, height - status.Confirmations + 1, nil
	}
}

// FetchCommitments looks up every output that Apply may look up for this block. Apply then needs no node: it runs in a
// database transaction, which must not wait for a node. If from fails for an output, the error is returned when Apply
// looks up that output, because Apply may not need it.
func (r Rules) FetchCommitments(ctx context.Context, from Commitments, block chain.Block) Commitments {
	fetched := fetchedCommitments{}
	earlier := map[chainhash.Hash]bool{}
	for i, tx := range block.Txs {
		id := ID{Block: uint64(block.Height), Tx: uint32(i)}
		if name := etchedName(tx.Msg); name != nil && r.follows(id) && r.nameAllowed(*name, block.Height) {
			sameBlock := func(txid chainhash.Hash) bool { return earlier[txid] }
			_, _ = hasCommitment(ctx, recordingCommitments{from, fetched}, tx.Msg, *name, block.Height, sameBlock)
		}
		earlier[tx.ID] = true
	}
	return fetched
}

// etchedName returns the name that a transaction etches, or nil if it etches none by name.
func etchedName(tx *wire.MsgTx) *Name {
	artifact := Decipher(tx)
	switch {
	case artifact == nil:
		return nil
	case artifact.Cenotaph != nil:
		return artifact.Cenotaph.Etching
	case artifact.Runestone.Etching != nil:
		return artifact.Runestone.Etching.Name
	}
	return nil
}

// nameAllowed reports whether a name may be etched at a height, provided that it is free and committed to.
func (r Rules) nameAllowed(name Name, height int64) bool {
	return name.Cmp(r.MinimumName(height)) >= 0 && !name.Reserved()
}

// recordingCommitments records the results of from in fetched.
type recordingCommitments struct {
	from    Commitments
	fetched fetchedCommitments
}

// CommitOutput implements Commitments.
func (f recordingCommitments) CommitOutput(ctx context.Context, o wire.OutPoint) ([]byte, int64, error) {
	var c commitment
	c.script, c.height, c.err = f.from.CommitOutput(ctx, o)
	f.fetched[o] = c
	return c.script, c.height, c.err
}

type commitment struct {
	script []byte
	height int64
	err    error
}

type fetchedCommitments map[wire.OutPoint]commitment

// CommitOutput implements Commitments.
func (f fetchedCommitments) CommitOutput(_ context.Context, o wire.OutPoint) ([]byte, int64, error) {
	c, found := f[o]
	if !found {
		return nil, 0, fmt.Errorf("commitment %s: it was not fetched before the block was applied", o)
	}
	return c.script, c.height, c.err
}

// tapscript returns the leaf script, of any leaf version, of a witness that spends a taproot script path, or nil. The
// witness alone does not prove that the output is taproot.
func tapscript(w wire.TxWitness) []byte {
	at := len(w) - 2
	if last := len(w) - 1; len(w) >= 2 && len(w[last]) > 0 && w[last][0] == annexPrefix {
		at--
	}
	if at < 0 {
		return nil
	}
	return w[at]
}

// pushesBytes reports whether a script pushes exactly these bytes before its first malformed instruction.
func pushesBytes(script, want []byte) bool {
	for len(script) > 0 {
		op, data, rest, ok := nextPush(script)
		if !ok {
			return false
		}
		if op <= txscript.OP_PUSHDATA4 && bytes.Equal(data, want) {
			return true
		}
		script = rest
	}
	return false
}

// hasCommitment reports whether tx, in a block of the given height, spends a taproot output that is old enough and
// reveals a commitment to the name. It looks up only inputs whose tapscript pushes the commitment. sameBlock reports
// whether a transaction is in the same block, and therefore too young.
func hasCommitment(
	ctx context.Context, c Commitments, tx *wire.MsgTx, name Name, height int64, sameBlock func(chainhash.Hash) bool,
) (bool, error) {
	want := name.Commitment()
	for _, in := range tx.TxIn {
		if !pushesBytes(tapscript(in.Witness), want) || sameBlock(in.PreviousOutPoint.Hash) {
			continue
		}
		script, mined, err := c.CommitOutput(ctx, in.PreviousOutPoint)
		if err != nil {
			return false, err
		}
		if txscript.IsPayToTaproot(script) && height-mined+1 >= CommitConfirmations {
			return true, nil
		}
	}
	return false, nil
}
