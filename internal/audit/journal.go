package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unitMoves and orderMoves are the state tables of units and orders without their events. Each line has a state and the
// states that may follow it.
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
		"WITHDRAWN BATCH_LOCKED PENDING_STAKE STAKED PENDING_UNLOCK UNLOCKED", // the last four: recovery undone
	)
	orderMoves = moves(
		"outside PENDING",
		"PENDING CANCELED EXPIRED CONFIRMED INVALID AUDIT SENT",
		"CONFIRMED PENDING_RERATE PENDING EXPIRED PAID AUDIT CANCELED INVALID SENT",
		"PENDING_RERATE CONFIRMED PAID EXPIRED AUDIT CANCELED INVALID",
		"PAID CONFIRMED PENDING_RERATE INVALID AUDIT SENT CANCELED EXPIRED",
		"SENT PAID AUDIT DELIVERED CANCELED INVALID",
		"DELIVERED SENT CONSOLIDATED",
		"CONSOLIDATED SENT",
		"CANCELED AUDIT",
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

// posting is a posting of the journal, with the action that it cites.
type posting struct {
	number                           int64
	community, subject, owner, event string
	asset                            string
	amount                           int64
	from, to, causeKind, causeID     string
	at                               int64

	action      citedAction
	instruction citedInstruction
}

// unitState is a unit in the ledger, and its last posting.
type unitState struct {
	community, id, owner, stage string
	amount                      int64
	last                        replayed
}

var postingRows = table[posting]{`SELECT j.number, j.community, j.subject, j.owner, j.event, j.asset, j.amount,
		j.from_account, j.to_account, j.cause_kind, j.cause_id, j.at,
		` + instructionColumns + `, ` + citedColumns + `
	FROM journal j
	LEFT JOIN action a ON j.cause_kind IN ('action', 'instruction') AND a.id = j.cause_id`, func(p *posting) []any {
	return append([]any{&p.number, &p.community, &p.subject, &p.owner, &p.event, &p.asset, &p.amount,
		&p.from, &p.to, &p.causeKind, &p.causeID, &p.at,
		&p.instruction.message, &p.instruction.begun, &p.instruction.ended}, p.action.fields()...)
}}

// bySubject orders the journal so that each subject is replayed separately.
const bySubject = "ORDER BY j.subject, j.number"

// replayed is the state of a unit or an order according to the journal.
type replayed struct {
	state  string
	amount int64
	owner  string
}

const outside = "outside"

// The assets of postings. SQL has them as literals.
const (
	runeAsset        = "rune"     // base units of a unit
	treasuryAsset    = "treasury" // base units that belong to no unit
	satsAsset        = "sats"
	instructionAsset = "instruction" // a change of an instruction
	noAsset          = ""            // a change of a status
)

// journal contains the data of the postings that later checks use.
type journal struct {
	accounts map[string]int64     // balances of the sats accounts
	sats     []satsPosting        // in the order of their subjects
	history  map[string][]posting // postings with events in remembered, by order
	unproved map[string]bool      // actions that postings cite but that were not signed
	restaked map[unitKey]restaked // addMember adds their units

	resumed      map[string]bool  // orders that an operator resumed from AUDIT
	undone       map[string]bool  // orders that were PAID until a payment was undone, which can give a new week
	endedEconomy map[string]int64 // times at which economy delivery of PAID orders ended

	replayedUnits  unitSum         // by the journal
	ledgerUnits    unitSum         // in the ledger
	replayedOrders map[string]bool // orders of the ledger that have postings
}

type satsPosting struct {
	number, amount               int64
	community, subject, from, to string
}

func newJournal() journal {
	return journal{
		accounts: map[string]int64{}, history: map[string][]posting{}, unproved: map[string]bool{},
		restaked: map[unitKey]restaked{}, replayedOrders: map[string]bool{}, endedEconomy: map[string]int64{},
		resumed: map[string]bool{}, undone: map[string]bool{},
	}
}

// subjectReplay replays the postings of one unit or order, by community.
type subjectReplay struct {
	subject string
	units   map[string]replayed
	orders  map[string]replayed
	applied map[[2]string]bool // pairs of action and event of the replayed postings

	instructions map[string]replayed
}

func newSubjectReplay() *subjectReplay {
	return &subjectReplay{
		units: map[string]replayed{}, orders: map[string]replayed{}, applied: map[[2]string]bool{},
		instructions: map[string]replayed{},
	}
}

func (s *subjectReplay) begin(subject string) {
	s.subject = subject
	clear(s.units)
	clear(s.orders)
	clear(s.applied)
	clear(s.instructions)
}

// remembered are the events that other checks use.
var remembered = []string{"payout signed and stored", "payment vanished"}

// checkJournal replays the journal and compares each posting with the action that it cites (invariant 7).
func (a *auditor) checkJournal(r *reader) {
	a.checkNumbers(r)
	a.replayJournal(r, "")
}

// checkReplayed compares the result of the replay with the tables (invariant 3), after all units were read. The units
// are looked up only if their sum differs from the journal's.
func (a *auditor) checkReplayed(r *reader) {
	if a.replayedUnits != a.ledgerUnits {
		each(r, unitStateRows, "", a.compareUnit)
		each(r, unknownRows, "", func(u unitKey) {
			on := onCommunity(u.community)
			on.name = "unit " + u.id
			a.fail(Journal, on, "the journal has it, the ledger does not")
		})
	}
	a.checkStakedSums(r)
	for id, o := range a.orders {
		if !a.replayedOrders[id] {
			a.compareOrder(o, replayed{})
		}
	}
}

// postingCount contains the count and the range of the journal's numbers.
type postingCount struct{ count, lowest, highest int64 }

var (
	countRows = table[postingCount]{"SELECT COUNT(*), COALESCE(MIN(number), 1), COALESCE(MAX(number), 0) FROM journal",
		func(c *postingCount) []any { return []any{&c.count, &c.lowest, &c.highest} }}
	counterRows = table[stored]{"SELECT name, CAST(value AS TEXT) FROM counter", pair}
	gapRows     = table[postingCount]{`SELECT 0, 0, j.number FROM journal j
		WHERE j.number <> 1 AND NOT EXISTS (SELECT 1 FROM journal p WHERE p.number = j.number - 1)
		ORDER BY j.number LIMIT 1`, countRows.fields}
)

// checkNumbers checks that no posting is missing.
func (a *auditor) checkNumbers(r *reader) {
	counters := keyed(r, counterRows, stored.entry, "")
	for _, c := range list(r, countRows, "") {
		a.report.Checked.Postings = int(c.count)
		if n := counters["journal"]; c.count > 0 && n != fmt.Sprint(c.highest) {
			a.fail(Journal, onServer(brokenJournal, fmt.Sprint("posting ", n)), "the last posting is missing")
		}
		if c.count != c.highest || c.lowest != 1 {
			for _, gap := range list(r, gapRows, "") {
				a.fail(Journal, onServer(brokenJournal, fmt.Sprint("posting ", gap.highest)), "a posting before it is missing")
			}
		}
	}
}

// replayJournal replays the postings that match a condition, subject by subject.
func (a *auditor) replayJournal(r *reader, condition string, args ...any) {
	s := newSubjectReplay()
	each(r, postingRows, condition+" "+bySubject, func(p posting) {
		if p.subject != s.subject {
			a.endSubject(s)
			s.begin(p.subject)
		}
		a.post(s, p)
	}, args...)
	a.endSubject(s)
	slices.SortFunc(a.sats, func(p, q satsPosting) int { return cmp.Compare(p.number, q.number) })
	for _, p := range a.sats {
		a.move(p)
	}
	a.sats = nil
}

// post checks and replays one posting.
func (a *auditor) post(s *subjectReplay, p posting) {
	if slices.Contains(remembered, p.event) {
		a.history[p.subject] = append(a.history[p.subject], p)
	}
	if p.amount < 0 || p.from == p.to || p.from == "" || p.to == "" {
		a.fail(Journal, a.onPosting(p), "%d from %q to %q does not balance", p.amount, p.from, p.to)
	}
	if p.event == "restake" {
		a.restaked[unitKey{p.community, p.subject}] = restaked{}
	}
	switch p.asset {
	case runeAsset:
		a.replay(s.units, unitMoves, p, p.from, p.to)
	case noAsset:
		a.checkEventTime(p)
		a.replay(s.orders, orderMoves, p, strings.TrimPrefix(p.from, "order:"), strings.TrimPrefix(p.to, "order:"))
	case instructionAsset:
		a.replay(s.instructions, instructionMoves, p, p.from, p.to)
	case satsAsset, treasuryAsset:
		a.sats = append(a.sats, satsPosting{p.number, p.amount, p.community, p.subject, p.from, p.to})
	default:
		a.fail(Journal, onServer(unknownAsset, a.onPosting(p).name), "%q is no asset", p.asset)
	}
	a.cite(p, s.applied)
}

// endSubject adds the result of a replay to the sum of the units, or compares it with an order.
func (a *auditor) endSubject(s *subjectReplay) {
	for community, u := range s.units {
		a.replayedUnits.add(community, s.subject, u.owner, u.state, u.amount)
	}
	o, known := a.orders[s.subject]
	if known {
		a.replayedOrders[o.id] = true
		a.compareOrder(o, s.orders[o.community])
	} else if len(s.orders) > 0 {
		for community := range s.orders {
			on := onCommunity(community)
			on.name = "order " + s.subject
			a.fail(Journal, on, "the journal has it, the ledger does not")
		}
	}
}

// lastPosting is the number of the last posting of the unit of posting j.
const lastPosting = `(SELECT MAX(p.number) FROM journal p
		WHERE p.subject = j.subject AND p.community = j.community AND p.asset = 'rune')`

var (
	unitStateRows = table[unitState]{`SELECT u.community, u.id, u.owner, u.stage, u.amount,
			COALESCE(j.owner, ''), COALESCE(j.to_account, ''), COALESCE(j.amount, 0)
		FROM unit u
		LEFT JOIN journal j ON j.subject = u.id AND j.community = u.community AND j.asset = 'rune'
			AND j.number = ` + lastPosting,
		func(u *unitState) []any {
			return []any{&u.community, &u.id, &u.owner, &u.stage, &u.amount, &u.last.owner, &u.last.state, &u.last.amount}
		}}
	// unknownRows are the units that exist only by the journal.
	unknownRows = table[unitKey]{`SELECT j.community, j.subject FROM journal j
		WHERE j.asset = 'rune' AND j.to_account <> 'outside' AND j.number = ` + lastPosting + `
			AND NOT EXISTS (SELECT 1 FROM unit u WHERE u.community = j.community AND u.id = j.subject)`,
		func(u *unitKey) []any { return []any{&u.community, &u.id} }}
)

var stakedRows = table[stored]{"SELECT community, CAST(amount AS TEXT) FROM staked_total", pair}

// checkStakedSums compares the stored sums of the STAKED units with the sums over the units.
func (a *auditor) checkStakedSums(r *reader) {
	stored := keyed(r, stakedRows, stored.entry, "")
	for _, c := range a.communities {
		kept, sum := stored[c.prefix], fmt.Sprint(a.stakedSums[c.prefix])
		if kept != sum && (kept != "" || sum != "0") {
			a.fail(Journal, onCommunity(c.prefix), "%q is kept as the sum of its staked units, which is %s", kept, sum)
		}
	}
}

// replay moves a unit or an order from one state to another, and reports a move that does not start in its state or
// that the state table does not allow.
func (a *auditor) replay(at map[string]replayed, table map[[2]string]bool, p posting, from, to string) {
	before, exists := at[p.community]
	if !exists {
		before = replayed{outside, p.amount, p.owner}
	}
	if before.state != from || before.amount != p.amount || before.owner != p.owner {
		a.fail(Journal, a.onPosting(p), "it moves %d of %s from %s, where there are %d of %s in %s",
			p.amount, p.owner, from, before.amount, before.owner, before.state)
	}
	if !table[[2]string{from, to}] {
		a.fail(Journal, a.onPosting(p), "%q moves it from %s to %s, which no rule allows", p.event, from, to)
	}
	if to == outside {
		delete(at, p.community)
		return
	}
	at[p.community] = replayed{to, p.amount, p.owner}
}

// move applies a posting of sats to the accounts. It reports an account that becomes negative, except "outside". A
// partial audit applies it only to the accounts of the posting's subject.
func (a *auditor) move(p satsPosting) {
	for account, change := range map[string]int64{p.from: -p.amount, p.to: p.amount} {
		if account == outside || (a.partial && !strings.HasSuffix(account, ":"+p.subject)) {
			continue
		}
		if a.accounts[account] += change; a.accounts[account] < 0 {
			on := a.onPosting(posting{number: p.number, community: p.community, subject: p.subject})
			a.fail(Journal, on, "account %s is overdrawn", account)
		}
	}
}

// compareUnit compares a unit with its last posting, which is empty if the unit has none.
func (a *auditor) compareUnit(u unitState) {
	r := u.last
	if r.state = cmp.Or(r.state, outside); r.state != u.stage || r.amount != u.amount || r.owner != u.owner {
		a.fail(Journal, a.onUnit(u.community, u.id), "it is %d of %s, %s; by the journal %d of %s, %s",
			u.amount, u.owner, u.stage, r.amount, r.owner, r.state)
	}
}

func (a *auditor) compareOrder(o order, r replayed) {
	if r.state != o.status || r.owner != o.owner {
		a.fail(Journal, a.onOrder(o.id), "it is %s of %s; by the journal %s of %s", o.status, o.owner, r.state, r.owner)
	}
}
