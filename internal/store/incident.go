package store

import (
	"context"
	"fmt"
	"time"

	"moonfund/internal/signed/statement"
	"moonfund/internal/store/sqlc"
)

// The kinds of entries in the public incident log.
const (
	IncidentPause     = "pause"     // detail: payouts or all
	IncidentResume    = "resume"    // detail: payouts or all
	IncidentViolation = "violation" // detail: number of violations that the audit found
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
		return t.RecordIncident(ctx, "", IncidentPause, subject, at)
	case EventViolation:
		return t.RecordIncident(ctx, "", IncidentViolation, fmt.Sprintf("the audit found %d", data.Count), at)
	case EventBroadcast:
		return t.RecordIncident(ctx, "", IncidentRefused, subject, at)
	}
	return nil
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
