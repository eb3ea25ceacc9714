package onetx_test

import (
	"context"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// restored returns a world from a backup in which an order is PENDING that Anna's own coins deliver on the network.
func restored(t *testing.T) (stale *testkit.World, sent order.Order, unit string, fee amount.Sats) {
	t.Helper()
	w, o, unit := ordered(t)
	stale = w.Copy().PausedPayouts()
	w.PayOneTx(w.Anna, o)
	w.Step()
	return stale, w.WantStatus(o.ID, order.Sent), unit, live(w).Versions[0].Fee
}

func waits(w *testkit.World, id chainhash.Hash) bool {
	_, waits := w.Node.Locate(id)
	return waits
}

func unpause(w *testkit.World) {
	w.Helper()
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
}

// A transaction of own coins counts as the delivery after a restore from a backup, in which the order is PENDING.
func TestOneTxIsFoundAfterRestore(t *testing.T) {
	stale, sent, unit, _ := restored(t)
	stale.Settle(1)
	if again := stale.WantStatus(sent.ID, order.Sent); again.PayoutTx != sent.PayoutTx || !again.OneTx {
		t.Errorf("its transaction is %s, want %s", again.PayoutTx, sent.PayoutTx)
	}
	unpause(stale)
	stale.Settle(order.DeliveryDepth)
	stale.WantStatus(sent.ID, order.Delivered)
	stale.WantStage(unit, ledger.Withdrawn)
	stale.Audit()
}

// A transaction that was found in the mempool after a restore has the fee that it had before, so that replacements
// exceed it.
func TestOneTxFoundIsReplaced(t *testing.T) {
	w, sent, unit, fee := restored(t)
	w.Step()
	p := live(w)
	v := p.Versions[0]
	if !p.KnowsFee() || v.Fee != fee || len(v.Own) != 1 || v.Own[0].Output.Value == 0 {
		t.Fatalf("got a fee of %d sats and coins %+v, want %d", v.Fee, v.Own, fee)
	}
	unpause(w)
	w.Rate = amount.SatPerVB(9)
	if own := w.PayOneTx(w.Anna, sent); own[0].OutPoint != v.Own[0].OutPoint {
		t.Errorf("the replacement spends %s", own[0].OutPoint)
	}
	w.Step()
	if p := live(w); len(p.Versions) != 2 || !waits(w, p.Versions[1].Tx.ID) {
		t.Errorf("%d versions, want 2 with the second one in the mempool", len(p.Versions))
	}
	w.Settle(order.DeliveryDepth)
	w.WantStatus(sent.ID, order.Delivered)
	w.WantStage(unit, ledger.Withdrawn)
	w.Audit()
}

// unindexedNode is a node that does not know the transactions of blocks while hides is set.
type unindexedNode struct {
	follower.Node
	hides bool
}

func (n *unindexedNode) Tx(ctx context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	tx, status, err := n.Node.Tx(ctx, id)
	if err == nil && n.hides && status.BlockHash != nil {
		return chain.Tx{}, chain.Status{}, chain.ErrUnknown
	}
	return tx, status, err
}

// While the node does not know the transactions that made the coins, the found transaction can't be replaced, which its
// owner is told.
func TestOneTxFoundWithoutValues(t *testing.T) {
	w, sent, _, fee := restored(t)
	node := &unindexedNode{Node: w.Node, hides: true}
	w.FollowedNode = node
	w.Forget()
	w.Step()
	if live(w).KnowsFee() {
		t.Fatal("the fee is known without the node")
	}
	_, err := w.OneTx.BeginOneTx(t.Context(), testkit.Prefix, w.Anna.Pair(), sent.ID, nil)
	wantOneTxFault(t, err, fault.OneTxFeeUnknown)
	node.hides = false
	w.Step()
	if got := live(w).Versions[0].Fee; got != fee {
		t.Errorf("the fee is %d sats, want %d", got, fee)
	}
}
