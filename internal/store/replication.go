package store

import (
	"context"
	"fmt"
)

// Replication is the state of the synchronous standby, as reported by PostgreSQL's primary.
type Replication struct {
	Missing bool  // a standby is set up, and no commit reaches it
	Lag     int64 // log that the standby has not applied yet, in bytes; 0 without a standby
}

// standbyQuery returns whether commits wait for a standby, whether one is connected, and the bytes that it has not
// applied. A role without pg_read_all_stats sees the standbys, but not their state.
const standbyQuery = `SELECT current_setting('synchronous_standby_names') <> '',
	COUNT(*) FILTER (WHERE sync_state IN ('sync', 'quorum') OR sync_state IS NULL) > 0,
	COALESCE(MAX(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) FILTER (WHERE sync_state IN ('sync', 'quorum')),
		0)::bigint
	FROM pg_stat_replication`

// Replication reads the state of the synchronous standby. A standby is set up if the address names several servers or
// commits wait for a standby. Without the rights of pg_read_all_stats, each connected standby counts as synchronous,
// and Lag is 0. SQLite has no standby.
func (s *Store) Replication(ctx context.Context) (r Replication, err error) {
	if s.hosts == nil {
		return Replication{}, nil
	}
	var required, connected bool
	err = s.reader.QueryRowContext(ctx, standbyQuery).Scan(&required, &connected, &r.Lag)
	if err != nil {
		return Replication{}, s.engine.reached(fmt.Errorf("store: the standby: %w", err))
	}
	r.Missing = (required || s.hosts.Several()) && !(required && connected)
	r.Lag = max(0, r.Lag) // the standby may be ahead of the primary's answer
	return r, nil
}
