package follower

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
)

// chainChange is a change of the ledger from its tip to another tip. All blocks are fetched before the first write.
type chainChange struct {
	tip     ledger.Header         // the ledger's tip
	fork    int64                 // height of the last common block
	undone  map[int64]chain.Block // the blocks above fork to undo, by height, as far as the node still has them
	blocks  []chain.Block         // the blocks to apply
	fetched fetched

	concerning     []int           // positions in the first block to apply, see Follower.concerning; nil: not determined
	payments       []ledger.Output // collected by a rebuild
	recordedAhead  bool            // the first block to apply has transactions that recordAhead recorded
	hasUnevaluated bool            // the last block left orders to be evaluated
}

// ErrChanged ends a Step in which the node's answers contradict each other. After a reorg, the next Step reads the new
// chain.
var ErrChanged = errors.New("the node's chain changed while it was read")

// done reports whether nothing is left to undo or to apply.
func (c chainChange) done() bool { return !c.undoes() && len(c.blocks) == 0 }

func (c chainChange) undoes() bool { return c.tip.Height != chain.None && c.tip.Height > c.fork }

// change applies a chain change. Each block is undone or applied as a whole, together with the tip. One transaction
// handles as many blocks as fit in Config.MaxTransactionTime, at least one. The orders that a block pays are evaluated
// in its transaction, or in further ones if they are too many. If the server crashes between two transactions, the
// ledger is at a block of the old or the new chain, and the next Step continues from that block.
func (f *Follower) change(ctx context.Context, p pass, c chainChange, nodeHeight int64) error {
	for !c.done() {
		if err := f.loadRuneFilter(ctx, c.tip); err != nil {
			return err
		}
		if err := f.recordAhead(ctx, p, &c); err != nil {
			return err
		}
		f.analyze(ctx)
		var next chainChange
		if err := f.Transact(ctx, func(tx Tx) (err error) {
			next, err = f.changeBatch(ctx, tx, p, c, nodeHeight)
			return err
		}); err != nil {
			return err
		}
		c = next
		f.analyze(ctx)
		f.runeFilter.tip = c.tip.Hash
		p.touched.blocks, f.resend = true, true
		if p.rebuild != nil {
			p.rebuild.payments, c.payments = append(p.rebuild.payments, c.payments...), nil
		}
		if c.hasUnevaluated {
			if err := f.evaluateRecorded(ctx, p.touched); err != nil {
				return err
			}
			c.hasUnevaluated = false
		}
		if p.progress != nil {
			p.progress(c.tip, nodeHeight)
		}
	}
	return nil
}

// changeBatch undoes and applies blocks within one transaction. It returns the part of the change that is left. The
// rune index is written at the end. Until then its changes are in a buffer, through which everything in this
// transaction reads the index.
func (f *Follower) changeBatch(
	ctx context.Context, tx Tx, p pass, c chainChange, nodeHeight int64,
) (_ chainChange, err error) {
	buffer := runes.NewBuffer(tx.Index.Runes(ctx))
	buffer.OmitUndo(nodeHeight - runes.UndoDepth)
	tx.Index = bufferedIndex{buffer}
	index := filteredIndex{buffer, &f.runeFilter}
	loaded := 0 // number of next blocks whose inputs are in the buffer
	p.began, p.epochs = time.Now(), &nextEpochs{}
	more := func() bool { return !c.done() && !c.hasUnevaluated && f.inTime(p) && buffer.Len() < maxBuffered }
	for first := true; first || more(); first = false {
		if height := c.tip.Height; c.undoes() {
			if c, err = f.undoBlock(ctx, tx, index, p.m, c); err != nil {
				return c, fmt.Errorf("block %d is undone: %w", height, err)
			}
			p.epochs.read = false
			continue
		}
		if !first && f.needsAhead(p, &c) {
			break
		}
		if loaded == 0 {
			if loaded, err = load(buffer, &f.runeFilter, c.blocks); err != nil {
				return c, err
			}
		}
		loaded--
		height := c.blocks[0].Height
		if c, err = f.applyBlock(ctx, tx, index, p, c); err != nil {
			return c, fmt.Errorf("block %d: %w", height, err)
		}
	}
	return c, buffer.Flush()
}

// load reads the runes of the outputs that the next blocks spend, and returns the number of these blocks.
func load(buffer *runes.Buffer, filter *runeFilter, blocks []chain.Block) (n int, err error) {
	var spent []wire.OutPoint
	for ; n < len(blocks) && len(spent) < loadedAtOnce; n++ {
		for i := range blocks[n].Txs {
			for _, in := range blocks[n].Txs[i].Msg.TxIn {
				if filter.mayContain(&in.PreviousOutPoint) {
					spent = append(spent, in.PreviousOutPoint)
				}
			}
		}
	}
	return n, buffer.Load(spent...)
}

// loadedAtOnce is the number of inputs from which on load reads no further block, which the transaction may not reach.
const loadedAtOnce = 1000

// maxBuffered is the number of changed outputs from which on a write transaction begins no further block. Writing them
// takes about as long as maxTransactionTime.
const maxBuffered = 20_000

// bufferedIndex is the rune index within changeBatch.
type bufferedIndex struct{ index runes.Store }

// Runes implements payout.RuneIndex.
func (i bufferedIndex) Runes(context.Context) runes.Store { return i.index }

// inTime reports whether the running write transaction may begin another piece of work.
func (f *Follower) inTime(p pass) bool { return time.Since(p.began) < f.MaxTransactionTime }

// undoBlock reverts the block at the tip. After the last block to undo, it watches the inputs of the transactions that
// are unconfirmed now, so that a conflicting transaction in a new block is recorded.
func (f *Follower) undoBlock(
	ctx context.Context, tx Tx, index runes.Store, m ledger.Moment, c chainChange,
) (chainChange, error) {
	height := c.tip.Height
	header, err := tx.Headers.HeaderAt(ctx, height)
	if err != nil {
		return c, err
	}
	if err := f.undoEpochs(ctx, tx, header, m); err != nil {
		return c, err
	}
	if err := f.Ledger.UndoBlock(ctx, tx.LedgerTx(), header, m.Now); err != nil {
		return c, err
	}
	if err := keepParents(ctx, tx, c.undone[height], m.Now); err != nil {
		return c, err
	}
	if height >= f.Rules.FirstHeight {
		if err := runes.Undo(index, height); err != nil {
			return c, err
		}
	}
	if err := f.undoEtchings(ctx, tx, height, c.undone[height]); err != nil {
		return c, err
	}
	f.Log.Info("block undone", "height", height, "hash", header.Hash)
	if c.tip, err = tx.Headers.Tip(ctx); err != nil || c.undoes() {
		return c, err
	}
	return c, f.watchUnconfirmed(ctx, tx)
}

// applyBlock applies the first of the new blocks to the rune index, the ledger and the orders.
func (f *Follower) applyBlock(
	ctx context.Context, tx Tx, index runes.Store, p pass, c chainChange,
) (next chainChange, err error) {
	block := c.blocks[0]
	if c.tip.Hash != "" && c.tip.Hash != block.Prev.String() {
		return c, ErrChanged
	}
	var allocated runes.Allocated
	if block.Height >= f.Rules.FirstHeight {
		if allocated, err = f.Rules.Apply(ctx, index, c.fetched.commitments[block.Hash], block); err != nil {
			return c, err
		}
	}
	header := headerOf(block)
	if err := tx.Headers.PutHeader(ctx, header); err != nil {
		return c, err
	}
	if err := f.beginEpochs(ctx, tx, header, p); err != nil {
		return c, err
	}
	if err := f.recordEtchings(ctx, tx, block, allocated, p.m); err != nil {
		return c, err
	}
	if c.concerning == nil {
		c.concerning = f.concerning(block)
	}
	s := f.newStep(tx, c.fetched, p, seenAt(p, block))
	s.ahead = c.recordedAhead
	var seen []ledger.Observation
	for _, place := range c.concerning {
		seen = append(seen, ledger.Observation{
			Tx: block.Txs[place], Height: block.Height, Position: int64(place), At: s.at,
			Allocated: allocatedTo(allocated, block.Txs[place].ID),
		})
	}
	if seen, err = s.confirm(ctx, seen); err != nil {
		return c, err
	}
	for _, obs := range seen {
		if err := s.record(ctx, obs); err != nil {
			return c, err
		}
	}
	c.tip, c.fork, c.blocks, c.concerning, c.recordedAhead = header, block.Height, c.blocks[1:], nil, false
	c.payments = append(c.payments[:len(c.payments):len(c.payments)], s.payments...)
	c.hasUnevaluated, err = s.evaluate(ctx, func() bool { return f.inTime(p) })
	return c, err
}

// seenAt returns the instant at which the transactions of a block count as seen, unless the mempool showed them before.
func seenAt(p pass, block chain.Block) time.Time {
	at := p.m.Shown(block.Time)
	if at.After(p.m.Now) {
		return p.m.Now
	}
	return at
}

// allocatedTo returns a function that returns the runes on an output of a transaction.
func allocatedTo(allocated runes.Allocated, txid chainhash.Hash) func(uint32) []runes.Balance {
	return func(vout uint32) []runes.Balance { return allocated.To(wire.OutPoint{Hash: txid, Index: vout}) }
}

func headerOf(block chain.Block) ledger.Header {
	return ledger.Header{Height: block.Height, Hash: block.Hash.String(), Prev: block.Prev.String(), Time: block.Time}
}

// watchUnconfirmed watches the inputs of every unconfirmed tracked transaction. After a block was undone, these include
// transactions that confirmed before this server started.
func (f *Follower) watchUnconfirmed(ctx context.Context, tx Tx) error {
	tracked, err := tx.Watched.TrackedUnconfirmed(ctx)
	for _, t := range tracked {
		f.watch.Add(t.Tx, nil)
	}
	return err
}
