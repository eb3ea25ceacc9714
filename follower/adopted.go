package follower

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/state"
)

// adoptedAtOnce bounds how many adopted outputs one Step credits.
const adoptedAtOnce = 50

// Watches reports whether the follower watches all of the scripts. It does not while a Step runs: that one may have
// begun before they were stored.
func (f *Follower) Watches(scripts [][]byte) bool {
	if !f.mu.TryLock() {
		return false
	}
	defer f.mu.Unlock()
	for _, script := range scripts {
		if _, ok := f.watch.Script(script); !ok {
			return false
		}
	}
	return true
}

// creditAdopted credits outputs at adopted stake addresses whose blocks were followed before the addresses were
// watched. It runs when the chain was followed to its end.
func (f *Follower) creditAdopted(ctx context.Context, m ledger.Moment, touched *touched) error {
	var points []wire.OutPoint
	if err := f.View(ctx, func(tx Tx) (err error) {
		points, err = tx.Adopted.AdoptedOutputs(ctx, adoptedAtOnce)
		return err
	}); err != nil {
		return err
	}
	for _, point := range points {
		credited, err := f.creditOutput(ctx, point, m, touched)
		if err != nil {
			return fmt.Errorf("output %s at an adopted address: %w", point, err)
		}
		if credited { // a transaction in the mempool that spends it concerned nobody before
			f.mempool = chain.NewMempool(f.Node)
		}
	}
	return nil
}

// place is where a transaction lies in the chain.
type place struct {
	block    chain.Block
	position int // in the block
}

// creditOutput credits one output, if its block is one that the ledger has and nothing spends the output in a block.
func (f *Follower) creditOutput(ctx context.Context, point wire.OutPoint, m ledger.Moment,
	touched *touched) (credited bool, err error) {
	at, mined, err := f.placeOf(ctx, point)
	if err != nil {
		return false, err
	}
	if !mined { // then it is seen like every other transaction, since its address is watched
		return false, f.Transact(ctx, func(tx Tx) error { return tx.Adopted.ForgetAdoptedOutput(ctx, point) })
	}
	t := at.block.Txs[at.position]
	var untracked []bool
	if f.Rules.Follow != nil {
		judge, err := f.newJudge(ctx, nil, math.MaxInt64)
		if err != nil {
			return false, err
		}
		if untracked, err = judge.untracked(ctx, t); err != nil {
			return false, err
		}
	}
	err = f.Transact(ctx, func(tx Tx) error {
		credited = false // the transaction may be tried again
		header, err := tx.Headers.HeaderAt(ctx, at.block.Height)
		if err == nil && header.Hash != at.block.Hash.String() {
			return nil // a reorg is under way: the next Step asks again
		}
		if err != nil && !errors.Is(err, state.ErrNotFound) {
			return err
		}
		if err == nil {
			if credited, err = f.creditIn(ctx, tx, at, point.Index, untracked, m, touched); err != nil {
				return err
			}
		}
		return tx.Adopted.ForgetAdoptedOutput(ctx, point)
	})
	return credited, err
}

// creditIn credits an output of a transaction in a block of the ledger. The index holds the runes of an output until a
// block spends it: of one without runes nothing is owed.
func (f *Follower) creditIn(
	ctx context.Context, tx Tx, at place, vout uint32, untracked []bool, m ledger.Moment, touched *touched,
) (bool, error) {
	t := at.block.Txs[at.position]
	held, err := tx.Index.Runes(ctx).RuneBalances(wire.OutPoint{Hash: t.ID, Index: vout})
	if err != nil || len(held) == 0 {
		return false, err
	}
	when := m.Shown(at.block.Time)
	if when.After(m.Now) {
		when = m.Now
	}
	output, added, err := f.Book.Adopt(ctx, tx.LedgerTx(), f.watch, ledger.Observation{
		Tx: t, Height: at.block.Height, Position: int64(at.position), At: when, Untracked: untracked,
		Allocated: func(uint32) []runes.Balance { return held },
	}, vout)
	if err == nil && added {
		touched.seen(ledger.Changes{Outputs: []ledger.Output{output}})
		f.Log.Info("a deposit at an adopted address is credited", "output", output.OutPoint.String(), "height", output.Height)
	}
	return added, err
}

// placeOf asks the node for the block of an output; mined is false for an output that is in no block.
func (f *Follower) placeOf(ctx context.Context, point wire.OutPoint) (at place, mined bool, err error) {
	_, status, err := f.Node.Tx(ctx, point.Hash)
	if errors.Is(err, chain.ErrUnknown) || err == nil && status.BlockHash == nil {
		return at, false, nil
	}
	if err != nil {
		return at, false, err
	}
	_, best, err := f.Node.Best(ctx)
	if err != nil {
		return at, false, err
	}
	height := best - status.Confirmations + 1
	if at.block, err = f.Node.Block(ctx, *status.BlockHash, height); err != nil {
		return at, false, err
	}
	if hash, err := f.Node.BlockHash(ctx, height); err != nil || hash != *status.BlockHash {
		return at, false, errors.Join(err, errors.New("the node's chain changed while it was read"))
	}
	for i, t := range at.block.Txs {
		if t.ID == point.Hash {
			at.position = i
			return at, true, nil
		}
	}
	return at, false, errors.New("the node's block does not hold it")
}
