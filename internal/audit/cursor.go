package audit

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// table is a query without its condition, and the fields for its columns.
type table[T any] struct {
	query  string
	fields func(*T) []any
}

// reader runs queries in one transaction, until the first error.
type reader struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// maxArguments is less than the number of arguments that databases accept in one query. SQLite parses and binds
// numbered arguments in a time that grows with the square of their number.
const maxArguments = 5000

// each calls visit for the rows of a table, with a cursor. condition contains the WHERE and ORDER BY clauses, or is ""
// for all rows. If there are more than maxArguments arguments, they must be a list of among. It is then divided, and
// each part is ordered by itself. PostgreSQL allows one cursor at a time on a connection, so visit must not run a
// query.
func each[T any](r *reader, t table[T], condition string, visit func(T), args ...any) {
	whole := places(len(args))
	for first := true; r.err == nil && (first || len(args) > 0); first = false {
		part := args[:min(len(args), maxArguments)]
		args = args[len(part):]
		query := strings.Replace(t.query+" "+condition, whole, places(len(part)), 1)
		if err := scan(r, query, t.fields, visit, part); err != nil {
			r.err = fmt.Errorf("audit: %w (%s %.1000s)", err, t.query, condition)
		}
	}
}

// places returns the numbered places of n arguments in a list.
func places(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint("$", i+1))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func scan[T any](r *reader, query string, fields func(*T) []any, visit func(T), args []any) error {
	rows, err := r.tx.QueryContext(r.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var row T
	into := fields(&row)
	for rows.Next() {
		var empty T
		row = empty
		if err := rows.Scan(into...); err != nil {
			return err
		}
		visit(row)
	}
	return rows.Err()
}

// list returns the rows of a table.
func list[T any](r *reader, t table[T], condition string, args ...any) (rows []T) {
	each(r, t, condition, func(row T) { rows = append(rows, row) }, args...)
	return rows
}

// keyed returns the rows of a table as a map, with the keys and values that entry returns.
func keyed[T, V any, K comparable](
	r *reader, t table[T], entry func(T) (K, V), condition string, args ...any,
) map[K]V {
	m := map[K]V{}
	each(r, t, condition, func(row T) {
		key, value := entry(row)
		m[key] = value
	}, args...)
	return m
}

// byKey returns a slice as a map, with the keys and values that entry returns.
func byKey[T, V any, K comparable](all []T, entry func(T) (K, V)) map[K]V {
	m := make(map[K]V, len(all))
	for _, row := range all {
		key, value := entry(row)
		m[key] = value
	}
	return m
}

// among returns the condition that a column has one of the values, and its arguments, which are numbered from 1. A
// value is one argument even if it is repeated: databases limit the arguments, and one transaction can make thousands
// of payments to one script.
func among[V ~string | ~[]byte](column string, values []V) (condition string, args []any) {
	if len(values) == 0 {
		return "WHERE 1 = 0", nil
	}
	listed := map[string]bool{}
	for _, value := range values {
		if !listed[string(value)] {
			listed[string(value)] = true
			args = append(args, value)
		}
	}
	return "WHERE " + column + " IN " + places(len(args)), args
}
