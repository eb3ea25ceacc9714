package runes

import (
	"bytes"
	"context"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
)

// CommitConfirmations is how many blocks, its own and the etching's included, a
// commitment must be old when the etching is mined.
const CommitConfirmations = 6

// annexPrefix is the first byte of a taproot annex (BIP-341).
const annexPrefix = 0x50

// Commitments finds the outputs that named etchings committed with.
type Commitments interface {
	// CommitOutput returns a mined output's script and the height of its block.
	CommitOutput(context.Context, wire.OutPoint) (script []byte, height int64, err error)
}

// Node is what NodeCommitments needs of a Bitcoin node with a transaction index;
// *chain.Client is one.
type Node interface {
	Best(context.Context) (hash chainhash.Hash, height int64, err error)
	Tx(context.Context, chainhash.Hash) (chain.Tx, chain.Status, error)
}

// NodeCommitments asks a node.
type NodeCommitments struct{ Node Node }

// CommitOutput implements Commitments. It fails when the transaction is not in
// the node's best chain, which means that the block that spends it is not either.
func (c NodeCommitments) CommitOutput(ctx context.Context, o wire.OutPoint) ([]byte, int64, error) {
	for {
		before, height, err := c.Node.Best(ctx)
		if err != nil {
			return nil, 0, err
		}
		tx, status, err := c.Node.Tx(ctx, o.Hash)
		if err != nil {
			return nil, 0, fmt.Errorf("commitment %s: %w", o, err)
		}
		after, _, err := c.Node.Best(ctx)
		if err != nil {
			return nil, 0, err
		}
		if before != after { // a block came in between: the confirmations count from either
			continue
		}
		if status.Confirmations < 1 || int(o.Index) >= len(tx.Msg.TxOut) {
			return nil, 0, fmt.Errorf("commitment %s: not in the best chain", o)
		}
		return tx.Msg.TxOut[o.Index].PkScript, height - status.Confirmations + 1, nil
	}
}

// FetchCommitments asks for every output that Apply of this block may ask for, and
// returns the answers. Apply needs no node then: it runs within a database
// transaction, which must not wait for one. An error of from is returned when Apply
// asks for that output, since it may not need it.
func (r Rules) FetchCommitments(ctx context.Context, from Commitments, block chain.Block) Commitments {
	fetched := fetchedCommitments{}
	mine := map[chainhash.Hash]bool{}
	for i, tx := range block.Txs {
		if name := etchedName(tx.Msg); name != nil && r.follows(ID{Block: uint64(block.Height), Tx: uint32(i)}) && r.open(*name, block.Height) {
			_, _ = committed(ctx, fetching{from, fetched}, tx.Msg, *name, block.Height, func(id chainhash.Hash) bool { return mine[id] })
		}
		mine[tx.ID] = true
	}
	return fetched
}

// etchedName returns the name that a transaction etches, nil when it names none.
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

// open reports whether a name may be etched at a height, if it is free and committed to.
func (r Rules) open(name Name, height int64) bool {
	return name.Cmp(r.MinimumName(height)) >= 0 && !name.Reserved()
}

// fetching keeps what it was answered.
type fetching struct {
	from    Commitments
	fetched fetchedCommitments
}

// CommitOutput implements Commitments.
func (f fetching) CommitOutput(ctx context.Context, o wire.OutPoint) ([]byte, int64, error) {
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

// tapscript returns the leaf script of a witness that spends a taproot script
// path, whatever its leaf version, or nil. The witness alone does not prove that
// the output is taproot.
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

// pushesBytes says whether a script pushes exactly these bytes before anything
// in it is malformed.
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

// committed says whether tx, in a block of the given height, spends a taproot
// output that is old enough and reveals a commitment to the name. Commitments are
// asked only for inputs whose tapscript pushes it; sameBlock tells transactions
// of the block itself, which are too young.
func committed(ctx context.Context, c Commitments, tx *wire.MsgTx, name Name, height int64, sameBlock func(chainhash.Hash) bool) (bool, error) {
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
