package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/bitcoin/chain"
)

// Limits of an economy order, in seconds: the time to choose after its limit, and its longest life.
const (
	economyGrace   = 14 * 24 * 3600
	economyLongest = 84 * 24 * 3600
)

// deepest is the depth of the deepest reorg that a server follows, in blocks.
const deepest = 144

// noLimit is limit_at of an order at normal speed: the zero time of Go.
const noLimit = -62135596800

// economyRow is an order whose owner chose economy delivery, or that has a limit, with the message that opened it.
type economyRow struct {
	id, message                         string
	rate, limitAt, endHeight, createdAt int64
}

var economyRows = table[economyRow]{`SELECT o.id, COALESCE(a.message, ''), o.fee_rate, o.limit_at, o.end_height,
		o.created_at
	FROM payment_order o LEFT JOIN action a ON a.id = o.action_id`, func(e *economyRow) []any {
	return []any{&e.id, &e.message, &e.rate, &e.limitAt, &e.endHeight, &e.createdAt}
}}

// economyFilter selects the orders of economyRows.
const economyFilter = "WHERE o.limit_at > 0 OR a.message LIKE '%\nSpeed: economy, %' ORDER BY o.id"

// checkEconomy compares the speed of every order with the message that opened it, and the end of economy orders with
// their limits. It must be called after the journal was replayed.
func (a *auditor) checkEconomy(r *reader) {
	chosen := map[string]bool{}
	each(r, economyRows, economyFilter, func(e economyRow) {
		on := a.onOrder(e.id)
		rate, until, err := speedOf(e.message)
		if err != nil {
			a.fail(Proofs, on, "it has a speed, but its message names none: %v", err)
			return
		}
		chosen[e.id] = true
		switch waits := e.limitAt != noLimit; {
		case waits && e.rate != rate:
			a.fail(Proofs, on, "its rate is %d sats per 1,000 vB, its message names %d", e.rate, rate)
		case waits && e.limitAt < until:
			a.fail(Proofs, on, "its limit is %d, its message names %d", e.limitAt, until)
		case !waits && e.rate <= rate:
			a.fail(Proofs, on, "it is a normal order at %d sats per 1,000 vB, its message names %d", e.rate, rate)
		}
		at, ended := a.endedEconomy[e.id]
		tooEarly := at < min(until+economyGrace, e.createdAt+economyLongest) // the journal has whole seconds
		if ended && tooEarly && (e.endHeight == 0 || a.tip()+deepest < e.endHeight) {
			a.fail(Proofs, on, "it ended at %d, before its limits were over", at)
		}
	})
	for _, id := range sortedKeys(a.endedEconomy) {
		if !chosen[id] {
			a.fail(Proofs, a.onOrder(id), "it was paid and expired, but its message names no limit")
		}
	}
}

// speedOf returns the rate in sats per 1,000 vB and the limit in seconds that a signed message names.
func speedOf(message string) (rate, until int64, err error) {
	lines := strings.Split(message, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "Speed: economy, ") })
	if i < 0 {
		return 0, 0, fmt.Errorf("no line with a speed")
	}
	perVB, limit, _ := strings.Cut(strings.TrimPrefix(lines[i], "Speed: economy, "), " sat/vB, until ")
	sats, err := strconv.ParseFloat(perVB, 64)
	if err != nil {
		return 0, 0, err
	}
	at, err := time.Parse("2006-01-02 15:04 UTC", limit)
	return int64(sats*1000 + 0.5), at.Unix(), err
}

// checkEconomyPayout checks that a delivery has orders of one speed, and that the treasury pays no part of the fee of
// economy orders. A restored ledger may lack the payment of an order's difference and still have a limit for the order.
// The delivery then charges more than the economy price.
func (a *auditor) checkEconomyPayout(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	first := a.orders[p.orderIDs[0]]
	mixedWith, atPrice := "", false
	for _, id := range p.orderIDs {
		o := a.orders[id]
		waits := o.limitAt != noLimit
		if waits != (first.limitAt != noLimit) {
			mixedWith = id
		}
		atPrice = atPrice || waits && a.charge(o, tx) <= o.networkFee+o.serviceFee+o.rutxosFee
	}
	if !atPrice {
		return
	}
	if mixedWith != "" {
		a.fail(Payouts, on, "its orders %s and %s have different speeds", first.id, mixedWith)
		return
	}
	var treasury int64
	for _, in := range tx.Msg.TxIn {
		if c := a.custody[in.PreviousOutPoint.String()]; c.kind == "runes" || c.kind == "sats" {
			treasury -= c.value
		}
	}
	for _, out := range tx.Msg.TxOut {
		if w, ours := a.watch.at(out.PkScript); ours && (w.kind == "runes" || w.kind == "sats") {
			treasury += out.Value
		}
	}
	if treasury < 0 {
		a.fail(Payouts, on, "the treasury pays %d sats of a delivery whose orders pay all", -treasury)
	}
}

// charge returns the payments of an order that a delivery spends, in sats, without the dust of its output and the
// overpayment that it keeps for the order.
func (a *auditor) charge(o order, tx chain.Tx) int64 {
	charge := int64(-dust)
	for _, in := range tx.Msg.TxIn {
		if c := a.custody[in.PreviousOutPoint.String()]; c.kind == "payment" && c.ref == o.id {
			charge += c.value
		}
	}
	for _, out := range tx.Msg.TxOut {
		if bytes.Equal(out.PkScript, o.script) {
			charge -= out.Value
		}
	}
	return charge
}
