package sim

import (
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// signAndChange pays an order, or makes a withdrawal in one transaction, and makes a change between the signature of
// the payout and its commit. The server must drop a payout that is no longer valid.
func (sc *scenario) signAndChange() {
	sc.resume()
	sc.followAndCheck()
	if !sc.synced {
		return
	}
	sc.Rate = amount.SatPerVB(2) // so that no payout waits for a lower rate
	sc.pausePayouts()
	o, from, ok := sc.newOrder(choose(sc, []action.Type{action.Withdraw, action.Withdraw, action.Claim}))
	ready, later := order.Paid, time.Hour
	switch own := sc.oneIn(3); {
	case ok && own:
		ready, later = order.Pending, time.Minute
		ok = sc.submitOwn(sc.openOwn(from, o))
	case ok:
		sc.paying(o, from, o.Due())
		sc.mineAll()
		sc.followAndCheck()
	}
	sc.resume()
	if !ok || sc.Order(o.ID).Status != ready {
		return
	}
	kind := choose(sc, signingFaults)
	sc.injected = &injection{kind: kind, after: 1}
	sc.pass(later)
	sc.followAndCheck()
	if sc.injected.fired {
		sc.faults[kind]++
	}
	sc.injected = &injection{}
	sc.resume()
}

// changeInSigning applies the pending change. The payout of these orders is signed but not stored.
func (sc *scenario) changeInSigning(orders []payout.Owed) {
	sc.note("  %s", sc.injected.kind)
	mustNotSend := orders
	switch sc.injected.kind {
	case cancelInSigning:
		first := orders[0].Order
		mustNotSend = orders[:1]
		for _, from := range actors(sc.World) {
			if from.Ordinals.Text == first.Owner {
				sc.cancelOrder(first, from, func() {})
			}
		}
		if got := sc.Order(first.ID).Status; got != order.Canceled {
			sc.Fatalf("the order %s is %s although its owner canceled it before its payout was stored", first.ID, got)
		}
	case pauseInSigning:
		sc.pause()
	case reorgInSigning:
		mustNotSend = nil // the server detects the reorg in its next step
		sc.rewind(1)
		sc.mineAll()
		sc.mineAll()
	case leadLostInSigning:
		sc.depose()
		sc.recheck = true
	}
	for _, o := range mustNotSend {
		sc.mustNotSend = append(sc.mustNotSend, o.Order.ID)
	}
}

// checkNotSent fails the scenario if an order of mustNotSend became SENT.
func (sc *scenario) checkNotSent() {
	for _, id := range sc.mustNotSend {
		if sc.Order(id).Status == order.Sent {
			sc.Fatalf("the order %s is SENT although its payout must not be stored: %s", id, sc.injected.kind)
		}
	}
	sc.mustNotSend = slices.Delete(sc.mustNotSend, 0, len(sc.mustNotSend))
}
