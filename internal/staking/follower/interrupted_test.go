package follower_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// missedBlocks is the number of blocks that a server of missedWorld has to catch up with. Each is written in a
// transaction of its own.
const missedBlocks = 20

// missedWorld returns a ledger that lacks blocks with a deposit, a payment, transfers of runes and the end of an epoch.
func missedWorld(t *testing.T) testkit.Checkpoint {
	w := testkit.NewWorld(t)
	pausePayouts(w)
	o := withdrawal(w)
	_, script := w.StakeAddress(w.Bert, 7000)
	w.Step()
	height := w.Node.Height()
	for n := range 6 {
		switch n {
		case 1:
			w.Send(w.Transfer(w.Bert, script, 7000))
		case 3:
			w.Pay(w.Anna, o, o.Due())
		default:
			w.Send(w.SpendToSelf(w.Cleo, 1000, w.Cleo.Runes()))
		}
		w.Mine(2)
	}
	w.Clock.Set(testkit.Genesis.Add(testkit.EpochLength))
	for w.Node.Height() < height+missedBlocks-1 {
		w.Mine(1)
	}
	w.Send(w.SpendToSelf(w.Cleo, 1000, w.Cleo.Runes()))
	w.Mine(1)
	return w.Checkpoint()
}

// errEnded is the error of every call after the simulated end of the process.
var errEnded = errors.New("the process has ended")

// interruption interrupts one call of a server to its node or its database.
type interruption struct {
	mu    sync.Mutex
	kind  string // "read" or "write"
	n     int    // the number of the call of this kind
	calls map[string]int
	world *testkit.World
	tip   int64 // height of the ledger after the last transaction
	ended bool
	act   func(i *interruption) // called before the call; nil: only count
	after bool                  // the process ends after the write
	in    bool                  // the process ends within the write
}

// heightOf returns the height of the last block in a ledger.
func heightOf(w *testkit.World) (height int64) {
	testkit.Must(w, w.Store.View(w.Context(), func(tx *store.Tx) error {
		tip, err := tx.Tip(w.Context())
		height = tip.Height
		return err
	}))
	return height
}

// call counts a call and interrupts it, and returns errEnded after the end of the process.
func (i *interruption) call(kind string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.calls[kind]++
	if !i.ended && i.act != nil && i.kind == kind && i.calls[kind] == i.n {
		i.act(i)
	}
	if i.ended {
		return errEnded
	}
	return nil
}

// write runs a write transaction, unless the process ended.
func (i *interruption) write(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
	fn func(*store.Tx) error) error {
	if err := i.call("write"); err != nil {
		return err
	}
	i.mu.Lock()
	at := i.kind == "write" && i.calls["write"] == i.n
	in, after := at && i.in, at && i.after
	i.mu.Unlock()
	err := update(ctx, func(tx *store.Tx) error {
		if err := fn(tx); err != nil || !in {
			return err
		}
		return errEnded
	})
	i.mu.Lock()
	defer i.mu.Unlock()
	if tip := heightOf(i.world); err == nil {
		if tip > i.tip+1 {
			i.world.Errorf("a transaction wrote the blocks %d to %d", i.tip+1, tip)
		}
		i.tip = tip
	}
	i.ended = i.ended || in || after
	if err == nil && i.ended {
		return errEnded
	}
	return err
}

// interruptedNode is the node of a server with an interruption.
type interruptedNode struct {
	follower.Node
	*interruption
}

// Best implements follower.Node.
func (n interruptedNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	if err := n.call("read"); err != nil {
		return chainhash.Hash{}, 0, err
	}
	return n.Node.Best(ctx)
}

// BlockHash implements follower.Node.
func (n interruptedNode) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	if err := n.call("read"); err != nil {
		return chainhash.Hash{}, err
	}
	return n.Node.BlockHash(ctx, height)
}

// Block implements follower.Node.
func (n interruptedNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	if err := n.call("read"); err != nil {
		return chain.Block{}, err
	}
	return n.Node.Block(ctx, hash, height)
}

// Mempool implements follower.Node.
func (n interruptedNode) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	if err := n.call("read"); err != nil {
		return nil, err
	}
	return n.Node.Mempool(ctx)
}

// late starts a server that lacks the missed blocks, with an interruption.
func late(t *testing.T, missed testkit.Checkpoint, i *interruption) *testkit.World {
	return lateWith(t, missed, i, 1)
}

// lateWith is late with a limit of RecordedAtOnce. With 1, the transactions of a block are recorded ahead of it.
func lateWith(t *testing.T, missed testkit.Checkpoint, i *interruption, recordedAtOnce int) *testkit.World {
	i.calls = map[string]int{}
	i.world = missed.Start(t, func(w *testkit.World) {
		w.MaxTransactionTime, w.RecordedAtOnce = time.Nanosecond, recordedAtOnce
		w.FollowedNode, w.WrapTransaction = interruptedNode{w.Chain(), i}, i.write
	})
	i.tip = heightOf(i.world)
	return i.world
}

// calls returns the numbers of the reads and writes of an undisturbed server, and its ledger at the end.
func undisturbed(t *testing.T, missed testkit.Checkpoint) (calls map[string]int, ledger string) {
	var i interruption
	w := late(t, missed, &i)
	w.Step()
	if i.calls["write"] < missedBlocks || i.calls["read"] < 2*missedBlocks {
		t.Fatalf("%v calls for %d blocks", i.calls, missedBlocks)
	}
	return i.calls, w.Dump()
}

// points returns the calls to interrupt: all of them, or some if each takes long.
func points(calls int) (all []int) {
	step := 1
	switch {
	case testkit.Real():
		step = 40 // each starts a btcd
	case (engine.Current() == engine.Postgres || testing.Short()) && !*everyDepth:
		step = 7
	}
	for n := 1; n <= calls; n += step {
		all = append(all, n)
	}
	return all
}

// If the process of a server that catches up ends at any call, the server continues after its restart and reaches the
// same ledger as an uninterrupted server. It loses at most the blocks of one transaction.
func TestCatchUpAfterEachCrash(t *testing.T) {
	missed := missedWorld(t)
	calls, want := undisturbed(t, missed)
	for how, c := range map[string]*interruption{
		"before a read":  {kind: "read", act: func(i *interruption) { i.ended = true }},
		"before a write": {kind: "write", act: func(i *interruption) { i.ended = true }},
		"in a write":     {kind: "write", in: true},
		"after a write":  {kind: "write", after: true},
	} {
		for _, n := range points(calls[c.kind]) {
			t.Run(fmt.Sprintf("%s/%d", how, n), func(t *testing.T) {
				t.Parallel()
				crashed(t, missed, &interruption{kind: c.kind, n: n, act: c.act, in: c.in, after: c.after}, want)
			})
		}
	}
}

func crashed(t *testing.T, missed testkit.Checkpoint, i *interruption, want string) {
	w := late(t, missed, i)
	if _, err := w.Follower.Step(t.Context()); i.ended && !errors.Is(err, errEnded) {
		t.Fatalf("error of the interrupted Step: got %v", err)
	}
	if got := heightOf(w); got != i.tip {
		t.Errorf("after the last transaction the ledger was at block %d, now it is at block %d", i.tip, got)
	}
	w.Check()
	i.ended, i.n = false, 0
	w.Restart()
	w.Step()
	if got := w.Dump(); got != want {
		t.Errorf("the ledgers differ:\n%s", difference(want, got))
	}
}

// reorganize replaces the last blocks of a node by one more. The transactions confirm later.
func reorganize(node *testkit.Node, depth int) {
	node.Rewind(depth)
	node.MineOnly()
	for range depth {
		node.Mine()
	}
}

// After a reorg at any call of a server that catches up, its ledger equals the ledger of a server that saw only the
// winning chain, even if the server had fetched the replaced blocks. A reorg deeper than MaxReorg blocks below its
// ledger's tip stops the server.
func TestReorgAtEachCallOfCatchUp(t *testing.T) {
	missed := missedWorld(t)
	calls, _ := undisturbed(t, missed)
	const deep = follower.MaxReorg + 3
	for _, depth := range append(depths(), deep) {
		w := late(t, missed, &interruption{})
		reorganize(w.Node, depth)
		w.Step()
		want := w.Dump()
		fromNothing(t, w)
		outcomes := map[string]int{}
		for _, kind := range []string{"read", "write"} {
			for _, n := range points(calls[kind]) {
				t.Run(fmt.Sprintf("%d/%s/%d", depth, kind, n), func(t *testing.T) {
					outcomes[reorganized(t, missed, &interruption{kind: kind, n: n}, depth, want)]++
				})
			}
		}
		if outcomes["followed"] == 0 || (outcomes["stopped"] > 0) != (depth == deep) {
			t.Errorf("depth %d: outcomes %v", depth, outcomes)
		}
	}
}

// reorganized replaces blocks of the node at a call of a server. It returns "followed" if the server followed the new
// chain, "stopped" if it may not.
func reorganized(t *testing.T, missed testkit.Checkpoint, i *interruption, depth int, want string) (outcome string) {
	w := late(t, missed, i)
	i.act = func(*interruption) { reorganize(w.Node, depth) }
	fork := w.Node.Height() - int64(depth)
	_, err := w.Follower.Step(t.Context())
	if i.n > i.calls[i.kind] { // concurrent fetches make more or fewer calls
		reorganize(w.Node, depth)
	}
	if !errors.Is(err, follower.ErrDeepReorg) {
		if err != nil && !strings.Contains(err.Error(), "the node's chain changed") {
			t.Error(err)
		}
		_, err = w.Follower.Step(t.Context())
	}
	if tip := heightOf(w); errors.Is(err, follower.ErrDeepReorg) && tip > fork+follower.MaxReorg {
		before := w.Dump()
		if _, err := w.Follower.Step(t.Context()); !errors.Is(err, follower.ErrDeepReorg) || w.Dump() != before {
			t.Errorf("the follower does not stop: %v", err)
		}
		return "stopped"
	}
	w.Step()
	if got := w.Dump(); got != want {
		t.Errorf("the ledgers differ:\n%s", difference(want, got))
	}
	return "followed"
}

// fromNothing compares the blocks and the rune index with an empty ledger that follows the same chain.
func fromNothing(t *testing.T, w *testkit.World) {
	w.FollowedNode, w.WrapTransaction = nil, nil
	replay := w.At("sqlite:" + filepath.Join(t.TempDir(), "replay.db"))
	replay.Step()
	for _, query := range []string{`SELECT height, hash FROM block ORDER BY 1`,
		`SELECT outpoint, balances FROM rune_balance ORDER BY 1`, `SELECT id, entry FROM rune_entry ORDER BY 1`} {
		if got, want := w.Rows(query), replay.Rows(query); got != want || got == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", query, got, want)
		}
	}
}

// A ledger is the same whether the database transaction of a block or recordAhead records the block's transactions.
func TestRecordedAheadIsTheSame(t *testing.T) {
	missed := missedWorld(t)
	var in, ahead interruption
	together := lateWith(t, missed, &in, 0)
	together.Step()
	apart := lateWith(t, missed, &ahead, 1)
	apart.Step()
	if got, want := apart.Dump(), together.Dump(); got != want {
		t.Errorf("the ledgers differ:\n%s", difference(want, got))
	}
	if ahead.calls["write"] <= in.calls["write"] {
		t.Errorf("got %d transactions, and %d without recording ahead", ahead.calls["write"], in.calls["write"])
	}
}
