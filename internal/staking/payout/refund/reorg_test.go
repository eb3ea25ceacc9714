package refund_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// paidFlow is a flow that ends with an automatic refund.
type paidFlow struct {
	name   string
	status order.Status // of the order at the end
	sats   amount.Sats  // of the refunded payment
	play   func(w *testkit.World, o order.Order, unit string, payment func(...int64))

	approval approval
}

// approval says when an operator approves a refund above the limits.
type approval int

const (
	notNeeded approval = iota // the refund is within the limits
	beforeTheReorg
	afterTheReorg
)

// approve requests the refund of an order as an operator.
func (f paidFlow) approve(w *testkit.World, o order.Order) {
	w.Helper()
	wantRefunds(w, o, 0, f.sats, order.HoldLimit)
	w.Decide(payout.RequestRefund, o.ID)
	wantRefunds(w, o, 1, 0, order.HoldNone)
}

func payLateAboveTheLimit(w *testkit.World, _ order.Order, _ string, payment func(...int64)) {
	w.Clock.Advance(order.FeeValid + time.Second)
	payment(40_000)
	w.Settle(1)
}

// paidFlows are all cases in which a refund is sent. play ends when the refund is stored or, above the limits, when it
// is held. payment pays the order by outputs of one transaction.
var paidFlows = []paidFlow{
	{"canceled", order.Canceled, 2000, func(w *testkit.World, o order.Order, _ string, payment func(...int64)) {
		payment(2000)
		w.Step()
		w.Cancel(o)
		w.Settle(1)
	}, notNeeded},
	{"part paid for a week", order.Expired, 2000,
		func(w *testkit.World, o order.Order, _ string, payment func(...int64)) {
			payment(2000)
			w.Settle(1)
			w.Clock.Advance(order.PaymentWindow + time.Second)
			w.Step()
		}, notNeeded},
	{"paid late", order.Expired, 5000, func(w *testkit.World, o order.Order, _ string, payment func(...int64)) {
		w.Clock.Advance(order.FeeValid + time.Second)
		payment(5000)
		w.Settle(1)
	}, notNeeded},
	{"overpayment", order.Consolidated, 9000, func(w *testkit.World, o order.Order, _ string, payment func(...int64)) {
		w.Pay(w.Anna, o, o.Due())
		w.Settle(1)
		payment(9000)
		w.Settle(3)
	}, notNeeded},
	{"its unit was recovered", order.Invalid, 3000,
		func(w *testkit.World, o order.Order, unit string, payment func(...int64)) {
			w.Send(w.Recover(w.Anna, unit))
			w.Settle(ledger.RecoveryDepth)
			payment(3000)
			w.Settle(1)
		}, notNeeded},
	{"parts that count nothing", order.Expired, 12 * 610,
		func(w *testkit.World, o order.Order, _ string, payment func(...int64)) {
			payment(slices.Repeat([]int64{610}, 12)...)
			w.Step()
			w.WantStatus(o.ID, order.Pending)
			w.Clock.Advance(order.FeeValid + time.Second)
			w.Step()
			w.Rate = amount.SatPerVB(2)
			w.Settle(1)
		}, notNeeded},
	{"above the limit, approved before", order.Expired, 40_000, payLateAboveTheLimit, beforeTheReorg},
	{"above the limit, approved after", order.Expired, 40_000, payLateAboveTheLimit, afterTheReorg},
}

// reorgedRefund is a refund in a copy of a world with a separate chain.
type reorgedRefund struct {
	*testkit.World
	paidFlow
	order order.Order
	coin  testkit.Coin // that paid
	paid  int          // confirmations of the payment
}

// A reorg of 1 to 6 blocks undoes a refund that waits, also for an operator, is in a block, or is confirmed, with the
// blocks before it, and often its payment. The payment is mined again, mined late, or replaced. In the end the chain
// has one refund, to the signed address, of exactly the sats that were paid to the order. A short run tries one of
// these three for each refund, in turn.
func TestReorgsOfRefunds(t *testing.T) {
	stages := []struct {
		name   string
		blocks int // with the refund
	}{{"waits", 0}, {"in a block", 1}, {"confirmed", 3}}
	fates := []struct {
		name  string
		reorg func(reorgedRefund, int)
	}{{"again", reorgedRefund.again}, {"late", reorgedRefund.late}, {"replaced", reorgedRefund.replaced}}
	for i, flow := range paidFlows {
		for j, stage := range stages {
			if flow.approval == afterTheReorg && stage.blocks > 0 {
				continue
			}
			t.Run(flow.name+", "+stage.name, func(t *testing.T) {
				past, o, coin, paid := refunded(t, flow, stage.blocks)
				for depth := 1; depth <= 6; depth++ {
					if (engine.Current() == engine.Postgres || testing.Short()) && depth < 6 {
						continue
					}
					for k, fate := range fates {
						if fate.name == "replaced" && depth < paid || testing.Short() && (i+j)%len(fates) != k {
							continue
						}
						t.Run(fmt.Sprint(depth, " ", fate.name), func(t *testing.T) {
							w := past.Start(t, nil)
							if flow.approval != notNeeded {
								limitRefunds(w, 100_000, 10_000)
							}
							fate.reorg(reorgedRefund{w, flow, o, coin, paid}, depth)
						})
					}
				}
			})
		}
	}
}

// refunded plays a flow and mines blocks on the stored refund. It returns the snapshot, and the confirmations of the
// payment.
func refunded(
	t *testing.T, flow paidFlow, blocks int,
) (past testkit.Checkpoint, o order.Order, coin testkit.Coin, paid int) {
	w := testkit.NewWorld(t)
	unit := w.Unlocked(w.Anna, 5000)
	w.Settle(6)
	if flow.sats == 12*610 {
		w.Rate = amount.SatPerVB(9) // at which payments below 612 sats count nothing
	}
	if flow.approval != notNeeded {
		limitRefunds(w, 100_000, 10_000)
	}
	o = w.Withdrawal(unit)
	coin = w.Anna.Sats()
	var paidBy chainhash.Hash
	flow.play(w, o, unit, func(outputs ...int64) {
		left := coin.Out.Value - 1000
		var outs []*wire.TxOut
		for _, sats := range outputs {
			outs = append(outs, wire.NewTxOut(sats, o.Script))
			left -= sats
		}
		tx := w.Send(w.Anna.Spend([]testkit.Coin{coin}, append(outs, wire.NewTxOut(left, w.Anna.Payment.Script))...))
		paidBy = tx.ID
	})
	switch flow.approval {
	case notNeeded:
		wantRefunded(w, o, w.Order(o.ID).Status, flow.sats)
	case beforeTheReorg:
		flow.approve(w, o)
	case afterTheReorg:
		wantRefunds(w, o, 0, flow.sats, order.HoldLimit)
	}
	w.Settle(blocks)
	at, _ := w.Node.Locate(paidBy)
	return w.Checkpoint(), o, coin, int(w.Node.Height()-at) + 1
}

// again mines the transactions that the reorg undid in the new branch.
func (r reorgedRefund) again(depth int) {
	r.Node.Rewind(depth)
	r.Settle(depth + 1)
	r.finish()
}

// late mines an empty branch before the transactions that the reorg undid.
func (r reorgedRefund) late(depth int) {
	r.Node.Rewind(depth)
	for range depth + 1 {
		r.Node.MineOnly()
	}
	r.Step()
	r.Audit()
	r.finish()
}

// replaced mines another spend of the payment's coin, so that nothing is paid, and nothing is refunded.
func (r reorgedRefund) replaced(depth int) {
	r.Node.Rewind(depth)
	r.Node.MineOnly(r.SpendToSelf(r.Anna, 20_000, r.coin))
	r.Settle(depth)
	r.Audit()
	r.Settle(12)
	r.want(0)
}

func (r reorgedRefund) finish() {
	r.Helper()
	r.Settle(12)
	if r.approval == afterTheReorg {
		r.approve(r.World, r.order)
		r.Settle(3)
	}
	r.want(r.sats)
}

// want checks on the chain that the order's refunds returned sats less the fee, and that nothing more is due.
func (r reorgedRefund) want(sats amount.Sats) {
	r.Helper()
	var returned amount.Sats
	for _, p := range r.World.RefundsOf(r.order.ID) {
		for _, v := range p.Versions {
			if at, _ := r.Node.Locate(v.Tx.ID); at < 0 {
				continue
			}
			out := v.Tx.Msg.TxOut
			if len(out) != 1 || string(out[0].PkScript) != string(r.Anna.Payment.Script) {
				r.Fatalf("refund %s pays %+v", v.Tx.ID, out)
			}
			returned += amount.Sats(out[0].Value) + v.Fee
		}
	}
	o := r.WantStatus(r.order.ID, r.status)
	if returned != sats || o.Owed.Sats != 0 || o.Refunded != sats {
		r.Fatalf("%d sats returned and %d booked of %d, %d still due", returned, o.Refunded, sats, o.Owed.Sats)
	}
	r.Audit()
	r.Check()
}
