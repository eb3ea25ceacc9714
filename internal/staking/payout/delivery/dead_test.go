package delivery_test

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// A staker recovers an output that a shared payout spends. With 6 confirmations of the recovery the payout is DEAD, the
// staker's order moves to AUDIT, and the other order gets a new payout.
func TestRecoveryMakesASharedPayoutDead(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	a := w.Unlocked(w.Anna, 5000)
	b, _ := w.Deposit(w.Bert, 3000)
	w.Settle(4)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	w.WantStage(b, ledger.Staked)
	withdraw, claim := w.Withdrawal(a), *w.Act(w.Bert, action.Claim).Order
	reward := claim.UnitIDs[0]
	w.Pay(w.Anna, withdraw, withdraw.Due())
	w.Pay(w.Bert, claim, claim.Due())
	w.Settle(1)
	first := w.PayoutsIn(payout.Live)
	if len(first) != 1 {
		t.Fatalf("got %d payouts, want 1", len(first))
	}
	w.Node.MineOnly(w.Recover(w.Anna, a))
	w.Step()
	for depth := 1; depth < order.FinalDepth; depth++ {
		w.WantStatus(withdraw.ID, order.Sent)
		w.WantStatus(claim.ID, order.Sent)
		w.WantStage(a, ledger.BatchLocked)
		if !w.Unit(a).Contested {
			t.Error("the recovered unit is not contested")
		}
		w.Settle(1)
	}
	w.WantStatus(withdraw.ID, order.Audit)
	w.WantStage(a, ledger.Withdrawn)
	w.WantStatus(claim.ID, order.Sent)
	w.WantStage(reward, ledger.BatchLocked)
	second := w.PayoutsIn(payout.Live)
	if len(second) != 1 || second[0].ID == first[0].ID || len(second[0].OrderIDs) != 1 {
		t.Fatalf("payouts: got %+v", second)
	}
	w.Settle(3)
	w.WantStatus(claim.ID, order.Delivered)
	w.WantStage(reward, ledger.Withdrawn)
}

// Seven orders share a payout, and one staker recovers a unit: six orders are delivered, one moves to AUDIT.
func TestOneOfSevenRecovers(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	var orders []order.Order
	for _, id := range w.UnlockedUnits(7, 5000) {
		orders = append(orders, w.Withdrawal(id))
	}
	w.PayInFull(w.Bert, orders...)
	if live := w.PayoutsIn(payout.Live); len(live) != 1 || len(live[0].OrderIDs) != 7 {
		t.Fatalf("payouts: got %+v", live)
	}
	thief := orders[3]
	w.Mature(thief.UnitIDs[0])
	w.Node.MineOnly(w.Recover(w.Anna, thief.UnitIDs[0]))
	w.Step()
	w.Settle(order.FinalDepth - 1)
	w.WantStatus(thief.ID, order.Audit)
	w.WantStage(thief.UnitIDs[0], ledger.Withdrawn)
	w.Settle(3)
	for i, o := range orders {
		if i == 3 {
			continue
		}
		w.WantStatus(o.ID, order.Delivered)
		if out, point := delivery(w, o.ID, w.Anna); w.RunesOn(point) != 5000 ||
			string(out.PkScript) != string(w.Anna.Ordinals.Script) {
			t.Errorf("order %d: got %s runes, want 5000", i, w.RunesOn(point))
		}
	}
	w.Audit()
}

// A recovery is seen while the order waits for its payout. The order waits, and moves to AUDIT at 3 confirmations.
func TestRecoveryOfAPaidOrder(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := w.Withdrawal(id)
	w.Pay(w.Anna, o, o.Due())
	w.Send(w.Recover(w.Anna, id))
	w.Step()
	for range ledger.RecoveryDepth - 1 {
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
	}
	w.Settle(1)
	w.WantStatus(o.ID, order.Audit)
	w.WantStage(id, ledger.Withdrawn)
	if n := len(w.PayoutsIn(payout.Live)); n != 0 {
		t.Errorf("got %d payouts, want none", n)
	}
}

// A reorg replaces the payment that a stored payout spends. The payout stays live until the replacement has 6
// confirmations. Afterwards the order is PENDING, as without a payment.
func TestReplacedPaymentMakesItsPayoutDead(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := w.Withdrawal(id)
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	sent := w.PayoutsIn(payout.Live)[0].Versions[0].Tx.ID.String()
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
	w.Step()
	for depth := 1; depth < order.FinalDepth; depth++ {
		w.WantStatus(o.ID, order.Sent)
		if unit := w.Unit(id); unit.Stage != ledger.BatchLocked {
			t.Errorf("unit: got %+v", unit)
		}
		if spent := w.Rows(`SELECT * FROM custody WHERE spent_by = ? AND kind = 'stake'`, sent); spent == "" {
			t.Error("the input of a live payout is available again")
		}
		w.Settle(1)
	}
	w.WantStatus(o.ID, order.Pending)
	w.WantStage(id, ledger.POLocked)
	w.Clock.Advance(order.FeeValid)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(id, ledger.Unlocked)
	if spent := w.Rows(`SELECT * FROM custody WHERE spent_by = ?`, sent); spent != "" {
		t.Errorf("still spent by the dead payout: %s", spent)
	}
	// Its unit can be withdrawn again.
	again := w.Withdrawal(id)
	w.PayInFull(w.Anna, again)
	w.Settle(3)
	w.WantStatus(again.ID, order.Delivered)
}

// The payment is replaced twice: by a transaction in the mempool, then by another one in a block.
func TestPaymentReplacedTwice(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Node.Rewind(1)
	w.Send(w.SpendToSelf(w.Anna, 9000, coin))
	w.Step()
	w.Send(w.SpendToSelf(w.Anna, 19_000, coin))
	w.Step()
	w.Settle(order.FinalDepth)
	w.WantStatus(o.ID, order.Pending)
	w.Audit()
}

// A payout that a reorg unconfirms without replacing it stays SENT, is broadcast again unchanged, and confirms.
func TestPayoutReorgedOut(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := w.Withdrawal(id)
	w.PayInFull(w.Anna, o)
	w.Settle(6)
	w.WantStatus(o.ID, order.Consolidated)
	w.WantStage(id, ledger.Withdrawn)
	tx := w.PayoutsIn(payout.Confirmed)[0].Versions[0].Tx
	w.Node.Rewind(6)
	w.Node.Forget()
	w.Node.MineOnly()
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.WantStage(id, ledger.BatchLocked)
	before := w.Node.Broadcasts(tx.ID)
	w.Node.MineOnly()
	w.Step()
	if w.Node.Broadcasts(tx.ID) == before {
		t.Error("the payout was not sent again")
	}
	w.Settle(6)
	w.WantStatus(o.ID, order.Consolidated)
	w.WantStage(id, ledger.Withdrawn)
}

// A staker stakes the runes of an unconfirmed payout again and pays another order with the change. Both vanish with the
// first confirmation of a transaction that conflicts with the payout, or with the payment that the payout spends.
// Before, the payout is broadcast again, and they can confirm with it.
func TestSpendsOfAConflictedPayoutVanish(t *testing.T) {
	for name, paymentIsReplaced := range map[string]bool{"its unit is recovered": false, "its payment is replaced": true} {
		t.Run(name, func(t *testing.T) {
			w := testkit.NewWorld(t).InjectFaults()
			ids := w.UnlockedUnits(2, 5000)
			first, second := w.Withdrawal(ids[0]), w.Withdrawal(ids[1])
			coin := w.Anna.Sats()
			w.Send(w.Payment(w.Anna, coin, first, first.Due(), 1000))
			w.Settle(1)
			out, point := delivery(w, first.ID, w.Anna)
			conflicting := w.Recover(w.Anna, ids[0])
			if w.Mature(ids[0]); paymentIsReplaced {
				w.Node.Rewind(1)
				w.Node.MineOnly()
				conflicting = w.SpendToSelf(w.Anna, 90_000, coin)
			}
			w.Step()
			_, stake := w.StakeAddress(w.Anna, 5000)
			deposit := w.Send(w.TransferOf(w.Anna, []testkit.Coin{{OutPoint: point, Out: out, Runes: 5000}, w.Anna.Sats()},
				stake, 5000, 1000))
			change := testkit.Coin{OutPoint: wire.OutPoint{Hash: deposit.ID, Index: 3}, Out: deposit.Msg.TxOut[3]}
			w.Send(w.Payment(w.Anna, change, second, 1500, 1000))
			w.Step()
			w.Send(conflicting)
			w.Step()
			w.WantStage(deposit.ID.String()+":0", ledger.PendingStake)
			if got := w.WantStatus(second.ID, order.Confirmed); got.Seen != 1500 {
				t.Errorf("%d sats are seen, want 1500", got.Seen)
			}
			w.Node.MineOnly(conflicting)
			w.Step()
			w.WantStatus(first.ID, order.Sent)
			w.WantStage(deposit.ID.String()+":0", "")
			if got := w.WantStatus(second.ID, order.Pending); got.Seen != 0 {
				t.Errorf("%d sats are seen, want none", got.Seen)
			}
			w.Audit()
		})
	}
}
