package follower

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// lateNode is a node whose answers take different times. It counts its running calls.
type lateNode struct {
	Node
	mu      sync.Mutex
	blocks  []chain.Block                  // by height
	known   map[chainhash.Hash]chain.Block // blocks of every chain
	served  map[int64]int                  // number of times that each block was served
	running int
	most    int // maximum of running
	// answer, if not nil, replaces the answer of Block.
	answer func(ctx context.Context, height int64) (chain.Block, error)
}

// chainOf returns n blocks, the first of which follows prev. Different salts give different blocks.
func chainOf(salt, n int, height int64, prev chainhash.Hash) []chain.Block {
	all := make([]chain.Block, n)
	for i := range all {
		tx := wire.NewMsgTx(2)
		tx.LockTime = uint32(salt)<<16 + uint32(height)
		all[i] = chain.Block{Height: height, Prev: prev, Size: 1000, Txs: []chain.Tx{chain.NewTx(tx)}}
		all[i].Hash = all[i].Txs[0].ID
		height, prev = height+1, all[i].Hash
	}
	return all
}

func newLateNode(blocks int) *lateNode {
	n := &lateNode{known: map[chainhash.Hash]chain.Block{}, served: map[int64]int{}}
	n.replace(-1, blocks)
	return n
}

// replace replaces the blocks above fork.
func (n *lateNode) replace(fork, blocks int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var prev chainhash.Hash
	if fork >= 0 {
		prev = n.blocks[fork].Hash
	}
	n.blocks = append(n.blocks[:fork+1:fork+1], chainOf(fork+1, blocks, int64(fork)+1, prev)...)
	for _, b := range n.blocks {
		n.known[b.Hash] = b
	}
}

func (n *lateNode) call() (ended func()) {
	n.mu.Lock()
	n.running++
	n.most = max(n.most, n.running)
	n.mu.Unlock()
	return func() {
		n.mu.Lock()
		n.running--
		n.mu.Unlock()
	}
}

func (n *lateNode) BlockHash(_ context.Context, height int64) (chainhash.Hash, error) {
	defer n.call()()
	n.mu.Lock()
	defer n.mu.Unlock()
	if height >= int64(len(n.blocks)) {
		return chainhash.Hash{}, chain.ErrUnknown
	}
	return n.blocks[height].Hash, nil
}

func (n *lateNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	defer n.call()()
	time.Sleep(time.Duration(height*7%5) * 100 * time.Microsecond) // later blocks often come first
	if n.answer != nil {
		if block, err := n.answer(ctx, height); err != nil || block.Txs != nil {
			return block, err
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.served[height]++
	b, found := n.known[hash]
	if !found {
		return b, chain.ErrUnknown
	}
	return b, nil
}

func sourceOf(t *testing.T, n *lateNode, depth int) *blockSource {
	t.Helper()
	s := &blockSource{Follower: &Follower{Config: Config{Node: n, FetchAhead: depth}}}
	t.Cleanup(func() {
		s.stop()
		if n.running != 0 {
			t.Errorf("%d calls run after stop", n.running)
		}
	})
	return s
}

// take takes all blocks up to the node's tip. between is called after each part.
func (n *lateNode) take(t *testing.T, s *blockSource, between func(tip int64)) (taken []chain.Block) {
	t.Helper()
	for range 1000 {
		to := int64(len(n.blocks)) - 1
		parts, err := s.next(t.Context(), int64(len(taken)), to)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) > blocksAtOnce {
			t.Fatalf("%d blocks at once", len(parts))
		}
		for _, part := range parts {
			taken = append(taken, part.Block)
		}
		if len(taken) == len(n.blocks) {
			return taken
		}
		between(int64(len(taken)) - 1)
	}
	t.Fatalf("only %d blocks", len(taken))
	return nil
}

func (n *lateNode) wantTaken(t *testing.T, taken []chain.Block) {
	t.Helper()
	same := func(a, b chain.Block) bool { return a.Hash == b.Hash && a.Height == b.Height }
	if !slices.EqualFunc(taken, n.blocks, same) {
		t.Error("the taken blocks differ from the node's")
	}
}

// Blocks that are fetched ahead come in the order of the chain, whatever the order of the node's answers, and each is
// fetched once. With a depth of 1, or with few missing blocks, each call follows the previous one.
func TestBlocksAhead(t *testing.T) {
	for _, c := range []struct{ blocks, depth, most int }{
		{230, blocksAtOnce, fetchersAtOnce() + 1}, {230, 2, 3}, {60, 1, 1}, {aheadFrom - 1, blocksAtOnce, 1},
	} {
		n := newLateNode(c.blocks)
		s := sourceOf(t, n, c.depth)
		n.wantTaken(t, n.take(t, s, func(int64) {}))
		s.stop()
		if n.most > c.most || c.most > 1 && n.most < 2 {
			t.Errorf("%d blocks, depth %d: %d calls at once", c.blocks, c.depth, n.most)
		}
		for height, times := range n.served {
			if times != 1 {
				t.Errorf("block %d was fetched %d times", height, times)
			}
		}
	}
}

// No more blocks are fetched ahead than the depth, and none after bytesAtOnce.
func TestBlocksAheadAreBounded(t *testing.T) {
	for _, c := range []struct{ size, most int }{
		{1000, blocksAtOnce}, {bytesAtOnce / 4, 4 + fetchersAtOnce()}, {bytesAtOnce, fetchersAtOnce()},
	} {
		n := newLateNode(300)
		for i := range n.blocks {
			n.blocks[i].Size = c.size
			n.known[n.blocks[i].Hash] = n.blocks[i]
		}
		tip := int64(-1)
		s := sourceOf(t, n, blocksAtOnce)
		n.wantTaken(t, n.take(t, s, func(now int64) {
			if n.mu.Lock(); now-tip > 1 && int(now-tip-1)*c.size >= bytesAtOnce {
				t.Errorf("%d blocks of %d bytes at once", now-tip, c.size)
			}
			n.mu.Unlock()
			tip = now
			time.Sleep(5 * time.Millisecond)
			n.mu.Lock()
			defer n.mu.Unlock()
			if ahead := len(n.served) - int(tip) - 1; ahead > c.most {
				t.Errorf("%d blocks of %d bytes were fetched ahead, more than %d", ahead, c.size, c.most)
			}
		}))
	}
}

// No block that was fetched ahead is taken after a reorg replaced it, whatever the depth of the reorg.
func TestReorgOfBlocksAhead(t *testing.T) {
	for _, fork := range []int{50, 60, 75, 98} {
		n := newLateNode(100)
		s := sourceOf(t, n, blocksAtOnce)
		var once sync.Once
		taken := n.take(t, s, func(tip int64) {
			once.Do(func() {
				time.Sleep(10 * time.Millisecond) // the other blocks are fetched
				n.replace(fork, 60)
			})
		})
		n.wantTaken(t, taken)
	}
	// The new chain is shorter.
	n := newLateNode(100)
	s := sourceOf(t, n, blocksAtOnce)
	var once sync.Once
	n.wantTaken(t, n.take(t, s, func(int64) {
		once.Do(func() {
			time.Sleep(10 * time.Millisecond)
			n.replace(70, 3)
		})
	}))
}

// A block of another chain, or a repeated block, ends the part. The block is fetched again.
func TestWrongBlocksAhead(t *testing.T) {
	other := chainOf(999, 200, 0, chainhash.Hash{})
	for name, wrong := range map[string]func(n *lateNode, height int64) chain.Block{
		"of another chain": func(_ *lateNode, height int64) chain.Block { return other[height] },
		"twice":            func(n *lateNode, height int64) chain.Block { return n.blocks[height-1] },
	} {
		for _, at := range []int64{1, 49, 50, 73, 129} {
			n := newLateNode(130)
			var once sync.Once
			n.answer = func(_ context.Context, height int64) (b chain.Block, err error) {
				if height == at {
					once.Do(func() { b = wrong(n, height) })
				}
				return b, nil
			}
			n.wantTaken(t, n.take(t, sourceOf(t, n, blocksAtOnce), func(int64) {}))
			if t.Failed() {
				t.Fatalf("block %d %s", at, name)
			}
		}
	}
}

// A part ends before a block that can't be fetched, and the next part fails.
func TestFailureAhead(t *testing.T) {
	failed := errors.New("the node is down")
	n := newLateNode(130)
	n.answer = func(_ context.Context, height int64) (chain.Block, error) {
		if height == 73 {
			return chain.Block{}, failed
		}
		return chain.Block{}, nil
	}
	s := sourceOf(t, n, blocksAtOnce)
	if first, err := s.next(t.Context(), 0, 129); err != nil || len(first) != blocksAtOnce {
		t.Fatalf("first part: %d blocks, %v", len(first), err)
	}
	if second, err := s.next(t.Context(), 50, 129); err != nil || len(second) != 23 {
		t.Fatalf("second part: %d blocks, %v", len(second), err)
	}
	if third, err := s.next(t.Context(), 73, 129); !errors.Is(err, failed) || len(third) > 0 {
		t.Fatalf("third part: %d blocks, %v", len(third), err)
	}
}

// If the context ends while the node does not answer, next returns and stop leaves no call behind.
func TestCanceledAhead(t *testing.T) {
	n := newLateNode(130)
	ctx, cancel := context.WithCancel(t.Context())
	n.answer = func(ctx context.Context, height int64) (chain.Block, error) {
		if height < 60 {
			return chain.Block{}, nil
		}
		if height == 60 {
			cancel()
		}
		<-ctx.Done()
		return chain.Block{}, ctx.Err()
	}
	s := sourceOf(t, n, blocksAtOnce)
	if _, err := s.next(ctx, 0, 129); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := s.next(ctx, 50, 129); !errors.Is(err, context.Canceled) {
		t.Fatalf("got error %v", err)
	}
}
