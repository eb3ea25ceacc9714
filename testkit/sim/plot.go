package sim

import (
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/chain"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
	"moonfund/testkit"
	"moonfund/vault"
)

// Plots are several deeds in a row that chance would hardly ever do in that
// order: each aims at one row of the tables. They need a server that is at the tip.
var plots = []struct {
	name string
	do   func(l *life)
}{
	{"the payment is taken back after its rate expired", (*life).takeBackLate},
	{"a part is taken back while a new rate is due", (*life).takeBackPart},
	{"next to nothing is paid, and the week ends", (*life).payNextToNothing},
	{"the unit is recovered before the payment comes", (*life).recoverThenPay},
	{"unit and payment are taken back in one block", (*life).takeBoth},
	{"unit and part payment are taken back in one block", (*life).takeBothParts},
	{"unit and confirmed payment are taken back by a reorg", (*life).takeBothByReorg},
	{"a confirmed payment is taken back by a reorg, late", (*life).takeBackByReorg},
	{"one of two recovers what a payout delivers", (*life).recoverFromBatch},
	{"the payment of a sent claim is taken back", (*life).takeClaimsPayment},
	{"a deposit is taken back after its epoch began", func(l *life) { l.takeDeposit(0) }},
	{"a deposit is taken back after it was unstaked", func(l *life) { l.takeDeposit(1) }},
	{"a deposit is taken back after it was unlocked", func(l *life) { l.takeDeposit(2) }},
	{"who paid an invalid order pays again", (*life).payInvalid},
	{"the unit of an order is recovered", func(l *life) { l.recoverOrdered(0, 0) }},
	{"the unit of a paid order is recovered", func(l *life) { l.recoverOrdered(1, 0) }},
	{"the unit of an order that needs a new rate is recovered", func(l *life) {
		l.recoverOrdered(2, order.FeeValid+time.Minute)
	}},
	{"half is paid, and the server is away for a week", func(l *life) { l.payAndLeave(2, order.PaymentWindow+time.Hour) }},
	{"the payment waits for a block for two weeks", func(l *life) { l.payAndLeave(1, order.Unconfirmed+time.Hour) }},
	{"a stranger's first payment never confirms", (*life).strangerFirst},
	{"a stranger pays small parts", (*life).strangersParts},
	{"a stranger pays after the cancel was signed", (*life).payIntoACancel},
	{"a paid order is canceled", (*life).cancelPaid},
	{"an order that nobody decided is refunded, and a reorg undoes that", func(l *life) {
		l.undecided(payout.AskRefund, true)
	}},
	{"an order that nobody decided is delivered after all", func(l *life) { l.undecided(payout.AskResume, false) }},
	{"a delivery is swept, and the deepest reorg undoes it", (*life).undoSwept},
}

func (l *life) plot() {
	p := choose(l, plots)
	l.note("  %s", p.name)
	l.resume()
	l.synced = false
	l.look()
	l.check()
	if l.synced {
		p.do(l)
	}
}

// seen lets the server look, and everything be checked.
func (l *life) seen() {
	l.synced = false
	l.look()
	l.check()
}

// newOrder has somebody claim or withdraw one unit.
func (l *life) newOrder(kind action.Type) (o order.Order, from *testkit.Wallet, ok bool) {
	for _, from := range people(l.World) {
		for _, id := range l.units(from, stageFor[kind]) {
			if unit := l.Unit(id); kind == action.Withdraw && (unit.Virtual() || unit.Contested || unit.Height == chain.None) {
				continue
			}
			s := l.prepare(from, kind, []string{id})
			if !l.hand(s) || s.orderID == "" {
				return o, from, false
			}
			l.check()
			return l.Order(s.orderID), from, true
		}
	}
	return o, nil, false
}

// paying pays an order and returns how to take that back.
func (l *life) paying(o order.Order, from *testkit.Wallet, sats amount.Sats) (s spend) {
	s = spend{from, l.sats(from), fee}
	l.give(l.Payment(from, s.coin, o, sats, fee))
	return s
}

func (l *life) takenBack(s spend) bool { return l.alone(l.Elsewhere(s.from, 9*fee, s.coin)) }

func (l *life) full() {
	l.synced = false
	l.pass(time.Minute)
	l.Node.Mine()
}

func (l *life) hold() {
	l.Update(func(tx *store.Tx) error { return tx.Pause(l.Context(), store.PausePayouts, "a plot", l.Clock.Now()) })
}

func (l *life) takeBackLate() {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		s := l.paying(o, from, o.Due())
		l.seen()
		l.pass(order.FeeValid + time.Minute)
		l.takenBack(s)
		l.seen()
	}
}

// little is a payment that counts and covers nothing.
func little(o order.Order) amount.Sats { return vault.PaymentFloor(o.FeeRate) + 10 }

func (l *life) takeBackPart() {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		s := l.paying(o, from, little(o))
		l.seen()
		l.pass(order.FeeValid + time.Minute)
		l.seen()
		l.takenBack(s)
		l.seen()
	}
}

func (l *life) payNextToNothing() {
	l.Rate = amount.SatPerVB(20)
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		l.paying(o, from, little(o))
		l.seen()
		l.pass(order.PaymentWindow + time.Hour)
		l.seen()
	}
}

// take recovers a withdrawal's unit by a block.
func (l *life) take(o order.Order, from *testkit.Wallet) bool {
	return l.alone(l.RecoverWith(from, o.UnitIDs[0], l.sats(from), 40*fee))
}

func (l *life) recoverThenPay() {
	if o, from, ok := l.newOrder(action.Withdraw); ok && l.take(o, from) {
		l.full()
		l.paying(o, from, o.Due())
		l.full()
		l.seen()
	}
}

func (l *life) takeBoth() {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		s := l.paying(o, from, o.Due())
		l.seen()
		l.lose(o, from, s)
	}
}

// lose takes unit and payment back; the payment with the block that makes the other final.
func (l *life) lose(o order.Order, from *testkit.Wallet, s spend) {
	if l.take(o, from) {
		l.pass(time.Minute)
		l.Node.MineOnly()
		l.takenBack(s)
		l.seen()
	}
}

func (l *life) takeBothParts() {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		s := l.paying(o, from, little(o))
		l.seen()
		l.pass(order.FeeValid + time.Minute)
		l.seen()
		l.lose(o, from, s)
	}
}

func (l *life) takeBothByReorg() {
	l.hold()
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		s := l.paying(o, from, o.Due())
		l.full()
		l.seen()
		before := l.Node.Height()
		l.rewind(1)
		for l.lose(o, from, s); l.Node.Height() < before; { // btcd takes no recovery before its time
			l.full()
		}
	}
	l.resume()
}

func (l *life) takeBackByReorg() {
	l.hold()
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		s := l.paying(o, from, o.Due())
		l.full()
		l.seen()
		l.pass(order.FeeValid + time.Minute)
		l.rewind(1)
		l.takenBack(s)
		l.full()
		l.seen()
	}
	l.resume()
}

func (l *life) recoverFromBatch() {
	l.Rate = amount.SatPerVB(2)
	first, one, ok := l.newOrder(action.Withdraw)
	if !ok {
		return
	}
	second, other, ok := l.newOrder(action.Withdraw)
	if !ok {
		return
	}
	l.paying(first, one, first.Due())
	l.paying(second, other, second.Due())
	l.full()
	l.seen()
	l.pass(time.Hour)
	l.seen()
	if l.Order(first.ID).Status != order.Sent || l.Order(first.ID).PayoutID != l.Order(second.ID).PayoutID {
		return
	}
	if l.take(first, one) {
		for range order.FinalDepth {
			l.full()
		}
		l.seen()
	}
}

func (l *life) takeClaimsPayment() {
	l.Rate = amount.SatPerVB(2)
	if o, from, ok := l.newOrder(action.Claim); ok {
		s := l.paying(o, from, o.Due())
		l.full()
		l.pass(time.Hour)
		l.seen()
		if l.Order(o.ID).Status != order.Sent {
			return
		}
		l.rewind(1)
		l.takenBack(s)
		for range order.FinalDepth {
			l.full()
		}
		l.seen()
	}
}

// takeDeposit undoes a deposit by the deepest reorg, some epochs after it.
func (l *life) takeDeposit(later int) {
	from := l.wallet()
	coin, found := l.runes(from, testkit.MinimumStake, false)
	script, ok := l.stakeAddress(from)
	if !found || !ok {
		return
	}
	s := spend{from, l.sats(from), fee}
	tx := l.TransferOf(from, coin, s.coin, script, testkit.MinimumStake, fee)
	if !l.Node.Valid(tx) {
		return
	}
	l.alone(tx)
	l.full()
	l.full()
	l.nextEpoch()
	l.seen()
	if later > 0 {
		l.hand(l.prepare(from, action.Unstake, []string{tx.ID.String() + ":0"}))
		l.nextEpoch()
		if later > 1 {
			l.nextEpoch()
		}
		l.seen()
	}
	l.rewind(int64(4 + later))
	l.takenBack(s)
	for range 5 + later {
		l.full()
	}
	l.seen()
}

// nextEpoch goes to the first block of the next epoch.
func (l *life) nextEpoch() {
	at := l.truth.Now()
	l.pass(testkit.Genesis.Add(at.Sub(testkit.Genesis).Truncate(testkit.EpochLength) + testkit.EpochLength).Sub(at))
	l.synced = false
	l.Node.Mine()
}

func (l *life) payInvalid() {
	for _, row := range l.read.Orders {
		if row.Status != string(order.Invalid) {
			continue
		}
		o := l.Order(row.ID)
		for _, from := range people(l.World) {
			if from.Ordinals.Text == o.Owner {
				l.paying(o, from, o.Due())
				l.seen()
			}
		}
		return
	}
	l.takeBoth()
}

// recoverOrdered recovers the unit of an order of which one part in so many was paid, some time later.
func (l *life) recoverOrdered(part int64, later time.Duration) {
	o, from, ok := l.newOrder(action.Withdraw)
	if !ok {
		return
	}
	if part > 0 {
		l.paying(o, from, max(o.Due()/amount.Sats(part), little(o)))
	}
	l.seen()
	l.pass(later)
	l.seen()
	if l.take(o, from) {
		for range 2 {
			l.pass(time.Second)
			l.Node.MineOnly()
		}
		l.seen()
	}
}

// stranger is a wallet that is not the owner's.
func (l *life) stranger(owner *testkit.Wallet) *testkit.Wallet {
	for _, other := range people(l.World) {
		if other != owner {
			return other
		}
	}
	return owner
}

// mustBe ends the life unless an order that was paid in time is on its way.
func (l *life) mustBe(o order.Order, likely ...order.Status) {
	if got := l.Order(o.ID); l.synced && !slices.Contains(likely, got.Status) {
		l.Fatalf("the order %s is %s: %+v", got.ID, got.Status, got)
	}
}

// strangerFirst: what is confirmed decides, whatever was seen before it.
func (l *life) strangerFirst() {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		price := o.Due()
		other := l.stranger(from)
		l.give(l.Payment(other, l.sats(other), o, max(price/2, little(o)), fee))
		l.seen()
		if l.alone(l.Payment(from, l.sats(from), o, price, fee)) {
			l.seen()
			l.mustBe(o, order.Paid, order.Sent)
		}
	}
}

func (l *life) strangersParts() {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		other := l.stranger(from)
		coin := l.sats(other)
		var outs []*wire.TxOut
		for range 30 {
			outs = append(outs, wire.NewTxOut(600, o.Script))
		}
		l.give(other.Spend([]testkit.Coin{coin},
			append(outs, wire.NewTxOut(coin.Out.Value-30*600-9*fee, other.Payment.Script))...))
		l.seen()
		if due := l.Order(o.ID).Due(); due > o.Due() {
			l.Fatalf("the order %s costs %d since a stranger paid, and %d before", o.ID, due, o.Due())
		}
		l.paying(o, from, max(o.Due(), l.Order(o.ID).Due()))
		l.full()
		l.seen()
		l.mustBe(o, order.Paid, order.Sent)
	}
}

func (l *life) payIntoACancel() {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		other := l.stranger(from)
		l.cancelOrder(o, from, func() {
			l.give(l.Payment(other, l.sats(other), o, max(o.Due()/3, little(o)), fee))
			l.seen()
		})
		l.seen()
		l.mustBe(o, order.Canceled)
	}
}

func (l *life) cancelPaid() {
	l.hold()
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		l.paying(o, from, o.Due())
		l.full()
		l.seen()
		l.cancelOrder(l.Order(o.ID), from, func() {})
		l.seen()
	}
	l.resume()
}

// undecided has an order go to AUDIT, and be answered by the operator.
func (l *life) undecided(answer payout.RequestKind, undone bool) {
	o, from, ok := l.newOrder(choose(l, []action.Type{action.Withdraw, action.Claim}))
	if !ok {
		return
	}
	l.Rate = amount.SatPerVB(2)
	l.paying(o, from, o.Due())
	l.seen()
	l.pass(order.Unconfirmed + time.Hour)
	l.seen()
	l.full()
	l.seen()
	if l.Order(o.ID).Status != order.Audit {
		return
	}
	l.ask(answer, o.ID)
	l.seen()
	for range order.DeliveryDepth {
		l.full()
	}
	l.seen()
	if undone && l.Node.Height()-order.DeliveryDepth > l.floor {
		l.rewind(order.DeliveryDepth)
		for range order.DeliveryDepth + 1 {
			l.pass(time.Minute)
			l.Node.MineOnly()
		}
		l.seen()
	}
}

// undoSwept has an order delivered and swept, and undoes all blocks since its payout.
func (l *life) undoSwept() {
	l.Rate = amount.SatPerVB(2)
	o, from, ok := l.newOrder(action.Claim)
	if !ok {
		return
	}
	l.paying(o, from, o.Due())
	l.full()
	l.pass(time.Hour)
	l.seen()
	for range order.FinalDepth {
		l.full()
	}
	l.seen()
	if l.Order(o.ID).Status != order.Consolidated || l.Node.Height()-order.FinalDepth <= l.floor {
		return
	}
	l.rewind(order.FinalDepth)
	for range order.FinalDepth + 1 {
		l.pass(time.Minute)
		l.Node.MineOnly()
	}
	l.seen()
}

// payAndLeave pays one part in so many; the server looks again after some time, without a block.
func (l *life) payAndLeave(part int64, later time.Duration) {
	if o, from, ok := l.newOrder(action.Withdraw); ok {
		l.paying(o, from, max(o.Due()/amount.Sats(part), little(o)))
		l.seen()
		l.pass(later)
		l.seen()
	}
}
