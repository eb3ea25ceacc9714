package audit

import (
	"fmt"
	"strings"
)

// unitMoves and orderMoves are the two state tables of the design without their
// events: from, then where to.
var (
	unitMoves = moves(
		"outside PENDING_STAKE CLAIMABLE",
		"PENDING_STAKE STAKED outside WITHDRAWN",
		"STAKED PENDING_STAKE PENDING_UNLOCK outside WITHDRAWN",
		"PENDING_UNLOCK UNLOCKED outside WITHDRAWN",
		"UNLOCKED PENDING_STAKE PO_LOCKED BATCH_LOCKED outside WITHDRAWN",
		"CLAIMABLE PENDING_STAKE PO_CLAIMED BATCH_LOCKED WITHDRAWN",
		"PO_LOCKED PENDING_WITHDRAW BATCH_LOCKED UNLOCKED",
		"PENDING_WITHDRAW PO_LOCKED BATCH_LOCKED UNLOCKED",
		"PO_CLAIMED BATCH_LOCKED CLAIMABLE",
		"BATCH_LOCKED PENDING_WITHDRAW PO_CLAIMED UNLOCKED CLAIMABLE WITHDRAWN",
		"WITHDRAWN BATCH_LOCKED PENDING_STAKE STAKED PENDING_UNLOCK UNLOCKED", // the last four: a recovery undone
	)
	orderMoves = moves(
		"outside PENDING",
		"PENDING CANCELED EXPIRED CONFIRMED INVALID AUDIT",
		"CONFIRMED PENDING_RERATE PENDING EXPIRED PAID AUDIT CANCELED INVALID",
		"PENDING_RERATE CONFIRMED PAID EXPIRED AUDIT CANCELED INVALID",
		"PAID CONFIRMED PENDING_RERATE INVALID AUDIT SENT",
		"SENT PAID AUDIT DELIVERED",
		"DELIVERED SENT CONSOLIDATED",
		"CONSOLIDATED SENT",
		"CANCELED AUDIT",
		"EXPIRED AUDIT",
		"INVALID AUDIT",
		"AUDIT CANCELED PAID",
	)
)

func moves(lines ...string) map[[2]string]bool {
	table := map[[2]string]bool{}
	for _, line := range lines {
		words := strings.Fields(line)
		for _, to := range words[1:] {
			table[[2]string{words[0], to}] = true
		}
	}
	return table
}

// replayed is where a unit or an order stands by the journal.
type replayed struct {
	state  string
	amount int64
	owner  string
}

// checkJournal replays the journal and compares it with the tables (invariant 3).
func (a *auditor) checkJournal() {
	units, orders := map[unitKey]replayed{}, map[unitKey]replayed{}
	for i, p := range a.journal {
		if p.number != int64(i)+1 {
			a.fail(Journal, fmt.Sprint("posting ", p.number), "a posting before it is missing")
			break
		}
	}
	if n := a.counters["journal"]; len(a.journal) > 0 && n != fmt.Sprint(a.journal[len(a.journal)-1].number) {
		a.fail(Journal, fmt.Sprint("posting ", n), "the last posting is missing")
	}
	for _, p := range a.journal {
		key := unitKey{p.community, p.subject}
		a.history[p.subject] = append(a.history[p.subject], p)
		if p.amount < 0 || p.from == p.to || p.from == "" || p.to == "" {
			a.fail(Journal, subjectOf(p), "%d from %q to %q does not balance", p.amount, p.from, p.to)
		}
		switch p.asset {
		case "rune":
			a.replay(units, unitMoves, key, p, p.from, p.to)
		case "":
			a.replay(orders, orderMoves, key, p, strings.TrimPrefix(p.from, "order:"), strings.TrimPrefix(p.to, "order:"))
		case "sats":
			a.move(p)
		default:
			a.fail(Journal, subjectOf(p), "%q is no asset", p.asset)
		}
	}
	a.compareUnits(units)
	a.compareOrders(orders)
	a.checkStaked()
}

// checkStaked compares the kept sums of the STAKED units with the units.
func (a *auditor) checkStaked() {
	sums := map[string]int64{}
	for _, u := range a.units {
		if u.stage == "STAKED" {
			sums[u.community] += u.amount
		}
	}
	for _, c := range a.communities {
		kept, sum := a.staked[c.prefix], fmt.Sprint(sums[c.prefix])
		if kept != sum && (kept != "" || sum != "0") {
			a.fail(Journal, "community "+c.prefix, "%q is kept as the sum of its staked units, which is %s", kept, sum)
		}
	}
}

func subjectOf(p posting) string { return fmt.Sprintf("posting %d (%s)", p.number, p.subject) }

func (a *auditor) replay(at map[unitKey]replayed, table map[[2]string]bool, key unitKey, p posting, from, to string) {
	before, exists := at[key]
	if !exists {
		before = replayed{"outside", p.amount, p.owner}
	}
	if before.state != from || before.amount != p.amount || before.owner != p.owner {
		a.fail(Journal, subjectOf(p), "it moves %d of %s from %s, where there are %d of %s in %s", p.amount, p.owner, from, before.amount, before.owner, before.state)
	}
	if !table[[2]string{from, to}] {
		a.fail(Journal, subjectOf(p), "%q moves it from %s to %s, which no rule allows", p.event, from, to)
	}
	at[key] = replayed{to, p.amount, p.owner}
	if to == "outside" {
		delete(at, key)
	}
}

// move books a posting of sats; no account but the outside may be overdrawn.
func (a *auditor) move(p posting) {
	for account, change := range map[string]int64{p.from: -p.amount, p.to: p.amount} {
		if account == "outside" {
			continue
		}
		if a.accounts[account] += change; a.accounts[account] < 0 {
			a.fail(Journal, subjectOf(p), "account %s is overdrawn", account)
		}
	}
}

func (a *auditor) compareUnits(units map[unitKey]replayed) {
	for _, key := range a.unitKeys() {
		u := a.units[key]
		r, exists := units[key]
		if !exists {
			r.state = "outside"
		}
		if r.state != u.stage || r.amount != u.amount || r.owner != u.owner {
			a.fail(Journal, "unit "+u.id, "it is %d of %s, %s; by the journal %d of %s, %s", u.amount, u.owner, u.stage, r.amount, r.owner, r.state)
		}
	}
	for key := range units {
		if _, exists := a.units[key]; !exists {
			a.fail(Journal, "unit "+key.id, "the journal has it, the ledger does not")
		}
	}
}

func (a *auditor) compareOrders(orders map[unitKey]replayed) {
	for _, id := range sortedKeys(a.orders) {
		o := a.orders[id]
		if r := orders[unitKey{o.community, id}]; r.state != o.status || r.owner != o.owner {
			a.fail(Journal, "order "+id, "it is %s of %s; by the journal %s of %s", o.status, o.owner, r.state, r.owner)
		}
	}
	for key := range orders {
		if _, exists := a.orders[key.id]; !exists {
			a.fail(Journal, "order "+key.id, "the journal has it, the ledger does not")
		}
	}
}
