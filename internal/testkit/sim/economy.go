package sim

import (
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// economyFacts must occur in a large run.
var economyFacts = []string{economyPaid, economySent, economyRaised, economyEnded, economyWaited, economySplit}

// Events of economy orders.
const (
	economyPaid   = "an economy order is paid"
	economySent   = "an economy order is sent"
	economyRaised = "the difference of an economy order is paid"
	economyEnded  = "an economy order ends"
	economyWaited = "an economy order waits longer"
	economySplit  = "a payout splits the treasury for an economy order"
)

// economize orders a claim or withdrawal at a rate below the network's.
func (sc *scenario) economize() {
	if sc.Rate < amount.SatPerVB(3) {
		sc.Rate = amount.SatPerVB(sc.between(5, 40))
	}
	from := sc.wallet()
	kind := choose(sc, []action.Type{action.Claim, action.Withdraw})
	units := sc.units(from, stageFor[kind])
	if len(units) == 0 {
		return
	}
	s := sc.prepareEconomy(from, kind, units[:1])
	if s != nil && !sc.oneIn(6) && sc.submit(s) && !sc.oneIn(4) {
		if o := sc.Order(s.orderID); o.Status == order.Pending {
			sc.payTo(from, o, o.Due())
		}
	}
}

// prepareEconomy requests an economy order and signs its message.
func (sc *scenario) prepareEconomy(from *testkit.Wallet, kind action.Type, units []string) *signing {
	r := action.EconomyRequest{Rate: sc.Rate / amount.FeeRate(sc.between(2, 3)), Days: sc.between(1, 28)}
	sc.note("  %s at %s sat/vB for %d days", kind, r.Rate, r.Days)
	s := sc.request(from, kind, func() (action.Requested, error) {
		a := action.Action{Community: testkit.Prefix, Type: kind, Wallet: from.Pair()}
		return sc.Actions.PostEconomy(sc.Context(), a, units, sc.knownStatement(), r)
	})
	if s == nil {
		return nil
	}
	s.units = units
	intent, err := message.Parse(s.text)
	if err != nil || intent.Rate != int64(r.Rate) {
		sc.Fatalf("a message of economy delivery can't be read: %v\n%s", err, s.text)
	}
	sc.model.Chose(message.OrderID(s.text), intent.Rate, intent.Until)
	return s
}

// waitingOrder returns an order that waits for its rate, and its owner.
func (sc *scenario) waitingOrder() (order.Order, *testkit.Wallet, bool) {
	o, from, ok := sc.order(order.Paid)
	return o, from, ok && o.Status == order.Paid && o.IsEconomy()
}

// newWaitingOrder opens and pays an economy order at a high fee rate.
func (sc *scenario) newWaitingOrder() (o order.Order, from *testkit.Wallet, ok bool) {
	sc.Rate = amount.SatPerVB(40)
	from = sc.wallet()
	kind := choose(sc, []action.Type{action.Claim, action.Withdraw})
	units := sc.units(from, stageFor[kind])
	if len(units) == 0 {
		return o, from, false
	}
	s := sc.prepareEconomy(from, kind, units[:1])
	if !sc.submit(s) {
		return o, from, false
	}
	o = sc.Order(s.orderID)
	sc.payTo(from, o, o.Due())
	sc.followAndCheck()
	sc.mineAll()
	sc.followAndCheck()
	o = sc.Order(s.orderID)
	return o, from, o.Status == order.Paid && o.IsEconomy()
}

// chooseAtLimit waits until an economy order reaches its limit, and makes its owner choose.
func (sc *scenario) chooseAtLimit() {
	o, from, ok := sc.waitingOrder()
	if !ok {
		o, from, ok = sc.newWaitingOrder()
	}
	if !ok || sc.paused() {
		return
	}
	switch sc.rng.IntN(4) {
	case 0:
		sc.payDifference(o, from)
	case 1:
		sc.pass(max(0, o.Economy.Until.Sub(sc.Clock.Now())) + time.Minute)
		sc.changeWaiting(func(tx order.Tx) (err error) {
			_, err = sc.Orders.Wait(sc.Context(), tx, testkit.Prefix, o.Owner, o.ID, sc.Clock.Now())
			return err
		}, economyWaited)
	case 2:
		sc.pass(max(0, o.EndsAt().Sub(sc.Clock.Now())) + time.Minute)
		sc.followAndCheck()
	case 3:
		sc.pass(time.Duration(sc.between(1, 5)) * 24 * time.Hour)
	}
}

// endUndone undoes the payment of an economy order in a reorg shortly before the order ends.
func (sc *scenario) endUndone() {
	sc.pausePayouts()
	for range len(actors(sc.World)) {
		o, _, ok := sc.newWaitingOrder()
		if !ok {
			continue
		}
		sc.pass(o.EndsAt().Sub(sc.Clock.Now()) - time.Hour)
		sc.rewind(1)
		for range 2 {
			sc.pass(time.Minute)
			sc.Node.MineOnly()
		}
		sc.followAndCheck()
		sc.pass(time.Hour)
		sc.followAndCheck()
		break
	}
	sc.resume()
}

// payDifference sets the difference of an economy order and, mostly, pays it.
func (sc *scenario) payDifference(o order.Order, from *testkit.Wallet) {
	sc.changeWaiting(func(tx order.Tx) (err error) {
		_, err = sc.Orders.Raise(sc.Context(), tx, testkit.Prefix, o.Owner, o.ID, sc.Rate, sc.Clock.Now())
		return err
	}, "")
	var d order.Difference
	o = sc.Order(o.ID)
	sc.Update(func(tx *store.Tx) (err error) {
		d, err = sc.Orders.DifferenceOf(sc.Context(), tx.OrderTx(), o)
		return err
	})
	if d.Due == 0 || sc.oneIn(4) {
		return
	}
	sc.pass(time.Duration(sc.between(1, 40)) * time.Minute)
	sc.payTo(from, o, d.Due)
}

// changeWaiting changes an economy order like a call of its owner, and counts fact if the call succeeds.
func (sc *scenario) changeWaiting(change func(tx order.Tx) error, fact string) {
	var err error
	if sc.guarded(func() {
		err = sc.Store.Update(sc.Context(), func(tx *store.Tx) error { return change(tx.OrderTx()) })
	}) {
		sc.restart()
		return
	}
	if err != nil {
		sc.refused(err)
	} else if fact != "" {
		sc.waited++
	}
}

// countEconomy counts the events of economy orders.
func (sc *scenario) countEconomy() map[string]int {
	counted := map[string]int{economyWaited: sc.waited}
	for fact, query := range map[string]string{
		economyPaid:  `SELECT id FROM payment_order WHERE limit_at > 0 AND confirmed > 0`,
		economySent:  `SELECT id FROM payment_order WHERE limit_at > 0 AND payout_id <> ''`,
		economySplit: `SELECT id FROM payout WHERE kind = 'split'`,
		economyEnded: `SELECT subject FROM journal WHERE event = 'economy delivery ended'`,
		economyRaised: `SELECT o.id FROM payment_order o JOIN action a ON a.id = o.action_id WHERE o.limit_at < 0
			AND a.message LIKE '%Speed: economy, %'`,
	} {
		counted[fact] = len(sc.column(query))
	}
	return counted
}

// splitTreasury claims a reward by economy delivery while the treasury has one rune output, at a rate that the network
// then has. A payout splits the output first.
func (sc *scenario) splitTreasury() {
	sc.Rate = amount.SatPerVB(20)
	for _, from := range actors(sc.World) {
		units := sc.units(from, ledger.Claimable)
		if len(units) == 0 {
			continue
		}
		s := sc.prepareEconomy(from, action.Claim, units[:1])
		if !sc.submit(s) {
			return
		}
		o := sc.Order(s.orderID)
		sc.payTo(from, o, o.Due())
		sc.mineAll()
		sc.followAndCheck()
		sc.Rate = sc.Order(o.ID).FeeRate
		sc.pass(time.Hour)
		sc.followAndCheck()
		sc.mustHaveStatus(o, order.Paid)
		for range payout.InputDepth + 1 {
			sc.mineAll()
			sc.followAndCheck()
		}
		sc.mustHaveStatus(o, order.Sent)
		return
	}
}
