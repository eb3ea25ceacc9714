package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
)

// session is a reading connection of SQLite's with its own prepared statements.
// Most questions are so short that what the standard library does around a
// transaction would cost as much as they do.
type session struct {
	*sql.Conn
	ready map[string]*sql.Stmt
}

// sessions are the reading connections of a store, at most mostReaders. Who finds all in use waits for one: another
// connection would cost more than most questions and compete for the same processors. The one that was given back last is
// taken first, since its pages are in the processor's caches.
type sessions struct {
	room chan struct{} // holds one for each that is in use

	mu   sync.Mutex
	idle []*session
}

func newSessions() *sessions { return &sessions{room: make(chan struct{}, mostReaders)} }

// take returns a session, which give must follow.
func (s *Store) take(ctx context.Context) (*session, error) {
	select {
	case s.sessions.room <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if idle := s.sessions.last(); idle != nil {
		return idle, nil
	}
	conn, err := s.reader.Conn(ctx)
	if err != nil {
		<-s.sessions.room
		return nil, err
	}
	return &session{conn, map[string]*sql.Stmt{}}, nil
}

// last takes the session that was given back last, nil when there is none.
func (s *sessions) last() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.idle)
	if n == 0 {
		return nil
	}
	top := s.idle[n-1]
	s.idle[n-1] = nil
	s.idle = s.idle[:n-1]
	return top
}

// give takes a session back: one that is sound is used again, another ends.
func (s *sessions) give(held *session, sound bool) (err error) {
	if sound {
		s.mu.Lock()
		s.idle = append(s.idle, held)
		s.mu.Unlock()
	} else {
		err = held.end()
	}
	<-s.room
	return err
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
		if failed := s.sessions.give(held, sound); failed != nil { // else the caller's own error stays comparable
			err = errors.Join(err, failed)
		}
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
func (s *sessions) end() (err error) {
	if s == nil {
		return nil
	}
	for idle := s.last(); idle != nil; idle = s.last() {
		err = errors.Join(err, idle.end())
	}
	return err
}
