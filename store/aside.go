package store

import (
	"context"
	"errors"

	"moonfund/store/sqlc"
)

// ErrNotShared is returned for notes to other servers by a database that only one server can use.
var ErrNotShared = errors.New("store: this database has one server")

// Note returns a note that the servers of one database share, or "" if there is none. It is read outside of any
// transaction and waits for none.
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
