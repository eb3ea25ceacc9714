package sim

import (
	"slices"
	"time"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/order"
	"moonfund/payout"
)

// signAndChange has an order paid, and something change after the signer signed its payout and before the server
// stores it. A payout that may no longer be made must be dropped.
func (l *life) signAndChange() {
	l.resume()
	l.seen()
	if !l.synced {
		return
	}
	l.Rate = amount.SatPerVB(2) // no payout waits for a lower rate
	l.hold()
	o, from, ok := l.newOrder(choose(l, []action.Type{action.Withdraw, action.Withdraw, action.Claim}))
	if ok {
		l.paying(o, from, o.Due())
		l.full()
		l.seen()
	}
	l.resume()
	if !ok || l.Order(o.ID).Status != order.Paid {
		return
	}
	kind := choose(l, onSign)
	l.trouble = &trouble{kind: kind, after: 1}
	l.pass(time.Hour)
	l.seen()
	if l.trouble.fired {
		l.faults[kind]++
	}
	l.trouble = &trouble{}
	l.resume()
}

// changeInSigning lets the change come that lies in wait. The payout of these orders is signed and not stored.
func (l *life) changeInSigning(orders []payout.Owed) {
	l.note("  %s", l.trouble.kind)
	barred := orders
	switch l.trouble.kind {
	case cancelInSigning:
		first := orders[0].Order
		barred = orders[:1]
		for _, from := range people(l.World) {
			if from.Ordinals.Text == first.Owner {
				l.cancelOrder(first, from, func() {})
			}
		}
		if got := l.Order(first.ID).Status; got != order.Canceled {
			l.Fatalf("the order %s is %s, and its owner canceled it before its payout was stored", first.ID, got)
		}
	case pauseInSigning:
		l.pause()
	case reorgInSigning:
		barred = nil // the server learns of it in its next step
		l.rewind(1)
		l.full()
		l.full()
	case leadLostInSigning:
		l.depose()
		l.recheck = true
	}
	for _, o := range barred {
		l.barred = append(l.barred, o.Order.ID)
	}
}

// checkBarred ends the life if a payout was stored that may not be.
func (l *life) checkBarred() {
	for _, id := range l.barred {
		if l.Order(id).Status == order.Sent {
			l.Fatalf("the order %s is SENT, by a payout that may not be stored: %s", id, l.trouble.kind)
		}
	}
	l.barred = slices.Delete(l.barred, 0, len(l.barred))
}
