package follower_test

import (
	"context"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A deposit that is unconfirmed for 14 days and in no mempool has vanished. A later block that contains it restores it.
func TestDepositVanishesAfterTwoWeeks(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, tx := w.Deposit(w.Anna, 5000)
	w.Step()
	w.Clock.Advance(ledger.VanishAfter)
	w.Step()
	w.WantStage(id, ledger.PendingStake) // the node's mempool has it
	w.Node.Evict(tx.ID)
	w.Clock.Advance(-time.Second)
	w.Step()
	w.WantStage(id, ledger.PendingStake)
	w.Clock.Advance(time.Second)
	w.Step()
	w.WantStage(id, "")
	w.Audit()
	sent := w.Node.Broadcasts(tx.ID)
	w.Settle(1)
	if w.Node.Broadcasts(tx.ID) != sent {
		t.Error("a vanished transaction was broadcast again")
	}
	w.Node.MineOnly(tx)
	w.Step()
	w.WantStage(id, ledger.PendingStake)
	w.Audit()
}

// Until the 14 days have passed, a deposit is tracked and broadcast again after every block.
func TestDepositIsSentAgainForTwoWeeks(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, tx := w.Deposit(w.Anna, 5000)
	w.Step()
	for range 13 {
		w.Node.Forget()
		w.Clock.Advance(24 * time.Hour)
		w.Node.MineOnly()
		w.Step()
		w.WantStage(id, ledger.PendingStake)
	}
	if n := w.Node.Broadcasts(tx.ID); n < 13 {
		t.Errorf("broadcast %d times in 13 days", n)
	}
}

// If a reorg undoes the block of a deposit, the 14 days begin at the reorg, not when the deposit was first seen.
func TestVanishingCountsFromTheUndoneBlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, tx := w.Deposit(w.Anna, 5000)
	w.Settle(1)
	w.Clock.Advance(ledger.VanishAfter)
	w.Step()
	w.Node.Rewind(1)
	w.Node.Evict(tx.ID)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.Node.Evict(tx.ID)
	w.Step()
	w.WantStage(id, ledger.PendingStake)
	w.Clock.Advance(ledger.VanishAfter)
	w.Step()
	w.WantStage(id, "")
	w.Audit()
}

// A transaction does not expire while a payout of ours descends from it, at any distance, because without the
// transaction the payout could not confirm. After a reorg both are unconfirmed again.
func TestAncestorsOfAPayoutDoNotVanish(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := withdraw(w, id)
	coin := w.Anna.Sats()
	first := w.Send(w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-1000, w.Anna.Payment.Script)))
	change := testkit.Coin{OutPoint: wire.OutPoint{Hash: first.ID}, Out: first.Msg.TxOut[0]}
	payment := w.Send(w.Payment(w.Anna, change, o, o.Due(), 1000))
	w.Step()
	w.Node.MineOnly(first, payment)
	w.Step()
	payout := w.WantStatus(o.ID, order.Sent).PayoutID
	all := []chainhash.Hash{first.ID, payment.ID}
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.Clock.Advance(ledger.VanishAfter + time.Hour)
	w.Node.Evict(all...)
	w.Node.MineOnly()
	w.Step()
	w.Step()
	for _, txid := range all {
		w.Update(func(tx *store.Tx) error {
			tracked, err := tx.TrackedTx(t.Context(), txid.String())
			if tracked.Vanished {
				t.Errorf("%s vanished, from which the payout %s descends", txid, payout)
			}
			return err
		})
	}
	w.Settle(3)
	w.WantStage(id, ledger.Withdrawn)
	w.Audit()
}

// After a reorg, another transaction replaces the payment of a sent order in the mempool. After two weeks nodes drop
// that transaction. The server broadcasts the payment again together with the payout that spends it, and the payment is
// not late.
func TestReplacedPaymentOfAPayoutIsSentAgain(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := withdraw(w, id)
	coin := w.Anna.Sats()
	payment := w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
	w.Step()
	w.Node.MineOnly(payment)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Node.Rewind(1)
	w.Node.Forget()
	rival := w.Send(w.SpendToSelf(w.Anna, 30_000, coin))
	for range 2 {
		w.Node.MineOnly()
	}
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
	w.Clock.Advance(ledger.VanishAfter + time.Hour)
	w.Node.Evict(rival.ID)
	w.Node.MineOnly()
	for range 3 {
		w.Step()
	}
	w.Settle(4)
	w.WantStage(id, ledger.Withdrawn)
	w.Audit()
}

// A first payment that never confirms delays nothing, because the confirmed payments pay for the delivery, and one of
// them is the anchor.
func TestStuckFirstPaymentDelaysNothing(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := withdraw(w, id)
	stuck := w.Pay(w.Anna, o, 700)
	w.Step()
	second := w.Payment(w.Anna, w.Anna.Sats(), o, o.Due()+5000, 1000)
	w.Send(second)
	w.Step()
	w.Node.MineOnly(second)
	w.Step()
	if sent := w.WantStatus(o.ID, order.Sent); sent.Anchor != second.ID.String()+":0" {
		t.Errorf("anchor: got %s, want the payment of %s", sent.Anchor, second.ID)
	}
	w.Audit()
	w.Node.Evict(stuck.ID)
	w.Clock.Advance(ledger.VanishAfter + time.Hour)
	w.Step()
	w.Settle(3)
	w.WantStage(id, ledger.Withdrawn)
	w.Audit()
}

// Refresh waits for a Step that begins after the call.
func TestRefreshWaitsForALaterStep(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	entered, release := make(chan struct{}), make(chan struct{})
	first := true
	w.Follower.Audit = func(context.Context) error { // after the mempool was read
		if first {
			first = false
			close(entered)
			<-release
		}
		return nil
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { w.Follower.Run(ctx, time.Hour); close(done) }()
	<-entered
	id, _ := w.Deposit(w.Anna, 5000)
	looked := make(chan struct{})
	go func() { w.Follower.Refresh(t.Context()); close(looked) }()
	select {
	case <-looked:
		t.Error("Refresh returned before any Step")
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	<-looked
	w.WantStage(id, ledger.PendingStake)
	stop()
	<-done
}

// If a reorg changes the runes on a deposit, the order of its unit is closed, and the unit is removed and inserted
// again with the new amount.
func TestReorgChangesTheRunesOfADeposit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := withdraw(w, id)
	w.Pay(w.Anna, o, 2500)
	w.Step()
	w.WantStage(id, ledger.PendingWithdraw)
	unit := w.Unit(id)
	see := func(n amount.Runes) {
		w.Update(func(tx *store.Tx) error {
			tracked, err := tx.TrackedTx(t.Context(), unit.OutPoint.Hash.String())
			if err != nil {
				return err
			}
			_, err = w.Ledger.RecordTx(t.Context(), tx.LedgerTx(), everything{}, ledger.Observation{
				Tx: tracked.Tx, Height: tracked.Height, At: w.Clock.Now(),
				Allocated: func(uint32) []runes.Balance {
					return []runes.Balance{{ID: testkit.Rune, Amount: uint128.From64(uint64(n))}}
				},
			})
			return err
		})
		if _, err := w.Follower.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	see(4000)
	w.WantStatus(o.ID, order.Audit)
	if got := w.Unit(id); got.Amount != 4000 || got.Stage != ledger.PendingStake {
		t.Errorf("unit: got %s of %s", got.Stage, got.Amount)
	}
	see(5000)
	if got := w.Unit(id); got.Amount != 5000 {
		t.Errorf("amount of the unit: got %s, want 5000", got.Amount)
	}
	w.Check()
}

// everything is a ledger.WatchList that passes every script and output.
type everything struct{}

func (everything) Script([]byte) bool            { return true }
func (everything) Output(wire.OutPoint) bool     { return true }
func (everything) Tracked(wire.OutPoint) bool    { return true }
func (everything) Add(chain.Tx, []wire.OutPoint) {}

// If a reorg replaces the deposit of a SENT order, the unit exists until the payout is DEAD, and the ledger owes no
// more than it has.
func TestDepositOfASentOrderVanishes(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, script := w.StakeAddress(w.Anna, 5000)
	held, sats := w.Anna.Runes(), w.Anna.Sats()
	deposit := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, sats}, script, 5000, 1000))
	id := wire.OutPoint{Hash: deposit.ID}.String()
	w.Settle(3)
	w.NextEpoch()
	w.WantStage(id, ledger.Staked)
	w.Act(w.Anna, "UNSTAKE", id)
	w.Clock.Advance(2 * testkit.EpochLength)
	w.Step()
	o := withdraw(w, id)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Node.Rewind(5)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, sats))
	for range 5 {
		w.Node.MineOnly()
	}
	if _, err := w.Follower.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Audit()
	w.Settle(6)
	w.WantStage(id, "")
	w.Audit()
	if got := w.Order(o.ID).Status; got != order.Audit {
		t.Errorf("status of the order: got %s, want AUDIT", got)
	}
}
