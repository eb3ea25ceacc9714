package testkit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// unspent is the set of unspent outputs, with an undo record per block, so that neither a new block nor a reorg reads
// the whole chain.
type unspent struct {
	outputs map[wire.OutPoint]*wire.TxOut
	undo    [][]taken                // outputs that each block spent, by height
	heights map[chainhash.Hash]int64 // block height of every mined transaction
}

type taken struct {
	point wire.OutPoint
	out   *wire.TxOut
}

func newUnspent() unspent {
	return unspent{outputs: map[wire.OutPoint]*wire.TxOut{}, heights: map[chainhash.Hash]int64{}}
}

func (u *unspent) fork() unspent {
	forked := unspent{
		outputs: make(map[wire.OutPoint]*wire.TxOut, len(u.outputs)), undo: slices.Clone(u.undo),
		heights: make(map[chainhash.Hash]int64, len(u.heights)),
	}
	for point, out := range u.outputs {
		forked.outputs[point] = out
	}
	for id, height := range u.heights {
		forked.heights[id] = height
	}
	return forked
}

// add applies a block; all its inputs must exist.
func (u *unspent) add(block chain.Block) {
	var spent []taken
	for i, tx := range block.Txs {
		for _, in := range tx.Msg.TxIn {
			if i == 0 {
				break // a coinbase spends nothing
			}
			out := u.outputs[in.PreviousOutPoint]
			if out == nil {
				panic(fmt.Sprintf("testkit: block %d: transaction %s spends %s, which is not there", block.Height, tx.ID,
					in.PreviousOutPoint))
			}
			spent = append(spent, taken{in.PreviousOutPoint, out})
			delete(u.outputs, in.PreviousOutPoint)
		}
		for vout, out := range tx.Msg.TxOut {
			u.outputs[wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}] = out
		}
		u.heights[tx.ID] = block.Height
	}
	u.undo = append(u.undo, spent)
}

// remove undoes the last block.
func (u *unspent) remove(block chain.Block) {
	last := len(u.undo) - 1
	for _, t := range u.undo[last] {
		u.outputs[t.point] = t.out
	}
	u.undo = u.undo[:last]
	for _, tx := range block.Txs {
		for vout := range tx.Msg.TxOut {
			delete(u.outputs, wire.OutPoint{Hash: tx.ID, Index: uint32(vout)})
		}
		delete(u.heights, tx.ID)
	}
}

// find returns an unspent output of the chain or, if pool is true, an output of the mempool, even if a mempool
// transaction spends it. It returns nil if there is no such output.
func (n *Node) find(point wire.OutPoint, pool bool) *wire.TxOut {
	if out := n.unspent.outputs[point]; out != nil {
		return out
	}
	if tx, waits := n.waiting[point.Hash]; pool && waits && int(point.Index) < len(tx.Msg.TxOut) {
		return tx.Msg.TxOut[point.Index]
	}
	return nil
}

// UnspentOutput returns an unspent output of the best chain, whether the mempool spends it or not, or chain.ErrUnknown.
func (n *Node) UnspentOutput(_ context.Context, point wire.OutPoint) (chain.UnspentOutput, error) {
	outsideWrites("a call to the node")
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fail != nil {
		return chain.UnspentOutput{}, n.fail
	}
	out := n.unspent.outputs[point]
	if out == nil {
		return chain.UnspentOutput{}, chain.ErrUnknown
	}
	height, tip := n.unspent.heights[point.Hash], n.blocks[len(n.blocks)-1]
	return chain.UnspentOutput{
		Output: *out, Confirmations: tip.Height - height + 1, Coinbase: n.blocks[height].Txs[0].ID == point.Hash,
		Best: tip.Hash,
	}, nil
}

// Spenders returns the transactions in the mempool that spend these outputs, by output.
func (n *Node) Spenders(_ context.Context, points ...wire.OutPoint) (map[wire.OutPoint]chainhash.Hash, error) {
	outsideWrites("a call to the node")
	n.mu.Lock()
	defer n.mu.Unlock()
	spenders := map[wire.OutPoint]chainhash.Hash{}
	for _, tx := range n.mempool {
		for _, in := range tx.Msg.TxIn {
			if slices.Contains(points, in.PreviousOutPoint) {
				spenders[in.PreviousOutPoint] = tx.ID
			}
		}
	}
	return spenders, n.fail
}

// fee returns the fee of a transaction in sats, or an error if an input does not exist.
func (n *Node) fee(tx chain.Tx, pool bool) (fee int64, spent map[wire.OutPoint]*wire.TxOut, err error) {
	spent = map[wire.OutPoint]*wire.TxOut{}
	for _, in := range tx.Msg.TxIn {
		out := n.find(in.PreviousOutPoint, pool)
		if out == nil {
			return 0, nil, errors.New("bad-txns-inputs-missingorspent")
		}
		spent[in.PreviousOutPoint] = out
		fee += out.Value
	}
	for _, out := range tx.Msg.TxOut {
		fee -= out.Value
	}
	return fee, spent, nil
}

// DescendantFees returns the fees of the mempool transactions that depend on a transaction.
func (n *Node) DescendantFees(_ context.Context, id chainhash.Hash) (fees amount.Sats, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	depends := map[chainhash.Hash]bool{id: true}
	for _, tx := range n.mempool { // parents come first
		if tx.ID == id || !slices.ContainsFunc(tx.Msg.TxIn, func(in *wire.TxIn) bool {
			return depends[in.PreviousOutPoint.Hash]
		}) {
			continue
		}
		depends[tx.ID] = true
		fee, _, err := n.fee(tx, true)
		if err != nil {
			return 0, err
		}
		fees += amount.Sats(fee)
	}
	return fees, nil
}

// check runs every input's script and returns the fee in sats.
func (n *Node) check(tx chain.Tx, pool bool) (fee int64, err error) {
	fee, spent, err := n.fee(tx, pool)
	if err != nil || n.proved[tx.ID] {
		return fee, err
	}
	fetcher := txscript.NewMultiPrevOutFetcher(spent)
	hashes := txscript.NewTxSigHashes(tx.Msg, fetcher)
	for i, in := range tx.Msg.TxIn {
		out := spent[in.PreviousOutPoint]
		engine, err := txscript.NewEngine(out.PkScript, tx.Msg, i, txscript.StandardVerifyFlags, nil, hashes, out.Value,
			fetcher)
		if err == nil {
			err = engine.Execute()
		}
		if err != nil {
			return 0, fmt.Errorf("mandatory-script-verify-flag-failed: %w", err)
		}
	}
	n.proved[tx.ID] = true // cached by id, because tests do not change witnesses
	return fee, nil
}

// Locate returns the block height of a transaction, or -1 if it is not mined, and whether it is in the mempool.
func (n *Node) Locate(id chainhash.Hash) (height int64, waits bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, waits = n.waiting[id]
	if height, mined := n.unspent.heights[id]; mined {
		return height, waits
	}
	return -1, waits
}

// HeaderTime returns the header time of the block at a height of the best chain.
func (n *Node) HeaderTime(height int64) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.blocks[height].Time
}

// Coins returns the unspent outputs of an address in blocks and mempool, in a deterministic order.
func (n *Node) Coins(script []byte) (coins []Coin) {
	n.mu.Lock()
	defer n.mu.Unlock()
	spent := map[wire.OutPoint]bool{}
	for _, tx := range n.mempool {
		for _, in := range tx.Msg.TxIn {
			spent[in.PreviousOutPoint] = true
		}
		for vout, out := range tx.Msg.TxOut {
			if bytes.Equal(out.PkScript, script) {
				coins = append(coins, Coin{OutPoint: wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, Out: out})
			}
		}
	}
	for point, out := range n.unspent.outputs {
		if bytes.Equal(out.PkScript, script) {
			coins = append(coins, Coin{OutPoint: point, Out: out})
		}
	}
	coins = slices.DeleteFunc(coins, func(c Coin) bool { return spent[c.OutPoint] })
	slices.SortFunc(coins, func(a, b Coin) int {
		return cmp.Or(bytes.Compare(a.OutPoint.Hash[:], b.OutPoint.Hash[:]), cmp.Compare(a.OutPoint.Index, b.OutPoint.Index))
	})
	return coins
}

// UseClock sets the clock for block times.
func (n *Node) UseClock(clock *Clock) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.clock = clock
}

// Valid reports whether a transaction could be in the next block.
func (n *Node) Valid(tx chain.Tx) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	fee, err := n.check(tx, false)
	return err == nil && fee >= 0 && (n.real == nil || n.matured(tx))
}

// matured reports whether the inputs with a relative lock time in blocks (BIP-68) are old enough. Only btcd enforces
// this.
func (n *Node) matured(tx chain.Tx) bool {
	for _, in := range tx.Msg.TxIn {
		if in.Sequence&(wire.SequenceLockTimeDisabled|wire.SequenceLockTimeIsSeconds) != 0 {
			continue
		}
		height, mined := n.unspent.heights[in.PreviousOutPoint.Hash]
		if wait := int64(in.Sequence & wire.SequenceLockTimeMask); wait > 0 &&
			(!mined || height+wait > int64(len(n.blocks))) {
			return false
		}
	}
	return true
}

// MineSome mines a block with the mempool transactions for which wanted returns true. It calls wanted for parents
// before their children.
func (n *Node) MineSome(wanted func(chain.Tx) bool) chain.Block {
	n.mu.Lock()
	defer n.mu.Unlock()
	var txs []chain.Tx
	for _, tx := range n.mempool {
		if wanted(tx) {
			txs = append(txs, tx)
		}
	}
	return n.mine(txs)
}
