package testkit

import (
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// TestWholeFlow moves a stake and its reward through all stages with the product's services.
func TestWholeFlow(t *testing.T) {
	w := NewWorld(t)
	staked, reward := w.Rewarded(w.Anna, 50_000)
	if got := w.Unit(reward).Amount; got != Budget {
		t.Errorf("reward %d, want %d", got, Budget)
	}
	claim := w.Act(w.Anna, action.Claim).Order
	w.Pay(w.Anna, *claim, claim.Due())
	w.Step()
	w.WantStatus(claim.ID, order.Confirmed)
	w.Settle(1)
	w.WantStatus(claim.ID, order.Sent)
	w.WantStage(reward, ledger.BatchLocked)
	w.Settle(3)
	w.WantStatus(claim.ID, order.Delivered)
	w.WantStage(reward, ledger.Withdrawn)
	w.Settle(3)
	w.WantStatus(claim.ID, order.Consolidated)

	w.Act(w.Anna, action.Unstake, staked)
	w.WantStage(staked, ledger.PendingUnlock)
	w.NextEpoch()
	w.WantStage(staked, ledger.PendingUnlock)
	w.NextEpoch()
	w.WantStage(staked, ledger.Unlocked)
	withdraw := w.Act(w.Anna, action.Withdraw, staked).Order
	w.WantStage(staked, ledger.POLocked)
	w.Pay(w.Anna, *withdraw, withdraw.Due())
	w.Step()
	w.WantStage(staked, ledger.PendingWithdraw)
	w.Settle(4)
	w.WantStatus(withdraw.ID, order.Delivered)
	w.WantStage(staked, ledger.Withdrawn)
}

// TestCallsWithinWritesPanic checks that calls to node or signer within a write transaction panic.
func TestCallsWithinWritesPanic(t *testing.T) {
	w := NewWorld(t)
	w.Etch()
	for call, do := range map[string]func(){
		"node":         func() { _, _, _ = w.Follower.Node.Best(t.Context()) },
		"broadcast":    func() { _ = w.Follower.Node.Broadcast(t.Context(), nil) },
		"signer":       func() { _, _ = signerOf{w}.Sign(t.Context(), payout.Unsigned{}) },
		"order signer": func() { _, _ = w.Etching.Signer.SignRuneOrder(t.Context(), vault.RuneOrder{}, vault.OrderTx{}) },
		"fee rate":     func() { w.Follower.Rate(t.Context()) },
		"known":        func() { _, _ = w.Etching.HasTx(t.Context(), chainhash.Hash{}) },
	} {
		panics := func() (reason any) {
			defer func() { reason = recover() }()
			w.Update(func(*store.Tx) error { do(); return nil })
			return nil
		}
		if panics() == nil {
			t.Errorf("%s: a call within a write transaction did not panic", call)
		}
	}
}
