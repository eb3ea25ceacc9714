package sim

import (
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// refundOperations are operations of payers, in scenarios that have them: several payments to an order that needs none,
// so that several of its refunds are live at once.
var refundOperations = []operation{
	{"an order is paid again and again", 10, (*scenario).payAgain},
	{"an order is paid again while payouts are paused", 5, (*scenario).payAgainWhilePaused},
	{"a payment of a refunded order is replaced", 5, (*scenario).replaceAmongRefunds},
	{"an order is canceled among its payments", 5, (*scenario).cancelAmongPayments},
}

// overpaid returns an order that needs no payment, mostly one that is over, and a wallet that pays it nevertheless: its
// owner or a stranger.
func (sc *scenario) overpaid() (o order.Order, from *testkit.Wallet, ok bool) {
	sc.Rate = amount.SatPerVB(choose(sc, []int64{1, 2, 5})) // so that small payments are worth a refund
	o, owner, ok := sc.order(order.Canceled, order.Expired, order.Invalid, order.Delivered, order.Consolidated, order.Paid,
		order.Sent, order.Audit)
	if !ok {
		return o, nil, false
	}
	return o, choose(sc, []*testkit.Wallet{owner, sc.stranger(owner)}), true
}

// payAgain pays an order several times: twice in a block, a block apart, or in many small outputs of one transaction.
// The server may follow each block, and refunds what it sees.
func (sc *scenario) payAgain() {
	if o, from, ok := sc.overpaid(); ok {
		sc.payOften(o, from)
	}
}

func (sc *scenario) payOften(o order.Order, from *testkit.Wallet) {
	for range sc.between(2, 6) {
		switch sc.rng.IntN(4) {
		case 0:
			sc.paySmall(o, from)
		case 1:
			sc.payTo(from, o, amount.Sats(sc.between(600, 3000)))
			fallthrough
		default:
			sc.payTo(from, o, amount.Sats(sc.between(2000, 30_000)))
		}
		sc.synced = false // the server has not seen the payments
		if !sc.oneIn(4) {
			sc.mineAll()
		}
		if !sc.oneIn(3) {
			sc.followAndCheck()
			sc.noteRefunds()
		}
	}
}

// paySmall pays an order by many outputs of the smallest sum that a node relays, in one transaction.
func (sc *scenario) paySmall(o order.Order, from *testkit.Wallet) {
	const small = 546
	coin := sc.sats(from)
	var outs []*wire.TxOut
	for range sc.between(10, 40) {
		outs = append(outs, wire.NewTxOut(small, o.Script))
	}
	sc.note("  %d outputs of %d sats", len(outs), small)
	left := coin.Out.Value - int64(len(outs))*small - 20*fee
	sc.broadcast(from.Spend([]testkit.Coin{coin}, append(outs, wire.NewTxOut(left, from.Payment.Script))...))
}

// payAgainWhilePaused pays an order several times while payouts are paused, so that all of it is due at once.
func (sc *scenario) payAgainWhilePaused() {
	o, from, ok := sc.overpaid()
	if !ok {
		return
	}
	sc.pausePayouts()
	sc.payOften(o, from)
	sc.resume()
	sc.followAndCheck()
	sc.noteRefunds()
	sc.payOften(o, from)
}

// replaceAmongRefunds pays an order several times, and then replaces one payment by a reorg while the refunds of all
// wait for a block.
func (sc *scenario) replaceAmongRefunds() {
	o, from, ok := sc.overpaid()
	if !ok {
		return
	}
	var paid []spend
	for range sc.between(2, 4) {
		paid = append(paid, sc.paying(o, from, amount.Sats(sc.between(3000, 20_000))))
		sc.mineAll()
		sc.followAndCheck()
		sc.noteRefunds()
	}
	if depth := min(int64(len(paid)), sc.Node.Height()-sc.floor); depth > 0 {
		sc.rewind(depth)
		sc.doubleSpend(choose(sc, paid))
		for range depth {
			sc.mineAll()
		}
		sc.followAndCheck()
	}
}

// cancelAmongPayments orders a delivery, pays parts of it, cancels it between two payments, and pays again.
func (sc *scenario) cancelAmongPayments() {
	o, from, ok := sc.newOrder(choose(sc, []action.Type{action.Withdraw, action.Claim}))
	if !ok {
		return
	}
	payer := choose(sc, []*testkit.Wallet{from, sc.stranger(from)})
	for range sc.between(0, 3) {
		sc.payTo(payer, o, amount.Sats(sc.between(600, 1500)))
	}
	sc.mineAll()
	sc.followAndCheck()
	sc.cancelOrder(sc.Order(o.ID), from, func() { sc.payTo(payer, o, amount.Sats(sc.between(2000, 20_000))) })
	sc.synced = false
	sc.payOften(o, payer)
	sc.pass(time.Duration(sc.between(1, 30)) * time.Hour)
	sc.payOften(o, from)
}

// noteRefunds counts the moments at which several refunds of one order were live.
func (sc *scenario) noteRefunds() {
	if several := sc.column(`SELECT order_ids FROM payout WHERE kind = 'refund' AND status = 'live'
		GROUP BY order_ids HAVING COUNT(*) > 1`); len(several) > 0 {
		sc.faults[severalRefunds]++
	}
}
