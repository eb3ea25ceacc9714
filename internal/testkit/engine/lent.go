package engine

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// rows maps the tables of a PostgreSQL database to their rows in the format of COPY.
type rows map[string][]byte

// lent is a PostgreSQL database that tests reuse one after the other. Restoring the changed tables is much faster than
// creating a database and connecting to it.
type lent struct {
	address string
	keeper  *pgx.Conn
	reader  *sql.DB // read-only queries of tests
	times   int
	held    *rows            // rows at the start of the test
	then    map[string]trace // trace of each table at the start of the test
	idle    idle             // connections of closed servers
}

// trace identifies the state of a table: the number of rows and the newest transaction that inserted one. Every change
// of the table changes at least one of them.
type trace struct{ rows, newest int64 }

// shelf holds the databases for reuse.
type shelf struct {
	sync.Mutex
	free []*lent
	all  map[string]*lent // by address
}

// take returns a free database, preferably one with the same rows, or nil.
func (s *shelf) take(wanted *rows) *lent {
	s.Lock()
	defer s.Unlock()
	if len(s.free) == 0 {
		return nil
	}
	i := max(0, slices.IndexFunc(s.free, func(l *lent) bool { return l.held == wanted }))
	l := s.free[i]
	s.free = slices.Delete(s.free, i, i+1)
	return l
}

func (s *shelf) give(l *lent) {
	s.Lock()
	defer s.Unlock()
	s.free = append(s.free, l)
}

func (s *shelf) add(l *lent) {
	s.Lock()
	defer s.Unlock()
	if s.all == nil {
		s.all = map[string]*lent{}
	}
	s.all[l.address] = l
}

// find returns the database at a URL, or nil.
func (s *shelf) find(address string) *lent {
	s.Lock()
	defer s.Unlock()
	return s.all[address]
}

// lend returns the URL of a database with the product's schema and these rows, until the test ends.
func (c *cluster) lend(t testing.TB, wanted *rows) string {
	t.Helper()
	ctx := t.Context()
	l := c.shelf.take(wanted)
	if l == nil {
		l = &lent{address: c.url(c.create(t, ready)), held: c.fresh}
		var err error
		l.keeper, err = pgx.Connect(ctx, l.address)
		must(t, err)
		l.reader, err = sql.Open("pgx", l.address)
		must(t, err)
		l.then, err = l.traces(ctx, c.tables)
		must(t, err)
		c.shelf.add(l)
	}
	must(t, l.putRight(ctx, c.tables, wanted))
	t.Cleanup(func() { c.shelf.give(l) })
	return l.address
}

// cleaned is the number of restores between two VACUUMs of a database.
const cleaned = 20

// putRight makes the tables contain exactly these rows.
func (l *lent) putRight(ctx context.Context, tables []string, wanted *rows) error {
	now, err := l.traces(ctx, tables)
	if err != nil {
		return err
	}
	var wrong []string
	for _, table := range tables {
		if now[table] != l.then[table] || !bytes.Equal((*l.held)[table], (*wanted)[table]) {
			wrong = append(wrong, table)
		}
	}
	l.held, l.then = wanted, now
	if len(wrong) == 0 {
		return nil
	}
	if err := l.replace(ctx, wrong); err != nil {
		return err
	}
	if l.times++; l.times%cleaned == 0 { // autovacuum is off
		_, err = l.keeper.Exec(ctx, `VACUUM `+strings.Join(tables, `, `))
	}
	return err
}

// replace replaces the rows of tables.
func (l *lent) replace(ctx context.Context, tables []string) (err error) {
	tx, err := l.keeper.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback(ctx))
		}
	}()
	if _, err := tx.Exec(ctx, `DELETE FROM `+strings.Join(tables, `; DELETE FROM `)); err != nil {
		return err
	}
	var number int64
	if err := tx.QueryRow(ctx, `SELECT pg_current_xact_id()::text::bigint`).Scan(&number); err != nil {
		return err
	}
	for _, table := range tables {
		l.then[table] = trace{}
		if text := (*l.held)[table]; len(text) > 0 {
			copied, err := l.keeper.PgConn().CopyFrom(ctx, bytes.NewReader(text), `COPY `+table+` FROM STDIN`)
			if err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
			l.then[table] = trace{copied.RowsAffected(), number}
		}
	}
	return tx.Commit(ctx)
}

// traces returns the trace of each table.
func (l *lent) traces(ctx context.Context, tables []string) (map[string]trace, error) {
	each := make([]string, len(tables))
	for i, table := range tables {
		each[i] = `SELECT ` + strconv.Itoa(i) + `, count(*), coalesce(max(xmin::text::bigint), 0) FROM ` + table
	}
	found, err := l.keeper.Query(ctx, strings.Join(each, ` UNION ALL `))
	if err != nil {
		return nil, err
	}
	all := map[string]trace{}
	var i int
	var of trace
	_, err = pgx.ForEachRow(found, []any{&i, &of.rows, &of.newest}, func() error {
		all[tables[i]] = of
		return nil
	})
	return all, err
}

// read returns all rows of the tables.
func (l *lent) read(ctx context.Context, tables []string) (*rows, error) {
	if l == nil {
		return nil, errors.New("this database was not made ready by New")
	}
	tx, err := l.keeper.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return nil, err
	}
	all := rows{}
	for _, table := range tables {
		var text bytes.Buffer
		if _, err := l.keeper.PgConn().CopyTo(ctx, &text, `COPY `+table+` TO STDOUT`); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", table, err), tx.Rollback(ctx))
		}
		all[table] = text.Bytes()
	}
	return &all, tx.Commit(ctx)
}
