package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

	"moonfund/internal/staking/order"
	"moonfund/internal/store/sqlc"
)

// EventKind is the kind of a condition that operators are notified of.
type EventKind string

// The kinds of conditions. Their names are part of the messages that receivers of events get.
const (
	EventOrder     EventKind = "order.needs_person" // subject: the order's id
	EventBroadcast EventKind = "broadcast.refused"  // subject: the transaction's id
	EventPause     EventKind = "ledger.paused"      // subject: payouts or all
	EventViolation EventKind = "audit.violation"    // subject: SubjectLedger
	EventRunway    EventKind = "treasury.low"       // subject: the community's prefix
	EventBackup    EventKind = "backup.failed"      // subject: SubjectBackups
	EventStop      EventKind = "server.stopped"     // subject: what stopped, such as node or signer
	EventTest      EventKind = "test"               // never stored
)

// Subjects of conditions that concern a whole ledger or server.
const (
	SubjectLedger  = "ledger"  // of EventViolation
	SubjectBackups = "backups" // of EventBackup
)

// EventData describes a condition. It must contain no secret: receivers are outside of the operator's machines.
type EventData struct {
	Community string `json:"community,omitempty"`
	Status    string `json:"status,omitempty"` // of the order
	Reason    string `json:"reason,omitempty"`
	Sats      int64  `json:"sats,omitempty"`   // amount of the refund that is due
	Epochs    int64  `json:"epochs,omitempty"` // number of epochs that the treasury covers
	Count     int    `json:"count,omitempty"`  // number of violations
}

// maxReason is the maximum length of EventData.Reason in characters.
const maxReason = 500

// BeginCondition inserts the event that a condition began. It does nothing if the same condition already stands. Call
// it in the transaction of the change that causes the condition.
func (t *Tx) BeginCondition(ctx context.Context, kind EventKind, subject string, data EventData) error {
	data.Reason = oneLine(data.Reason)
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	at := time.Now()
	began, err := t.q.BeginCondition(ctx, sqlc.BeginConditionParams{
		Kind: string(kind), Subject: subject, Data: string(text), At: unix(at),
	})
	if err != nil || began == 0 {
		return wrap(err)
	}
	return t.recordCondition(ctx, kind, subject, data, at)
}

// EndCondition inserts the event that a condition ended, if it stands.
func (t *Tx) EndCondition(ctx context.Context, kind EventKind, subject string) error {
	data, err := t.q.EndCondition(ctx, sqlc.EndConditionParams{Kind: string(kind), Subject: subject})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return wrap(err)
	}
	return wrap(t.q.InsertEnd(ctx, sqlc.InsertEndParams{
		Kind: string(kind), Subject: subject, Data: data, At: unix(time.Now()),
	}))
}

// IsStanding reports whether a condition began and has not ended.
func (t *Tx) IsStanding(ctx context.Context, kind EventKind, subject string) (bool, error) {
	n, err := t.q.IsStanding(ctx, sqlc.IsStandingParams{Kind: string(kind), Subject: subject})
	return n > 0, wrap(err)
}

// SetCondition begins or ends a condition that no transaction of the ledger changes. It writes only if the condition
// changed.
func (s *Store) SetCondition(ctx context.Context, kind EventKind, subject string, holds bool, data EventData) error {
	var standing bool
	err := s.View(ctx, func(tx *Tx) (err error) {
		standing, err = tx.IsStanding(ctx, kind, subject)
		return err
	})
	if err != nil || standing == holds {
		return err
	}
	return s.Update(ctx, func(tx *Tx) error {
		if !holds {
			return tx.EndCondition(ctx, kind, subject)
		}
		return tx.BeginCondition(ctx, kind, subject, data)
	})
}

// noteOrder begins or ends the condition that an order needs an operator: the order is in AUDIT, or its refund is held
// for an operator. from is the order's status before the update. An order in a status without refunds has no such
// condition, so most updates cost no statement here.
func (t *Tx) noteOrder(ctx context.Context, o order.Order, from order.Status) error {
	if o.NeedsPerson() {
		reason := string(o.Owed.Hold)
		if o.Status == order.Audit {
			reason = "audit"
		}
		return t.BeginCondition(ctx, EventOrder, o.ID, EventData{
			Community: o.Community, Status: string(o.Status), Reason: reason, Sats: int64(o.Owed.Sats),
		})
	}
	if !from.Refunds() {
		return nil
	}
	return t.EndCondition(ctx, EventOrder, o.ID)
}

// oneLine returns a text without control characters, shortened to maxReason characters.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if all := []rune(text); len(all) > maxReason {
		return string(all[:maxReason-1]) + "…"
	}
	return text
}
