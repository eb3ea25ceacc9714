// Package store stores the ledger in one SQL database. SQLite and PostgreSQL use the same SQL text; dialect.go has
// their differences. The methods of Tx convert rows to and from the types of the domain packages. Update and View run a
// transaction (transact), and group.go combines updates in one commit.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"moonfund/internal/state"
	"moonfund/internal/store/hosts"
	"moonfund/internal/store/sqlc"
)

// Store is an open database.
type Store struct {
	writer *sql.DB
	reader *sql.DB
	direct *sql.DB      // for single statements that must not wait for a transaction
	hosts  *hosts.Hosts // of PostgreSQL
	engine dialect

	group    *groupCommit
	commits  atomic.Int64
	observer atomic.Pointer[func(WriterTimes)]
}

// Tx is one database transaction. It implements the stores that the domain packages define.
type Tx struct {
	q  *sqlc.Queries
	db sqlc.DBTX

	numbered bool             // PostgreSQL: the parameters of lists are numbered
	ends     func(error) bool // whether an error of the database ends the transaction
}

// Open opens the database at a URL, "sqlite:PATH" or "postgres://…", and migrates its schema. It returns an error if
// the schema is newer than this program.
func Open(ctx context.Context, url string) (*Store, error) {
	return openWith(ctx, url, (*Store).migrate)
}

// OpenWithoutMigration opens a ledger with this program's schema and returns an error for any other schema, because a
// command that only reads must not change the schema of a ledger that a server uses.
func OpenWithoutMigration(ctx context.Context, url string) (*Store, error) {
	return openWith(ctx, url, (*Store).agrees)
}

// openWith connects to a database and calls ready.
func openWith(ctx context.Context, url string, ready func(*Store, context.Context) error) (*Store, error) {
	s, err := connect(url)
	if err != nil {
		return nil, err
	}
	if err := s.reachable(ctx); err != nil {
		return nil, errors.Join(Advise(err, s.engine.place), s.Close())
	}
	if err := ready(s, ctx); err != nil {
		return nil, errors.Join(Advise(err, s.engine.place), s.Close())
	}
	s.group = newGroupCommit()
	return s, nil
}

// Close closes the database.
func (s *Store) Close() error {
	if s.hosts != nil {
		s.hosts.Close()
	}
	err := errors.Join(s.reader.Close(), s.direct.Close(), s.writer.Close())
	if err != nil && s.engine.isUnavailable(err) { // a connection broke, so it is closed
		return nil
	}
	return err
}

// Ping returns an error if the database does not respond.
func (s *Store) Ping(ctx context.Context) error { return s.reader.PingContext(ctx) }

// View runs fn in one read-only transaction, which reads one consistent state of the database.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	return s.engine.reached(s.transact(ctx, s.reader, fn))
}

// Read runs fn like View. One statement reads one consistent state even without a transaction, whose begin and end take
// a fifth of the time of a short read on SQLite, and two round trips on PostgreSQL. So fn first runs without a
// transaction. If it executes a second statement, it runs again in a transaction, and must not use data from its first
// run.
func (s *Store) Read(ctx context.Context, fn func(*Tx) error) error {
	first := &firstStatement{DBTX: injectable(ctx, s.reader), pool: s.reader, cancelable: s.engine.shared}
	err := fn(&Tx{q: sqlc.New(first), db: first, numbered: s.engine.shared})
	if first.refused {
		return s.View(ctx, fn)
	}
	if err == nil {
		err = ctx.Err()
	}
	return s.engine.reached(err)
}

// transact runs fn in one transaction on the writer or the reader.
func (s *Store) transact(ctx context.Context, db *sql.DB, fn func(*Tx) error) (err error) {
	var options *sql.TxOptions
	life := ctx
	if db == s.reader {
		options = &s.engine.view
	} else if s.engine.shared {
		// PostgreSQL answers a canceled COMMIT that waits for the standby like a replicated one.
		life = context.WithoutCancel(ctx)
	}
	tx, err := db.BeginTx(life, options)
	if err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	committed := false
	defer func() { // even after a panic: SQLite has only one write connection
		if !committed {
			if failed := ignoreDone(tx.Rollback()); failed != nil { // otherwise return fn's error unchanged
				err = errors.Join(err, failed)
			}
		}
	}()
	if db == s.writer && s.engine.queue != "" {
		if _, err := tx.ExecContext(ctx, s.engine.queue); err != nil {
			return fmt.Errorf("store: begin: %w", err)
		}
	}
	if err := fn(s.newTx(ctx, tx)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	committed = true
	if db == s.reader {
		return wrapCommit(tx.Commit())
	}
	if err := s.commitWriter(tx); err != nil {
		return err
	}
	s.commits.Add(1)
	return nil
}

// errInDoubt is returned if the database did not say whether it committed a transaction. The transaction must not run
// again automatically: the caller must first read the state of the database.
var errInDoubt = errors.New("it is unknown whether the database committed")

// commitWriter commits a write transaction. It returns errInDoubt if the outcome is unknown, or if the standby may lack
// a commit that the primary has.
func (s *Store) commitWriter(tx *sql.Tx) error {
	var before int64
	if s.hosts != nil {
		before = s.hosts.Unreplicated()
	}
	err := wrapCommit(tx.Commit())
	if err != nil && s.engine.isUnavailable(err) {
		return unreachable{errors.Join(errInDoubt, err)}
	}
	if err == nil && s.hosts != nil && s.hosts.Unreplicated() != before {
		return unreachable{fmt.Errorf("%w on the standby", errInDoubt)}
	}
	return err
}

func wrapCommit(err error) error {
	if err != nil {
		return fmt.Errorf("store: commit: %w", err)
	}
	return nil
}

func (s *Store) newTx(ctx context.Context, tx *sql.Tx) *Tx {
	db := injectable(ctx, tx)
	return &Tx{q: sqlc.New(db), db: db, numbered: s.engine.shared, ends: s.engine.ends}
}

// Commits returns the number of committed write transactions. Updates that share a commit count once.
func (s *Store) Commits() int64 { return s.commits.Load() }

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// next returns the next number of a counter, starting at 1.
func (t *Tx) next(ctx context.Context, counter string) (int64, error) {
	return t.reserve(ctx, counter, 1)
}

// reserve reserves the next n numbers of a counter and returns the last of them.
func (t *Tx) reserve(ctx context.Context, counter string, n int64) (last int64, err error) {
	last, err = t.q.ReserveNumbers(ctx, sqlc.ReserveNumbersParams{Name: counter, Value: n})
	return last, wrap(err)
}

// wrap converts sql.ErrNoRows to state.ErrNotFound, and names the package in other errors. A query for a text that the
// database can't store also returns state.ErrNotFound.
func wrap(err error) error {
	if errors.Is(err, sql.ErrNoRows) || unstorable(err) {
		return state.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// exactlyOne returns state.ErrConflict for a guarded update that changed no row.
func exactlyOne(rows int64, err error) error {
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if rows != 1 {
		return state.ErrConflict
	}
	return nil
}

// Analyze updates the statistics of the tables that blocks and epochs fill. PostgreSQL keeps the plan of a prepared
// statement until the statistics change, and updates them by itself only once a minute: a plan for a table of 10 rows
// can compare all rows with each other once there are 10,000. No transaction waits for Analyze.
func (s *Store) Analyze(ctx context.Context) error {
	if s.engine.analyze == "" {
		return nil
	}
	_, err := s.direct.ExecContext(ctx, s.engine.analyze)
	return wrap(err)
}

// mapAll converts the rows of a query. It returns the query's error or the first error of convert.
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
