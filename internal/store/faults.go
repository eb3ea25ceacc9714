package store

import (
	"context"
	"database/sql"
	"strings"

	"moonfund/internal/store/sqlc"
)

// A FaultFunc is called before every statement of a transaction. writes is false for a SELECT. Its error replaces the
// statement's result. Tests use it to count statements, and to fail or crash at any of them.
type FaultFunc func(statement string, writes bool) error

type faultKey struct{}

// InjectFaults returns a context whose transactions call f before each statement, except updates that share a commit
// with others.
func InjectFaults(ctx context.Context, f FaultFunc) context.Context {
	return context.WithValue(ctx, faultKey{}, f)
}

// injectable returns db, wrapped in a faultyTx if ctx has a FaultFunc.
func injectable(ctx context.Context, db sqlc.DBTX) sqlc.DBTX {
	if f, ok := ctx.Value(faultKey{}).(FaultFunc); ok {
		return faultyTx{db, f}
	}
	return db
}

// faultyTx is a transaction that calls inject before each statement.
type faultyTx struct {
	sqlc.DBTX
	inject FaultFunc
}

// call calls inject for a statement. The first word after sqlc's comment determines whether the statement writes.
func (tx faultyTx) call(statement string) error {
	text := statement
	if strings.HasPrefix(text, "--") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return tx.inject(statement, !strings.HasPrefix(text, "SELECT"))
}

// ExecContext implements sqlc.DBTX.
func (tx faultyTx) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if err := tx.call(statement); err != nil {
		return nil, err
	}
	return tx.DBTX.ExecContext(ctx, statement, args...)
}

// QueryContext implements sqlc.DBTX.
func (tx faultyTx) QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error) {
	if err := tx.call(statement); err != nil {
		return nil, err
	}
	return tx.DBTX.QueryContext(ctx, statement, args...)
}

// QueryRowContext implements sqlc.DBTX.
func (tx faultyTx) QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row {
	if err := tx.call(statement); err != nil {
		ctx = failedContext{ctx, err} // the only way to create a sql.Row with an error
	}
	return tx.DBTX.QueryRowContext(ctx, statement, args...)
}

// failedContext is a context that is already done, with err as its cause.
type failedContext struct {
	context.Context
	err error
}

var closedChannel = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done implements context.Context.
func (failedContext) Done() <-chan struct{} { return closedChannel }

// Err implements context.Context.
func (c failedContext) Err() error { return c.err }
