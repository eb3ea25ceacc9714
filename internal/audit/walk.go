package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// maxReorg is the depth of the deepest reorg that a server follows. Deeper reorgs need an operator.
const maxReorg = 6

// walk compares the indexed headers with the node's best chain and applies every block of the indexed chain.
func (a *auditor) walk(ctx context.Context, node Node) error {
	found := len(a.report.Violations)
	_, height, err := node.Best(ctx)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	a.report.NodeHeight, a.report.Height = height, chain.None
	if len(a.blocks) > 0 {
		a.report.Height = a.blocks[len(a.blocks)-1].height
	}
	best, err := a.branch(ctx, node)
	if err != nil {
		return err
	}
	rows := a.headerRows()
	prev := ""
	for i, hash := range best {
		row, indexed := rows[a.Start+int64(i)]
		if !indexed {
			row = block{height: a.Start + int64(i), hash: hash}
		}
		if i < len(a.headers) && a.headers[i].matches(row) {
			prev = row.hash
			continue // walked already
		}
		if err := a.rewind(a.Start + int64(i)); errors.Is(err, runes.ErrNoUndo) { // too deep
			a.report.Violations = a.report.Violations[:found]
			if err := a.reset(a.Config); err != nil {
				return err
			}
			return a.walk(ctx, node)
		} else if err != nil {
			return err
		}
		block, err := a.fetch(ctx, node, row, hash)
		if err != nil {
			return err
		}
		recorded := row.prev == block.Prev.String() && row.time == block.Time.Unix() && (prev == "" || row.prev == prev)
		if indexed && !recorded {
			a.fail(Chain, onServer(otherBlocks, name(row)), "its header is recorded differently than it is")
		}
		prev = row.hash
		if err := a.applyBlock(ctx, node, block); err != nil {
			return err
		}
	}
	return a.save(a.ledger())
}

// matches reports whether a row contains the walked header.
func (h header) matches(row block) bool {
	return h.height == row.height && h.hash == row.hash && h.time == row.time && h.prev == row.prev
}

func name(b block) string { return fmt.Sprint("block ", b.height) }

// blocksToWalk returns the number of blocks to read if the chain was not reorganized.
func (a *auditor) blocksToWalk() int64 {
	if len(a.blocks) == 0 {
		return 0
	}
	return a.blocks[len(a.blocks)-1].height - max(a.tip(), a.Start-1)
}

func (a *auditor) headerRows() map[int64]block {
	return byKey(a.blocks, func(b block) (int64, block) { return b.height, b })
}

// branch returns the node's hash at every height from Config.Start to the server's tip ("" above the node's own tip),
// and reports whether the indexed chain equals the node's, is behind it, or is on another branch.
func (a *auditor) branch(ctx context.Context, node Node) (best []string, err error) {
	rows := a.headerRows()
	a.report.Behind = max(0, a.report.NodeHeight-max(a.report.Height, a.Start-1))
	var off []block // not in the node's best chain
	rejoined := false
	if best, err = a.hashes(ctx, node); err != nil {
		return nil, err
	}
	for i, text := range best {
		height := a.Start + int64(i)
		row, indexed := rows[height]
		switch {
		case !indexed:
			a.fail(Chain, onServer(otherBlocks, fmt.Sprint("block ", height)), "it is not indexed, but later ones are")
		case row.hash != text:
			off = append(off, row)
		case len(off) > 0:
			rejoined = true
		}
	}
	if len(a.blocks) > 0 && a.blocks[0].height < a.Start {
		a.fail(Chain, onServer(otherBlocks, name(a.blocks[0])),
			"it is indexed, but lies below the first followed block %d", a.Start)
	}
	if len(off) > maxReorg || rejoined {
		a.fail(Chain, onServer(otherBlocks, name(off[0])),
			"the indexed hash %s is not the one of the node's best chain", off[0].hash)
	}
	if len(off) > 0 {
		a.report.Behind = max(a.report.Behind, a.report.NodeHeight-off[0].height+1)
	}
	return best, nil
}

// hashes returns the node's hashes at every height from Config.Start to the server's tip. A block contains the hash of
// the previous one, so below a walked block that is still in the node's chain no hash is requested.
func (a *auditor) hashes(ctx context.Context, node Node) ([]string, error) {
	best := make([]string, max(0, a.report.Height-a.Start+1))
	for i := len(best) - 1; i >= 0; i-- {
		if above := i + 1; above < min(len(best), len(a.headers)) && best[above] == a.headers[above].hash {
			best[i] = a.headers[above].prev
			continue
		}
		hash, err := node.BlockHash(ctx, a.Start+int64(i))
		if err == nil {
			best[i] = hash.String()
		} else if !errors.Is(err, chain.ErrUnknown) {
			return nil, fmt.Errorf("audit: %w", err)
		}
	}
	return best, nil
}

// fetch returns the indexed block or, if the node never had it, the node's own block at that height.
func (a *auditor) fetch(ctx context.Context, node Node, row block, best string) (chain.Block, error) {
	for _, text := range []string{row.hash, best} {
		hash, err := chainhash.NewHashFromStr(text)
		if err == nil && len(text) == 2*chainhash.HashSize {
			fetched, err := node.Block(ctx, *hash, row.height)
			if err == nil {
				return fetched, nil
			}
			if !errors.Is(err, chain.ErrUnknown) {
				return fetched, fmt.Errorf("audit: %w", err)
			}
		}
		if text == row.hash {
			a.fail(Chain, onServer(otherBlocks, name(row)), "the node does not know its hash %q", row.hash)
		}
	}
	return chain.Block{}, fmt.Errorf("audit: the node has no block %d", row.height)
}

// applyBlock applies one block to the audit's own index and records our outputs and spends.
func (a *auditor) applyBlock(ctx context.Context, node Node, block chain.Block) error {
	if err := a.file.begin(); err != nil {
		return err
	}
	var allocated runes.Allocated
	if block.Height >= a.Rules.FirstHeight {
		var err error
		commitments := runes.NodeCommitments{Node: node, Height: block.Height, Hash: block.Hash}
		if allocated, err = a.Rules.Apply(ctx, a.index, commitments, block); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
	}
	h := header{block.Height, block.Hash.String(), block.Prev.String(), block.Time.Unix()}
	if err := a.append(h); err != nil {
		return err
	}
	for i, tx := range block.Txs {
		if err := a.applyTx(ctx, node, block.Height, i == 0, tx, allocated); err != nil {
			return err
		}
	}
	if a.unsaved++; a.unsaved < saveEvery {
		return nil
	}
	if err := a.save(a.ledger()); err != nil {
		return err
	}
	if a.Walking != nil {
		a.Walking(block.Height, a.report.Height)
	}
	return nil
}

// applyTx records the outputs of ours that a transaction spends and creates.
func (a *auditor) applyTx(
	ctx context.Context, node Node, height int64, coinbase bool, tx chain.Tx, allocated runes.Allocated,
) error {
	txid := tx.ID.String()
	ours := a.isPayout(txid)
	for _, in := range tx.Msg.TxIn {
		ours = a.spend(in, txid, height) || ours
	}
	if ours {
		if err := a.mine(txid, height); err != nil {
			return err
		}
	}
	untracked, err := a.untracked(ctx, node, tx)
	if err != nil {
		return err
	}
	for vout := range tx.Msg.TxOut {
		point := wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}
		a.record(tx, vout, output{height: height, coinbase: coinbase, balances: allocated.To(point)}, untracked)
	}
	return nil
}

// record stores an output of a transaction if it is at one of our scripts.
func (a *auditor) record(tx chain.Tx, vout int, o output, untracked []bool) {
	out := tx.Msg.TxOut[vout]
	o.script = scriptOf(out.PkScript)
	if o.purpose = a.watch[o.script]; o.purpose == nil {
		return
	}
	o.value, o.spentHeight, o.untracked = out.Value, chain.None, untracked != nil && untracked[vout]
	a.put(wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, &o)
}
