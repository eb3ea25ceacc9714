package follower

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// Limits of the blocks in memory. They apply to the blocks of the current chainChange, and separately to the blocks
// that are fetched ahead. A chainChange waits for blocksAtOnce blocks, and has up to fetchedAhead if they are fetched:
// a write transaction can apply hundreds of small blocks, and then writes each page of the rune index once. The last
// block of each, and the blocks that are being fetched then, may exceed bytesAtOnce: together at most 2 * 32 MB + (1 +
// fetchersAtOnce) * 4 MB, serialized. A decoded block takes about three times as much memory.
const (
	blocksAtOnce = 50
	fetchedAhead = 400
	bytesAtOnce  = 32_000_000
)

// aheadFrom is the number of missing blocks from which on blocks are fetched ahead. Near the tip, where reorgs happen,
// blocks are fetched one after the other.
const aheadFrom = MaxReorg + 2

// fetchersAtOnce returns the number of blocks that are fetched concurrently. A fetch waits for the node and then
// decodes, so on few cores there are more fetches than cores.
func fetchersAtOnce() int { return max(4, runtime.GOMAXPROCS(0)) }

// fetchedBlock is a block of the node's best chain.
type fetchedBlock struct {
	chain.Block
	commitments runes.Commitments // nil: not fetched yet
	ended       bool              // the node's chain has no block at this height
	err         error
}

// fetchBlock fetches the block at a height of the node's best chain.
func (f *Follower) fetchBlock(ctx context.Context, height int64) (b fetchedBlock) {
	hash, err := f.Node.BlockHash(ctx, height)
	if errors.Is(err, chain.ErrUnknown) {
		return fetchedBlock{ended: true}
	}
	if err != nil {
		return fetchedBlock{err: err}
	}
	if b.Block, b.err = f.Node.Block(ctx, hash, height); b.err != nil {
		b.err = fmt.Errorf("block %d: %w", height, b.err)
	}
	return b
}

// blockSource fetches the node's blocks in order. While the ledger is far behind, it fetches blocks ahead.
type blockSource struct {
	*Follower
	ahead *ahead // nil: no block is fetched ahead
}

// stop ends the fetches of blocks ahead.
func (s *blockSource) stop() {
	if s.ahead != nil {
		s.ahead.stop()
		s.ahead = nil
	}
}

// next returns the next blocks of the node's chain, each of which follows the previous one. All of them were in the
// node's best chain during this call.
func (s *blockSource) next(ctx context.Context, from, to int64) ([]fetchedBlock, error) {
	if s.ahead == nil && s.FetchAhead > 1 && to-from+1 >= aheadFrom {
		s.ahead = s.newAhead(ctx, from)
	}
	if s.ahead != nil {
		blocks, valid, err := s.take(ctx, from, to)
		if err != nil || valid {
			return blocks, err
		}
		s.stop() // the node's chain changed meanwhile
	}
	to = min(to, from+blocksAtOnce-1)
	return collect(from, to, func(height int64) fetchedBlock { return s.fetchBlock(ctx, height) })
}

// collect calls fetch for each height, for at most bytesAtOnce and one block more.
func collect(from, to int64, fetch func(height int64) fetchedBlock) (blocks []fetchedBlock, err error) {
	size := 0
	for height := from; height <= to && size < bytesAtOnce; height++ {
		block := fetch(height)
		if block.err != nil {
			return nil, block.err
		}
		if block.ended || len(blocks) > 0 && block.Prev != blocks[len(blocks)-1].Hash {
			break // the node's chain changed meanwhile; the next round sees the change
		}
		blocks = append(blocks, block)
		size += block.Size
	}
	return blocks, nil
}

// take returns the next blocks that were fetched ahead. valid is false if a reorg removed them from the node's best
// chain, or if the next block does not follow the last block that take returned.
func (s *blockSource) take(ctx context.Context, from, to int64) (blocks []fetchedBlock, valid bool, err error) {
	s.ahead.extend(to)
	to = min(to, from+max(blocksAtOnce, int64(s.FetchAhead))-1)
	blocks, err = collect(from, to, func(height int64) fetchedBlock {
		if height >= from+blocksAtOnce && !s.ahead.fetched(height) {
			return fetchedBlock{ended: true}
		}
		b := s.ahead.take(ctx, height)
		if b.err != nil && height > from && ctx.Err() == nil { // the next call fetches it again
			return fetchedBlock{ended: true}
		}
		return b
	})
	if err != nil || len(blocks) == 0 {
		return nil, false, err
	}
	last := len(blocks) - 1 // its ancestors are then in the best chain, too
	hash, err := s.Node.BlockHash(ctx, from+int64(last))
	if errors.Is(err, chain.ErrUnknown) {
		return nil, false, nil
	}
	return blocks, hash == blocks[last].Hash, err
}

// ahead fetches blocks concurrently, with the outputs that their etchings commit with, while earlier blocks are
// applied. Whenever a block is fetched or taken, it starts as many fetches as the limits allow.
type ahead struct {
	fetch    func(height int64) fetchedBlock
	depth    int // maximum number of blocks fetched or being fetched
	cancel   context.CancelFunc
	fetchers sync.WaitGroup

	mu      sync.Mutex
	slots   map[int64]chan fetchedBlock // by height: the blocks fetched or being fetched
	next    int64                       // height of the next block to fetch
	end     int64                       // height of the last block to fetch
	running int                         // number of running fetches
	size    int                         // size of the fetched blocks, in bytes
}

// newAhead returns an ahead that begins with the block at a height. Its fetches end with ctx or stop.
func (f *Follower) newAhead(ctx context.Context, from int64) *ahead {
	ctx, cancel := context.WithCancel(ctx)
	return &ahead{
		cancel: cancel, depth: f.FetchAhead, slots: map[int64]chan fetchedBlock{}, next: from, end: from - 1,
		fetch: func(height int64) fetchedBlock {
			b := f.fetchBlock(ctx, height)
			if b.err == nil && !b.ended {
				b.commitments = f.fetchCommitments(ctx, b.Block)
			}
			return b
		},
	}
}

// stop cancels the fetches and waits for their ends.
func (a *ahead) stop() {
	a.mu.Lock()
	a.end = a.next - 1
	a.mu.Unlock()
	a.cancel()
	a.fetchers.Wait()
}

// extend sets the height of the last block to fetch.
func (a *ahead) extend(to int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.end = to
	a.start()
}

// fetched reports whether the block at a height is fetched.
func (a *ahead) fetched(height int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.slots[height]) > 0
}

// take waits for the block at a height. Heights must be taken in order.
func (a *ahead) take(ctx context.Context, height int64) fetchedBlock {
	a.mu.Lock()
	slot, started := a.slots[height]
	a.mu.Unlock()
	if !started {
		return fetchedBlock{ended: true} // it is not the next block, or an earlier fetch ended or failed
	}
	select {
	case b := <-slot:
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.slots, height)
		a.size -= b.Size
		a.start()
		return b
	case <-ctx.Done():
		return fetchedBlock{err: ctx.Err()}
	}
}

// start starts as many fetches as the limits allow. The caller holds mu. If no block is left to take, it can always
// start the next.
func (a *ahead) start() {
	for a.next <= a.end && a.running < fetchersAtOnce() && len(a.slots) < a.depth && a.size < bytesAtOnce {
		height, slot := a.next, make(chan fetchedBlock, 1)
		a.slots[height] = slot
		a.next++
		a.running++
		a.fetchers.Go(func() {
			b := a.fetch(height)
			a.mu.Lock()
			defer a.mu.Unlock()
			slot <- b
			a.running--
			a.size += b.Size
			if b.err != nil || b.ended {
				a.end = a.next - 1
			}
			a.start()
		})
	}
}
