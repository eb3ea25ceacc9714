package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// session is a reading connection of SQLite's with its own prepared statements.
// Most questions are so short that what the standard library does around a
// transaction would cost as much as they do.
type session struct {
	*sql.Conn
	ready map[string]*sql.Stmt
}

// sessions are those that nobody uses now.
type sessions chan *session

// take returns a session, a new one when all are in use.
func (s *Store) take(ctx context.Context) (*session, error) {
	select {
	case idle := <-s.sessions:
		return idle, nil
	default:
	}
	conn, err := s.reader.Conn(ctx)
	return &session{conn, map[string]*sql.Stmt{}}, err
}

// look runs fn on one consistent state of the database. Nobody interrupts it.
func (s *Store) look(ctx context.Context, fn func(*Tx) error) (err error) {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	held, err := s.take(ctx)
	if err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	sound := false
	defer func() { // also after a panic
		if sound {
			select {
			case s.sessions <- held:
				return
			default:
			}
		}
		err = errors.Join(err, held.end())
	}()
	if err := held.run("BEGIN"); err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	t := newTx(held, nil)
	t.within.session, t.within.quick, t.within.tap = held, true, tapOf(ctx)
	err = fn(t)
	if failed := held.run("COMMIT"); failed != nil {
		return errors.Join(err, fmt.Errorf("store: commit: %w", failed))
	}
	sound = true
	if err == nil {
		err = t.within.failed
	}
	return err
}

// statement returns the prepared statement of a text, nil when it can't be prepared: then it runs as text.
func (s *session) statement(ctx context.Context, text string) *sql.Stmt {
	if statement, known := s.ready[text]; known {
		return statement
	}
	statement, err := s.PrepareContext(ctx, text)
	if err != nil {
		return nil
	}
	s.ready[text] = statement
	return statement
}

func (s *session) run(text string) error {
	ctx := context.Background()
	if statement := s.statement(ctx, text); statement != nil {
		_, err := statement.ExecContext(ctx)
		return err
	}
	_, err := s.ExecContext(ctx, text)
	return err
}

// end closes the connection for good, with whatever was begun on it.
func (s *session) end() error {
	for _, statement := range s.ready {
		_ = statement.Close() // the connection goes anyway
	}
	err := s.Raw(func(any) error { return driver.ErrBadConn }) // not to be used by anybody else
	if errors.Is(err, driver.ErrBadConn) {
		err = nil
	}
	if closed := s.Conn.Close(); err == nil && !errors.Is(closed, sql.ErrConnDone) {
		err = closed
	}
	return err
}

// end closes those that nobody uses.
func (s sessions) end() (err error) {
	for {
		select {
		case idle := <-s:
			err = errors.Join(err, idle.end())
		default:
			return err
		}
	}
}
