package sim

import (
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// oneTxFacts must occur in a large run.
var oneTxFacts = []string{oneTxUnsigned, oneTxAgain, oneTxRefunded, selfSent, selfOwn, selfMixed, selfLeft, selfApart}

// Events of withdrawals in one transaction.
const (
	oneTxUnsigned = "a session ends unsigned"
	oneTxAgain    = "a stuck transaction is signed again"
	oneTxRefunded = "own coins delivered an order that was paid"
)

// oneTxOperations are the operations about withdrawals in one transaction.
var oneTxOperations = []operation{
	{"withdrawal in one transaction", 40, (*scenario).withdrawInOneTx},
	{"own transaction is submitted late", 15, (*scenario).submitOwnLate},
	{"own coin is spent elsewhere", 15, (*scenario).spendOwn},
	{"stuck transaction is signed again", 12, (*scenario).signAgain},
	{"stuck transaction is paid", 12, (*scenario).payStuck},
	{"the delivery is signed", 40, (*scenario).signDelivery},
	{"units in self-custody with virtual ones", 4, (*scenario).orderApart},
}

// ownTx is a transaction with own coins that a wallet has signed.
type ownTx struct {
	from    *testkit.Wallet
	orderID string
	signed  string // PSBT
	coins   []testkit.Coin
}

// openOwn requests a withdrawal in one transaction for an order, and signs it for the owner. It returns nil if the
// server refused or crashed.
func (sc *scenario) openOwn(from *testkit.Wallet, o order.Order) *ownTx {
	coins := slices.DeleteFunc(sc.Node.Coins(from.Payment.Script), func(c testkit.Coin) bool {
		held, other := sc.model.Runes(c.OutPoint)
		at, _ := sc.Node.Locate(c.OutPoint.Hash)
		return held > 0 || other || at < 0
	})
	sc.rng.Shuffle(len(coins), func(i, j int) { coins[i], coins[j] = coins[j], coins[i] })
	from.Hold(coins[:min(len(coins), 5)]...)
	var draft action.OneTxDraft
	var err error
	if sc.guarded(func() {
		draft, err = sc.OneTx.BeginOneTx(sc.Context(), testkit.Prefix, from.Pair(), o.ID, from.Request(0).PaymentKey)
	}) {
		sc.restart()
		return nil
	}
	if err != nil {
		sc.refused(err)
		return nil
	}
	own := &ownTx{from: from, orderID: o.ID}
	own.signed, own.coins = from.SignPSBT(draft.PSBT)
	sc.model.OwnerSigned(o.ID, sc.packet(own.signed).UnsignedTx.TxHash())
	if sc.owns = append(sc.owns, own); len(own.coins) == 0 && sc.Order(o.ID).Status == order.Pending {
		sc.Fatalf("order %s: its transaction spends no coin of its owner", o.ID)
	}
	return own
}

func (sc *scenario) packet(text string) *psbt.Packet {
	packet, err := psbt.NewFromRawBytes(strings.NewReader(text), true)
	testkit.Must(sc, err)
	return packet
}

// submitOwn submits a signed transaction and reports whether the server accepted it.
func (sc *scenario) submitOwn(own *ownTx) bool {
	if own == nil {
		return false
	}
	var err error
	paid := sc.Order(own.orderID).NeedsSignature()
	crashed := sc.guarded(func() { err = sc.TrySendOneTx(own.from, order.Order{ID: own.orderID}, own.signed) })
	unknown := crashed
	if !crashed {
		_, unknown = sc.refused(err)
	}
	if paid && (err == nil || unknown) {
		sc.model.Signed(own.orderID, err == nil && !unknown)
	}
	if crashed {
		sc.restart()
		return false
	}
	return err == nil
}

// submitChanged submits a changed copy of a signed transaction, which the server must refuse.
func (sc *scenario) submitChanged(own *ownTx) {
	packet := sc.packet(own.signed)
	signed := slices.IndexFunc(packet.Inputs, func(in psbt.PInput) bool { return len(in.PartialSigs) > 0 })
	tx, last := packet.UnsignedTx, len(packet.UnsignedTx.TxOut)-1
	switch sc.rng.IntN(5) {
	case 0:
		tx.TxOut[0].PkScript = sc.stranger(own.from).Ordinals.Script
	case 1:
		tx.TxOut[last].Value--
	case 2:
		tx.TxIn[0].Sequence--
	case 3:
		packet.Inputs[signed].PartialSigs = nil
	case 4:
		signature := packet.Inputs[signed].PartialSigs[0].Signature
		signature[len(signature)-2] ^= 1
	}
	text, err := packet.B64Encode()
	testkit.Must(sc, err)
	before := sc.head()
	if sc.submitOwn(&ownTx{from: own.from, orderID: own.orderID, signed: text}) {
		sc.Fatalf("the server accepted a changed transaction for order %s", own.orderID)
	}
	sc.unchanged(before)
}

// withdrawInOneTx makes a withdrawal in one transaction. Some owners never submit the signed transaction, change it,
// submit it twice, or also pay the order.
func (sc *scenario) withdrawInOneTx() {
	o, from, ok := sc.order(order.Pending)
	if !ok || o.Status != order.Pending || sc.oneIn(3) {
		o, from, ok = sc.newOrder(action.Withdraw)
	}
	if !ok {
		return
	}
	own := sc.openOwn(from, o)
	if own == nil || sc.oneIn(5) { // otherwise submitOwnLate may submit it
		return
	}
	if sc.oneIn(6) {
		sc.submitChanged(own)
	}
	if sc.oneIn(8) {
		sc.payTo(from, o, sc.sum(o))
	}
	accepted := sc.submitOwn(own)
	switch sc.rng.IntN(8) {
	case 0:
		sc.submitOwn(own)
	case 1:
		sc.payTo(from, o, sc.sum(o))
	case 2:
		sc.spendCoin(own)
	case 3:
		if other, ok := sc.otherOrder(from, o.ID); accepted && ok && sc.submitOwn(sc.openOwn(from, other)) {
			sc.Fatalf("an owner has sessions of the orders %s and %s", o.ID, other.ID)
		}
	}
	if sc.oneIn(2) {
		sc.followAndCheck()
	}
}

// otherOrder returns another order of an owner that is PENDING.
func (sc *scenario) otherOrder(from *testkit.Wallet, id string) (order.Order, bool) {
	for _, row := range sc.tables.Orders {
		if row.ID != id && row.Owner == from.Ordinals.Text && row.Status == string(order.Pending) {
			return sc.Order(row.ID), true
		}
	}
	return order.Order{}, false
}

// submitOwnLate submits one of the last signed transactions, again or for the first time.
func (sc *scenario) submitOwnLate() {
	if own, ok := sc.lastOwn(); ok {
		sc.submitOwn(own)
	}
}

func (sc *scenario) lastOwn() (*ownTx, bool) {
	if len(sc.owns) == 0 {
		return nil, false
	}
	own := choose(sc, sc.owns[max(0, len(sc.owns)-4):])
	sc.note("  order %s", own.orderID)
	return own, true
}

// spendOwn spends a coin of one of the last signed transactions elsewhere.
func (sc *scenario) spendOwn() {
	if own, ok := sc.lastOwn(); ok {
		sc.spendCoin(own)
	}
}

func (sc *scenario) spendCoin(own *ownTx) {
	if len(own.coins) == 0 { // payments pay the order
		return
	}
	coin := choose(sc, own.coins)
	if tx := sc.SpendToSelf(own.from, min(9*fee, coin.Out.Value/2), coin); sc.oneIn(2) {
		sc.mineOnly(tx)
	} else {
		sc.broadcast(tx)
	}
}

// stuck returns a SENT order in one transaction, and its owner.
func (sc *scenario) stuck() (o order.Order, from *testkit.Wallet, ok bool) {
	ids := sc.column(`SELECT id FROM payment_order WHERE status = 'SENT' AND (one_tx = 1 OR self_units > 0)
		ORDER BY number`)
	if len(ids) == 0 {
		return o, nil, false
	}
	o = sc.Order(choose(sc, ids))
	sc.note("  order %s", o.ID)
	return o, sc.ownerOf(o), true
}

func (sc *scenario) ownerOf(o order.Order) *testkit.Wallet {
	all := actors(sc.World)
	return all[slices.IndexFunc(all, func(w *testkit.Wallet) bool { return w.Ordinals.Text == o.Owner })]
}

// signAgain replaces a stuck withdrawal in one transaction by a new version, mostly at a higher rate.
func (sc *scenario) signAgain() {
	o, from, ok := sc.stuck()
	if !ok {
		o, from, ok = sc.newStuck()
	}
	if !ok {
		return
	}
	sc.Rate = min(2*sc.Rate, amount.SatPerVB(40))
	sc.submitOwn(sc.openOwn(from, o))
	if sc.oneIn(2) {
		sc.followAndCheck()
	}
}

// newStuck returns a new SENT order in one transaction.
func (sc *scenario) newStuck() (o order.Order, from *testkit.Wallet, ok bool) {
	if o, from, ok = sc.newOrder(action.Withdraw); !ok || !sc.submitOwn(sc.openOwn(from, o)) {
		return o, from, false
	}
	sc.followAndCheck()
	o = sc.Order(o.ID)
	return o, from, o.Status == order.Sent && o.OneTx
}

// payStuck pays an order that is already SENT in one transaction. The payment is refunded.
func (sc *scenario) payStuck() {
	o, from, ok := sc.stuck()
	if !ok {
		o, from, ok = sc.newStuck()
	}
	if !ok {
		return
	}
	sc.payTo(from, o, amount.Sats(sc.between(600, 20_000)))
	if sc.oneIn(2) {
		sc.mineWithout(o.PayoutTx)
		sc.followAndCheck()
	}
}

// mineWithout mines a block with all minable transactions except one.
func (sc *scenario) mineWithout(txid string) {
	sc.synced = false
	sc.pass(time.Minute)
	skipped := map[chainhash.Hash]bool{sc.known(txid).ID: true}
	sc.Node.MineSome(func(tx chain.Tx) bool { return sc.minable(tx, skipped) })
}

// loseOwn spends a coin of a sent withdrawal in one transaction elsewhere. Six blocks later the order is CANCELED and
// its unit is UNLOCKED.
func (sc *scenario) loseOwn() {
	o, _, ok := sc.newStuck()
	if !ok {
		return
	}
	own := sc.owns[len(sc.owns)-1]
	if !sc.mineOnly(sc.SpendToSelf(own.from, min(9*fee, own.coins[0].Out.Value/2), own.coins[0])) {
		return
	}
	for range order.FinalDepth - 1 {
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Sent)
		sc.mineAll()
	}
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Canceled)
}

// recoverOwn recovers the unit of a sent withdrawal in one transaction. Six blocks later the order is INVALID: nothing
// was paid, so an operator has nothing to decide.
func (sc *scenario) recoverOwn() {
	o, from, ok := sc.newStuck()
	if !ok || !sc.recoverUnit(o, from) {
		return
	}
	for range order.FinalDepth - 1 {
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Sent)
		sc.mineAll()
	}
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Invalid)
}

// loseOwnUnsigned spends a coin elsewhere before the server signs. The order does not change.
func (sc *scenario) loseOwnUnsigned() {
	o, from, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	own := sc.openOwn(from, o)
	if !sc.submitOwn(own) {
		return
	}
	sc.spendCoin(own)
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Pending)
	sc.paying(o, from, o.Due())
	sc.mineAll()
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Paid, order.Sent)
}

// replaceOwn signs a stuck transaction again. One of the two confirms, and a reorg then lets the other one confirm.
func (sc *scenario) replaceOwn() {
	sc.Rate = amount.SatPerVB(2)
	o, from, ok := sc.newStuck()
	if !ok {
		return
	}
	first := sc.known(o.PayoutTx)
	sc.Rate = amount.SatPerVB(10)
	if !sc.submitOwn(sc.openOwn(from, o)) {
		return
	}
	sc.followAndCheck()
	sc.mineAll()
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Sent)
	if sc.rewind(1); first.Msg != nil {
		sc.mineOnly(first)
	}
	for range order.DeliveryDepth + 1 {
		sc.mineAll()
		sc.followAndCheck()
	}
	sc.mustHaveStatus(o, order.Delivered, order.Consolidated)
}

// loseOneVersion spends a coin of a stuck transaction elsewhere, in the mempool, signs the order again with another
// coin, and mines the spend. The order remains SENT, because its second version can confirm.
func (sc *scenario) loseOneVersion() {
	sc.Rate = amount.SatPerVB(2)
	o, from, ok := sc.newStuck()
	if !ok {
		return
	}
	coin := sc.owns[len(sc.owns)-1].coins[0]
	elsewhere := sc.SpendToSelf(from, min(9*fee, coin.Out.Value/2), coin)
	if !sc.broadcast(elsewhere) {
		return
	}
	sc.Rate = amount.SatPerVB(10)
	if !sc.submitOwn(sc.openOwn(from, o)) {
		return
	}
	sc.followAndCheck()
	if sc.versions(sc.Order(o.ID).PayoutID) != "2" || !sc.mineOnly(elsewhere) {
		return
	}
	for range order.FinalDepth + 1 {
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Sent)
		sc.mineWithout(sc.Order(o.ID).PayoutTx)
	}
	sc.mineAll()
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Sent, order.Delivered)
}

// known returns a transaction that the node knows, or the zero value.
func (sc *scenario) known(txid string) chain.Tx {
	for _, tx := range sc.Node.Known(0) {
		if tx.ID.String() == txid {
			return tx
		}
	}
	return chain.Tx{}
}

// raceOwn pays an order, in the mempool, while the server has its owner's signature.
func (sc *scenario) raceOwn() {
	sc.pausePayouts()
	o, from, ok := sc.newOrder(action.Withdraw)
	if ok && sc.submitOwn(sc.openOwn(from, o)) {
		sc.paying(o, from, o.Due())
		sc.followAndCheck()
		sc.resume()
		sc.mineAll()
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Paid, order.Sent)
		if sc.Order(o.ID).OneTx {
			sc.Fatalf("own coins deliver the order %s, for which a payment was seen first", o.ID)
		}
	}
	sc.resume()
}

// partWhileSigning has a stranger pay a part of an order whose owner is about to submit a signed transaction.
func (sc *scenario) partWhileSigning() {
	o, from, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	own, other := sc.openOwn(from, o), sc.stranger(from)
	sc.broadcast(sc.Payment(other, sc.sats(other), o, min(o.Due()/2, smallPayment(o)), fee))
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Pending, order.Confirmed)
	if sc.submitOwn(own) {
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Sent)
	}
}

// countOneTx counts the events of withdrawals in one transaction.
func (sc *scenario) countOneTx() map[string]int {
	counted := map[string]int{selfApart: sc.apart}
	for fact, query := range map[string]string{
		oneTxUnsigned: `SELECT order_id FROM one_tx_session WHERE ended <> ''`,
		oneTxAgain:    `SELECT payout_id FROM payout_version WHERE own_coins <> '' GROUP BY payout_id HAVING COUNT(*) > 1`,
		oneTxRefunded: `SELECT id FROM payment_order WHERE one_tx = 1 AND refunded > 0`,
		selfSent:      `SELECT id FROM payment_order WHERE self_units > 0 AND one_tx = 0 AND payout_id <> ''`,
		selfOwn:       `SELECT id FROM payment_order WHERE self_units > 0 AND one_tx = 1`,
		selfMixed:     `SELECT id FROM payment_order WHERE self_units > 0 AND self_units < real_units AND payout_id <> ''`,
		selfLeft:      `SELECT subject FROM journal WHERE event = '` + string(order.NeverSigned) + `'`,
	} {
		counted[fact] = len(sc.column(query))
	}
	return counted
}
