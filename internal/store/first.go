package store

import (
	"context"
	"database/sql"
	"errors"

	"moonfund/internal/store/sqlc"
)

// errSecondStatement is the result of every statement of a firstStatement after the first.
var errSecondStatement = errors.New("store: a second statement needs a transaction")

// firstStatement executes one query and refuses all further statements. On SQLite the query does not end when its
// context is canceled, because waiting for that takes two goroutines for each query, and as long as a short query
// itself.
type firstStatement struct {
	sqlc.DBTX
	pool       *sql.DB // without injected faults
	cancelable bool
	executed   bool
	refused    bool
}

// lifetime returns the context of the query.
func (f *firstStatement) lifetime(ctx context.Context) context.Context {
	if f.cancelable || ctx.Err() != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// allow returns an error if the statement is not the first one or not a query.
func (f *firstStatement) allow(query bool) error {
	if f.executed || !query {
		f.refused = true
		return errSecondStatement
	}
	f.executed = true
	return nil
}

// ExecContext implements sqlc.DBTX.
func (f *firstStatement) ExecContext(context.Context, string, ...any) (sql.Result, error) {
	return nil, f.allow(false)
}

// PrepareContext implements sqlc.DBTX.
func (f *firstStatement) PrepareContext(context.Context, string) (*sql.Stmt, error) {
	return nil, f.allow(false)
}

// QueryContext implements sqlc.DBTX.
func (f *firstStatement) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := f.allow(true); err != nil {
		return nil, err
	}
	return f.DBTX.QueryContext(f.lifetime(ctx), query, args...)
}

// QueryRowContext implements sqlc.DBTX.
func (f *firstStatement) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if err := f.allow(true); err != nil {
		return f.pool.QueryRowContext(failedContext{ctx, err}, query, args...)
	}
	return f.DBTX.QueryRowContext(f.lifetime(ctx), query, args...)
}
