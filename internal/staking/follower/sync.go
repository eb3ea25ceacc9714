package follower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// pass is one run to the end of the node's chain.
type pass struct {
	m        ledger.Moment
	touched  *touched
	progress func(tip ledger.Header, nodeHeight int64) // called after each write; may be nil
	rebuild  *rebuild                                  // nil unless rebuilding
	began    time.Time                                 // start of the running write transaction
	epochs   *nextEpochs                               // as the running write transaction has read them
}

// sync follows the node's best chain to its end: it undoes blocks that a reorg replaced and applies new ones. It
// returns the ledger's tip and the node's height.
func (f *Follower) sync(ctx context.Context, p pass) (ledger.Header, int64, error) {
	source := &blockSource{Follower: f}
	defer source.stop()
	for {
		tip, err := f.tip(ctx)
		if err != nil {
			return tip, chain.None, err
		}
		best, height, err := f.Node.Best(ctx)
		if err != nil {
			return tip, chain.None, err
		}
		if tip.Height == chain.None && height < f.Start {
			return tip, height, nil // below the first block to follow
		}
		if tip.Hash == best.String() {
			return tip, height, nil
		}
		if behind, err := f.behind(ctx, tip, best, height); err != nil || behind {
			return tip, height, cmp.Or(err, error(&BehindError{Node: height, Ledger: tip.Height}))
		}
		c, err := f.fetchChange(ctx, source, tip, height)
		if err != nil {
			return tip, height, err
		}
		if c.done() { // the node has neither its best block nor another one for the ledger
			return tip, height, ErrChanged
		}
		if err := f.change(ctx, p, c, height); err != nil {
			return tip, height, err
		}
	}
}

// fetchChange fetches from the node the next part of the change from the ledger's tip to the node's tip, and watches
// the scripts that the blocks may pay.
func (f *Follower) fetchChange(
	ctx context.Context, source *blockSource, tip ledger.Header, height int64,
) (chainChange, error) {
	fork, err := f.fork(ctx, tip)
	if err != nil {
		return chainChange{}, err
	}
	c := chainChange{tip: tip, fork: fork}
	blocks, err := source.next(ctx, fork+1, height)
	if err != nil {
		return c, err
	}
	for _, block := range blocks {
		c.blocks = append(c.blocks, block.Block)
	}
	if c.done() {
		return c, nil
	}
	if c.undone, err = f.undone(ctx, tip, fork); err != nil {
		return c, err
	}
	if err := f.watchIssued(ctx); err != nil {
		return c, err
	}
	c.fetched, err = f.fetchBlocks(ctx, blocks, fork)
	return c, err
}

// BehindError reports that the node has only a part of the chain that the ledger has followed, because the node was
// restored or synchronizes again. The follower waits until the node has caught up. The fields are heights.
type BehindError struct{ Node, Ledger int64 }

// Error implements error.
func (b *BehindError) Error() string {
	return fmt.Sprintf("the node is behind: it has block %d, the ledger block %d; "+
		"nothing is processed until it has caught up",
		b.Node, b.Ledger)
}

// behind reports whether the node's chain is a proper prefix of the ledger's chain, which it is not after a reorg.
func (f *Follower) behind(ctx context.Context, tip ledger.Header, best chainhash.Hash,
	height int64) (behind bool, err error) {
	if height >= tip.Height {
		return false, nil
	}
	if height < f.Start {
		return true, nil // the node has no block above the start yet
	}
	err = f.Transact(ctx, func(tx Tx) error {
		header, err := tx.Headers.HeaderAt(ctx, height)
		behind = err == nil && header.Hash == best.String()
		if errors.Is(err, state.ErrNotFound) {
			return nil
		}
		return err
	})
	return behind, err
}

// progress updates the state. While more than blocksAtOnce blocks are left, it publishes the state and logs regularly
// how long catching up will take.
func (f *Follower) progress(state *State, tip ledger.Header, height int64, pace *pace) {
	state.Tip, state.NodeHeight = tip, height
	if height-tip.Height <= blocksAtOnce {
		return
	}
	now := time.Now()
	speed := pace.reached(tip.Height, now)
	behind := *state
	behind.CatchesUp = true
	behind.Err = fmt.Errorf("catching up: block %d of %d", tip.Height, height)
	if behind.Left = timeLeft(height-tip.Height, speed); behind.Left > 0 {
		behind.Err = fmt.Errorf("%w, about %s left", behind.Err, behind.Left)
	}
	f.state.Store(&behind)
	if speed > 0 && now.Sub(pace.logged) >= paceLogged {
		pace.logged = now
		f.Log.Info("catching up with the chain", "block", tip.Height, "of", height,
			"blocks_per_second", math.Round(speed*10)/10, "left", behind.Left.String())
	}
}

func (f *Follower) tip(ctx context.Context) (tip ledger.Header, err error) {
	err = f.Transact(ctx, func(tx Tx) error {
		tip, err = tx.Headers.Tip(ctx)
		return err
	})
	return tip, err
}

// fork returns the height of the last block that the ledger and the node have in common. If they share none of the last
// MaxReorg+1 blocks, fork returns ErrDeepReorg, or an error that the node is on another network.
func (f *Follower) fork(ctx context.Context, tip ledger.Header) (int64, error) {
	if tip.Height == chain.None {
		return f.Start - 1, nil
	}
	for height := tip.Height; height >= f.Start && height > tip.Height-MaxReorg-1; height-- {
		header := tip
		err := f.Transact(ctx, func(tx Tx) (err error) {
			header, err = tx.Headers.HeaderAt(ctx, height)
			return err
		})
		if errors.Is(err, state.ErrNotFound) {
			return height, nil // the ledger starts just above
		}
		if err != nil {
			return 0, err
		}
		hash, err := f.Node.BlockHash(ctx, height)
		if errors.Is(err, chain.ErrUnknown) {
			continue // the node's chain is shorter
		}
		if err != nil {
			return 0, err
		}
		if hash.String() == header.Hash {
			return height, nil
		}
	}
	return 0, cmp.Or(f.otherNetwork(ctx), ErrDeepReorg)
}

var errOtherNetwork = errors.New("the node is on another network")

// otherNetwork returns errOtherNetwork if the node's first block is not Config.Genesis.
func (f *Follower) otherNetwork(ctx context.Context) error {
	if f.Genesis == nil {
		return nil
	}
	first, err := f.Node.BlockHash(ctx, 0)
	if err == nil && first != *f.Genesis {
		err = fmt.Errorf("%w: its first block is %s, not %s", errOtherNetwork, first, f.Genesis)
	}
	return err
}
