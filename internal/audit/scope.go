package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Scope is what a violation stops.
type Scope string

const (
	// OneOrder stops the orders that the violation names: an order that is being paid, or is PAID, goes to AUDIT, and
	// no transaction for it is broadcast. A violation about a unit on no order, or about a return, names none.
	OneOrder     Scope = "order"
	OneCommunity Scope = "community" // stops every payout of one community
	WholeServer  Scope = "server"    // stops every payout, because the ledger itself can't be believed
)

// ServerRules are the only rules whose violation stops every payout.
var ServerRules = []string{brokenJournal, unknownAsset, otherBlocks, otherRunes, noPayout}

const (
	brokenJournal = "the journal lacks a posting"
	unknownAsset  = "a posting moves an asset that does not exist"
	otherBlocks   = "the indexed blocks are not the node's"
	otherRunes    = "the rune index differs from the blocks"
	noPayout      = "a transaction of the server belongs to no payout"
)

// subject is what a rule is about. Each rule states it, and with it what a violation of the rule stops.
type subject struct {
	name      string
	scope     Scope
	community string
	orders    []string
}

// onServer returns the subject of one of ServerRules.
func onServer(rule, name string) subject {
	return subject{name: name + ": " + rule, scope: WholeServer}
}

func onCommunity(prefix string) subject {
	return subject{name: "community " + prefix, scope: OneCommunity, community: prefix}
}

func (k epochKey) subject() subject {
	return subject{name: k.String(), scope: OneCommunity, community: k.community}
}

func (s unexplainedSpend) subject() subject {
	return subject{name: "transaction " + s.txid, scope: OneCommunity, community: s.community}
}

func (a *auditor) onOrder(id string) subject {
	return subject{name: "order " + id, scope: OneOrder, community: a.orders[id].community, orders: []string{id}}
}

// onUnit returns the subject of a rule about a unit, which stops the order that the unit is on.
func (a *auditor) onUnit(community, id string) subject {
	return subject{name: "unit " + id, scope: OneOrder, community: community, orders: a.ordersOf(community, id)}
}

// ordersOf returns the orders that units are on.
func (a *auditor) ordersOf(community string, units ...string) (orders []string) {
	for _, id := range units {
		if of := a.units[unitKey{community, id}].orderID; of != "" && !slices.Contains(orders, of) {
			orders = append(orders, of)
		}
	}
	return orders
}

// subject returns the subject of a rule about a payout. One without orders is a return, or a withdrawal or a split of
// the treasury of all stakers.
func (p payout) subject() subject {
	s := subject{name: "payout " + p.id, scope: OneOrder, community: p.community, orders: p.orderIDs}
	if p.kind == "withdrawal" || p.kind == "split" {
		s.scope = OneCommunity
	}
	return s
}

func (p payout) transaction(txid string) subject {
	s := p.subject()
	s.name = "transaction " + txid
	return s
}

func (a *auditor) onOutput(c custody) subject {
	return a.onOutputAt(c.outpoint(), purpose{c.community, c.kind, c.ref})
}

// onOutputAt returns the subject of a rule about an output: of a unit, of an order, or of a treasury.
func (a *auditor) onOutputAt(point string, p purpose) subject {
	s := subject{name: point, scope: OneOrder, community: p.community}
	switch p.kind {
	case "stake":
		s.orders = a.ordersOf(p.community, point)
	case "payment":
		s.orders = []string{p.ref}
	default:
		s.scope = OneCommunity
	}
	return s
}

// onPosting returns the subject of a rule about a posting, which stops the order or the unit that the posting is about.
func (a *auditor) onPosting(p posting) subject {
	s := subject{name: fmt.Sprintf("posting %d (%s)", p.number, p.subject), scope: OneOrder, community: p.community}
	_, isOrder := a.orders[p.subject]
	switch {
	case isOrder:
		s.orders = []string{p.subject}
	case p.asset == runeAsset:
		s.orders = a.ordersOf(p.community, p.subject)
	case p.asset != instructionAsset:
		s.scope = OneCommunity
	}
	return s
}

// onAction returns the subject of a rule about a signed action, which stops the orders of its units.
func (a *auditor) onAction(act action) subject {
	return subject{name: "action " + act.id, scope: OneOrder, community: act.community,
		orders: a.ordersOf(act.community, act.unitIDs...)}
}

// ID identifies a violation by its content. The same violation has the same id in each audit, and another one of the
// same subject has another.
func (v Violation) ID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s", v.Invariant, v.Subject, v.Detail))
	return hex.EncodeToString(sum[:6])
}

var acceptedRows = table[string]{"SELECT id FROM accepted_violation", func(id *string) []any { return []any{id} }}

// Stops describes what a violation stops, for operators.
func (v Violation) Stops() string {
	switch {
	case v.Scope == WholeServer:
		return "stops every payout"
	case v.Scope == OneCommunity:
		return "stops the payouts of " + v.Community
	case len(v.Orders) == 0:
		return "stops no order"
	}
	return "stops order " + strings.Join(v.Orders, ", ")
}

// accept moves the violations that an operator accepted from the report's Violations to Accepted.
func (r *Report) accept(ids map[string]bool) {
	r.Violations = slices.DeleteFunc(r.Violations, func(v Violation) bool {
		if ids[v.ID()] {
			r.Accepted = append(r.Accepted, v)
		}
		return ids[v.ID()]
	})
}
