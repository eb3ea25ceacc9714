package sim

import (
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// hostileOperations are operations of hostile or broken strangers, owners, wallets and nodes.
var hostileOperations = []operation{
	{"a stranger floods an order", 12, (*scenario).flood},
	{"a stranger pays from many inputs", 5, (*scenario).manyInputs},
	{"a payment that no miner takes", 8, (*scenario).neverConfirms},
	{"an owner pays in parts", 8, (*scenario).split},
	{"an owner cycles refunds", 3, (*scenario).cycleRefunds},
	{"a wallet cannot sign", 12, (*scenario).cannotSign},
	{"the node refuses everything for a while", 4, (*scenario).nodeRefusesAll},
	{"the server is taken over", 6, (*scenario).takenOver},
	{"the community's key is stolen", 6, (*scenario).keyStolen},
}

// flood sends many outputs to an order in one transaction: dust, outputs that cost more to spend than their value, and
// small payments. It may repeat this immediately.
func (sc *scenario) flood() {
	o, owner, ok := sc.order(order.Pending, order.Confirmed, order.PendingRerate, order.Paid)
	if !ok {
		return
	}
	from := sc.stranger(owner)
	for again := true; again; again = sc.oneIn(3) {
		coin := sc.sats(from)
		var outs []*wire.TxOut
		left := coin.Out.Value - 20*fee
		for range sc.between(2, 60) {
			value := choose(sc, []int64{330, 546, 600, int64(vault.PaymentFloor(o.FeeRate)), sc.between(600, 3000)})
			if left -= value; left < 1000 {
				break
			}
			outs = append(outs, wire.NewTxOut(value, o.Script))
		}
		sc.note("  %d outputs", len(outs))
		sc.broadcast(from.Spend([]testkit.Coin{coin}, append(outs, wire.NewTxOut(max(left, 1000), from.Payment.Script))...))
	}
}

// manyInputs pays an order from several inputs, any of which may be spent elsewhere afterwards.
func (sc *scenario) manyInputs() {
	o, owner, ok := sc.order(order.Pending, order.Confirmed, order.PendingRerate)
	if !ok {
		return
	}
	from := sc.stranger(owner)
	var coins []testkit.Coin
	var sum int64
	taken := map[wire.OutPoint]bool{}
	for range sc.between(2, 8) {
		if coin := sc.sats(from); !taken[coin.OutPoint] {
			taken[coin.OutPoint] = true
			coins, sum = append(coins, coin), sum+coin.Out.Value
		}
	}
	sats := int64(sc.sum(o))
	outs := []*wire.TxOut{wire.NewTxOut(sats, o.Script)}
	for range coins { // so that the wallet has as many coins as before
		outs = append(outs, wire.NewTxOut((sum-sats-20*fee)/int64(len(coins)), from.Payment.Script))
	}
	if sc.broadcast(from.Spend(coins, outs...)) {
		sc.replaceable = append(sc.replaceable, spend{from, choose(sc, coins), 20 * fee})
	}
}

// neverConfirms pays an order with a transaction that is never mined.
func (sc *scenario) neverConfirms() {
	o, owner, ok := sc.order(order.Pending, order.Confirmed, order.PendingRerate)
	if !ok {
		return
	}
	from := choose(sc, []*testkit.Wallet{owner, sc.stranger(owner)})
	coin := sc.sats(from)
	tx := sc.Payment(from, coin, o, sc.sum(o), fee)
	sc.unminable[tx.ID] = true
	if sc.broadcast(tx) {
		sc.replaceable = append(sc.replaceable, spend{from, coin, fee})
	}
}

// minable reports whether a mempool transaction can be mined. skipped collects the transactions that cannot, because
// their descendants cannot be mined either.
func (sc *scenario) minable(tx chain.Tx, skipped map[chainhash.Hash]bool) bool {
	for _, in := range tx.Msg.TxIn {
		skipped[tx.ID] = skipped[tx.ID] || skipped[in.PreviousOutPoint.Hash]
	}
	skipped[tx.ID] = skipped[tx.ID] || sc.unminable[tx.ID]
	return !skipped[tx.ID]
}

// mineMempool mines a block with all minable transactions.
func (sc *scenario) mineMempool() {
	skipped := map[chainhash.Hash]bool{}
	sc.Node.MineSome(func(tx chain.Tx) bool { return sc.minable(tx, skipped) })
}

// split pays an order in several parts that add up to the price, or a little less, or far more.
func (sc *scenario) split() {
	o, owner, ok := sc.order(order.Pending, order.PendingRerate)
	if !ok {
		return
	}
	parts := sc.between(2, 6)
	whole := max(o.Due(), 600) * amount.Sats(choose(sc, []int64{1, 1, 1, 3}))
	for range parts {
		part := max(600, whole/amount.Sats(parts)+amount.Sats(sc.between(-200, 1500)))
		sc.payTo(owner, o, min(part, 100_000))
		sc.synced = false // the server has not seen this part
		if sc.oneIn(3) {
			sc.follow()
			sc.check()
		}
	}
}

// cycleRefunds creates, pays and cancels several orders in a row, each in a different state of the payment.
func (sc *scenario) cycleRefunds() {
	sc.resume()
	for range sc.between(2, 4) {
		sc.followAndCheck()
		o, from, ok := sc.newOrder(choose(sc, []action.Type{action.Withdraw, action.Claim}))
		if !ok || !sc.synced {
			return
		}
		sc.paying(o, from, o.Due()+amount.Sats(sc.between(0, 30_000)))
		switch sc.rng.IntN(4) {
		case 0:
			sc.followAndCheck()
		case 1:
			sc.mineAll()
		case 2:
			sc.mineAll()
			sc.followAndCheck()
		}
		sc.cancelOrder(sc.Order(o.ID), from, func() {})
		if sc.oneIn(2) {
			sc.mineAll()
		}
	}
	sc.followAndCheck()
}

// cannotSign submits invalid signatures such as broken wallets return. They must not change the ledger.
func (sc *scenario) cannotSign() {
	from := sc.wallet()
	kind := choose(sc, []action.Type{action.Withdraw, action.Claim, action.Unstake, action.Restake, action.Compound})
	units := sc.units(from, stageFor[kind])
	if len(units) == 0 {
		return
	}
	requested, err := sc.Actions.Post(sc.Context(), testkit.Prefix, from.Pair(), kind, units[:1], "")
	if err != nil {
		sc.refused(err)
		return
	}
	other := sc.stranger(from)
	before := sc.head()
	for _, signature := range []string{"", "AA==", "not a signature", from.Sign("another message"),
		other.Sign(requested.Message), from.SignPayment(requested.Message)[:20]} {
		_, err := sc.Actions.Sign(sc.Context(), testkit.Prefix, action.SignRequest{
			Wallet: from.Pair(), ActionID: requested.ActionID, Type: kind, Signature: signature,
		})
		if err == nil {
			sc.Fatalf("the server accepted a %s without a valid signature", kind)
		}
		sc.refused(err)
	}
	sc.unchanged(before)
}

// nodeRefusesAll makes the node reject every transaction of the server during some operations.
func (sc *scenario) nodeRefusesAll() {
	sc.nodeRefuses = true
	defer func() { sc.nodeRefuses = false }()
	sc.faults[refusalLasts]++
	for range sc.between(2, 6) {
		choose(sc, []func(*scenario){(*scenario).pay, (*scenario).act, (*scenario).mine, (*scenario).cancel,
			func(sc *scenario) { sc.pass(time.Duration(sc.between(1, 90)) * time.Minute) }})(sc)
		sc.followAndCheck()
	}
}
