package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"moonfund/state"
	"moonfund/store/sqlc"
)

// A query of sqlc is for one key or one row, because no list parameter works in both SQLite and PostgreSQL. The types
// in this file extend the text of such a query, so that few statements run it for many keys or rows.

// listSize is the maximum number of keys or rows of one statement. Shorter lists use powers of two, to limit the number
// of different texts.
const listSize = 128

// keyList extends the last parameter of a query, "IN ($n)", to a list of keys.
type keyList[K any] struct {
	sqlc.DBTX
	tx    *Tx
	fixed []any // the parameters before the list
	keys  []K   // at most listSize
}

// QueryContext implements sqlc.DBTX. It ignores the arguments of the query.
func (l keyList[K]) QueryContext(ctx context.Context, text string, _ ...any) (*sql.Rows, error) {
	text, args := l.extended(text)
	return l.DBTX.QueryContext(ctx, text, args...)
}

// ExecContext implements sqlc.DBTX. It ignores the arguments of the statement.
func (l keyList[K]) ExecContext(ctx context.Context, text string, _ ...any) (sql.Result, error) {
	text, args := l.extended(text)
	return l.DBTX.ExecContext(ctx, text, args...)
}

// extended returns a statement for all keys, and its arguments.
func (l keyList[K]) extended(text string) (string, []any) {
	size := 1
	for size < len(l.keys) {
		size *= 2
	}
	args := append([]any{}, l.fixed...)
	for i := range size { // duplicates select their rows once
		args = append(args, l.keys[min(i, len(l.keys)-1)])
	}
	first := len(l.fixed) + 1
	one := fmt.Sprintf("IN ($%d)", first)
	return strings.Replace(text, one, "IN ("+l.tx.parameters(first, size)+")", 1), args
}

// parameters returns "$first, …" for n parameters, or "?, …" on SQLite, where looking up n parameters by name takes
// time proportional to n².
func (t *Tx) parameters(first, n int) string {
	if !t.numbered {
		return strings.TrimSuffix(strings.Repeat("?, ", n), ", ")
	}
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", first+i)
	}
	return b.String()
}

// eachList calls query with a *sqlc.Queries for each part of at most listSize keys. query must run one statement that
// ends with an IN of one key, which is extended to the keys of the part. fixed are the parameters before the list.
func eachList[K any](t *Tx, fixed []any, keys []K, query func(*sqlc.Queries) error) error {
	for len(keys) > 0 {
		n := min(listSize, len(keys))
		if err := query(sqlc.New(keyList[K]{t.db, t, fixed, keys[:n]})); err != nil {
			return wrap(err)
		}
		keys = keys[n:]
	}
	return nil
}

// rowList collects the rows of an INSERT of sqlc whose single VALUES has each parameter once, in order.
type rowList struct {
	sqlc.DBTX
	tx    *Tx
	text  string
	width int // number of parameters per row
	args  []any
}

// ExecContext implements sqlc.DBTX. It stores the row for write and reports one affected row.
func (l *rowList) ExecContext(_ context.Context, text string, args ...any) (sql.Result, error) {
	l.text, l.width, l.args = text, len(args), append(l.args, args...)
	return driver.RowsAffected(1), nil
}

// write inserts the collected rows and returns the number of inserted or updated rows.
func (l *rowList) write(ctx context.Context) (affected int64, err error) {
	for size := listSize; len(l.args) > 0; size /= 2 {
		for len(l.args) >= size*l.width {
			n := size * l.width
			result, err := l.DBTX.ExecContext(ctx, l.widened(size), l.args[:n]...)
			if err != nil {
				return affected, wrap(err)
			}
			rows, err := result.RowsAffected()
			if err != nil {
				return affected, wrap(err)
			}
			affected, l.args = affected+rows, l.args[n:]
		}
	}
	return affected, nil
}

// widened returns the statement for the given number of rows.
func (l *rowList) widened(rows int) string {
	const values = "VALUES ("
	begin := strings.Index(l.text, values) + len(values) - 1
	end := begin + strings.Index(l.text[begin:], ")") + 1
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + l.tx.parameters(i*l.width+1, l.width) + ")")
	}
	return l.text[:begin] + b.String() + l.text[end:]
}

// insertRows runs insert for each row and writes the rows in few statements. It returns the number of inserted or
// updated rows. insert must run exactly one statement of sqlc, the same for each row.
func insertRows[R any](ctx context.Context, t *Tx, rows []R, insert func(*sqlc.Queries, R) error) (int64, error) {
	if len(rows) == 1 {
		return 1, wrap(insert(t.q, rows[0]))
	}
	list := &rowList{DBTX: t.db, tx: t}
	q := sqlc.New(list)
	for _, row := range rows {
		if err := insert(q, row); err != nil {
			return 0, wrap(err)
		}
	}
	return list.write(ctx)
}

// insertAll is like insertRows, but returns state.ErrConflict if the number of inserted or updated rows differs from
// that of rows. It does not check a single row, whose insert must return such an error.
func insertAll[R any](ctx context.Context, t *Tx, rows []R, insert func(*sqlc.Queries, R) error) error {
	n, err := insertRows(ctx, t, rows, insert)
	if err == nil && n != int64(len(rows)) {
		err = state.ErrConflict
	}
	return err
}
