package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/signed/statement"
	"moonfund/internal/store/sqlc"
)

// The kinds of entries in the public incident log.
const (
	IncidentPause     = "pause"     // detail: payouts or all
	IncidentResume    = "resume"    // detail: payouts or all
	IncidentViolation = "violation" // detail: number of violations that the audit found
	IncidentAccepted  = "accepted"  // detail: a violation that an operator explained, by its id
	IncidentRefused   = "refused"   // detail: id of a transaction that the node refused
	IncidentReorg     = "reorg"     // detail: the blocks of a reorg that is too deep to be followed
	IncidentRestore   = "restore"   // detail: the time of the backup
)

// recordCondition appends a condition that began to the public incident log, if the condition concerns stakers. The log
// does not contain reasons, because operators write some of them.
func (t *Tx) recordCondition(
	ctx context.Context, kind EventKind, subject string, data EventData, at time.Time,
) error {
	switch kind {
	case EventPause:
		what, community, _ := strings.Cut(subject, ":")
		return t.RecordIncident(ctx, community, IncidentPause, what, at)
	case EventViolation:
		return t.RecordIncident(ctx, data.Community, IncidentViolation, fmt.Sprintf("the audit found %d", data.Count), at)
	case EventBroadcast:
		return t.RecordIncident(ctx, "", IncidentRefused, subject, at)
	}
	return nil
}

// AcceptViolation records that an operator accepted a violation of the audit, which stops nothing from then on. line is
// the operator's line in the log, and an error if it was accepted before.
func (t *Tx) AcceptViolation(ctx context.Context, id, community string, line int64) error {
	inserted, err := t.q.InsertAcceptedViolation(ctx, sqlc.InsertAcceptedViolationParams{ID: id, Number: line})
	if err == nil && inserted == 0 {
		return fmt.Errorf("violation %s was accepted before", id)
	}
	if err != nil {
		return wrap(err)
	}
	return t.RecordIncident(ctx, community, IncidentAccepted, "violation "+id, time.Now())
}

// LastAccepted returns the number of the last acceptance of a violation in the operator log, or 0.
func (t *Tx) LastAccepted(ctx context.Context) (int64, error) {
	n, err := t.q.LastAcceptedViolation(ctx, 0)
	_, err = absent(err)
	return n, err
}

// RecordIncident appends an entry to the public incident log. An empty community means all communities. detail must
// contain no secret and no text of an operator.
func (t *Tx) RecordIncident(ctx context.Context, community, kind, detail string, at time.Time) error {
	return wrap(t.q.InsertIncident(ctx, sqlc.InsertIncidentParams{
		Community: community, At: unix(at), Kind: kind, Detail: statement.Plain(detail),
	}))
}

// Incidents returns the newest entries of a community's incident log, newest first.
func (t *Tx) Incidents(ctx context.Context, community string, limit int) ([]statement.Incident, error) {
	rows, err := t.q.NewestIncidents(ctx, sqlc.NewestIncidentsParams{Community: community, Limit: int32(limit)})
	return mapAll(rows, err, func(row sqlc.Incident) (statement.Incident, error) {
		return statement.Incident{Time: row.At, Kind: row.Kind, Detail: row.Detail}, nil
	})
}
