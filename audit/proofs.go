package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// citing says which types of action may cause an event. What is in always comes
// from a user; an order that closes may also close by itself.
var (
	always = map[string][]string{
		"unstake": {"UNSTAKE"}, "restake": {"RESTAKE"}, "compound": {"COMPOUND"}, "withdraw ordered": {"WITHDRAW"},
		"claim ordered": {"CLAIM"}, "proof accepted": {"CLAIM", "WITHDRAW"},
		"canceled by its owner": {"CANCEL"}, "canceled, refund due": {"CANCEL"},
	}
	sometimes = map[string][]string{"order closed": {"CANCEL"}}
)

// cite checks that a posting that a user caused cites an action that he signed, once (invariant 7).
func (a *auditor) cite(p posting) {
	types, must := always[p.event]
	if !must {
		types = sometimes[p.event]
	}
	if p.causeKind != "action" {
		if must {
			a.fail(Proofs, subjectOf(p), "%q needs a user's action, its cause is %s %s", p.event, p.causeKind, p.causeID)
		}
		return
	}
	once := markOf(p.causeID, p.subject, p.event)
	if a.applied[once] {
		a.fail(Proofs, subjectOf(p), "action %s was applied to it twice", p.causeID)
	}
	a.applied[once] = true
	a.checkCited(p, types)
}

// proved is what is kept of an action once its proof was checked.
type proved struct {
	id, community, kind, ordinals, orderID string
	usedAt                                 int64
	unitIDs                                []uint32 // as listed numbers them
	effective                              bool     // a posting cites it
}

// takeAction takes in an action, with its proof when it has one.
func (a *auditor) takeAction(act action) {
	if a.proofs++; act.usedAt != 0 {
		a.checkProof(act)
	}
	once := func(text string) string { return a.units.texts.at(a.units.texts.number(text)) }
	a.actions[act.id] = &proved{
		id: act.id, community: once(act.community), kind: once(act.kind), ordinals: once(act.ordinals), orderID: act.orderID,
		usedAt: act.usedAt, unitIDs: a.units.listed(act.community, act.unitIDs),
	}
}

// checkProofs checks that every action that was proved had its effect, and that
// every order was ordered (invariant 7).
func (a *auditor) checkProofs() {
	for id, act := range a.actions {
		switch {
		case act.usedAt == 0 && act.effective:
			a.fail(Proofs, "action "+id, "it had effects, but was never proved")
		case act.usedAt != 0 && !act.effective:
			a.fail(Proofs, "action "+id, "it was proved, but had no effect")
		}
	}
	for _, o := range a.orders {
		a.checkOrdered(o)
	}
}

func (a *auditor) checkOrdered(o order) {
	act, exists := a.actions[o.actionID]
	if !exists || act.usedAt == 0 || act.orderID != o.id || act.kind != o.reason || act.ordinals != o.owner ||
		!slices.Equal(act.unitIDs, a.units.listed(act.community, o.unitIDs)) {
		a.fail(Proofs, "order "+o.id, "action %q did not order it", o.actionID)
	}
}

func (a *auditor) checkCited(p posting, types []string) {
	act, exists := a.actions[p.causeID]
	if exists {
		act.effective = true
	}
	switch {
	case !exists || act.usedAt == 0:
		a.fail(Proofs, subjectOf(p), "it cites action %q, which was never proved", p.causeID)
	case act.community != p.community || act.ordinals != p.owner || !slices.Contains(types, act.kind):
		a.fail(Proofs, subjectOf(p), "%q of %s cites a %s action of %s", p.event, p.owner, act.kind, act.ordinals)
	case p.asset == "rune" && !slices.Contains(act.unitIDs, a.units.listed(act.community, names{p.subject})[0]):
		a.fail(Proofs, subjectOf(p), "action %s is not about this unit", act.id)
	case p.asset == "" && act.orderID != p.subject:
		a.fail(Proofs, subjectOf(p), "action %s is not about this order", act.id)
	case p.at != act.usedAt:
		a.fail(Proofs, subjectOf(p), "it happened at %d, action %s was proved at %d", p.at, act.id, act.usedAt)
	}
}

// checkProof checks what was signed, by its text; signatures themselves are
// checked by those who rely on them, the server and the signer.
func (a *auditor) checkProof(act action) {
	subject := "action " + act.id
	linked := act.signer == act.payment && a.links[link{act.community, act.ordinals, act.payment}]
	switch {
	case act.signature == "" || (act.signer != act.ordinals && !linked):
		a.fail(Proofs, subject, "it was not signed by one of its addresses")
	case act.usedAt < act.createdAt || act.usedAt > act.expiresAt:
		a.fail(Proofs, subject, "it was proved outside of its validity")
	}
	for _, line := range []string{
		"Action: " + act.kind, "Ordinals address: " + act.ordinals, "Payment address: " + act.payment,
		"Nonce: " + act.id, "Digest of the units: " + digest(act.unitIDs),
	} {
		if !slices.Contains(strings.Split(act.message, "\n"), line) {
			a.fail(Proofs, subject, "the signed message does not say %q", line)
		}
	}
}

// digest is the fingerprint of a set of unit ids in a message: SHA-256 over the
// sorted ids, each as length ":" id ",", its first 16 bytes in hex.
func digest(ids []string) string {
	var text strings.Builder
	for _, id := range slices.Sorted(slices.Values(ids)) {
		fmt.Fprintf(&text, "%d:%s,", len(id), id)
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:16])
}
