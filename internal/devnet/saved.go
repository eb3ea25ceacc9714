package devnet

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// load reads the saved chain and transactions.
func (n *Network) load(ctx context.Context) error {
	blocks, records, err := openFrames(filepath.Join(n.config.Dir, "blocks"))
	if err != nil {
		return fmt.Errorf("the saved chain cannot be read: %w", err)
	}
	n.blocks = blocks
	saved := make([]*wire.MsgBlock, len(records))
	for i, record := range records {
		saved[i] = &wire.MsgBlock{}
		if err := saved[i].Deserialize(bytes.NewReader(record)); err != nil {
			return fmt.Errorf("the saved chain cannot be read: record %d is no block: %w", i, err)
		}
	}
	if n.ix, err = buildIndex(ctx, n.chain, bestChain(n.chain.Params.GenesisBlock, saved)); err != nil {
		return err
	}
	n.kept, err = openKept(filepath.Join(n.config.Dir, "transactions"), n.ix)
	return err
}

func buildIndex(ctx context.Context, network chain.Network, blocks []*wire.MsgBlock) (*index, error) {
	ix := newIndex(network)
	for _, block := range blocks {
		if err := ix.connect(ctx, block); err != nil {
			return nil, err
		}
	}
	return ix, nil
}

// bestChain returns the longest branch of the blocks, without genesis; of two equally long ones the one saved first, as
// a node would choose. Other branches are not replayed, because they would restore transactions that a reorg deleted.
func bestChain(genesis *wire.MsgBlock, saved []*wire.MsgBlock) []*wire.MsgBlock {
	type place struct {
		block  *wire.MsgBlock
		height int
	}
	places := map[chainhash.Hash]place{genesis.BlockHash(): {genesis, 0}}
	best := places[genesis.BlockHash()]
	for _, block := range saved {
		parent, known := places[block.Header.PrevBlock]
		if !known {
			continue
		}
		here := place{block, parent.height + 1}
		places[block.BlockHash()] = here
		if here.height > best.height {
			best = here
		}
	}
	branch := make([]*wire.MsgBlock, best.height)
	for at := best; at.height > 0; at = places[at.block.Header.PrevBlock] {
		branch[at.height-1] = at.block
	}
	return branch
}

// keptTxs stores the transactions that were broadcast through the dev network or that a reorg removed from the chain,
// because the node does not save its mempool. A record of 32 bytes is the id of a transaction to delete.
type keptTxs struct {
	file *frames
	txs  map[chainhash.Hash]*wire.MsgTx
}

// openKept reads the file and rewrites it without the mined transactions.
func openKept(path string, ix *index) (*keptTxs, error) {
	file, records, err := openFrames(path)
	if err != nil {
		return nil, fmt.Errorf("the saved transactions cannot be read: %w", err)
	}
	k := &keptTxs{file: file, txs: map[chainhash.Hash]*wire.MsgTx{}}
	for _, record := range records {
		if len(record) == chainhash.HashSize {
			delete(k.txs, chainhash.Hash(record))
			continue
		}
		tx, err := chain.DecodeTx(record)
		if err != nil {
			file.close()
			return nil, fmt.Errorf("the saved transactions cannot be read: %w", err)
		}
		k.txs[tx.ID] = tx.Msg
	}
	k.txs = k.waiting(ix)
	var left [][]byte
	for _, tx := range topological(k.txs) {
		left = append(left, encodeTx(tx))
	}
	return k, file.replace(left)
}

// waiting returns the stored transactions that are not mined.
func (k *keptTxs) waiting(ix *index) map[chainhash.Hash]*wire.MsgTx {
	txs := map[chainhash.Hash]*wire.MsgTx{}
	for id, tx := range k.txs {
		if _, mined := ix.txs[id]; !mined {
			txs[id] = tx
		}
	}
	return txs
}

func (k *keptTxs) keep(txs ...*wire.MsgTx) error {
	records := make([][]byte, len(txs))
	for i, tx := range txs {
		records[i] = encodeTx(tx)
	}
	if err := k.file.append(records...); err != nil {
		return fmt.Errorf("save a transaction: %w", err)
	}
	for _, tx := range txs {
		k.txs[tx.TxHash()] = tx
	}
	return nil
}

func (k *keptTxs) forget(ids map[chainhash.Hash]bool) error {
	var records [][]byte
	for id := range ids {
		records = append(records, bytes.Clone(id[:]))
	}
	if err := k.file.append(records...); err != nil {
		return fmt.Errorf("save the forgotten transactions: %w", err)
	}
	for id := range ids {
		delete(k.txs, id)
	}
	return nil
}
