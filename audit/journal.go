package audit

import (
	"fmt"
	"slices"
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
		"PAID CONFIRMED PENDING_RERATE INVALID AUDIT SENT CANCELED",
		"SENT PAID AUDIT DELIVERED",
		"DELIVERED SENT CONSOLIDATED",
		"CONSOLIDATED SENT",
		"CANCELED AUDIT",
		"AUDIT CANCELED PAID",
	)
	// olderOrderMoves are in the journals of older versions, where a late payment moved an order.
	olderOrderMoves = moves("EXPIRED AUDIT", "INVALID AUDIT")
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

// diary is what is kept of the postings that were read: not the postings, but
// where they lead.
type diary struct {
	postings, last    int64 // how many, and the number of the last one
	gap               bool
	unitsAt, ordersAt *standings
	accounts          map[string]int64     // balances of the sats accounts
	history           map[string][]posting // of rare events, by order
	applied           map[mark]bool        // actions with what they were applied to
	proofs            int                  // how many actions
}

func newDiary() diary {
	return diary{
		unitsAt: newStandings(), ordersAt: newStandings(), accounts: map[string]int64{}, history: map[string][]posting{}, applied: map[mark]bool{},
	}
}

// remembered are the events that checks ask for later.
var remembered = []string{"payout signed and stored", "payment vanished"}

// post takes in one posting, in their order (invariants 3 and 7).
func (a *auditor) post(p posting) {
	if a.postings++; p.number != a.last+1 && !a.gap && !a.part {
		a.fail(Journal, fmt.Sprint("posting ", p.number), "a posting before it is missing")
		a.gap = true
	}
	a.last = p.number
	if slices.Contains(remembered, p.event) {
		a.history[p.subject] = append(a.history[p.subject], p)
	}
	if p.amount < 0 || p.from == p.to || p.from == "" || p.to == "" {
		a.fail(Journal, subjectOf(p), "%d from %q to %q does not balance", p.amount, p.from, p.to)
	}
	key := unitKey{p.community, p.subject}
	if p.event == "restake" {
		a.units.restake(key)
	}
	switch p.asset {
	case "rune":
		a.replay(a.unitsAt, unitMoves, key, p, p.from, p.to)
	case "":
		a.replay(a.ordersAt, orderMoves, key, p, strings.TrimPrefix(p.from, "order:"), strings.TrimPrefix(p.to, "order:"))
	case "sats":
		a.move(p)
	default:
		a.fail(Journal, subjectOf(p), "%q is no asset", p.asset)
	}
	a.cite(p)
}

// checkJournal compares where the journal leads with the tables (invariant 3).
func (a *auditor) checkJournal() {
	if n := a.counters["journal"]; a.postings > 0 && n != fmt.Sprint(a.last) {
		a.fail(Journal, fmt.Sprint("posting ", n), "the last posting is missing")
	}
	a.checkStaked(a.compareUnits())
	a.compareOrders()
}

// checkStaked compares the kept sums of the STAKED units with those of the units.
func (a *auditor) checkStaked(sums map[string]int64) {
	for _, c := range a.communities {
		kept, sum := a.staked[c.prefix], fmt.Sprint(sums[c.prefix])
		if kept != sum && (kept != "" || sum != "0") {
			a.fail(Journal, "community "+c.prefix, "%q is kept as the sum of its staked units, which is %s", kept, sum)
		}
	}
}

func subjectOf(p posting) string { return fmt.Sprintf("posting %d (%s)", p.number, p.subject) }

func (a *auditor) replay(at *standings, table map[[2]string]bool, key unitKey, p posting, from, to string) {
	before, exists := at.of(key)
	if !exists {
		before = replayed{"outside", p.amount, p.owner}
	}
	if before.state != from || before.amount != p.amount || before.owner != p.owner {
		a.fail(Journal, subjectOf(p), "it moves %d of %s from %s, where there are %d of %s in %s", p.amount, p.owner, from, before.amount, before.owner, before.state)
	}
	if move := [2]string{from, to}; !table[move] && (p.asset != "" || !olderOrderMoves[move]) {
		a.fail(Journal, subjectOf(p), "%q moves it from %s to %s, which no rule allows", p.event, from, to)
	}
	if to == "outside" {
		at.remove(key)
		return
	}
	at.put(key, replayed{to, p.amount, p.owner})
}

// move books a posting of sats; no account but the outside may be overdrawn.
func (a *auditor) move(p posting) {
	for account, change := range map[string]int64{p.from: -p.amount, p.to: p.amount} {
		if account == "outside" || (a.part && !strings.HasSuffix(account, ":"+p.subject)) {
			continue
		}
		if a.accounts[account] += change; a.accounts[account] < 0 {
			a.fail(Journal, subjectOf(p), "account %s is overdrawn", account)
		}
	}
}

// compareUnits returns the sums of the STAKED ones, by community.
func (a *auditor) compareUnits() (staked map[string]int64) {
	staked = map[string]int64{}
	for key, u := range a.units.all() {
		if a.compareUnit(key, u); u.stage == "STAKED" {
			staked[u.community] += u.amount
		}
	}
	for key := range a.unitsAt.all() {
		if _, exists := a.units.at(key); !exists {
			a.fail(Journal, "unit "+key.id, "the journal has it, the ledger does not")
		}
	}
	return staked
}

func (a *auditor) compareUnit(key unitKey, u unit) {
	r, exists := a.unitsAt.of(key)
	if !exists {
		r.state = "outside"
	}
	if r.state != u.stage || r.amount != u.amount || r.owner != u.owner {
		a.fail(Journal, "unit "+u.id, "it is %d of %s, %s; by the journal %d of %s, %s", u.amount, u.owner, u.stage, r.amount, r.owner, r.state)
	}
}

func (a *auditor) compareOrders() {
	for _, o := range a.orders {
		a.compareOrder(o)
	}
	for key := range a.ordersAt.all() {
		if _, exists := a.orders[key.id]; !exists {
			a.fail(Journal, "order "+key.id, "the journal has it, the ledger does not")
		}
	}
}

func (a *auditor) compareOrder(o order) {
	if r, _ := a.ordersAt.of(unitKey{o.community, o.id}); r.state != o.status || r.owner != o.owner {
		a.fail(Journal, "order "+o.id, "it is %s of %s; by the journal %s of %s", o.status, o.owner, r.state, r.owner)
	}
}
