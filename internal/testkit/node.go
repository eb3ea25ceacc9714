package testkit

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// anyone is the script of the node's coinbase outputs, which can be spent without a signature.
var anyone = []byte{txscript.OP_TRUE}

// Node is a Bitcoin node in memory. It runs scripts, tracks outputs, applies replace-by-fee, and reorganizes on
// request. It does not check proof of work and coinbase maturity.
type Node struct {
	mu      sync.Mutex
	clock   *Clock
	blocks  []chain.Block // by height
	stale   []chain.Block // removed by reorgs
	unspent unspent       // unspent outputs of the blocks
	mempool []chain.Tx    // in order of arrival, so parents come first
	waiting map[chainhash.Hash]chain.Tx
	proved  map[chainhash.Hash]bool // transactions whose scripts are valid
	known   []chain.Tx              // every transaction that was accepted or mined
	salt    uint32                  // makes the hash of every block unique
	spare   []wire.OutPoint

	sent map[chainhash.Hash]int // number of broadcasts of each transaction
	fail error                  // error of every call, if not nil

	refusal string                  // reason of Broadcast for a refusal
	refuses map[chainhash.Hash]bool // refused transactions; nil: all, while refusal is not ""

	sendErr  error // error of Broadcast, if not nil
	sendDone bool  // Broadcast accepts the transaction despite sendErr

	real *btcd // real node that receives the same blocks and transactions, or nil
}

// NewNode returns a node with a genesis block.
func NewNode(clock *Clock) *Node {
	n := emptyNode(clock)
	n.Mine()
	return n
}

func emptyNode(clock *Clock) *Node {
	return &Node{
		clock: clock, unspent: newUnspent(), waiting: map[chainhash.Hash]chain.Tx{}, proved: map[chainhash.Hash]bool{},
		sent: map[chainhash.Hash]int{},
	}
}

// Fail makes every call of the Node interface return err, until Fail(nil).
func (n *Node) Fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail = err
}

// FailSend makes Broadcast return err, until FailSend(nil, false). If done is true, the transaction is accepted
// nevertheless, as if only the response was lost.
func (n *Node) FailSend(err error, done bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sendErr, n.sendDone = err, done
}

// Refuse makes the node reject these transactions, or all if none is given, with a policy error, until Refuse("").
func (n *Node) Refuse(reason string, ids ...chainhash.Hash) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.refusal, n.refuses = reason, nil
	for _, id := range ids {
		if n.refuses == nil {
			n.refuses = map[chainhash.Hash]bool{}
		}
		n.refuses[id] = true
	}
}

// Best returns the tip.
func (n *Node) Best(context.Context) (chainhash.Hash, int64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	tip := n.blocks[len(n.blocks)-1]
	return tip.Hash, tip.Height, n.fail
}

// BlockHash returns the hash at a height, or chain.ErrUnknown.
func (n *Node) BlockHash(_ context.Context, height int64) (chainhash.Hash, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if height < 0 || height >= int64(len(n.blocks)) {
		return chainhash.Hash{}, chain.ErrUnknown
	}
	return n.blocks[height].Hash, n.fail
}

// Block returns a block, also one that was removed by a reorg, or chain.ErrUnknown.
func (n *Node) Block(_ context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if height >= 0 && height < int64(len(n.blocks)) && n.blocks[height].Hash == hash {
		return n.blocks[height], n.fail
	}
	for _, block := range n.stale {
		if block.Hash == hash {
			return block, n.fail
		}
	}
	return chain.Block{}, chain.ErrUnknown
}

// Mempool returns the ids of the transactions in the mempool.
func (n *Node) Mempool(context.Context) ([]chainhash.Hash, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	ids := make([]chainhash.Hash, len(n.mempool))
	for i, tx := range n.mempool {
		ids[i] = tx.ID
	}
	return ids, n.fail
}

// Tx finds a transaction in a block or in the mempool, or returns chain.ErrUnknown.
func (n *Node) Tx(_ context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fail != nil {
		return chain.Tx{}, chain.Status{}, n.fail
	}
	if tx, waits := n.waiting[id]; waits {
		return tx, chain.Status{}, nil
	}
	if height, mined := n.unspent.heights[id]; mined {
		block := n.blocks[height]
		at := slices.IndexFunc(block.Txs, func(tx chain.Tx) bool { return tx.ID == id })
		return block.Txs[at], chain.Status{BlockHash: &block.Hash, Confirmations: int64(len(n.blocks)) - height}, nil
	}
	return chain.Tx{}, chain.Status{}, chain.ErrUnknown
}

// Broadcast accepts a transaction into the mempool if its inputs exist, its scripts are valid and it pays more than the
// transactions that it replaces; otherwise it returns a *chain.Refusal. A known transaction is accepted again.
func (n *Node) Broadcast(_ context.Context, raw []byte) error {
	tx, err := chain.DecodeTx(raw)
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fail != nil {
		return n.fail
	}
	if n.refusal != "" && (n.refuses == nil || n.refuses[tx.ID]) {
		return &chain.Refusal{Code: -26, Reason: n.refusal}
	}
	if n.sendErr != nil && !n.sendDone {
		return n.sendErr
	}
	n.sent[tx.ID]++
	return errors.Join(n.accept(tx), n.sendErr)
}

// Broadcasts returns the number of broadcasts of a transaction.
func (n *Node) Broadcasts(id chainhash.Hash) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sent[id]
}

func (n *Node) accept(tx chain.Tx) error {
	if _, known := n.waiting[tx.ID]; known {
		return nil
	}
	fee, err := n.check(tx, true)
	if err != nil {
		return &chain.Refusal{Code: -26, Reason: err.Error()}
	}
	if fee < 0 {
		return &chain.Refusal{Code: -26, Reason: "bad-txns-in-belowout"}
	}
	replaced, replacedFees := n.conflicts(tx)
	if len(replaced) > 0 && fee <= replacedFees {
		return &chain.Refusal{Code: -26, Reason: "insufficient fee, rejecting replacement"}
	}
	for _, in := range tx.Msg.TxIn {
		if replaced[in.PreviousOutPoint.Hash] {
			return &chain.Refusal{Code: -26, Reason: "bad-txns-spends-conflicting-tx"}
		}
	}
	if n.real != nil {
		if err := n.real.client.Broadcast(context.Background(), tx.Bytes()); err != nil {
			return err
		}
	}
	n.drop(replaced)
	n.mempool = append(n.mempool, tx)
	n.waiting[tx.ID] = tx
	n.known = append(n.known, tx)
	return nil
}

// drop removes transactions from the mempool.
func (n *Node) drop(removed map[chainhash.Hash]bool) {
	n.mempool = slices.DeleteFunc(n.mempool, func(tx chain.Tx) bool { return removed[tx.ID] })
	for id := range removed {
		delete(n.waiting, id)
	}
}

// conflicts returns the transactions that a transaction would replace, descendants included, and their fees.
func (n *Node) conflicts(tx chain.Tx) (replaced map[chainhash.Hash]bool, fees int64) {
	replaced = map[chainhash.Hash]bool{}
	taken := map[wire.OutPoint]bool{}
	for _, in := range tx.Msg.TxIn {
		taken[in.PreviousOutPoint] = true
	}
	for _, old := range n.mempool {
		for _, in := range old.Msg.TxIn {
			if taken[in.PreviousOutPoint] || replaced[in.PreviousOutPoint.Hash] {
				replaced[old.ID] = true
			}
		}
		if replaced[old.ID] {
			fee, _, _ := n.fee(old, true)
			fees += fee
		}
	}
	return replaced, fees
}

// Mine mines a block with the whole mempool and the clock's time.
func (n *Node) Mine() chain.Block {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.mine(n.mempool)
}

// MineOnly mines only these transactions; conflicting ones leave the mempool.
func (n *Node) MineOnly(txs ...chain.Tx) chain.Block {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.mine(txs)
}

// MineTo mines a block whose coinbase also pays to a script.
func (n *Node) MineTo(out *wire.TxOut) chain.Block {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.mine(n.mempool, out)
}

func (n *Node) mine(txs []chain.Tx, rewards ...*wire.TxOut) chain.Block {
	n.salt++
	height := int64(len(n.blocks))
	coinbase := wire.NewMsgTx(2)
	tag, _ := txscript.NewScriptBuilder().AddInt64(height).AddInt64(int64(n.salt)).Script()
	coinbase.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Index: wire.MaxPrevOutIndex}, SignatureScript: tag})
	coinbase.AddTxOut(wire.NewTxOut(n.subsidy(height), anyone))
	for _, out := range rewards {
		coinbase.AddTxOut(out)
	}
	block := chain.Block{Height: height, Time: n.clock.Now().Truncate(time.Second), Txs: []chain.Tx{chain.NewTx(coinbase)}}
	block.Txs = append(block.Txs, txs...)
	header := wire.BlockHeader{Version: 4, Timestamp: block.Time, Nonce: n.salt}
	if height > 0 {
		header.PrevBlock = n.blocks[height-1].Hash
	}
	block.Hash, block.Prev = header.BlockHash(), header.PrevBlock
	if n.real != nil {
		block = n.mineReal(height, coinbase, txs)
	}
	for _, tx := range block.Txs {
		if _, waits := n.waiting[tx.ID]; !waits {
			n.known = append(n.known, tx)
		}
	}
	n.unspent.add(block)
	n.blocks = append(n.blocks, block)
	n.spare = append(n.spare, wire.OutPoint{Hash: block.Txs[0].ID})
	n.settle(block)
	return block
}

// settle removes mined and conflicting transactions from the mempool.
func (n *Node) settle(block chain.Block) {
	mined, taken := map[chainhash.Hash]bool{}, map[wire.OutPoint]bool{}
	for _, tx := range block.Txs {
		mined[tx.ID] = true
		for _, in := range tx.Msg.TxIn {
			taken[in.PreviousOutPoint] = true
		}
	}
	removed := map[chainhash.Hash]bool{}
	for _, tx := range n.mempool {
		for _, in := range tx.Msg.TxIn {
			if taken[in.PreviousOutPoint] || (removed[in.PreviousOutPoint.Hash] && !mined[in.PreviousOutPoint.Hash]) {
				removed[tx.ID] = true
			}
		}
		if mined[tx.ID] {
			removed[tx.ID] = true
		}
	}
	n.drop(removed)
}

// Rewind removes the last blocks. Their transactions return to the mempool, unless they spent a removed coinbase.
func (n *Node) Rewind(depth int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	cut := len(n.blocks) - depth
	if n.real != nil {
		n.real.rewind(depth, n.blocks[cut].Hash)
	}
	var again []chain.Tx
	for i := len(n.blocks) - 1; i >= cut; i-- {
		block := n.blocks[i]
		n.unspent.remove(block)
		again = append(slices.Clone(block.Txs[1:]), again...)
		n.spare = slices.DeleteFunc(n.spare, func(coin wire.OutPoint) bool { return coin.Hash == block.Txs[0].ID })
	}
	n.stale = append(n.stale[:len(n.stale):len(n.stale)], n.blocks[cut:]...)
	n.blocks = n.blocks[:cut]
	all := append(again, n.mempool...)
	n.mempool = nil
	clear(n.waiting)
	for _, tx := range all {
		if _, _, err := n.fee(tx, true); err == nil {
			n.mempool = append(n.mempool, tx)
			n.waiting[tx.ID] = tx
		}
	}
}

// Forget empties the mempool, like a restart of a node.
func (n *Node) Forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.mempool = nil
	clear(n.waiting)
	if n.real != nil {
		n.real.restart()
	}
}

// Evict removes transactions and their descendants from the mempool. btcd has no such call, so it is restarted and
// receives the other transactions again.
func (n *Node) Evict(ids ...chainhash.Hash) {
	n.mu.Lock()
	defer n.mu.Unlock()
	removed := map[chainhash.Hash]bool{}
	for _, id := range ids {
		if _, waits := n.waiting[id]; waits {
			removed[id] = true
		}
	}
	for _, tx := range n.mempool { // parents come first
		for _, in := range tx.Msg.TxIn {
			if removed[in.PreviousOutPoint.Hash] {
				removed[tx.ID] = true
			}
		}
	}
	n.drop(removed)
	if n.real == nil || len(ids) == 0 {
		return
	}
	n.real.restart()
	for _, tx := range n.mempool {
		Must(n.real.t, n.real.client.Broadcast(context.Background(), tx.Bytes()))
	}
}

// Height returns the tip's height.
func (n *Node) Height() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return int64(len(n.blocks)) - 1
}

// Grant mines a transaction with these outputs that spends a coinbase output of the node.
func (n *Node) Grant(outs ...*wire.TxOut) chain.Tx {
	n.mu.Lock()
	defer n.mu.Unlock()
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: n.spare[0]})
	n.spare = n.spare[1:]
	for _, out := range outs {
		tx.AddTxOut(out)
	}
	granted := chain.NewTx(tx)
	n.mine([]chain.Tx{granted})
	return granted
}
