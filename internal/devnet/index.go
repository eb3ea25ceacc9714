package devnet

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// coinbaseMaturity is the number of blocks after which a coinbase output can be spent.
const coinbaseMaturity = 100

// index is the dev network's own state of its best chain: blocks, transactions, unspent outputs and their runes. It
// reads the same blocks as the product's ledger but shares no state with it, so that tests can compare both.
type index struct {
	rules    runes.Rules
	runes    *runes.Memory
	blocks   []*wire.MsgBlock // by height, genesis first
	txs      map[chainhash.Hash]minedTx
	coins    map[wire.OutPoint]coin
	byScript map[string]map[wire.OutPoint]struct{}
}

type minedTx struct {
	msg    *wire.MsgTx
	height int64
}

// coin is an unspent output. Its height is chain.None if it is unconfirmed.
type coin struct {
	wire.OutPoint
	*wire.TxOut
	height   int64
	coinbase bool
	runes    []runes.Balance
}

func newIndex(network chain.Network) *index {
	return &index{
		rules: runes.RulesFor(network), runes: runes.NewMemory(),
		blocks:   []*wire.MsgBlock{network.Params.GenesisBlock},
		txs:      map[chainhash.Hash]minedTx{},
		coins:    map[wire.OutPoint]coin{},
		byScript: map[string]map[wire.OutPoint]struct{}{},
	}
}

func (ix *index) height() int64           { return int64(len(ix.blocks)) - 1 }
func (ix *index) tip() *wire.MsgBlock     { return ix.blocks[len(ix.blocks)-1] }
func (ix *index) tipHash() chainhash.Hash { return ix.tip().BlockHash() }

// connect adds the next block.
func (ix *index) connect(ctx context.Context, msg *wire.MsgBlock) error {
	if msg.Header.PrevBlock != ix.tipHash() {
		return fmt.Errorf("block %s does not follow the tip %s", msg.BlockHash(), ix.tipHash())
	}
	height := ix.height() + 1
	block := chain.Block{Height: height, Hash: msg.BlockHash(), Prev: msg.Header.PrevBlock, Time: msg.Header.Timestamp}
	for _, tx := range msg.Transactions {
		block.Txs = append(block.Txs, chain.NewTx(tx))
	}
	// Apply the runes first: the commitment check reads outputs that this block spends.
	if _, err := ix.rules.Apply(ctx, ix.runes, ix, block); err != nil {
		return fmt.Errorf("runes of block %d: %w", height, err)
	}
	ix.blocks = append(ix.blocks, msg)
	for i, tx := range block.Txs {
		ix.txs[tx.ID] = minedTx{msg: tx.Msg, height: height}
		if i > 0 {
			for _, in := range tx.Msg.TxIn {
				ix.remove(in.PreviousOutPoint)
			}
		}
		for vout := range tx.Msg.TxOut {
			ix.add(wire.OutPoint{Hash: tx.ID, Index: uint32(vout)})
		}
	}
	return nil
}

// disconnect removes the last block.
func (ix *index) disconnect() error {
	height, block := ix.height(), ix.tip()
	if err := runes.Undo(ix.runes, height); err != nil {
		return fmt.Errorf("undo the runes of block %d: %w", height, err)
	}
	ix.blocks = ix.blocks[:height]
	for i, tx := range slices.Backward(block.Transactions) {
		id := tx.TxHash()
		for vout := range tx.TxOut {
			ix.remove(wire.OutPoint{Hash: id, Index: uint32(vout)})
		}
		delete(ix.txs, id)
		if i > 0 {
			for _, in := range tx.TxIn {
				ix.add(in.PreviousOutPoint)
			}
		}
	}
	return nil
}

// add marks an output of a mined transaction as unspent.
func (ix *index) add(at wire.OutPoint) {
	tx := ix.txs[at.Hash]
	out := tx.msg.TxOut[at.Index]
	ix.coins[at] = coin{OutPoint: at, TxOut: out, height: tx.height, coinbase: isCoinbase(tx.msg)}
	script := string(out.PkScript)
	if ix.byScript[script] == nil {
		ix.byScript[script] = map[wire.OutPoint]struct{}{}
	}
	ix.byScript[script][at] = struct{}{}
}

func (ix *index) remove(at wire.OutPoint) {
	script := string(ix.coins[at].script())
	delete(ix.coins, at)
	delete(ix.byScript[script], at)
	if len(ix.byScript[script]) == 0 {
		delete(ix.byScript, script)
	}
}

// script returns the output script, or nil for the zero coin.
func (c coin) script() []byte {
	if c.TxOut == nil {
		return nil
	}
	return c.PkScript
}

// CommitOutput implements runes.Commitments over the indexed chain.
func (ix *index) CommitOutput(_ context.Context, at wire.OutPoint) ([]byte, int64, error) {
	tx, ok := ix.txs[at.Hash]
	if !ok || int(at.Index) >= len(tx.msg.TxOut) {
		return nil, 0, chain.ErrUnknown
	}
	return tx.msg.TxOut[at.Index].PkScript, tx.height, nil
}

// medianTime returns the median header time of the last 11 blocks up to height. The header time of the next block must
// be greater. BIP-113 uses it for lock times.
func (ix *index) medianTime(height int64) time.Time {
	var times []time.Time
	for h := height; h >= 0 && h > height-11; h-- {
		times = append(times, ix.blocks[h].Header.Timestamp)
	}
	slices.SortFunc(times, time.Time.Compare)
	return times[len(times)/2]
}

// latestTime returns the greatest header time of all blocks. The header time of the tip may be lower, because it only
// has to exceed the median.
func (ix *index) latestTime() time.Time {
	var latest time.Time
	for _, block := range ix.blocks {
		if block.Header.Timestamp.After(latest) {
			latest = block.Header.Timestamp
		}
	}
	return latest
}

func isCoinbase(tx *wire.MsgTx) bool {
	return len(tx.TxIn) == 1 && tx.TxIn[0].PreviousOutPoint == wire.OutPoint{Index: wire.MaxPrevOutIndex}
}
