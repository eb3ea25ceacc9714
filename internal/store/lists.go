package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// A query of sqlc is for one key or one row, because no list parameter works in both SQLite and PostgreSQL. The types
// in this file extend the text of such a query to many keys or rows.

// listSize is the maximum number of keys or rows of one statement with a parameter for each value. Shorter lists use
// powers of two, to limit the number of different texts. On PostgreSQL a longer list is sent as arrays, one for each
// column, of at most arraySize values: a statement of 128 rows has up to 2,400 parameters, which take longer than the
// rows. Shorter lists are not sent as arrays, because PostgreSQL would plan the statement at each execution.
const (
	listSize  = 128
	arraySize = 4096
)

// usesArrays reports whether a statement for n keys or rows has arrays.
func (t *Tx) usesArrays(n int) bool { return t.numbered && n > listSize }

// nextSize returns the number of keys or rows of the next statement for n of them.
func (t *Tx) nextSize(n int) int {
	switch {
	case t.usesArrays(n):
		return min(n, arraySize)
	case n > listSize:
		return listSize
	}
	return 1 << (bits.Len(uint(n)) - 1)
}

// keyList extends the last parameter of a query, "IN ($n)", to a list of keys.
type keyList[K any] struct {
	sqlc.DBTX
	tx    *Tx
	fixed []any // the parameters before the list
	keys  []K   // at most listSize, or arraySize if the statement has an array
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
	args := append([]any{}, l.fixed...)
	first := len(l.fixed) + 1
	one := fmt.Sprintf("IN ($%d)", first)
	if l.tx.usesArrays(len(l.keys)) {
		array := column{size: len(l.keys)}
		for _, key := range l.keys {
			array.add(key)
		}
		return strings.Replace(text, one, fmt.Sprintf("= ANY ($%d::%s)", first, array.sqlType()), 1),
			append(args, array.value())
	}
	size := 1
	for size < len(l.keys) {
		size *= 2
	}
	for i := range size { // duplicates select their rows once
		args = append(args, l.keys[min(i, len(l.keys)-1)])
	}
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

// eachList calls query with a *sqlc.Queries for parts of keys. query must run one statement that ends with an IN of one
// key, which is extended to the keys of the part. fixed are the parameters before the list.
func eachList[K any](t *Tx, fixed []any, keys []K, query func(*sqlc.Queries) error) error {
	for len(keys) > 0 {
		n := listSize
		if t.usesArrays(len(keys)) {
			n = arraySize
		}
		n = min(n, len(keys))
		if err := query(sqlc.New(keyList[K]{t.db, t, fixed, keys[:n]})); err != nil {
			return wrap(err)
		}
		keys = keys[n:]
	}
	return nil
}

// outPointList extends the row of two parameters in a query, VALUES ($1, $2), to outpoints.
type outPointList struct {
	sqlc.DBTX
	tx   *Tx
	outs []wire.OutPoint // see keyList.keys
}

// QueryContext implements sqlc.DBTX. It ignores the arguments of the query.
func (l outPointList) QueryContext(ctx context.Context, text string, _ ...any) (*sql.Rows, error) {
	var args []any
	for _, out := range l.outs {
		args = append(args, out.Hash.String(), int64(out.Index))
	}
	text, args = l.tx.widened(text, 2, args)
	return l.DBTX.QueryContext(ctx, text, args...)
}

// eachOutPoints calls query with a *sqlc.Queries for parts of outs. query must run one query, which is extended to the
// outpoints of the part.
func eachOutPoints(t *Tx, outs []wire.OutPoint, query func(*sqlc.Queries) error) error {
	for len(outs) > 0 {
		n := t.nextSize(len(outs))
		if err := query(sqlc.New(outPointList{t.db, t, outs[:n]})); err != nil {
			return wrap(err)
		}
		outs = outs[n:]
	}
	return nil
}

// rowList collects the rows of a statement of sqlc whose single VALUES has each parameter once, in order. It is an
// INSERT, or an UPDATE from a list of rows. In an UPDATE each parameter is cast to its type, which PostgreSQL can't
// infer.
type rowList struct {
	sqlc.DBTX
	tx    *Tx
	rows  int // number of rows to collect
	text  string
	width int // number of parameters per row
	args  []any
}

// ExecContext implements sqlc.DBTX. It stores the row for write and reports one affected row.
func (l *rowList) ExecContext(_ context.Context, text string, args ...any) (sql.Result, error) {
	if l.args == nil {
		l.args = make([]any, 0, l.rows*len(args))
	}
	l.text, l.width, l.args = text, len(args), append(l.args, args...)
	return driver.RowsAffected(1), nil
}

// write writes the collected rows and returns the number of inserted or updated rows.
func (l *rowList) write(ctx context.Context) (affected int64, err error) {
	for len(l.args) > 0 {
		n := l.tx.nextSize(len(l.args)/l.width) * l.width
		text, args := l.tx.widened(l.text, l.width, l.args[:n])
		result, err := l.DBTX.ExecContext(ctx, text, args...)
		if err != nil {
			return affected, wrap(err)
		}
		rows, err := result.RowsAffected()
		if err != nil {
			return affected, wrap(err)
		}
		affected, l.args = affected+rows, l.args[n:]
	}
	return affected, nil
}

// widened extends a statement, whose single VALUES has one row of width parameters, to the rows in args. It returns the
// statement and its arguments.
func (t *Tx) widened(text string, width int, args []any) (string, []any) {
	const values = "VALUES ("
	start := strings.Index(text, values)
	begin := start + len(values) - 1
	end := begin + rowLength(text[begin:])
	rows := len(args) / width
	if t.usesArrays(rows) {
		selected, arrays := unnested(text[begin+1:end-1], width, args, strings.Contains(text[:start], "INSERT INTO "))
		return text[:start] + selected + text[end:], arrays
	}
	var b strings.Builder
	b.WriteString(text[:begin])
	for i := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == 0 && t.numbered {
			b.WriteString(text[begin:end]) // the types of the first row hold for all
			continue
		}
		b.WriteString("(" + t.parameters(i*width+1, width) + ")")
	}
	b.WriteString(text[end:])
	return b.String(), args
}

// rowLength returns the length of the parenthesized row at the beginning of a text.
func rowLength(text string) int {
	open := 0
	for i, c := range text {
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// writeRows runs write for each row and writes the rows in few statements. It returns the number of inserted or updated
// rows. write must run exactly one statement of sqlc, the same for each row.
func writeRows[R any](
	ctx context.Context, t *Tx, rows []R, write func(*sqlc.Queries, R) error,
) (affected int64, err error) {
	if len(rows) == 1 {
		return 1, wrap(write(t.q, rows[0]))
	}
	for part := range slices.Chunk(rows, arraySize) {
		list := &rowList{DBTX: t.db, tx: t, rows: len(part)}
		q := sqlc.New(list)
		for _, row := range part {
			if err := write(q, row); err != nil {
				return 0, wrap(err)
			}
		}
		n, err := list.write(ctx)
		if affected += n; err != nil {
			return affected, err
		}
	}
	return affected, nil
}

// writeAll is like writeRows, but returns state.ErrConflict if the number of inserted or updated rows differs from the
// number of rows. It does not check a single row: for that, write must return the error, as exactlyOne does.
func writeAll[R any](ctx context.Context, t *Tx, rows []R, write func(*sqlc.Queries, R) error) error {
	n, err := writeRows(ctx, t, rows, write)
	if err == nil && n != int64(len(rows)) {
		err = state.ErrConflict
	}
	return err
}
