package decisions

import (
	"context"
	"strings"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// AuditReason is the reason why an order is in AUDIT: the event that moved it there, as recorded in the journal.
type AuditReason struct {
	Since time.Time   `json:"since"`
	Event order.Event `json:"event"`
	Text  string      `json:"text"`  // for operators and stakers
	Cause string      `json:"cause"` // for operators only: "order …", "payout …" or "operator olga: paid twice"
}

// auditReasons describes each event that moves an order to AUDIT.
var auditReasons = map[order.Event]string{
	order.UnitLostAfterPaying: "one of its units was lost after a payment, because its deposit vanished " +
		"(it was replaced, stayed unconfirmed too long, or has other runes after a reorg), its staker or someone " +
		"else with the community's key spent it, or a payout that this ledger does not know delivered it",
	order.PayoutDeadByInput: "its delivery can't confirm, because another transaction spent one of the inputs that " +
		"belong to this order, or replaced the deposit of one",
	order.ReviewedByOperator: "an operator wants to review it before it is delivered",
	order.RefundUnconfirmed: "the blocks with its refund were replaced, so the refund, for which it was in AUDIT " +
		"before, has to confirm again",
}

// doubtedByAudit replaces the text of order.ReviewedByOperator if the server's audit is the author.
const doubtedByAudit = "the server's audit found a difference in it, which an operator repairs or accepts before it " +
	"is delivered"

// String returns the reason with its event, date and cause, as one line for operators.
func (r AuditReason) String() string {
	return r.Text + " (" + string(r.Event) + ", " + r.Since.UTC().Format("2006-01-02 15:04:05") + ", " + r.Cause + ")"
}

// statusMoves returns the changes of an order's status, oldest first.
func statusMoves(ctx context.Context, tx *store.Tx, o order.Order) ([]MoveView, error) {
	lines, err := tx.JournalAbout(ctx, o.Community, o.ID)
	moves := []MoveView{} // the journal also has the payments
	for _, l := range lines {
		if l.Asset == ledger.NoAsset {
			moves = append(moves, viewMove(l))
		}
	}
	return moves, err
}

// viewMove returns the view of a posting that changed the stage of a unit or the status of an order.
func viewMove(l store.JournalLine) MoveView {
	cause := strings.TrimSpace(l.Cause.Kind + " " + l.Cause.ID)
	from, to := strings.TrimPrefix(l.From, statusAccount), strings.TrimPrefix(l.To, statusAccount)
	return MoveView{l.Cause.At, l.Event, from, to, cause}
}

// statusAccount is the prefix of a status in the journal.
const statusAccount = "order:"

// auditReason returns the reason why an order is in AUDIT, or nil if it is not. moves are the changes of its status.
func auditReason(o order.Order, moves []MoveView) *AuditReason {
	if o.Status != order.Audit {
		return nil
	}
	for i := len(moves) - 1; i >= 0; i-- {
		if m := moves[i]; m.To == string(order.Audit) {
			event := order.Event(m.Event)
			text := auditReasons[event]
			if strings.HasPrefix(m.Cause, "operator "+payout.ByAudit+":") {
				text = doubtedByAudit
			}
			return &AuditReason{m.At, event, text, m.Cause}
		}
	}
	return nil
}
