package delivery_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// delivery returns the output that delivers an order, and its outpoint.
func delivery(w *testkit.World, id string, to *testkit.Wallet) (*wire.TxOut, wire.OutPoint) {
	w.Helper()
	for _, p := range w.PayoutsIn(payout.Live, payout.Confirmed, payout.Final) {
		for i, of := range p.OrderIDs {
			if of == id {
				tx := p.Versions[0].Tx
				return tx.Msg.TxOut[i], wire.OutPoint{Hash: tx.ID, Index: uint32(i)}
			}
		}
	}
	w.Fatalf("order %s has no payout", id)
	return nil, wire.OutPoint{}
}

func TestWithdrawalDelivers(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	ids := w.UnlockedUnits(2, 5000)
	o := w.Withdrawal(ids...)
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Sent)
	w.Settle(3)
	o = w.WantStatus(o.ID, order.Delivered)
	out, point := delivery(w, o.ID, w.Anna)
	if out.Value != 546*3 || string(out.PkScript) != string(w.Anna.Ordinals.Script) || w.RunesOn(point) != 10_000 {
		t.Errorf("delivery: got %d sats with %s to %x", out.Value, w.RunesOn(point), out.PkScript)
	}
	if o.PayoutTx != point.Hash.String() {
		t.Errorf("PayoutTx: got %s, want %s", o.PayoutTx, point.Hash)
	}
}

// A withdrawal and two claims, which need the treasury, are delivered in one transaction.
func TestMixedBatch(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	a := w.Unlocked(w.Anna, 5000)
	b, _ := w.Deposit(w.Bert, 3000)
	c, _ := w.Deposit(w.Cleo, 1000)
	w.Settle(4)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	w.WantStage(b, ledger.Staked)
	w.WantStage(c, ledger.Staked)
	orders := []order.Order{w.Withdrawal(a), *w.Act(w.Bert, action.Claim).Order, *w.Act(w.Cleo, action.Claim).Order}
	wallets := []*testkit.Wallet{w.Anna, w.Bert, w.Cleo}
	want := []amount.Runes{5000, 750_000, 250_000}
	for i, o := range orders {
		w.Pay(wallets[i], o, o.Due())
	}
	w.Settle(1)
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || len(live[0].OrderIDs) != 3 {
		t.Fatalf("payouts: got %+v", live)
	}
	w.Settle(3)
	for i, o := range orders {
		w.WantStatus(o.ID, order.Delivered)
		if _, point := delivery(w, o.ID, wallets[i]); w.RunesOn(point) != want[i] {
			t.Errorf("runes of order %d: got %s, want %s", i, w.RunesOn(point), want[i])
		}
	}
	var treasury amount.Runes
	w.Update(func(tx *store.Tx) (err error) {
		treasury, err = tx.Treasury(t.Context(), testkit.Prefix)
		return err
	})
	if treasury != 4*testkit.TreasuryCoin-1_000_000 {
		t.Errorf("treasury: got %s", treasury)
	}
}

// A signer without a rune index can't verify the runes on stake outputs, and refuses a payout of several orders with
// stakes. Then each order gets a separate payout in the same Step. A signer with an index accepts a shared payout.
func TestWithdrawalsThatCantShare(t *testing.T) {
	for _, informed := range []bool{false, true} {
		t.Run(fmt.Sprint("informed=", informed), func(t *testing.T) {
			w := testkit.NewWorld(t).InjectFaults()
			want := 3
			if informed {
				w.GiveSignerIndex()
				want = 1
			}
			var orders []order.Order
			for _, id := range w.UnlockedUnits(3, 5000) {
				orders = append(orders, w.Withdrawal(id))
			}
			w.PayInFull(w.Anna, orders...)
			if live := w.PayoutsIn(payout.Live); len(live) != want {
				t.Errorf("got %d payouts, want %d", len(live), want)
			}
			w.Settle(3)
			for _, o := range orders {
				w.WantStatus(o.ID, order.Delivered)
			}
		})
	}
}

// A payout has as many orders as its runestone can hold. The others get another payout.
func TestRunestoneLimit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	var orders []order.Order
	for _, id := range w.UnlockedUnits(12, 4_000_000) {
		orders = append(orders, w.Withdrawal(id))
	}
	w.PayInFull(w.Bert, orders...)
	live := w.PayoutsIn(payout.Live)
	if len(live) < 2 {
		t.Fatalf("got %d payouts, want several", len(live))
	}
	for _, p := range live {
		for _, out := range p.Versions[0].Tx.Msg.TxOut {
			if out.Value == 0 && len(out.PkScript) > 83 {
				t.Errorf("got a runestone of %d bytes, want at most 83", len(out.PkScript))
			}
		}
	}
	w.Settle(3)
	for _, o := range orders {
		w.WantStatus(o.ID, order.Delivered)
	}
}

// If the signer refuses one order of a batch, the others are delivered, and the refused order waits until the signer
// accepts it.
func TestRefusedOrderWaitsAlone(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	var orders []order.Order
	for _, id := range w.UnlockedUnits(4, 5000) {
		orders = append(orders, w.Withdrawal(id))
	}
	bad := orders[1].ID
	good := w.Signer
	w.Signer = testkit.Refusing{Next: good, If: func(u payout.Unsigned) bool {
		for _, owed := range u.Orders {
			if owed.Order.ID == bad {
				return true
			}
		}
		return false
	}}
	w.PayInFull(w.Anna, orders...)
	w.Settle(3)
	for _, o := range orders {
		if o.ID == bad {
			w.WantStatus(o.ID, order.Paid)
		} else {
			w.WantStatus(o.ID, order.Delivered)
		}
	}
	w.Signer = good
	w.Settle(4)
	w.WantStatus(bad, order.Delivered)
}

// A treasury that can't cover a claim delays claims, but not withdrawals.
func TestShortTreasury(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	b, _ := w.Deposit(w.Bert, 3000)
	w.Settle(4)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	w.WantStage(b, ledger.Staked)
	claim := *w.Act(w.Bert, action.Claim).Order
	withdraw := w.Withdrawal(id)
	w.Update(func(tx *store.Tx) error { // the treasury's runes are not available
		outputs, err := tx.TreasuryOutputs(t.Context(), testkit.Prefix, ledger.RunesKind)
		for _, output := range outputs {
			output.Booked = false
			err = errors.Join(err, tx.PutOutput(t.Context(), output))
		}
		return err
	})
	w.Pay(w.Bert, claim, claim.Due())
	w.Pay(w.Anna, withdraw, withdraw.Due())
	w.Mine(1)
	step := func() {
		if _, err := w.Follower.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	step()
	w.WantStatus(claim.ID, order.Paid)
	w.WantStatus(withdraw.ID, order.Sent)
	w.Update(func(tx *store.Tx) error {
		_, err := tx.BookTreasury(t.Context(), testkit.Prefix, ledger.Cause{Kind: "operator", At: w.Clock.Now()})
		return err
	})
	w.Step()
	w.WantStatus(claim.ID, order.Sent)
}

func TestPausedPayouts(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	pause := func(reason string) {
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, reason) })
	}
	pause("an invariant is broken")
	w.PayInFull(w.Anna, o)
	w.Settle(2)
	w.WantStatus(o.ID, order.Paid)
	pause("")
	w.Step()
	w.WantStatus(o.ID, order.Sent)
}

// If the fee rate rises after the order was paid, the payout spends at most the collected sats on fees. If they are far
// too few, the order waits with that reason, and is sent when fees are lower.
func TestFeeStaysWithinWhatWasCollected(t *testing.T) {
	for _, rate := range []int64{1, 2, 3, 50, 400} {
		w := testkit.NewWorld(t).InjectFaults()
		o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
		collected := o.Fees.Network + o.Fees.Rutxos
		w.Rate = amount.SatPerVB(rate)
		w.PayInFull(w.Anna, o)
		if rate > 4 {
			w.WantStatus(o.ID, order.Paid)
			if reason := w.Payouts.Waiting()[o.ID]; !strings.Contains(reason, "sats that its orders paid") {
				t.Errorf("reason for waiting: got %q", reason)
			}
			w.Rate = amount.SatPerVB(2)
			w.Step()
		}
		v := w.PayoutsIn(payout.Live)[0].Versions[0]
		if v.Fee > collected || v.Fee < amount.SatPerVB(1).Fee(v.VBytes) {
			t.Errorf("at %d sat/vB: got a fee of %d sats for %d vB, want at most %d", rate, v.Fee, v.VBytes, collected)
		}
		if size := chain.VSize(v.Tx.Msg); size != v.VBytes {
			t.Errorf("size: got %d vB, stored as %d", size, v.VBytes)
		}
		if len(w.Payouts.Waiting()) > 0 {
			t.Errorf("waiting: got %v", w.Payouts.Waiting())
		}
	}
}

// A payment in a coinbase counts, and is spent, after 100 blocks.
func TestCoinbasePayment(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Node.MineTo(wire.NewTxOut(int64(o.Due()), o.Script))
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	for range order.CoinbaseDepth - 2 {
		w.Node.Mine()
	}
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
	w.Node.Mine()
	w.Step()
	w.WantStatus(o.ID, order.Sent)
}

// After a crash between the commit and the broadcast the same bytes are broadcast.
func TestCrashAroundBroadcast(t *testing.T) {
	for _, taken := range []bool{false, true} {
		for _, restart := range []bool{false, true} {
			t.Run(fmt.Sprintf("taken=%v restart=%v", taken, restart), func(t *testing.T) {
				w := testkit.NewWorld(t).InjectFaults()
				o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
				w.Pay(w.Anna, o, o.Due())
				w.Mine(1)
				timeout := errors.New("timeout")
				w.Node.FailSend(timeout, taken)
				for range 3 {
					if _, err := w.Follower.Step(t.Context()); !errors.Is(err, timeout) {
						t.Fatal(err)
					}
				}
				stored := w.PayoutsIn(payout.Live)
				if len(stored) != 1 {
					t.Fatalf("got %d stored payouts, want 1", len(stored))
				}
				w.WantStatus(o.ID, order.Sent)
				w.Node.FailSend(nil, false)
				if restart {
					w.Restart()
				}
				w.Step()
				if w.Node.Broadcasts(stored[0].Versions[0].Tx.ID) == 0 {
					t.Error("the stored payout was not sent")
				}
				w.Settle(3)
				w.WantStatus(o.ID, order.Delivered)
				if all := w.PayoutsIn(payout.Live, payout.Confirmed, payout.Final, payout.Dead); len(all) != 1 {
					t.Errorf("got %d payouts, want 1", len(all))
				}
			})
		}
	}
}

// A SENT order has one payout after any number of Steps and restarts, and after the node loses its mempool.
func TestOnePayout(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.PayInFull(w.Anna, o)
	for range 5 {
		w.Node.Forget()
		w.Clock.Advance(8 * 24 * time.Hour)
		w.Restart()
		w.Step()
		w.Node.MineOnly()
		w.Step()
	}
	w.WantStatus(o.ID, order.Sent)
	all := w.PayoutsIn(payout.Live, payout.Confirmed, payout.Final, payout.Dead)
	if len(all) != 1 || len(all[0].Versions) != 1 {
		t.Errorf("payouts: got %+v", all)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
}
