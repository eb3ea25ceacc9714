package refund_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/refund"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// wantRefunded checks that the server refunded sats of an order, without a request, to the payment address of the
// order's message.
func wantRefunded(w *testkit.World, o order.Order, status order.Status, sats amount.Sats) payout.Payout {
	w.Helper()
	all := w.RefundsOf(o.ID)
	if len(all) == 0 {
		w.Fatalf("the order has no refund: %+v", w.Order(o.ID))
	}
	p := all[len(all)-1]
	tx, fee := p.Versions[0].Tx, p.Versions[0].Fee
	out := tx.Msg.TxOut
	if len(out) != 1 || string(out[0].PkScript) != string(w.Anna.Payment.Script) || out[0].Value != int64(sats-fee) {
		w.Fatalf("the refund of %d sats for a fee of %d pays %+v", sats, fee, out)
	}
	if w.Node.Broadcasts(tx.ID) == 0 {
		w.Fatal("the refund was not broadcast")
	}
	if asked := w.Rows(`SELECT kind FROM operator_request WHERE kind = 'refund'`); asked != "" {
		w.Fatalf("an operator requested the refund: %s", asked)
	}
	got := w.WantStatus(o.ID, status)
	if got.Owed.Sats != 0 {
		w.Fatalf("still due: %+v", got.Owed)
	}
	w.Audit()
	return p
}

// In every status in which a refund is due, the server sends it automatically after one confirmation of the payments.
// The refund spends the order's anchor and does not change the status.
func TestRefundsAreSentByRule(t *testing.T) {
	for name, play := range map[string]func(*testkit.World, order.Order, string) (order.Status, amount.Sats){
		"canceled, part paid": func(w *testkit.World, o order.Order, _ string) (order.Status, amount.Sats) {
			w.Pay(w.Anna, o, 2000)
			w.Step()
			w.Cancel(o)
			return order.Canceled, 2000
		},
		"canceled, paid in full": func(w *testkit.World, o order.Order, _ string) (order.Status, amount.Sats) {
			w.Pay(w.Anna, o, o.Due())
			w.Step()
			w.Cancel(o)
			return order.Canceled, o.Due()
		},
		"part paid for a week": func(w *testkit.World, o order.Order, _ string) (order.Status, amount.Sats) {
			w.Pay(w.Anna, o, 2000)
			w.Step()
			w.Clock.Advance(order.PaymentWindow + time.Second)
			w.Step()
			return order.Expired, 2000
		},
		"paid late": func(w *testkit.World, o order.Order, _ string) (order.Status, amount.Sats) {
			w.Clock.Advance(order.FeeValid + time.Second)
			w.Pay(w.Bert, o, 5000)
			w.Step()
			return order.Expired, 5000
		},
		"paid in full and unconfirmed for two weeks": func(w *testkit.World, o order.Order,
			_ string) (order.Status, amount.Sats) {
			w.Pay(w.Anna, o, o.Due())
			w.Step()
			w.Clock.Advance(order.Unconfirmed + time.Second)
			w.Step()
			return order.Expired, o.Due()
		},
		"its unit was lost before any payment": func(w *testkit.World, o order.Order,
			unit string) (order.Status, amount.Sats) {
			w.Send(w.Recover(w.Anna, unit))
			w.Settle(ledger.RecoveryDepth)
			w.Pay(w.Anna, o, 3000)
			w.Step()
			return order.Invalid, 3000
		},
		"parts that count nothing": func(w *testkit.World, o order.Order, _ string) (order.Status, amount.Sats) {
			split(w, o, 20, 610) // each is below the floor of 612 sats at the order's fee rate
			w.Step()
			w.WantStatus(o.ID, order.Pending)
			w.Clock.Advance(order.FeeValid + time.Second)
			w.Step()
			return order.Expired, 20 * 610
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.NewWorld(t).InjectFaults()
			unit := w.Unlocked(w.Anna, 5000)
			if name == "parts that count nothing" {
				w.Rate = amount.SatPerVB(9)
			}
			o := w.Withdrawal(unit)
			status, sats := play(w, o, unit)
			w.Rate = amount.SatPerVB(2)
			w.WantStatus(o.ID, status)
			if n := len(w.RefundsOf(o.ID)); n != 0 {
				t.Fatalf("got %d refunds before a confirmation", n)
			}
			w.Settle(1)
			p := wantRefunded(w, o, status, sats)
			w.Settle(3)
			wantRefunded(w, o, status, sats)
			anchor := w.Order(o.ID).Anchor
			if !slices.ContainsFunc(p.Versions[0].Tx.Msg.TxIn, func(in *wire.TxIn) bool {
				return in.PreviousOutPoint.String() == anchor
			}) {
				t.Errorf("the refund does not spend the anchor %s", anchor)
			}
			if n := len(w.RefundsOf(o.ID)); n != 1 {
				t.Errorf("got %d refunds, want 1", n)
			}
		})
	}
}

// An overpayment is refunded once the delivery has 3 confirmations, from a delivered and from a consolidated order.
// Each later payment starts another refund.
func TestOverpaymentIsSentByRule(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	w.Pay(w.Anna, o, 9000)
	w.Settle(1)
	if n := len(w.RefundsOf(o.ID)); n != 0 {
		t.Fatalf("got %d refunds of a SENT order", n)
	}
	w.Settle(2)
	wantRefunded(w, o, order.Delivered, 9000)
	w.Settle(3)
	w.WantStatus(o.ID, order.Consolidated)
	w.Pay(w.Bert, o, 7000)
	w.Settle(1)
	wantRefunded(w, o, order.Consolidated, 7000)
	if n := len(w.RefundsOf(o.ID)); n != 2 {
		t.Errorf("got %d refunds, want 2", n)
	}
}

// A refund that costs more than it returns waits for a lower fee rate, which the order names. An operator can send it
// anyway.
func TestRefundWaitsForALowerRate(t *testing.T) {
	for _, asked := range []bool{false, true} {
		w := testkit.NewWorld(t).InjectFaults()
		o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
		w.Pay(w.Anna, o, 2500)
		w.Step()
		w.Rate = amount.SatPerVB(12)
		w.Cancel(o)
		w.Settle(2)
		due := w.WantStatus(o.ID, order.Canceled).Owed
		const vbytes = 54 + 58
		if most := amount.FeeRate(1250 * 1000 / vbytes); due.Sats != 2500 || due.Rate != most || due.Hold != order.HoldNone {
			t.Fatalf("due %+v, want it to wait for %s sat/vB", due, most)
		}
		wantView(w, o, refund.WaitingRate)
		if asked {
			w.Decide(payout.RequestRefund, o.ID)
			w.WantRequest(o.ID, payout.RequestDone, "")
			continue
		}
		w.Rate = due.Rate + 1
		w.Step()
		wantView(w, o, refund.WaitingRate)
		w.Rate = due.Rate
		w.Step()
		p := wantRefunded(w, o, order.Canceled, 2500)
		if fee := p.Versions[0].Fee; fee > 1250 {
			t.Errorf("fee: got %d of 2500 sats, want at most half", fee)
		}
		wantView(w, o, refund.Sent)
		w.Settle(3)
		wantView(w, o, refund.Done)
	}
}

// wantView compares the state that the owner sees of an order's latest refund.
func wantView(w *testkit.World, o order.Order, state refund.State) refund.Status {
	w.Helper()
	view := refund.View{Order: w.Order(o.ID), Signed: w.RefundsOf(o.ID), Rate: w.Rate, Tip: w.Node.Height()}
	w.Update(func(tx *store.Tx) (err error) {
		view.Payments, err = tx.PaymentsOf(w.Context(), o.ID)
		return err
	})
	all := view.Refunds()
	if len(all) == 0 || all[len(all)-1].State != state {
		w.Fatalf("refunds: got %+v, want %s", all, state)
	}
	last := all[len(all)-1]
	if last.Address != o.Payment || (last.Net != 0 && last.Sats != last.Net+last.Cost) {
		w.Errorf("refund: got %+v", last)
	}
	return last
}

// The smallest refund is signed first. A refund that the signer refuses delays no other and is tried again.
func TestSmallRefundsAreSentFirst(t *testing.T) {
	w := testkit.NewWorld(t)
	var orders []order.Order
	release := w.HoldRefunds()
	for _, sats := range []amount.Sats{9000, 2000, 5000} {
		o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
		w.Pay(w.Anna, o, sats)
		w.Clock.Advance(order.FeeValid + time.Second)
		orders = append(orders, o)
	}
	w.Clock.Advance(order.PaymentWindow)
	w.Settle(1)
	for _, o := range orders {
		if due := w.Order(o.ID).Owed; due.Hold != order.HoldRefused || due.Refusal == "" {
			t.Fatalf("due refund: got %+v of %s", due, o.ID)
		}
		wantView(w, o, refund.WaitingPerson)
	}
	release()
	record := &recording{Signer: w.Signer, refuse: orders[1].ID}
	w.Signer = record
	w.Step()
	if len(record.signed) != 0 {
		t.Errorf("tried again at once: %v", record.signed)
	}
	w.Clock.Advance(11 * time.Minute)
	w.Step()
	if want := []string{orders[1].ID, orders[2].ID, orders[0].ID}; !slices.Equal(record.signed, want) {
		t.Errorf("signed: got %v, want %v", record.signed, want)
	}
	wantRefunded(w, orders[0], order.Expired, 9000)
	wantRefunded(w, orders[2], order.Expired, 5000)
	record.refuse = ""
	w.Clock.Advance(11 * time.Minute)
	w.Step()
	wantRefunded(w, orders[1], order.Expired, 2000)
}

// recording is a signer that records the orders whose refunds it signs.
type recording struct {
	payout.Signer
	signed []string
	refuse string // id of an order whose refund it refuses
}

// Sign implements payout.Signer.
func (r *recording) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	if u.Refund != nil {
		r.signed = append(r.signed, u.Refund.Order.ID)
		if u.Refund.Order.ID == r.refuse {
			return nil, testkit.ErrRefused
		}
	}
	return r.Signer.Sign(ctx, u)
}

// A pause stops refunds. An AUDIT order is not refunded automatically, because an operator decides about it.
func TestRefundsThatArePausedOrDecided(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	pause := func(reason string) {
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, reason) })
	}
	units := w.UnlockedUnits(2, 5000)
	o, doubted := w.Withdrawal(units[0]), w.Withdrawal(units[1])
	pause("by the test")
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.Cancel(o)
	w.Settle(2)
	if n := len(w.RefundsOf(o.ID)); n != 0 {
		t.Fatalf("got %d refunds while payouts are paused", n)
	}
	w.Pay(w.Anna, doubted, doubted.Due())
	w.Step()
	w.Decide(payout.RequestReview, doubted.ID)
	pause("")
	w.Settle(3)
	wantRefunded(w, o, order.Canceled, o.Due())
	if n := len(w.RefundsOf(doubted.ID)); n != 0 {
		t.Fatalf("got %d refunds of an AUDIT order", n)
	}
	w.WantStatus(doubted.ID, order.Audit)
	wantView(w, doubted, refund.WaitingPerson)
}

// A stuck refund is replaced automatically as long as it returns at least its cost.
func TestStuckRefundIsReplacedByItself(t *testing.T) {
	w := testkit.NewWorld(t)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, 2400)
	w.Step()
	w.Cancel(o)
	w.Settle(1)
	p := wantRefunded(w, o, order.Canceled, 2400)
	w.Rate = amount.SatPerVB(100)
	w.EmptyBlocks(payout.BumpAfter)
	w.Step()
	p = w.RefundsOf(o.ID)[0]
	if len(p.Versions) != 2 || p.Versions[1].Fee <= p.Versions[0].Fee || p.Versions[1].Fee > 1200 {
		t.Fatalf("versions: got %+v", p.Versions)
	}
	w.EmptyBlocks(payout.BumpAfter)
	w.Step()
	if p = w.RefundsOf(o.ID)[0]; len(p.Versions) != 2 {
		t.Errorf("the replacement costs more than it returns: %+v", p.Versions)
	}
	w.Settle(3)
	wantView(w, o, refund.Done)
}

// Payments on more outputs than one refund spends are refunded in several transactions.
func TestManyPaymentsAreRefundedInParts(t *testing.T) {
	w := testkit.NewWorld(t)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	split(w, o, 160, 600)
	w.Settle(1)
	w.Step()
	all := w.RefundsOf(o.ID)
	if len(all) != 2 || len(all[0].Versions[0].Tx.Msg.TxIn) != 150 || len(all[1].Versions[0].Tx.Msg.TxIn) != 10 {
		t.Fatalf("got %d refunds: %+v", len(all), w.Order(o.ID))
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Expired)
	wantBooked(w, o.ID, 0, 0, 160*600)
}

// split pays an order by many outputs of one transaction.
func split(w *testkit.World, o order.Order, outputs int, each int64) {
	w.Helper()
	coin := w.Anna.Sats()
	outs := []*wire.TxOut{wire.NewTxOut(coin.Out.Value-int64(outputs)*each-20_000, w.Anna.Payment.Script)}
	for range outputs {
		outs = append(outs, wire.NewTxOut(each, o.Script))
	}
	w.Send(w.Anna.Spend([]testkit.Coin{coin}, outs...))
}

// If the confirmed payments alone are not worth a refund, the refund waits for the others and is tried again.
func TestRefundWaitsForConfirmations(t *testing.T) {
	w := testkit.NewWorld(t)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	w.Rate = amount.SatPerVB(5)
	w.Pay(w.Bert, o, 700)
	w.Settle(1)
	w.Pay(w.Anna, o, 5000)
	w.Step()
	if due := w.WantStatus(o.ID, order.Expired).Owed; due.Hold != order.HoldConfirmation || due.Sats != 5700 {
		t.Fatalf("due refund: got %+v", due)
	}
	wantView(w, o, refund.WaitingConfirmation)
	w.Mine(1)
	w.Clock.Advance(11 * time.Minute)
	w.Step()
	wantRefunded(w, o, order.Expired, 5700)
}

// Payments to a canceled claim are refunded like those to a withdrawal.
func TestRefundOfAClaim(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, reward := w.Rewarded(w.Anna, 5000)
	o := *w.Act(w.Anna, action.Claim, reward).Order
	w.Pay(w.Anna, o, 2000)
	w.Step()
	w.Cancel(o)
	w.Settle(1)
	wantRefunded(w, o, order.Canceled, 2000)
	w.WantStage(reward, ledger.Claimable)
}
