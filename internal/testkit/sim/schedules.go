package sim

import (
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// schedule is a fixed sequence of operations.
type schedule struct {
	name string
	do   func(sc *scenario)
}

// schedules are fixed sequences of operations that random choice rarely produces. Each is meant to reach one row of the
// state tables. The server is at the tip when a schedule starts.
var schedules = []schedule{
	{"the payment is double-spent after its rate expired", (*scenario).doubleSpendLate},
	{"a part is double-spent while a new rate is due", (*scenario).doubleSpendPart},
	{"a small part is paid, and the week ends", (*scenario).paySmallPart},
	{"the unit is recovered before the payment comes", (*scenario).recoverThenPay},
	{"one block recovers the unit and double-spends the payment", (*scenario).loseUnitAndPayment},
	{"one block recovers the unit and double-spends a part", (*scenario).loseUnitAndPart},
	{"a reorg recovers the unit and double-spends the payment", (*scenario).loseBothByReorg},
	{"a reorg double-spends the payment after its rate expired", (*scenario).doubleSpendByReorg},
	{"one of two recovers what a payout delivers", (*scenario).recoverFromBatch},
	{"the payment of a sent claim is double-spent", (*scenario).doubleSpendClaim},
	{"a deposit is double-spent after its epoch began", func(sc *scenario) { sc.undoDeposit(0) }},
	{"a deposit is double-spent after it was unstaked", func(sc *scenario) { sc.undoDeposit(1) }},
	{"a deposit is double-spent after it was unlocked", func(sc *scenario) { sc.undoDeposit(2) }},
	{"an invalid order is paid again", (*scenario).payInvalid},
	{"the unit of an order is recovered", func(sc *scenario) { sc.recoverOrdered(0, 0) }},
	{"the unit of a paid order is recovered", func(sc *scenario) { sc.recoverOrdered(1, 0) }},
	{"the unit of an order that needs a new rate is recovered", func(sc *scenario) {
		sc.recoverOrdered(2, rateValid+time.Minute)
	}},
	{"half is paid, and the server is down for a week", func(sc *scenario) {
		sc.payAndLeave(2, paymentWeek+time.Hour)
	}},
	{"the payment waits for a block for two weeks", func(sc *scenario) { sc.payAndLeave(1, givenUpAfter+time.Hour) }},
	{"a stranger's first payment never confirms", (*scenario).strangerFirst},
	{"a stranger pays small parts", (*scenario).strangersParts},
	{"a stranger pays after the cancel was signed", (*scenario).payIntoACancel},
	{"a paid order is canceled", (*scenario).cancelPaid},
	{"a paid order is refunded, and an older copy finds that", func(sc *scenario) { sc.refundAfterCopy(1) }},
	{"an order under review is refunded, and a reorg undoes the refund", func(sc *scenario) {
		sc.undecided(payout.RequestRefund, true)
	}},
	{"an order under review is resumed and delivered", func(sc *scenario) {
		sc.undecided(payout.RequestResume, false)
	}},
	{"a delivery is swept, and the deepest reorg undoes it", (*scenario).undoSwept},
	{"a payout is bumped against a recovery that waits", func(sc *scenario) { sc.bumpContested(false) }},
	{"a payout is bumped against a recovery in a block", func(sc *scenario) { sc.bumpContested(true) }},
	{"a full payment is mined after its rate expired", (*scenario).mineLate},
	{"the unit of a paid order is being recovered", (*scenario).contestPaid},
	{"a reward is claimed before its instruction is applied", (*scenario).claimBeforeInstruction},
	{"a coin is spent elsewhere after the server signed", (*scenario).loseOwn},
	{"a coin is spent elsewhere before the server signs", (*scenario).loseOwnUnsigned},
	{"a stuck transaction is signed again, and the first confirms", (*scenario).replaceOwn},
	{"a payment is seen while an owner's signature waits", (*scenario).raceOwn},
	{"a reorg undoes an economy payment, and its limits end", (*scenario).endUndone},
}

func (sc *scenario) runSchedule() { choose(sc, schedules).run(sc) }

func (p schedule) run(sc *scenario) {
	sc.note("  %s", p.name)
	sc.resume()
	sc.synced = false
	sc.follow()
	sc.check()
	if sc.synced {
		p.do(sc)
	}
}

// followAndCheck runs the follower once and checks the result.
func (sc *scenario) followAndCheck() {
	sc.synced = false
	sc.follow()
	sc.check()
}

// newOrder claims or withdraws one unit of any actor.
func (sc *scenario) newOrder(kind action.Type) (o order.Order, from *testkit.Wallet, ok bool) {
	for _, from := range actors(sc.World) {
		for _, id := range sc.units(from, stageFor[kind]) {
			if unit := sc.Unit(id); kind == action.Withdraw && (unit.Virtual() || unit.Contested || unit.Height == chain.None) {
				continue
			}
			s := sc.prepare(from, kind, []string{id})
			if !sc.submit(s) || s.orderID == "" {
				return o, from, false
			}
			sc.check()
			return sc.Order(s.orderID), from, true
		}
	}
	return o, nil, false
}

// paying pays an order and returns the spend, so that the caller can double-spend it.
func (sc *scenario) paying(o order.Order, from *testkit.Wallet, sats amount.Sats) (s spend) {
	s = spend{from, sc.sats(from), fee}
	sc.broadcast(sc.Payment(from, s.coin, o, sats, fee))
	return s
}

func (sc *scenario) doubleSpend(s spend) bool {
	return sc.mineOnly(sc.SpendToSelf(s.from, 9*fee, s.coin))
}

func (sc *scenario) mineAll() {
	sc.synced = false
	sc.pass(time.Minute)
	sc.mineMempool()
}

func (sc *scenario) pausePayouts() {
	sc.Update(func(tx *store.Tx) error {
		return tx.Pause(sc.Context(), store.PausePayouts, "a schedule", sc.Clock.Now())
	})
}

// recoverUnit mines a recovery of the first unit of a withdrawal, and reports whether it is valid.
func (sc *scenario) recoverUnit(o order.Order, from *testkit.Wallet) bool {
	return sc.mineOnly(sc.RecoverWith(from, o.UnitIDs[0], sc.sats(from), 40*fee))
}

func (sc *scenario) recoverThenPay() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok && sc.recoverUnit(o, from) {
		sc.mineAll()
		sc.paying(o, from, o.Due())
		sc.mineAll()
		sc.followAndCheck()
	}
}

func (sc *scenario) loseUnitAndPayment() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		s := sc.paying(o, from, o.Due())
		sc.followAndCheck()
		sc.loseBoth(o, from, s)
	}
}

// loseBoth recovers the unit and double-spends the payment in the block that makes the recovery final.
func (sc *scenario) loseBoth(o order.Order, from *testkit.Wallet, s spend) {
	if sc.recoverUnit(o, from) {
		sc.pass(time.Minute)
		sc.Node.MineOnly()
		sc.doubleSpend(s)
		sc.followAndCheck()
	}
}

func (sc *scenario) loseUnitAndPart() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		s := sc.paying(o, from, smallPayment(o))
		sc.followAndCheck()
		sc.pass(rateValid + time.Minute)
		sc.followAndCheck()
		sc.loseBoth(o, from, s)
	}
}

func (sc *scenario) loseBothByReorg() {
	sc.pausePayouts()
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		s := sc.paying(o, from, o.Due())
		sc.mineAll()
		sc.followAndCheck()
		before := sc.Node.Height()
		sc.rewind(1)
		for sc.loseBoth(o, from, s); sc.Node.Height() < before; { // btcd rejects a recovery before its timelock
			sc.mineAll()
		}
	}
	sc.resume()
}

func (sc *scenario) doubleSpendByReorg() {
	sc.pausePayouts()
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		s := sc.paying(o, from, o.Due())
		sc.mineAll()
		sc.followAndCheck()
		sc.pass(rateValid + time.Minute)
		sc.rewind(1)
		sc.doubleSpend(s)
		sc.mineAll()
		sc.followAndCheck()
	}
	sc.resume()
}

func (sc *scenario) recoverFromBatch() {
	sc.Rate = amount.SatPerVB(2)
	first, one, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	second, other, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	sc.paying(first, one, first.Due())
	sc.paying(second, other, second.Due())
	sc.mineAll()
	sc.followAndCheck()
	sc.pass(time.Hour)
	sc.followAndCheck()
	if sc.Order(first.ID).Status != order.Sent || sc.Order(first.ID).PayoutID != sc.Order(second.ID).PayoutID {
		return
	}
	if sc.recoverUnit(first, one) {
		for range order.FinalDepth {
			sc.mineAll()
		}
		sc.followAndCheck()
	}
}

func (sc *scenario) doubleSpendClaim() {
	sc.Rate = amount.SatPerVB(2)
	if o, from, ok := sc.newOrder(action.Claim); ok {
		s := sc.paying(o, from, o.Due())
		sc.mineAll()
		sc.pass(time.Hour)
		sc.followAndCheck()
		if sc.Order(o.ID).Status != order.Sent {
			return
		}
		sc.rewind(1)
		sc.doubleSpend(s)
		for range order.FinalDepth {
			sc.mineAll()
		}
		sc.followAndCheck()
	}
}

// undoDeposit undoes a deposit by a deep reorg, in the next epoch or, after it was unstaked, later.
func (sc *scenario) undoDeposit(later int) {
	from := sc.wallet()
	coin, found := sc.runes(from, testkit.MinimumStake, false)
	script, ok := sc.stakeAddress(from)
	if !found || !ok {
		return
	}
	s := spend{from, sc.sats(from), fee}
	tx := sc.TransferOf(from, []testkit.Coin{coin, s.coin}, script, testkit.MinimumStake, fee)
	if !sc.Node.Valid(tx) {
		return
	}
	sc.mineOnly(tx)
	sc.mineAll()
	sc.mineAll()
	sc.nextEpoch()
	sc.followAndCheck()
	if later > 0 {
		sc.submit(sc.prepare(from, action.Unstake, []string{tx.ID.String() + ":0"}))
		sc.nextEpoch()
		if later > 1 {
			sc.nextEpoch()
		}
		sc.followAndCheck()
	}
	sc.rewind(int64(4 + later))
	sc.doubleSpend(s)
	for range 5 + later {
		sc.mineAll()
	}
	sc.followAndCheck()
}

// nextEpoch advances to the first block of the next epoch.
func (sc *scenario) nextEpoch() {
	at := sc.trueClock.Now()
	sc.pass(testkit.Genesis.Add(at.Sub(testkit.Genesis).Truncate(testkit.EpochLength) + testkit.EpochLength).Sub(at))
	sc.synced = false
	sc.mineMempool()
}

func (sc *scenario) payInvalid() {
	for _, row := range sc.tables.Orders {
		if row.Status != string(order.Invalid) {
			continue
		}
		o := sc.Order(row.ID)
		for _, from := range actors(sc.World) {
			if from.Ordinals.Text == o.Owner {
				sc.paying(o, from, o.Due())
				sc.followAndCheck()
			}
		}
		return
	}
	sc.loseUnitAndPayment()
}

// recoverOrdered pays 1/part of an order (0: nothing) and recovers its unit when the duration later has passed.
func (sc *scenario) recoverOrdered(part int64, later time.Duration) {
	o, from, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	if part > 0 {
		sc.paying(o, from, max(o.Due()/amount.Sats(part), smallPayment(o)))
	}
	sc.followAndCheck()
	sc.pass(later)
	sc.followAndCheck()
	if sc.recoverUnit(o, from) {
		for range 2 {
			sc.pass(time.Second)
			sc.Node.MineOnly()
		}
		sc.followAndCheck()
	}
}

// stranger returns a wallet other than the owner's.
func (sc *scenario) stranger(owner *testkit.Wallet) *testkit.Wallet {
	for _, other := range actors(sc.World) {
		if other != owner {
			return other
		}
	}
	return owner
}

// mustHaveStatus fails the scenario unless the order has one of the statuses.
func (sc *scenario) mustHaveStatus(o order.Order, likely ...order.Status) {
	if got := sc.Order(o.ID); sc.synced && !slices.Contains(likely, got.Status) {
		sc.Fatalf("the order %s is %s: %+v", got.ID, got.Status, got)
	}
}

// strangerFirst broadcasts an unconfirmed payment of a stranger before the confirmed payment of the owner.
func (sc *scenario) strangerFirst() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		price := o.Due()
		other := sc.stranger(from)
		sc.broadcast(sc.Payment(other, sc.sats(other), o, max(price/2, smallPayment(o)), fee))
		sc.followAndCheck()
		if sc.mineOnly(sc.Payment(from, sc.sats(from), o, price, fee)) {
			sc.followAndCheck()
			sc.mustHaveStatus(o, order.Paid, order.Sent)
		}
	}
}

func (sc *scenario) strangersParts() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		other := sc.stranger(from)
		coin := sc.sats(other)
		var outs []*wire.TxOut
		for range 30 {
			outs = append(outs, wire.NewTxOut(600, o.Script))
		}
		sc.broadcast(other.Spend([]testkit.Coin{coin},
			append(outs, wire.NewTxOut(coin.Out.Value-30*600-9*fee, other.Payment.Script))...))
		sc.followAndCheck()
		if due := sc.Order(o.ID).Due(); due > o.Due() {
			sc.Fatalf("the order %s costs %d sats after a stranger's payments, %d before", o.ID, due, o.Due())
		}
		sc.paying(o, from, max(o.Due(), sc.Order(o.ID).Due()))
		sc.mineAll()
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Paid, order.Sent)
	}
}

func (sc *scenario) payIntoACancel() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		other := sc.stranger(from)
		sc.cancelOrder(o, from, func() {
			sc.broadcast(sc.Payment(other, sc.sats(other), o, max(o.Due()/3, smallPayment(o)), fee))
			sc.followAndCheck()
		})
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Canceled)
	}
}

func (sc *scenario) cancelPaid() {
	sc.pausePayouts()
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		sc.paying(o, from, o.Due())
		sc.mineAll()
		sc.followAndCheck()
		sc.cancelOrder(sc.Order(o.ID), from, func() {})
		sc.followAndCheck()
	}
	sc.resume()
}

// undecided puts a paid order under review by the operator, who then answers. If undone is true, a reorg undoes the
// result.
func (sc *scenario) undecided(answer payout.RequestKind, undone bool) {
	o, from, ok := sc.newOrder(choose(sc, []action.Type{action.Withdraw, action.Claim}))
	if !ok {
		return
	}
	sc.Rate = amount.SatPerVB(2)
	sc.paying(o, from, o.Due())
	sc.followAndCheck()
	sc.requestOnce(payout.RequestReview, o.ID)
	sc.followAndCheck()
	sc.mineAll()
	sc.followAndCheck()
	if sc.Order(o.ID).Status != order.Audit {
		return
	}
	sc.requestOnce(answer, o.ID)
	sc.followAndCheck()
	for range order.DeliveryDepth {
		sc.mineAll()
	}
	sc.followAndCheck()
	if undone && sc.Node.Height()-order.DeliveryDepth > sc.floor {
		sc.rewind(order.DeliveryDepth)
		for range order.DeliveryDepth + 1 {
			sc.pass(time.Minute)
			sc.Node.MineOnly()
		}
		sc.followAndCheck()
	}
}

// undoSwept undoes all blocks since the payout of a consolidated order.
func (sc *scenario) undoSwept() {
	sc.Rate = amount.SatPerVB(2)
	o, from, ok := sc.newOrder(action.Claim)
	if !ok {
		return
	}
	sc.paying(o, from, o.Due())
	sc.mineAll()
	sc.pass(time.Hour)
	sc.followAndCheck()
	for range order.FinalDepth {
		sc.mineAll()
	}
	sc.followAndCheck()
	if sc.Order(o.ID).Status != order.Consolidated || sc.Node.Height()-order.FinalDepth <= sc.floor {
		return
	}
	sc.rewind(order.FinalDepth)
	for range order.FinalDepth + 1 {
		sc.pass(time.Minute)
		sc.Node.MineOnly()
	}
	sc.followAndCheck()
}

// payAndLeave pays 1/part of an order. The server follows the chain again later, without a new block. A full payment
// keeps its rate.
func (sc *scenario) payAndLeave(part int64, later time.Duration) {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		sc.paying(o, from, max(o.Due()/amount.Sats(part), smallPayment(o)))
		sc.followAndCheck()
		for _, wait := range []time.Duration{rateValid, rateValid, later}[min(2, 2*(part-1)):] {
			sc.pass(wait + time.Minute)
			sc.followAndCheck()
		}
	}
}
