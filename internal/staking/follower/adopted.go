package follower

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// adoptedAtOnce is the maximum number of adopted outputs that one Step credits.
const adoptedAtOnce = 50

// Watches reports whether the follower watches all of the scripts. It returns false while a Step runs, because that
// Step may have begun before the scripts were stored.
func (f *Follower) Watches(scripts [][]byte) bool {
	if !f.mu.TryLock() {
		return false
	}
	defer f.mu.Unlock()
	for _, script := range scripts {
		if !f.watch.Script(script) {
			return false
		}
	}
	return true
}

// creditAdopted credits outputs at adopted stake addresses whose blocks were followed before the addresses were
// watched. The caller must have followed the chain to its end.
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
		if credited { // poll all mempool transactions again: a spend of the output did not concern us before
			f.mempool = chain.NewMempool(f.Node, f.MempoolChanges)
		}
	}
	return nil
}

// place is the position of a transaction in the chain.
type place struct {
	block    chain.Block
	position int // index in the block
}

// creditOutput credits one output if its block is in the ledger's chain and no block spends it. It removes the output
// from the adopted outputs in either case. If the node's block is not the ledger's, it does nothing.
func (f *Follower) creditOutput(ctx context.Context, point wire.OutPoint, m ledger.Moment,
	touched *touched) (credited bool, err error) {
	at, mined, err := f.placeOf(ctx, point)
	if err != nil {
		return false, err
	}
	if !mined { // it will be recorded from the mempool or a later block, because its address is watched now
		return false, f.Transact(ctx, func(tx Tx) error { return tx.Adopted.ForgetAdoptedOutput(ctx, point) })
	}
	t := at.block.Txs[at.position]
	var untracked []bool
	if f.Rules.Follow != nil {
		prover, err := f.newProver(ctx, nil, math.MaxInt64)
		if err != nil {
			return false, err
		}
		if untracked, err = prover.untracked(ctx, t); err != nil {
			return false, err
		}
	}
	err = f.Transact(ctx, func(tx Tx) error {
		credited = false // the transaction may be retried
		header, err := tx.Headers.HeaderAt(ctx, at.block.Height)
		if err == nil && header.Hash != at.block.Hash.String() {
			return nil // during a reorg; the next Step tries again
		}
		if err != nil && !errors.Is(err, state.ErrNotFound) {
			return err
		}
		if err == nil {
			if credited, err = f.creditInBlock(ctx, tx, at, point.Index, untracked, m, touched); err != nil {
				return err
			}
		}
		return tx.Adopted.ForgetAdoptedOutput(ctx, point)
	})
	return credited, err
}

// creditInBlock credits an output of a transaction in a block of the ledger. It credits nothing if the index has no
// runes for the output, because the output never had any or a block spent it.
func (f *Follower) creditInBlock(
	ctx context.Context, tx Tx, at place, vout uint32, untracked []bool, m ledger.Moment, touched *touched,
) (bool, error) {
	t := at.block.Txs[at.position]
	held, err := runes.BalancesOf(tx.Index.Runes(ctx), wire.OutPoint{Hash: t.ID, Index: vout})
	if err != nil || len(held) == 0 {
		return false, err
	}
	when := m.Shown(at.block.Time)
	if when.After(m.Now) {
		when = m.Now
	}
	output, added, err := f.Ledger.Adopt(ctx, tx.LedgerTx(), f.watch, ledger.Observation{
		Tx: t, Height: at.block.Height, Position: int64(at.position), At: when, Untracked: untracked,
		Allocated: func(uint32) []runes.Balance { return held },
	}, vout)
	if err == nil && added {
		touched.seen(ledger.Changes{Outputs: []ledger.Output{output}})
		f.Log.Info("a deposit at an adopted address is credited", "output", output.OutPoint.String(), "height", output.Height)
	}
	return added, err
}

// placeOf returns the block that contains an output's transaction, and the transaction's position in it. mined is false
// if the node has the transaction in no block.
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
