package audit

import (
	"fmt"
	"strconv"
	"strings"

	"moonfund/internal/signed/message"
)

// instructionMoves are the states of an instruction to compound automatically.
var instructionMoves = moves("outside ACTIVE", "ACTIVE ENDED")

// citedInstruction is the signed message of the instruction that a posting cites, and the postings of its beginning and
// its end, 0 if there is none.
type citedInstruction struct {
	message      string
	begun, ended int64
}

const instructionColumns = `COALESCE(CASE WHEN j.cause_kind = 'instruction' THEN a.message END, ''),
		COALESCE(CASE WHEN j.cause_kind = 'instruction' THEN (SELECT MIN(b.number) FROM journal b
			WHERE b.subject = j.cause_id AND b.asset = 'instruction' AND b.to_account = 'ACTIVE') END, 0),
		COALESCE(CASE WHEN j.cause_kind = 'instruction' THEN (SELECT MIN(e.number) FROM journal e
			WHERE e.subject = j.cause_id AND e.asset = 'instruction' AND e.to_account = 'ENDED') END, 0)`

// checkInstructed checks that a posting which compounds a reward or ends an instruction cites an active instruction
// that the owner signed and that covers the reward's epoch. applied is the parameter of cite.
func (a *auditor) checkInstructed(p posting, applied map[[2]string]bool) {
	act, i := p.action, p.instruction
	if act.id == "" || act.usedAt == 0 || act.kind != "AUTO_COMPOUND" || act.community != p.community ||
		act.ordinals != p.owner {
		a.fail(Proofs, a.onPosting(p), "%q of %s cites instruction %q, which its owner never signed", p.event, p.owner,
			p.causeID)
		return
	}
	if i.begun == 0 || p.number < i.begun || (i.ended != 0 && p.number > i.ended) {
		a.fail(Proofs, a.onPosting(p), "instruction %s was not active: it began with posting %d and ended with %d", act.id,
			i.begun, i.ended)
	}
	if p.event != "compound" {
		return
	}
	var epoch int64
	first, last, err := coveredEpochs(i.message)
	if err == nil {
		_, err = fmt.Sscanf(p.subject, "reward:%d:", &epoch)
	}
	if err != nil || epoch < first || epoch > last {
		a.fail(Proofs, a.onPosting(p), "instruction %s covers the epochs %d to %d", act.id, first, last)
	}
	if applied[[2]string{"", "claim ordered"}] {
		a.fail(Proofs, a.onPosting(p), "instruction %s was applied to a reward that was on an order", act.id)
	}
}

// coveredEpochs returns the epochs that a signed instruction names.
func coveredEpochs(message string) (first, last int64, err error) {
	for line := range strings.SplitSeq(message, "\n") {
		for label, into := range map[string]*int64{"First epoch: ": &first, "Last epoch: ": &last} {
			text, found := strings.CutPrefix(line, label)
			if !found {
				continue
			}
			if *into, err = strconv.ParseInt(text, 10, 64); err != nil {
				return 0, 0, err
			}
		}
	}
	if !strings.Contains(message, "\nFirst epoch: ") || !strings.Contains(message, "\nLast epoch: ") {
		return 0, 0, fmt.Errorf("the message names no epochs")
	}
	return first, last, nil
}

// instruction is a row of auto_compound with its action and its postings.
type instruction struct {
	id, community, owner string
	first, last, endedAt int64
	act                  action
	begun, ended         int64
}

var instructionRows = table[instruction]{`SELECT i.id, i.community, i.owner, i.first_epoch, i.last_epoch, i.ended_at,
		COALESCE(a.type, ''), COALESCE(a.community, ''), COALESCE(a.ordinals, ''), COALESCE(a.payment, ''),
		COALESCE(a.message, ''), COALESCE(a.signature, ''), COALESCE(a.signer, ''), COALESCE(a.used_at, 0),
		(SELECT COUNT(*) FROM journal j WHERE j.subject = i.id AND j.asset = 'instruction' AND j.to_account = 'ACTIVE'),
		(SELECT COUNT(*) FROM journal j WHERE j.subject = i.id AND j.asset = 'instruction' AND j.to_account = 'ENDED')
	FROM auto_compound i LEFT JOIN action a ON a.id = i.id`, func(i *instruction) []any {
	return []any{&i.id, &i.community, &i.owner, &i.first, &i.last, &i.endedAt, &i.act.kind, &i.act.community,
		&i.act.ordinals, &i.act.payment, &i.act.message, &i.act.signature, &i.act.signer, &i.act.usedAt, &i.begun, &i.ended}
}}

// checkInstructions checks every instruction against the message and the signature of its owner, and against the
// journal. No signer verifies these signatures, so the audit does.
func (a *auditor) checkInstructions(r *reader, links map[link]bool) {
	active := map[unitKey]bool{}
	each(r, instructionRows, "ORDER BY i.id", func(i instruction) {
		on := subject{name: "instruction " + i.id, scope: OneOrder, community: i.community}
		first, last, err := coveredEpochs(i.act.message)
		linked := i.act.signer == i.act.payment && links[link{i.community, i.owner, i.act.payment}]
		switch {
		case i.act.usedAt == 0 || i.act.kind != "AUTO_COMPOUND" || i.act.community != i.community ||
			i.act.ordinals != i.owner:
			a.fail(Proofs, on, "its owner %s never signed it", i.owner)
		case err != nil || first != i.first || last != i.last:
			a.fail(Proofs, on, "it is stored for the epochs %d to %d, its message names %d to %d", i.first, i.last,
				first, last)
		case (i.act.signer != i.owner && !linked) ||
			message.Verify(i.act.signer, a.Rules.Network.Params, i.act.message, i.act.signature) != nil:
			a.fail(Proofs, on, "its signature is not one of its owner")
		}
		if i.begun != 1 || (i.ended != 0) != (i.endedAt != 0) {
			a.fail(Proofs, on, "it ended at %d; by the journal it began %d times and ended %d times", i.endedAt, i.begun,
				i.ended)
		}
		owner := unitKey{i.community, i.owner}
		if i.endedAt == 0 && active[owner] {
			a.fail(Proofs, on, "its owner has another active one")
		}
		active[owner] = active[owner] || i.endedAt == 0
	})
}
