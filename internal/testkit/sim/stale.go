package sim

import (
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// countElsewhere counts rows that almost only a stale server reaches: rewards delivered by orders that its copy of the
// database does not contain, and refunds of orders that are still open in that copy.
func (sc *scenario) countElsewhere(stale *testkit.World) {
	if sc.staleUnits == nil {
		sc.staleUnits, sc.staleOrders = map[[3]string]int{}, map[[3]string]int{}
	}
	count := func(event, account string) int {
		rows := stale.Rows(`SELECT number FROM journal WHERE event = ? AND from_account = ?`, event, account)
		return strings.Count(rows, "\n")
	}
	for _, row := range ledger.Stages.Rows {
		if n := count(string(row.Event), string(row.From)); n > 0 && row.Event == ledger.DeliveredElsewhere {
			sc.staleUnits[[3]string{string(row.From), string(row.Event), string(row.To)}] += n
		}
	}
	for _, row := range order.Statuses.Rows {
		if n := count(string(row.Event), "order:"+string(row.From)); n > 0 && row.Event == order.RefundFound {
			sc.staleOrders[[3]string{string(row.From), string(row.Event), string(row.To)}] += n
		}
	}
}

// refundAfterCopy pays 1/part of an order, cancels and refunds it, and starts a server from a copy of the database in
// which the order is still open.
func (sc *scenario) refundAfterCopy(part int64) {
	sc.pausePayouts()
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		sc.paying(o, from, o.Due()/amount.Sats(part))
		sc.mineAll()
		sc.followAndCheck()
		sc.backup = ""
		sc.backUp()
		sc.cancelOrder(sc.Order(o.ID), from, func() {})
		sc.resume()
		for range 2 { // the refund is sent, and then mined
			sc.mineAll()
			sc.followAndCheck()
		}
		sc.startStale()
	}
	sc.resume()
}
