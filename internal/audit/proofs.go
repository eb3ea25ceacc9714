package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// The types of action that may cause an event. The events in always require a user's action; the server may also close
// an order.
var (
	always = map[string][]string{
		"unstake": {"UNSTAKE"}, "restake": {"RESTAKE"}, "compound": {"COMPOUND"}, "withdraw ordered": {"WITHDRAW"},
		"claim ordered": {"CLAIM"}, "proof accepted": {"CLAIM", "WITHDRAW"},
		"canceled by its owner": {"CANCEL"}, "canceled, refund due": {"CANCEL"},
		"auto compound begun": {"AUTO_COMPOUND"}, "auto compound replaced": {"AUTO_COMPOUND"},
		"auto compound ended": {"END_AUTO_COMPOUND"},
	}
	sometimes = map[string][]string{"order closed": {"CANCEL"}}
)

// citedAction is the action that a posting or an order cites. id is "" if there is none.
type citedAction struct {
	id, community, kind, ordinals, orderID string
	unitIDs                                names
	usedAt                                 int64
}

const citedColumns = `COALESCE(a.id, ''), COALESCE(a.community, ''), COALESCE(a.type, ''), COALESCE(a.ordinals, ''),
		COALESCE(a.order_id, ''), COALESCE(a.unit_ids, '[]'), COALESCE(a.used_at, 0)`

func (a *citedAction) fields() []any {
	return []any{&a.id, &a.community, &a.kind, &a.ordinals, &a.orderID, &a.unitIDs, &a.usedAt}
}

// action is an action with the signed message.
type action struct {
	id, community, kind, payment, ordinals string
	unitIDs                                names
	message, statement                     string
	createdAt, expiresAt, usedAt           int64
	signature, signer                      string
}

type link struct{ community, ordinals, payment string }

var (
	actionRows = table[action]{`SELECT id, community, type, payment, ordinals, unit_ids, message, statement, created_at,
			expires_at, used_at, signature, signer
		FROM action`, func(a *action) []any {
		return []any{&a.id, &a.community, &a.kind, &a.payment, &a.ordinals, &a.unitIDs, &a.message, &a.statement,
			&a.createdAt, &a.expiresAt, &a.usedAt, &a.signature, &a.signer}
	}}
	linkRows = table[link]{"SELECT community, ordinals, payment FROM wallet_link", func(l *link) []any {
		return []any{&l.community, &l.ordinals, &l.payment}
	}}
	// unusedProofRows are the signed actions that no posting cites.
	unusedProofRows = table[string]{`SELECT id FROM action WHERE used_at <> 0
		EXCEPT SELECT cause_id FROM journal WHERE cause_kind = 'action'`, func(id *string) []any { return []any{id} }}
)

func (l link) entry() (link, bool) { return l, true }

// orderedRow is an order with the action that created it.
type orderedRow struct {
	id, reason, owner string
	unitIDs           names
	message           string // of the action
	action            citedAction
}

var orderedRows = table[orderedRow]{`SELECT o.id, o.reason, o.owner, o.unit_ids, COALESCE(a.message, ''), ` +
	citedColumns + ` FROM payment_order o LEFT JOIN action a ON a.id = o.action_id`, func(o *orderedRow) []any {
	return append([]any{&o.id, &o.reason, &o.owner, &o.unitIDs, &o.message}, o.action.fields()...)
}}

// checkProofs checks every signed action, that every signed action had its effect, and that every order has the action
// that created it (invariant 7).
func (a *auditor) checkProofs(r *reader) {
	links := keyed(r, linkRows, link.entry, "")
	each(r, actionRows, "", func(act action) {
		a.report.Checked.Actions++
		if act.usedAt != 0 {
			a.checkProof(act, links)
		}
	})
	each(r, unusedProofRows, "", func(id string) {
		a.fail(Proofs, subject{name: "action " + id, scope: OneOrder}, "it was proved, but had no effect")
	})
	a.checkInstructions(r, links)
	for id := range a.unproved {
		a.fail(Proofs, subject{name: "action " + id, scope: OneOrder}, "it had effects, but was never proved")
	}
	each(r, orderedRows, "", a.checkOrdered)
	a.checkEconomy(r)
}

// cite checks that a posting caused by a user cites an action that this user signed, and cites it once. applied
// contains the actions and events of the subject's earlier postings.
func (a *auditor) cite(p posting, applied map[[2]string]bool) {
	types, must := always[p.event]
	if !must {
		types = sometimes[p.event]
	}
	if p.causeKind == "instruction" && (p.event == "compound" || p.event == "auto compound expired") {
		a.checkInstructed(p, applied)
		return
	}
	applied[[2]string{"", p.event}] = true
	if p.to == "order:EXPIRED" && p.event != neverSigned &&
		(p.from == "order:PAID" || p.event == "economy delivery ended") {
		a.endedEconomy[p.subject] = p.at
	}
	if p.causeKind != "action" {
		if must {
			a.fail(Proofs, a.onPosting(p), "%q needs a user's action, its cause is %s %s", p.event, p.causeKind, p.causeID)
		}
		return
	}
	once := [2]string{p.causeID, p.event}
	if applied[once] {
		a.fail(Proofs, a.onPosting(p), "action %s was applied to it twice", p.causeID)
	}
	applied[once] = true
	a.checkCited(p, types)
}

// checkCited compares a posting with the action that it cites. types are the types of action that may cause its event.
func (a *auditor) checkCited(p posting, types []string) {
	act := p.action
	if act.id != "" && act.usedAt == 0 {
		a.unproved[act.id] = true
	}
	switch {
	case act.id == "" || act.usedAt == 0:
		a.fail(Proofs, a.onPosting(p), "it cites action %q, which was never proved", p.causeID)
	case act.community != p.community || act.ordinals != p.owner || !slices.Contains(types, act.kind):
		a.fail(Proofs, a.onPosting(p), "%q of %s cites a %s action of %s", p.event, p.owner, act.kind, act.ordinals)
	case p.asset == runeAsset && !slices.Contains(act.unitIDs, p.subject):
		a.fail(Proofs, a.onPosting(p), "action %s is not about this unit", act.id)
	case p.event == "auto compound begun" && act.id != p.subject:
		a.fail(Proofs, a.onPosting(p), "action %s is not this instruction", act.id)
	case p.asset == noAsset && act.orderID != p.subject:
		a.fail(Proofs, a.onPosting(p), "action %s is not about this order", act.id)
	case p.at != act.usedAt:
		a.fail(Proofs, a.onPosting(p), "it happened at %d, action %s was proved at %d", p.at, act.id, act.usedAt)
	}
}

// checkOrdered checks that an order was created by a signed action for the same units, and that its id is derived from
// the signed message.
func (a *auditor) checkOrdered(o orderedRow) {
	act := o.action
	if act.id == "" || act.usedAt == 0 || act.orderID != o.id || act.kind != o.reason || act.ordinals != o.owner ||
		!slices.Equal(act.unitIDs, o.unitIDs) {
		a.fail(Proofs, a.onOrder(o.id), "action %q did not order it", a.orders[o.id].actionID)
	} else if sum := sha256.Sum256([]byte(o.message)); hex.EncodeToString(sum[:16]) != o.id {
		a.fail(Proofs, a.onOrder(o.id), "its id is not derived from the message of action %s", act.id)
	}
}

// checkProof checks the text, the signer and the time of a signed action. The server and the signer verify signatures.
func (a *auditor) checkProof(act action, links map[link]bool) {
	on := a.onAction(act)
	linked := act.signer == act.payment && links[link{act.community, act.ordinals, act.payment}]
	switch {
	case act.signature == "" || (act.signer != act.ordinals && !linked):
		a.fail(Proofs, on, "it was not signed by one of its addresses")
	case act.usedAt < act.createdAt || act.usedAt > act.expiresAt:
		a.fail(Proofs, on, "it was proved outside of its validity")
	case act.expiresAt > act.createdAt+validity:
		a.fail(Proofs, on, "it was valid for %d seconds, not %d", act.expiresAt-act.createdAt, validity)
	}
	lines := []string{"Action: " + act.kind, "Nonce: " + act.id, "Ordinals: " + act.ordinals, "Payment: " + act.payment}
	if act.statement != "" {
		lines = append(lines, "Statement: "+act.statement)
	}
	if act.kind != "AUTO_COMPOUND" && act.kind != "END_AUTO_COMPOUND" {
		lines = append(lines, "Digest: "+digest(act.unitIDs))
	}
	for _, line := range lines {
		if !slices.Contains(strings.Split(act.message, "\n"), line) {
			a.fail(Proofs, on, "the signed message does not say %q", line)
		}
	}
}

// digest returns the digest of a set of unit ids in a message: SHA-256 of the sorted ids, each as length ":" id ",", of
// which the first 16 bytes in hex.
func digest(ids []string) string {
	var text strings.Builder
	for _, id := range slices.Sorted(slices.Values(ids)) {
		fmt.Fprintf(&text, "%d:%s,", len(id), id)
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:16])
}
