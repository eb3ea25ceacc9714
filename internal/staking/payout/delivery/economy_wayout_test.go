package delivery_test

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

const (
	chosen  = amount.FeeRate(2000)   // sats per 1,000 vB that the economy orders of these tests choose
	network = amount.FeeRate(10_000) // while they wait
)

// deadEconomy opens two economy orders of Anna's that share a payout, and has her recover the unit of the first. When
// the payout is dead, the network's rate is rate and the time is at(second). It returns the second order, which is PAID
// again.
func deadEconomy(t *testing.T, rate amount.FeeRate,
	at func(kept order.Order) time.Time) (*testkit.World, order.Order) {
	t.Helper()
	w, ids := economyWorld(t, 2)
	w.GiveSignerIndex()
	lost := w.Economy(w.Anna, action.Withdraw, chosen, ids[0])
	kept := w.Economy(w.Anna, action.Withdraw, chosen, ids[1])
	w.PayInFull(w.Anna, lost, kept)
	w.Rate = chosen
	w.Settle(1)
	if w.WantStatus(lost.ID, order.Sent).PayoutID != w.WantStatus(kept.ID, order.Sent).PayoutID {
		t.Fatal("the orders do not share a payout")
	}
	w.Node.MineOnly(w.Recover(w.Anna, ids[0]))
	w.Step()
	w.Clock.Set(at(w.Order(kept.ID)))
	w.Rate = rate
	w.Settle(order.FinalDepth - 2)
	w.WantStatus(kept.ID, order.Sent)
	w.Settle(1)
	w.WantStatus(lost.ID, order.Audit)
	w.WantStatus(kept.ID, order.Paid)
	w.WantStage(kept.UnitIDs[0], ledger.BatchLocked)
	return w, kept
}

// wantEconomyEnded checks that an order ended and is refunded in full.
func wantEconomyEnded(w *testkit.World, o order.Order) {
	w.Helper()
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(o.UnitIDs[0], ledger.Unlocked)
	w.Rate = chosen
	w.Settle(4)
	if got := w.WantStatus(o.ID, order.Expired); got.Refunded != o.Fees.Total() {
		w.Errorf("%d sats are refunded, want %d", got.Refunded, o.Fees.Total())
	}
	w.Audit()
}

// A staker recovers a unit that a payout of two economy orders spends. With 6 confirmations of the recovery the other
// order is PAID again: before its limit, it waits for its rate and is sent again.
func TestEconomyPayoutIsDead(t *testing.T) {
	w, o := deadEconomy(t, network, func(kept order.Order) time.Time {
		return kept.Economy.Until.Add(-time.Hour)
	})
	if got := w.Order(o.ID); got.Economy != o.Economy || got.Fees != o.Fees {
		t.Errorf("got %+v, want %+v", got, o)
	}
	dead := w.PayoutsIn(payout.Dead)[0].ID
	w.Settle(2)
	w.WantStatus(o.ID, order.Paid)
	w.Rate = chosen
	w.Settle(1)
	if again := w.WantStatus(o.ID, order.Sent).PayoutID; again == dead {
		t.Errorf("it is sent by the dead payout %s", again)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// A payout is dead after the limit of its order. Its owner could not choose before, and has 14 days: the order is sent
// if the rate falls, waits longer if its owner wants, and ends otherwise.
func TestEconomyPayoutIsDeadAfterTheLimit(t *testing.T) {
	for name, passed := range map[string]time.Duration{
		"before its end": time.Minute, "after its end": order.LimitExtension + time.Minute,
	} {
		for _, then := range []string{"it is sent", "its owner waits", "it ends"} {
			t.Run(name+", and "+then, func(t *testing.T) {
				w, o := deadEconomy(t, network, func(kept order.Order) time.Time {
					return kept.Economy.Until.Add(passed)
				})
				w.Restart()
				w.Settle(1)
				got := w.WantStatus(o.ID, order.Paid)
				left := got.EndsAt().Sub(w.Clock.Now())
				if left > order.LimitExtension || left < order.LimitExtension-2*time.Hour {
					t.Errorf("its owner has %s to choose, want 14 days", left)
				}
				switch then {
				case "it is sent":
					w.Rate = chosen
					w.Settle(1)
					w.WantStatus(o.ID, order.Sent)
					w.Settle(order.FinalDepth)
					w.WantStatus(o.ID, order.Consolidated)
					w.Audit()
					return
				case "its owner waits":
					w.Clock.Advance(time.Minute)
					w.Update(func(tx *store.Tx) error {
						_, err := w.Orders.Wait(w.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, w.Clock.Now())
						return err
					})
				}
				w.Clock.Set(w.Order(o.ID).EndsAt())
				w.Step()
				w.WantStatus(o.ID, order.Paid)
				w.Clock.Advance(time.Minute)
				wantEconomyEnded(w, o)
			})
		}
	}
}

// A payout is dead 84 days after its order was opened. The order ends, and is not sent again although the rate is low.
func TestEconomyPayoutIsDeadAfterTheEnd(t *testing.T) {
	w, o := deadEconomy(t, chosen, func(kept order.Order) time.Time {
		return kept.Created.Add(order.LongestEconomy)
	})
	wantEconomyEnded(w, o)
}

// A reorg replaces the payment that the payout of an economy order spends. The order is PENDING when the payout is
// dead, and expires without a payment.
func TestEconomyPaymentIsReplaced(t *testing.T) {
	w, ids := economyWorld(t, 1)
	o := w.Economy(w.Anna, action.Withdraw, chosen, ids[0])
	coin := w.Anna.Sats()
	w.Rate = chosen
	w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
	w.Step()
	w.Settle(order.FinalDepth - 1)
	w.WantStatus(o.ID, order.Pending)
	w.Clock.Advance(order.FeeValid)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(ids[0], ledger.Unlocked)
	w.Audit()
}

// A replacement of a payout that was sent below the rate of its order, because a payout's rate was limited, pays at
// most that rate. At its rate a payout is not replaced, not even for an operator.
func TestEconomyBumpIsLimited(t *testing.T) {
	w, ids := economyWorld(t, 1)
	w.AddTreasurySats(100_000)
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp, p.MaxRate = 100_000, amount.SatPerVB(1) })
	o := w.Economy(w.Anna, action.Withdraw, chosen, ids[0])
	w.PayInFull(w.Anna, o)
	w.Rate = chosen
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp = 100_000 })
	w.Rate = amount.SatPerVB(50)
	p := w.PayoutsIn(payout.Live)[0]
	if rate := rateOf(p.Versions[0]); rate >= chosen {
		t.Errorf("sent at %s sat/vB, want less than %s", rate, chosen)
	}
	w.WantNote(payout.RequestBump, p.ID, payout.RequestDone, "")
	p = w.PayoutsIn(payout.Live)[0]
	if len(p.Versions) != 2 || rateOf(p.Versions[1]) < chosen {
		t.Fatalf("not replaced at the rate of its order: %+v", p)
	}
	if fee, paid := p.Versions[1].Fee, o.Fees.Total()-546; fee > paid || fee >= chosen.Fee(p.Versions[1].VBytes)+546 {
		t.Errorf("the replacement has a fee of %d sats for %d vB; its order paid %d", fee, p.Versions[1].VBytes, paid)
	}
	w.WantNote(payout.RequestBump, p.ID, payout.RequestRefused, "nodes require at least")
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

func rateOf(v payout.Version) amount.FeeRate { return amount.FeeRate(int64(v.Fee) * 1000 / v.VBytes) }

// waitingEconomy returns a world in which an economy order of Anna's is paid and waits.
func waitingEconomy(t *testing.T) (*testkit.World, order.Order) {
	t.Helper()
	w, ids := economyWorld(t, 1)
	w.GiveSignerIndex()
	o := w.Economy(w.Anna, action.Withdraw, chosen, ids[0])
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Paid)
	return w, o
}

// A server restored from a backup with an economy order goes on waiting, and sends or ends it.
func TestRestoredEconomyOrderWaits(t *testing.T) {
	w, o := waitingEconomy(t)
	backup := w.Backup()
	w.Clock.Advance(3 * 24 * time.Hour)
	w.Mine(3)
	restored := w.Restored(backup)
	restored.Step()
	restored.Settle(2)
	if got := restored.WantStatus(o.ID, order.Paid); got.Economy != w.Order(o.ID).Economy {
		t.Errorf("got %+v, want %+v", got.Economy, w.Order(o.ID).Economy)
	}
	second := restored.Restored(restored.Backup())
	restored.Rate = chosen
	restored.Settle(1)
	restored.WantStatus(o.ID, order.Sent)
	restored.Settle(order.FinalDepth)
	restored.WantStatus(o.ID, order.Consolidated)
	restored.Audit()

	second.Clock.Set(second.Order(o.ID).EndsAt().Add(time.Minute))
	second.Settle(1)
	second.WantStatus(o.ID, order.Expired)
	second.WantStage(o.UnitIDs[0], ledger.Unlocked)
	second.Rate = amount.SatPerVB(1)
	second.Settle(4)
	if got := second.Order(o.ID); got.Refunded != o.Fees.Total() {
		t.Errorf("%d sats are refunded, want %d", got.Refunded, o.Fees.Total())
	}
	second.Audit()
}

// A server restored from a backup in which an economy order waits finds what happened to it since: its payout, or the
// refund after its end.
func TestRestoredEconomyOrderIsFound(t *testing.T) {
	w, o := waitingEconomy(t)
	stale := w.Copy().PausedPayouts()
	w.Rate = chosen
	w.Settle(2)
	first := w.WantStatus(o.ID, order.Sent)
	stale.Step()
	if again := stale.WantStatus(o.ID, order.Sent); again.PayoutTx != first.PayoutTx {
		t.Errorf("PayoutTx: got %s, and %s in the copy", first.PayoutTx, again.PayoutTx)
	}
	stale.Settle(order.FinalDepth)
	stale.WantStatus(o.ID, order.Consolidated)
	stale.Audit()

	w, o = waitingEconomy(t)
	stale = w.Copy().PausedPayouts()
	w.Clock.Set(w.Order(o.ID).EndsAt().Add(time.Minute))
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.Rate = amount.SatPerVB(1)
	w.Settle(2)
	stale.Step()
	stale.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	stale.Settle(order.FinalDepth)
	refunds := len(stale.RefundsOf(o.ID))
	if got := stale.Order(o.ID); got.Refunded != o.Fees.Total() || refunds != 1 || !got.Status.Closed() {
		t.Errorf("the copy found %d refunds: %+v", refunds, got)
	}
	stale.WantStage(o.UnitIDs[0], ledger.Unlocked)
	stale.Audit()
}

// The difference is set and paid after the backup, and the payout has a normal order too. The restored server records
// the payout, and the audit accepts it.
func TestRestoredEconomyOrderWasRaised(t *testing.T) {
	w, ids := economyWorld(t, 2)
	w.GiveSignerIndex()
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp = 100_000 })
	o, normal := w.Economy(w.Anna, action.Withdraw, chosen, ids[0]), w.Withdrawal(ids[1])
	w.PayInFull(w.Anna, o)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "a test") })
	w.PayInFull(w.Anna, normal)
	stale := w.Copy()
	var d order.Difference
	w.Update(func(tx *store.Tx) (err error) {
		raised, err := w.Orders.Raise(w.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, w.Rate, w.Clock.Now())
		if err != nil {
			return err
		}
		d, err = w.Orders.DifferenceOf(w.Context(), tx.OrderTx(), raised)
		return err
	})
	w.Clock.Advance(time.Minute)
	w.Pay(w.Anna, o, d.Due)
	w.Settle(1)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
	w.Settle(2)
	first := w.WantStatus(o.ID, order.Sent)
	if w.WantStatus(normal.ID, order.Sent).PayoutID != first.PayoutID || first.IsEconomy() {
		t.Fatalf("the orders do not share a payout: %+v", first)
	}
	stale.Step()
	if again := stale.WantStatus(o.ID, order.Sent); again.PayoutTx != first.PayoutTx {
		t.Errorf("PayoutTx: got %s, and %s in the copy", first.PayoutTx, again.PayoutTx)
	}
	stale.Settle(order.FinalDepth)
	stale.WantStatus(o.ID, order.Consolidated)
	w.Step()
	w.Audit()
	stale.Audit()
}
