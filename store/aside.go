package store

import (
	"context"
	"database/sql"
	"errors"
)

// ErrAlone is returned where a note is kept aside for other servers and there can be none.
var ErrAlone = errors.New("store: this database has one server")

// Noted returns a note that servers on one database keep for each other, "" when
// there is none. It waits for no transaction and belongs to none.
func (s *Store) Noted(ctx context.Context, name string) (text string, err error) {
	if !s.engine.shared {
		return "", ErrAlone
	}
	err = s.aside.QueryRowContext(ctx, `SELECT value FROM setting WHERE name = $1`, name).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return text, err
}

// Note keeps a note; it is durable when Note returns nil, whatever becomes of the
// transaction that is under way.
func (s *Store) Note(ctx context.Context, name, text string) error {
	if !s.engine.shared {
		return ErrAlone
	}
	_, err := s.aside.ExecContext(ctx, `INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, text)
	return err
}
