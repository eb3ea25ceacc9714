package devnet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

const (
	maxMine = 5_000
	// maxDepth limits reorgs so that no spent coinbase is undone.
	maxDepth = coinbaseMaturity - 1
	// settleBlocks is the number of blocks mined after the block that crosses an epoch boundary, which gives the cut
	// its 6 confirmations.
	settleBlocks = 6
)

// Refused is an error caused by the request. Its text is shown to the developer.
type Refused struct{ Reason string }

func (r *Refused) Error() string { return r.Reason }

func refuse(format string, args ...any) error { return &Refused{Reason: fmt.Sprintf(format, args...)} }

// Mine mines blocks with the transactions of the mempool. The transactions in without and their descendants stay in the
// mempool. It returns the new height.
func (n *Network) Mine(ctx context.Context, blocks int64, without []chainhash.Hash) (int64, error) {
	if blocks < 1 || blocks > maxMine {
		return 0, refuse("blocks must be between 1 and %d", maxMine)
	}
	if err := n.enter(ctx); err != nil {
		return 0, err
	}
	defer n.leave()
	for range blocks {
		if err := ctx.Err(); err != nil {
			return n.ix.height(), err
		}
		if err := n.mineBlock(ctx, without, time.Time{}, n.config.Now()); err != nil {
			return n.ix.height(), err
		}
	}
	return n.ix.height(), nil
}

// mineBlock mines one block whose header time is at least earliest. The caller holds the lock.
func (n *Network) mineBlock(ctx context.Context, without []chainhash.Hash, earliest, now time.Time) error {
	ctx = context.WithoutCancel(ctx) // a block is submitted completely or not at all
	pool, err := n.readMempool(ctx)
	if err != nil {
		return err
	}
	block, err := n.ix.assemble(template{
		params: n.chain.Params, txs: pool.order, without: descendants(pool.order, without),
		payTo: n.key.script, earliest: earliest, now: now,
	})
	if err != nil {
		return err
	}
	raw := encodeBlock(block)
	if err := n.blocks.append(raw); err != nil {
		return fmt.Errorf("save block %d: %w", n.ix.height()+1, err)
	}
	if err := n.ix.connect(ctx, block); err != nil {
		return errors.Join(err, n.blocks.dropLast())
	}
	submitErr := n.node.client.SubmitBlock(ctx, raw)
	switch {
	case n.checkTip(ctx) == nil:
		return nil
	case !n.node.alive():
		return n.revive(ctx)
	default:
		return errors.Join(fmt.Errorf("the Bitcoin node refused block %d: %w", n.ix.height(), submitErr), n.ix.disconnect(),
			n.blocks.dropLast())
	}
}

// Reorg replaces the last depth blocks by depth + 1 empty ones. The transactions of the replaced blocks return to the
// mempool. The transactions in without and their descendants are deleted instead. It returns the new height.
func (n *Network) Reorg(ctx context.Context, depth int64, without []chainhash.Hash) (int64, error) {
	if err := n.enter(ctx); err != nil {
		return 0, err
	}
	defer n.leave()
	if err := n.checkDepth(depth); err != nil {
		return 0, err
	}
	ctx = context.WithoutCancel(ctx)
	pool, err := n.readMempool(ctx)
	if err != nil {
		return 0, err
	}
	replaced := slices.Clone(n.ix.blocks[n.ix.height()-depth+1:])
	var mined []*wire.MsgTx
	for _, block := range replaced {
		mined = append(mined, block.Transactions[1:]...)
	}
	loose := slices.Concat(mined, pool.order)
	if err := allIn(without, loose); err != nil {
		return 0, err
	}
	forgotten := descendants(loose, without)
	if err := n.kept.keep(slices.DeleteFunc(mined, func(tx *wire.MsgTx) bool {
		return forgotten[tx.TxHash()]
	})...); err != nil {
		return 0, err
	}
	if err := n.kept.forget(forgotten); err != nil {
		return 0, err
	}
	for id := range forgotten {
		delete(n.waiting, id)
	}
	if err := n.rebranch(ctx, depth); err != nil {
		return n.ix.height(), err
	}
	return n.ix.height(), n.follow(ctx, depth, len(forgotten) > 0)
}

func (n *Network) checkDepth(depth int64) error {
	if depth < 1 || depth > maxDepth {
		return refuse("depth must be between 1 and %d", maxDepth)
	}
	base := n.ix.height() - depth
	for _, etched := range n.etched {
		if base < etched.Height {
			return refuse("a reorg of %d blocks would undo the etching of %s at height %d", depth, etched.Name, etched.Height)
		}
	}
	if base < 0 {
		return refuse("the chain has only %d blocks", n.ix.height())
	}
	return nil
}

func allIn(ids []chainhash.Hash, txs []*wire.MsgTx) error {
	for _, id := range ids {
		if !slices.ContainsFunc(txs, func(tx *wire.MsgTx) bool { return tx.TxHash() == id }) {
			return refuse("transaction %s is neither in the replaced blocks nor in the mempool", id)
		}
	}
	return nil
}

// rebranch switches the index and the saved chain to a branch of depth + 1 empty blocks. After an error it restores the
// index.
func (n *Network) rebranch(ctx context.Context, depth int64) error {
	before := slices.Clone(n.ix.blocks[1:])
	raws, err := n.branch(ctx, depth)
	if err == nil {
		err = n.blocks.append(raws...)
	}
	if err == nil {
		return nil
	}
	restored, failed := buildIndex(ctx, n.chain, before)
	if failed == nil {
		n.ix = restored
	}
	return errors.Join(err, failed)
}

func (n *Network) branch(ctx context.Context, depth int64) (raws [][]byte, err error) {
	for range depth {
		if err := n.ix.disconnect(); err != nil {
			return nil, err
		}
	}
	for range depth + 1 {
		block, err := n.ix.assemble(template{params: n.chain.Params, payTo: n.key.script, now: n.config.Now()})
		if err != nil {
			return nil, err
		}
		if err := n.ix.connect(ctx, block); err != nil {
			return nil, err
		}
		raws = append(raws, encodeBlock(block))
	}
	return raws, nil
}

// follow submits the new branch to the node. If forget is set, it restarts the node instead, because nodes have no call
// to delete a transaction from the mempool.
func (n *Network) follow(ctx context.Context, depth int64, forget bool) error {
	if forget {
		return n.revive(ctx)
	}
	n.gate.shut()
	err := n.submitBranch(ctx, depth)
	n.gate.open(n.node.addr)
	if err != nil {
		n.config.Log.Warn("dev network: the node did not follow a reorg", "error", err)
		return n.revive(ctx)
	}
	return nil
}

func (n *Network) submitBranch(ctx context.Context, depth int64) error {
	for _, block := range n.ix.blocks[n.ix.height()-depth:] {
		if err := n.node.client.SubmitBlock(ctx, encodeBlock(block)); err != nil {
			return err
		}
	}
	if err := n.checkTip(ctx); err != nil {
		return err
	}
	return n.rebroadcast(ctx)
}

// AdvanceEpoch ends a community's current epoch at the next block and mines the blocks that its settlement requires. An
// empty prefix means every community. It returns the number of the new epoch.
func (n *Network) AdvanceEpoch(ctx context.Context, product Product, prefix string) (int64, error) {
	if err := n.enter(ctx); err != nil {
		return 0, err
	}
	defer n.leave()
	// Use a time later than every header, so that the next block is the first one at or after the boundary and the cut
	// is the current tip.
	at := n.ix.latestTime().Add(time.Second)
	if now := n.config.Now().Truncate(time.Second); now.After(at) {
		at = now
	}
	epoch, err := product.AdvanceEpoch(ctx, prefix, at)
	if err != nil {
		return 0, err
	}
	for range 1 + settleBlocks {
		if err := n.mineBlock(ctx, nil, at, n.config.Now()); err != nil {
			return 0, err
		}
	}
	return epoch, nil
}

// Broadcast checks a transaction against the standardness policy of public nodes, submits it to the node and stores it.
// It returns *Refused if either rejects it.
func (n *Network) Broadcast(ctx context.Context, raw []byte) (chainhash.Hash, error) {
	tx, err := chain.DecodeTx(raw)
	if err != nil {
		return chainhash.Hash{}, refuse("tx is not a transaction in hex")
	}
	if err := n.enter(ctx); err != nil {
		return chainhash.Hash{}, err
	}
	defer n.leave()
	if _, mined := n.ix.txs[tx.ID]; mined {
		return tx.ID, nil
	}
	return tx.ID, n.publish(ctx, tx.Msg)
}

// publish is Broadcast for a caller that holds the lock.
func (n *Network) publish(ctx context.Context, tx *wire.MsgTx) error {
	pool, err := n.readMempool(ctx)
	if err != nil {
		return err
	}
	if err := chain.CheckPolicy(tx, pool.output, chain.DefaultPolicy()); err != nil {
		return refuse("%v", err)
	}
	err = n.node.client.Broadcast(ctx, encodeTx(tx))
	var refused *chain.Refusal
	if errors.As(err, &refused) {
		return refuse("%s", refused.Reason)
	}
	if err != nil {
		return err
	}
	return n.kept.keep(tx)
}
