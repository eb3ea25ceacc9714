// Package store keeps everything in one SQL database. The same SQL text serves
// SQLite and PostgreSQL; what they do not share is in dialect.go. Rows go in and
// out as the values of the domain packages.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"moonfund/ledger"
	"moonfund/store/sqlc"
)

// Store is an open database.
type Store struct {
	writer *sql.DB
	reader *sql.DB
	aside  *sql.DB // single statements that wait for no transaction
	engine dialect

	group    *group
	commits  atomic.Int64
	writing  *statements // nil: the driver keeps its own
	sessions *sessions   // nil: the driver is quick enough
}

// Tx is one database transaction. It serves every domain package.
type Tx struct {
	q      *sqlc.Queries
	within *bound
	known  known
}

// Open opens the database at a URL, "sqlite:PATH" or "postgres://…", and brings
// its schema up to date. A schema newer than this program is refused.
func Open(ctx context.Context, url string) (*Store, error) {
	return prepared(ctx, url, (*Store).migrate)
}

// OpenAsItIs opens a ledger whose schema is this program's, and refuses any other: who only looks at what a server works on
// must not change its schema under it.
func OpenAsItIs(ctx context.Context, url string) (*Store, error) {
	return prepared(ctx, url, (*Store).agrees)
}

func prepared(ctx context.Context, url string, ready func(*Store, context.Context) error) (*Store, error) {
	s, err := connect(url)
	if err != nil {
		return nil, err
	}
	if err := s.durable(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := ready(s, ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.group = newGroup()
	if !s.engine.shared {
		s.writing, s.sessions = newStatements(s.writer), newSessions()
	}
	return s, nil
}

// Close closes the database.
func (s *Store) Close() error {
	return errors.Join(s.sessions.end(), s.reader.Close(), s.aside.Close(), s.writer.Close())
}

// Ping returns nil when the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.reader.PingContext(ctx) }

// Update runs fn in one transaction: all of it is durable when Update returns
// nil, nothing of it is when it returns an error. Updates wait for each other,
// also those of other servers, so fn sees what it changes; it may run again.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.engine.reached(s.together(ctx, fn))
}

// View runs fn on one consistent state of the database, and changes nothing.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	if s.sessions != nil {
		return s.look(ctx, fn)
	}
	return s.engine.reached(s.run(ctx, s.reader, &s.engine.view, "", nil, fn))
}

func (s *Store) run(ctx context.Context, db *sql.DB, options *sql.TxOptions, first string, kept *statements, fn func(*Tx) error) (err error) {
	kept.prepare(ctx)
	tx, err := db.BeginTx(ctx, options)
	if err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	committed := false
	defer func() { // also after a panic: SQLite has one writing connection only
		if !committed {
			if failed := ignoreDone(tx.Rollback()); failed != nil { // else the caller's own error stays comparable
				err = errors.Join(err, failed)
			}
		}
	}()
	if first != "" {
		if _, err := tx.ExecContext(ctx, first); err != nil {
			return fmt.Errorf("store: begin: %w", err)
		}
	}
	t := newTx(tx, kept)
	t.within.tx, t.within.tap = tx, tapOf(ctx)
	if err := fn(t); err != nil {
		return err
	}
	committed = true
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store: commit: %w", err)
	}
	if db == s.writer {
		s.commits.Add(1)
	}
	return nil
}

// Commits returns how many times changes were made durable, each time one or many.
func (s *Store) Commits() int64 { return s.commits.Load() }

func newTx(on sqlc.DBTX, kept *statements) *Tx {
	w := &bound{DBTX: on, from: kept, own: map[string]*sql.Stmt{}}
	return &Tx{q: sqlc.New(w), within: w}
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// wrap makes the absence of a row the domain's own error.
func wrap(err error) error {
	if errors.Is(err, sql.ErrNoRows) || unstorable(err) {
		return ledger.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// exactlyOne turns a guarded update that changed no row into ledger.ErrConflict.
func exactlyOne(rows int64, err error) error {
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if rows != 1 {
		return ledger.ErrConflict
	}
	return nil
}

func mapAll[From, To any](rows []From, err error, convert func(From) (To, error)) ([]To, error) {
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	all := make([]To, len(rows))
	for i, row := range rows {
		if all[i], err = convert(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func unix(t time.Time) int64 { return t.Unix() }

func instant(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }
