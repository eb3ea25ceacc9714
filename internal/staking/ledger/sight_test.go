package ledger_test

import (
	"context"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// late is a node whose mempool still lists transactions that conflict with a block, as if the block arrived between two
// calls.
type late struct {
	*testkit.Node
	still map[chainhash.Hash]chain.Tx
}

func (n late) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	ids, err := n.Node.Mempool(ctx)
	for id := range n.still {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

func (n late) Tx(ctx context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	if tx, known := n.still[id]; known {
		return tx, chain.Status{}, nil
	}
	return n.Node.Tx(ctx, id)
}

// A later observation of the mempool does not change what a block confirmed.
func TestMempoolAfterTheBlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	node := late{w.Node, map[chainhash.Hash]chain.Tx{}}
	w.FollowedNode = node
	w.Restart()
	id, _ := w.Deposit(w.Anna, 5000)
	w.Settle(3)
	recovery := w.Recover(w.Anna, id)
	rival := w.RecoverWith(w.Anna, id, w.Anna.Sats(), 5000)
	w.Node.MineOnly(recovery)
	w.Step()
	before := w.Dump()
	for _, tx := range []chain.Tx{recovery, rival} {
		node.still[tx.ID] = tx
	}
	for range 2 {
		w.Restart()
		w.Step()
	}
	if after := w.Dump(); after != before {
		t.Errorf("ledger after reading the mempool: got\n%s\nwant\n%s", after, before)
	}
	w.Settle(ledger.RecoveryDepth - 1)
	w.WantStage(id, ledger.Withdrawn)
}

// If a boundary is added and undone while a deposit counts as recovered, and the recovery is undone, the deposit gets
// the stage that it would have without the recovery.
func TestBoundaryWhileRecovered(t *testing.T) {
	play := func(recovers, boundary bool) string {
		w := testkit.NewWorld(t).InjectFaults()
		id, _ := w.Deposit(w.Anna, 5000)
		w.Settle(3)
		w.Mature(id)
		height := w.Node.Height()
		if recovers {
			w.Node.MineOnly(w.Recover(w.Anna, id))
		}
		for w.Node.Height() < height+ledger.RecoveryDepth {
			w.Node.MineOnly()
		}
		w.Step()
		if recovers {
			w.WantStage(id, ledger.Withdrawn)
		}
		w.NextEpoch()
		w.Node.Rewind(int(w.Node.Height() - height))
		for range ledger.RecoveryDepth + 2 {
			w.Node.MineOnly()
		}
		w.Step()
		if want := (map[bool]ledger.Stage{true: ledger.Staked, false: ledger.PendingStake})[boundary]; w.Stage(id) != want {
			t.Errorf("recovered before %t: got stage %s, want %s", recovers, w.Stage(id), want)
		}
		w.NextEpoch()
		w.WantStage(id, ledger.Staked)
		return w.Rows(`SELECT stage, stage_before, eligible_epoch, staked_to FROM unit`)
	}
	if got, want := play(true, true), play(false, true); got != want {
		t.Errorf("unit: got %s, want %s as without the recovery", got, want)
	}
}
