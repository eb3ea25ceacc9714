package follower_test

import (
	"context"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// busyNode is a node that calls during once, when a Step reads its best block.
type busyNode struct {
	follower.Node
	during func()
}

// Best implements follower.Node.
func (n *busyNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	if during := n.during; during != nil {
		n.during = nil
		during()
	}
	return n.Node.Best(ctx)
}

// TestIssuedDuringAStep checks that an address is watched that is issued and paid while a Step runs, which can take
// minutes when a server catches up.
func TestIssuedDuringAStep(t *testing.T) {
	for _, mined := range []bool{false, true} {
		name, status, height := "in the mempool", order.Confirmed, int64(chain.None)
		if mined {
			name, status = "in a block", order.Sent
		}
		t.Run(name, func(t *testing.T) {
			w := testkit.NewWorld(t).InjectFaults()
			node := &busyNode{Node: w.Chain()}
			w.FollowedNode = node
			w.Restart()
			unlocked := w.Unlocked(w.Anna, 5000)
			var o order.Order
			var deposit string
			node.during = func() {
				o = withdraw(w, unlocked)
				w.Pay(w.Anna, o, o.Due())
				deposit, _ = w.Deposit(w.Bert, 2000)
				if mined {
					w.Node.Mine()
					height = w.Node.Height()
				}
			}
			w.Step()
			w.WantStatus(o.ID, status)
			w.WantStage(deposit, ledger.PendingStake)
			if got := w.Unit(deposit).Height; got != height {
				t.Errorf("height of the deposit: got %d, want %d", got, height)
			}
			w.Settle(8)
			w.WantStatus(o.ID, order.Consolidated)
			w.Audit()
		})
	}
}

// TestWatchesWithoutTransactions checks that a Step watches new addresses although the node has nothing new: the search
// for deposits at an address that was issued again waits for it.
func TestWatchesWithoutTransactions(t *testing.T) {
	w := testkit.NewWorld(t)
	_, script := w.StakeAddress(w.Anna, 5000)
	if w.Follower.Watches([][]byte{script}) {
		t.Error("the address is watched before a Step")
	}
	w.Step()
	if !w.Follower.Watches([][]byte{script}) {
		t.Error("the address is not watched after a Step")
	}
}
