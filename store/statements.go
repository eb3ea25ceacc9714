package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"

	"moonfund/store/sqlc"
)

// statements keeps every statement of a database prepared, where the driver does
// not do so by itself. A statement is prepared between transactions, since within
// one the only writing connection is taken; the first time it runs as text.
type statements struct {
	db *sql.DB

	mu     sync.Mutex
	ready  map[string]*sql.Stmt
	wanted map[string]bool
}

func newStatements(db *sql.DB) *statements {
	return &statements{db: db, ready: map[string]*sql.Stmt{}, wanted: map[string]bool{}}
}

// find returns the prepared statement of a text, nil when there is none yet.
func (s *statements) find(text string) *sql.Stmt {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	statement := s.ready[text]
	if statement == nil {
		s.wanted[text] = true
	}
	return statement
}

// prepare prepares what was wanted since the last time. What can't be prepared runs as text.
func (s *statements) prepare(ctx context.Context) {
	if s == nil {
		return
	}
	s.mu.Lock()
	texts := slices.Collect(maps.Keys(s.wanted))
	clear(s.wanted)
	s.mu.Unlock()
	for _, text := range texts {
		statement, err := s.db.PrepareContext(ctx, text)
		if err != nil {
			continue
		}
		s.mu.Lock()
		if s.ready[text] == nil {
			s.ready[text], statement = statement, nil
		}
		s.mu.Unlock()
		if statement != nil { // somebody else was first
			_ = statement.Close()
		}
	}
}

// bound runs the statements of one transaction.
type bound struct {
	sqlc.DBTX
	tx        *sql.Tx  // nil within a session
	session   *session // nil within a transaction of the standard library
	from      *statements
	own       map[string]*sql.Stmt
	unhurried bool // finishes what a caller began, even when he is gone
	quick     bool // does not listen for a caller who leaves while a statement runs

	tap Tap
}

func (w *bound) statement(ctx context.Context, text string) *sql.Stmt {
	if w.session != nil {
		return w.session.statement(ctx, text)
	}
	if statement, known := w.own[text]; known {
		return statement
	}
	statement := w.from.find(text)
	if statement != nil {
		statement = w.tx.StmtContext(ctx, statement)
	}
	w.own[text] = statement
	return statement
}

func (w *bound) patience(ctx context.Context) context.Context {
	if w.unhurried || (w.quick && ctx.Err() == nil) {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// QueryRowContext implements sqlc.DBTX.
func (w *bound) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	ctx = w.patience(ctx)
	if err := w.tap.ask(text); err != nil {
		ctx = ended{ctx, err}
	}
	if statement := w.statement(ctx, text); statement != nil {
		return statement.QueryRowContext(ctx, args...)
	}
	return w.DBTX.QueryRowContext(ctx, text, args...)
}

// ExecContext implements sqlc.DBTX.
func (w *bound) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	ctx = w.patience(ctx)
	if err := w.tap.ask(text); err != nil {
		return nil, err
	}
	if statement := w.statement(ctx, text); statement != nil {
		return statement.ExecContext(ctx, args...)
	}
	return w.DBTX.ExecContext(ctx, text, args...)
}

// QueryContext implements sqlc.DBTX.
func (w *bound) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	ctx = w.patience(ctx)
	if err := w.tap.ask(text); err != nil {
		return nil, err
	}
	if statement := w.statement(ctx, text); statement != nil {
		return statement.QueryContext(ctx, args...)
	}
	return w.DBTX.QueryContext(ctx, text, args...)
}
