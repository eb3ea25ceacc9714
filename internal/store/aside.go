package store

import (
	"context"
	"errors"

	"moonfund/internal/store/sqlc"
)

// ErrNotShared is returned by Note, PutNote, ReplaceNote and Time if only one server can use the database (SQLite).
var ErrNotShared = errors.New("store: this database has one server")

// Note returns a note that the servers on one database share, or "" if there is none. The read does not wait for
// transactions.
func (s *Store) Note(ctx context.Context, name string) (text string, err error) {
	if !s.engine.shared {
		return "", ErrNotShared
	}
	text, err = sqlc.New(s.direct).Setting(ctx, name)
	_, err = absent(err)
	return text, err
}

// PutNote stores a note for the other servers. The note is durable when PutNote returns nil, even if a running
// transaction is rolled back.
func (s *Store) PutNote(ctx context.Context, name, text string) error {
	if !s.engine.shared {
		return ErrNotShared
	}
	return wrap(sqlc.New(s.direct).PutSetting(ctx, sqlc.PutSettingParams{Name: name, Value: text}))
}

// ReplaceNote stores a note if the stored note equals before, which is "" for no note. It reports whether it stored the
// note. Of two servers that replace the same note, one succeeds.
func (s *Store) ReplaceNote(ctx context.Context, name, before, text string) (bool, error) {
	if !s.engine.shared {
		return false, ErrNotShared
	}
	q := sqlc.New(s.direct)
	if before == "" {
		n, err := q.InsertSetting(ctx, sqlc.InsertSettingParams{Name: name, Value: text})
		return n == 1, wrap(err)
	}
	n, err := q.ReplaceSetting(ctx, sqlc.ReplaceSettingParams{Name: name, Before: before, Value: text})
	return n == 1, wrap(err)
}
