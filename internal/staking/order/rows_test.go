package order_test

import (
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// scenario plays rows of the status table on the chain.
type scenario struct {
	name string
	play func(w *testkit.World, o order.Order, unit string)
	rows []order.Row // the rows to play, in order; others may occur in between
}

// row returns a row of the table, or panics.
func row(from order.Status, event order.Event) order.Row {
	for _, r := range order.Statuses.Rows {
		if r.From == from && r.Event == event {
			return r
		}
	}
	panic("no row for a " + string(from) + " order on " + string(event))
}

const (
	over     = order.FeeValid + time.Second
	weekOver = order.PaymentWindow + time.Second
)

// wait advances the clock without a block, and runs a Step.
func wait(w *testkit.World, d time.Duration) {
	w.Helper()
	w.Clock.Advance(d)
	w.Step()
}

// payWith pays an order from a coin of Anna's. elsewhere replaces the payment with another spend of the coin.
func payWith(w *testkit.World, o order.Order, sats amount.Sats) (elsewhere func(fee int64)) {
	w.Helper()
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, sats, 1000))
	w.Step()
	return func(fee int64) {
		w.Send(w.SpendToSelf(w.Anna, fee, coin))
		w.Step()
	}
}

func cancel(w *testkit.World, o order.Order) {
	w.Helper()
	asked, err := w.Actions.PostCancel(w.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
	testkit.Must(w, err)
	_, err = w.Actions.SignCancel(w.Context(), testkit.Prefix, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Anna.Sign(asked.Message),
	}, o.ID)
	testkit.Must(w, err)
	w.Step()
}

func rerate(w *testkit.World, o order.Order, satPerVB int64) order.Order {
	w.Helper()
	var got order.Order
	w.Change(func(tx *store.Tx) (err error) {
		got, err = w.Orders.Rerate(w.Context(), tx.OrderTx(), testkit.Prefix, w.Anna.Ordinals.Text, o.ID,
			amount.SatPerVB(satPerVB), w.Clock.Now())
		return err
	})
	return got
}

func ask(w *testkit.World, kind payout.RequestKind, o order.Order) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		_, err := tx.InsertRequest(w.Context(), payout.Request{Kind: kind, OrderID: o.ID, By: "olga", Why: "test",
			At: w.Clock.Now()},
			"")
		return err
	})
	w.Step()
}

// undo replaces the last depth blocks by depth + 1 blocks without transactions.
func undo(w *testkit.World, depth int) {
	w.Helper()
	w.Node.Rewind(depth)
	for range depth + 1 {
		w.Node.MineOnly()
	}
	w.Step()
}

func recovered(w *testkit.World, unit string) {
	w.Helper()
	w.Send(w.Recover(w.Anna, unit))
	w.Settle(ledger.RecoveryDepth)
}

// lostAndReplaced recovers the order's unit and replaces its only payment, so that the server sees both in one Step.
func lostAndReplaced(w *testkit.World, o order.Order, unit string, after time.Duration, sats amount.Sats) {
	w.Helper()
	w.Mature(unit)
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, sats, 1000))
	w.Step()
	wait(w, after)
	w.Node.MineOnly(w.Recover(w.Anna, unit))
	w.Node.MineOnly()
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
	w.Step()
}

// undecided pays an order in full and has an operator review it before the payment confirms. Afterwards the order is in
// AUDIT, and its units are free.
func undecided(w *testkit.World, o order.Order) {
	w.Helper()
	payWith(w, o, o.Due())
	ask(w, payout.RequestReview, o)
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Audit); got.Owed.Sats != o.Due() || got.Owed.Reason != order.RefundAudit {
		w.Errorf("due is %+v", got.Owed)
	}
}

// scenarios play every row of the order status table.
var scenarios = []scenario{
	{"nothing is paid", func(w *testkit.World, o order.Order, _ string) {
		wait(w, over)
	}, []order.Row{row("", order.ProofAccepted), row(order.Pending, order.NothingSeen)}},

	{"canceled before any payment, then paid late", func(w *testkit.World, o order.Order, _ string) {
		cancel(w, o)
		w.Pay(w.Anna, o, o.Due())
		w.Step()
		w.WantStatus(o.ID, order.Canceled)
	}, []order.Row{row(order.Pending, order.CanceledByOwner)}},

	{"paid in parts: several outputs, several transactions", func(w *testkit.World, o order.Order, unit string) {
		coin := w.Anna.Sats()
		w.Send(w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(700, o.Script), wire.NewTxOut(600, o.Script),
			wire.NewTxOut(800, o.Script),
			wire.NewTxOut(coin.Out.Value-3100, w.Anna.Payment.Script)))
		w.Settle(1)
		got := w.WantStatus(o.ID, order.Confirmed)
		if got.Seen != 2100 || got.Confirmed != 2100 || got.Fees.Network <= o.Fees.Network {
			w.Errorf("after three outputs: %+v", got)
		}
		w.Pay(w.Anna, o, 900)
		w.Step()
		w.Pay(w.Anna, o, w.Order(o.ID).Due())
		w.Step()
		if w.Order(o.ID).Due() != 0 {
			w.Errorf("due %d after paying what was due", w.Order(o.ID).Due())
		}
		w.Settle(1)
		w.WantStage(unit, ledger.BatchLocked)
		w.Settle(6)
	}, []order.Row{
		row(order.Pending, order.FirstPaymentSeen), row(order.Confirmed, order.PaidInFull),
		row(order.Paid, order.PayoutStored),
		row(order.Sent, order.PayoutConfirmed), row(order.Delivered, order.Swept),
	}},

	{"every payment is replaced, in time and then too late", func(w *testkit.World, o order.Order, unit string) {
		payWith(w, o, 700)(3000)
		w.WantStage(unit, ledger.POLocked)
		elsewhere := payWith(w, o, o.Due())
		wait(w, over)
		w.WantStatus(o.ID, order.Confirmed)
		elsewhere(3000)
	}, []order.Row{row(order.Confirmed, order.PaymentsVanished), row(order.Confirmed, order.PaymentsVanishedLate)}},

	{"a payment is only absent from the mempool", func(w *testkit.World, o order.Order, _ string) {
		payWith(w, o, 700)
		w.Node.Forget()
		wait(w, 10*time.Minute)
		w.WantStatus(o.ID, order.Confirmed)
		w.Settle(1)
	}, []order.Row{row(order.Pending, order.FirstPaymentSeen)}},

	{"the rate runs out, and the payment goes away", func(w *testkit.World, o order.Order, _ string) {
		elsewhere := payWith(w, o, 700)
		wait(w, over)
		w.WantStatus(o.ID, order.PendingRerate)
		elsewhere(3000)
	}, []order.Row{row(order.Confirmed, order.FeesExpired), row(order.PendingRerate, order.PaymentsVanishedLate)}},

	{"a higher rate", func(w *testkit.World, o order.Order, unit string) {
		w.Pay(w.Anna, o, 1500)
		w.Settle(1)
		wait(w, over)
		w.WantStatus(o.ID, order.PendingRerate)
		got := rerate(w, o, 9)
		if got.Fees.Total() <= o.Fees.Total() {
			w.Errorf("the price at 9 sat/vB: %d, at 2: %d", got.Fees.Total(), o.Fees.Total())
		}
		w.WantStage(unit, ledger.PendingWithdraw)
		w.Pay(w.Anna, o, got.Due())
		w.Settle(1)
		w.WantStatus(o.ID, order.Sent)
	}, []order.Row{row(order.PendingRerate, order.Rerated)}},

	{"a lower rate covers it", func(w *testkit.World, o order.Order, _ string) {
		w.Pay(w.Anna, o, o.Due()-600)
		w.Settle(1)
		wait(w, over)
		rerate(w, o, 1)
	}, []order.Row{row(order.PendingRerate, order.PaidInFull)}},

	{"canceled after a payment", func(w *testkit.World, o order.Order, unit string) {
		w.Pay(w.Anna, o, 2500)
		w.Step()
		cancel(w, o)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.Confirmed, order.CanceledByOwner)}},

	{"canceled after it was paid, before its payout was signed", func(w *testkit.World, o order.Order, unit string) {
		pausePayouts(w)
		w.Pay(w.Anna, o, o.Due())
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
		cancel(w, o)
		w.WantStage(unit, ledger.Unlocked)
		if got := w.Order(o.ID); got.Owed.Sats != o.Due() || got.Owed.Reason != order.RefundCanceled {
			w.Errorf("due is %+v", got.Owed)
		}
	}, []order.Row{row(order.Paid, order.CanceledByOwner)}},

	{"canceled when its rate ran out", func(w *testkit.World, o order.Order, _ string) {
		payWith(w, o, 2400)
		wait(w, over)
		cancel(w, o)
	}, []order.Row{row(order.PendingRerate, order.CanceledByOwner)}},

	{"the server was away for a week, part paid", func(w *testkit.World, o order.Order, _ string) {
		w.Pay(w.Anna, o, 2400)
		w.Step()
		wait(w, weekOver)
	}, []order.Row{row(order.Confirmed, order.PaymentWindowEnded)}},

	{"the week ends waiting for a rate", func(w *testkit.World, o order.Order, _ string) {
		payWith(w, o, 2400)
		wait(w, over)
		wait(w, order.PaymentWindow)
	}, []order.Row{row(order.PendingRerate, order.PaymentWindowEnded)}},

	{"seen in full, in no block for two weeks", func(w *testkit.World, o order.Order, _ string) {
		payWith(w, o, o.Due())
		wait(w, weekOver)
		w.WantStatus(o.ID, order.Confirmed)
		wait(w, weekOver)
	}, []order.Row{row(order.Confirmed, order.NeverConfirmed)}},

	{"paid, and the block goes away", func(w *testkit.World, o order.Order, unit string) {
		pausePayouts(w)
		w.Pay(w.Anna, o, o.Due())
		w.Settle(1)
		w.WantStage(unit, ledger.BatchLocked)
		wait(w, over)
		undo(w, 1)
		w.WantStage(unit, ledger.PendingWithdraw)
	}, []order.Row{row(order.Paid, order.PaymentUndone)}},

	{"paid, and one part is replaced by a reorg, too late", func(w *testkit.World, o order.Order, _ string) {
		pausePayouts(w)
		w.Pay(w.Anna, o, 1500)
		w.Settle(1)
		coin := w.Anna.Sats()
		w.Send(w.Payment(w.Anna, coin, o, w.Order(o.ID).Due(), 1000))
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
		wait(w, over)
		w.Node.Rewind(1)
		w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
		w.Node.MineOnly()
		w.Step()
	}, []order.Row{row(order.Paid, order.PaymentUndoneLate)}},

	{"its unit is recovered before any payment, and paid for late", func(w *testkit.World, o order.Order, unit string) {
		w.Mature(unit)
		recovered(w, unit)
		w.Pay(w.Anna, o, 2500)
		w.Step()
	}, []order.Row{row(order.Pending, order.UnitLost)}},

	{"its unit is recovered while everything is paused, and a late payment is there", func(w *testkit.World, o order.Order,
		unit string) {
		w.Mature(unit)
		w.Send(w.Recover(w.Anna, unit))
		w.Mine(1)
		w.Clock.Advance(over)
		w.Pay(w.Anna, o, 2500)
		w.Mine(2)
		w.Step()
	}, []order.Row{row(order.Pending, order.UnitLostAfterPaying)}},

	{"its unit is recovered after a payment", func(w *testkit.World, o order.Order, unit string) {
		w.Mature(unit)
		w.Pay(w.Anna, o, 1500)
		w.Step()
		recovered(w, unit)
	}, []order.Row{row(order.Confirmed, order.UnitLostAfterPaying)}},

	{"its unit is recovered and the payment replaced in one look", func(w *testkit.World, o order.Order, unit string) {
		lostAndReplaced(w, o, unit, 0, 1500)
	}, []order.Row{row(order.Confirmed, order.UnitLost)}},

	{"the same, while it waits for a rate", func(w *testkit.World, o order.Order, unit string) {
		lostAndReplaced(w, o, unit, over, 1500)
	}, []order.Row{row(order.PendingRerate, order.UnitLost)}},

	{"the same, by a reorg, while it is paid", func(w *testkit.World, o order.Order, unit string) {
		w.Mature(unit)
		pausePayouts(w)
		coin := w.Anna.Sats()
		w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
		w.Settle(1)
		w.WantStatus(o.ID, order.Paid)
		recovery := w.Recover(w.Anna, unit)
		w.Node.Rewind(1)
		w.Node.MineOnly(recovery)
		w.Node.MineOnly()
		w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
		w.Step()
	}, []order.Row{row(order.Paid, order.UnitLost)}},

	{"its unit is recovered while it waits for a rate", func(w *testkit.World, o order.Order, unit string) {
		w.Mature(unit)
		payWith(w, o, 1500)
		wait(w, over)
		recovered(w, unit)
	}, []order.Row{row(order.PendingRerate, order.UnitLostAfterPaying)}},

	{"its unit is recovered while it is paid", func(w *testkit.World, o order.Order, unit string) {
		w.Mature(unit)
		pausePayouts(w)
		w.Pay(w.Anna, o, o.Due())
		w.Settle(1)
		recovered(w, unit)
	}, []order.Row{row(order.Paid, order.UnitLostAfterPaying)}},

	{"its unit is recovered while it is sent", func(w *testkit.World, o order.Order, unit string) {
		w.Mature(unit)
		w.Pay(w.Anna, o, o.Due())
		w.Settle(1)
		w.WantStatus(o.ID, order.Sent)
		w.Node.MineOnly(w.Recover(w.Anna, unit))
		w.Step()
		w.Settle(order.FinalDepth - 1)
	}, []order.Row{row(order.Sent, order.PayoutDeadByInput)}},

	{"paid with own coins in one transaction", func(w *testkit.World, o order.Order, unit string) {
		w.PayOneTx(w.Anna, o)
		w.Step()
		w.WantStatus(o.ID, order.Sent)
		w.WantStage(unit, ledger.BatchLocked)
		w.Settle(order.DeliveryDepth)
		w.WantStage(unit, ledger.Withdrawn)
	}, []order.Row{row(order.Pending, order.OneTxStored), row(order.Sent, order.PayoutConfirmed)}},

	{"paid in part by a stranger, and with own coins in one transaction",
		func(w *testkit.World, o order.Order, unit string) {
			w.Pay(w.Bert, o, 1500)
			w.Step()
			w.WantStatus(o.ID, order.Confirmed)
			w.PayOneTx(w.Anna, o)
			w.Step()
			w.WantStatus(o.ID, order.Sent)
			w.WantStage(unit, ledger.BatchLocked)
		}, []order.Row{row(order.Confirmed, order.OneTxStored)}},

	{"an own coin is spent elsewhere after the signature", func(w *testkit.World, o order.Order, unit string) {
		own := w.PayOneTx(w.Anna, o)
		w.Step()
		w.WantStatus(o.ID, order.Sent)
		w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, own...))
		w.Step()
		w.Settle(order.FinalDepth - 2)
		w.WantStatus(o.ID, order.Sent)
		w.Settle(1)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.Sent, order.CoinTaken)}},

	{"its unit is recovered after it was paid with own coins", func(w *testkit.World, o order.Order, unit string) {
		w.Mature(unit)
		w.PayOneTx(w.Anna, o)
		w.Step()
		w.WantStatus(o.ID, order.Sent)
		w.Node.MineOnly(w.Recover(w.Anna, unit))
		w.Step()
		w.Settle(order.FinalDepth - 2)
		w.WantStatus(o.ID, order.Sent)
		w.Settle(1)
		w.WantStatus(o.ID, order.Invalid)
		w.WantStage(unit, ledger.Withdrawn)
	}, []order.Row{row(order.Sent, order.UnitLost)}},

	{"its payout falls under 3, from both ends", func(w *testkit.World, o order.Order, unit string) {
		w.Pay(w.Anna, o, o.Due())
		w.Settle(4)
		w.WantStatus(o.ID, order.Delivered)
		undo(w, 2)
		w.WantStatus(o.ID, order.Delivered)
		undo(w, 4)
		w.WantStatus(o.ID, order.Sent)
		w.WantStage(unit, ledger.BatchLocked)
		w.Settle(6)
		w.WantStatus(o.ID, order.Consolidated)
		undo(w, 6)
		w.WantStage(unit, ledger.BatchLocked)
		w.Settle(3)
		w.WantStage(unit, ledger.Withdrawn)
	}, []order.Row{row(order.Delivered, order.PayoutUnconfirmed), row(order.Consolidated, order.PayoutUnconfirmed)}},

	{"refunded, and the refund falls under 3", func(w *testkit.World, o order.Order, _ string) {
		undecided(w, o)
		ask(w, payout.RequestRefund, o)
		w.Settle(3)
		w.WantStatus(o.ID, order.Canceled)
		undo(w, 3)
		w.WantStatus(o.ID, order.Audit)
		w.Settle(3)
	}, []order.Row{row(order.Audit, order.RefundConfirmed), row(order.Canceled, order.RefundUnconfirmed)}},

	{"doubted by the operator while it is paid", func(w *testkit.World, o order.Order, unit string) {
		pausePayouts(w)
		payWith(w, o, 2500)
		ask(w, payout.RequestReview, o)
		w.WantStatus(o.ID, order.Audit)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.Confirmed, order.ReviewedByOperator)}},

	{"doubted by the operator when its rate ran out", func(w *testkit.World, o order.Order, unit string) {
		payWith(w, o, 2400)
		wait(w, over)
		ask(w, payout.RequestReview, o)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.PendingRerate, order.ReviewedByOperator)}},

	{"doubted by the operator before its payout was signed", func(w *testkit.World, o order.Order, unit string) {
		pausePayouts(w)
		payWith(w, o, o.Due())
		w.Settle(1)
		ask(w, payout.RequestReview, o)
		w.WantStage(unit, ledger.Unlocked)
	}, []order.Row{row(order.Paid, order.ReviewedByOperator)}},

	{"taken up again by the operator", func(w *testkit.World, o order.Order, unit string) {
		undecided(w, o)
		ask(w, payout.RequestResume, o)
		w.Settle(3)
		w.WantStage(unit, ledger.Withdrawn)
	}, []order.Row{row(order.Audit, order.ResolvedByOperator)}},

	{"closed by the operator, since what was paid was taken back", func(w *testkit.World, o order.Order, _ string) {
		elsewhere := payWith(w, o, o.Due())
		ask(w, payout.RequestReview, o)
		w.WantStatus(o.ID, order.Audit)
		elsewhere(3000)
		ask(w, payout.RequestClose, o)
	}, []order.Row{row(order.Audit, order.ClosedByOperator)}},

	{"a shared payout dies by another order's unit", func(w *testkit.World, _ order.Order, unit string) {
		w.GiveSignerIndex()
		other, _ := w.Deposit(w.Bert, 5000)
		w.Settle(4)
		w.NextEpoch()
		w.Act(w.Bert, action.Unstake, other)
		w.NextEpoch()
		w.NextEpoch()
		o := *w.Act(w.Anna, action.Withdraw, unit).Order
		second := *w.Act(w.Bert, action.Withdraw, other).Order
		pausePayouts(w)
		w.Pay(w.Anna, o, o.Due())
		w.Pay(w.Bert, second, second.Due())
		w.Settle(1)
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "") })
		w.Step()
		if w.Order(o.ID).PayoutID != w.Order(second.ID).PayoutID || w.Order(o.ID).PayoutID == "" {
			w.Fatal("the payout is not shared")
		}
		w.Mature(other)
		w.Node.MineOnly(w.Recover(w.Bert, other))
		w.Step()
		w.Settle(order.FinalDepth - 1)
		w.WantStatus(second.ID, order.Audit)
		w.Settle(3)
		w.WantStatus(o.ID, order.Delivered)
	}, []order.Row{row(order.Sent, order.PayoutDead)}},
}
