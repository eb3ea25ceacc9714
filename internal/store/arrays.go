package store

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var numberedParameter = regexp.MustCompile(`\$(\d+)`)

// unnested returns a SELECT for the rows in args, and its arguments, which are arrays. row is the row of VALUES,
// without its parentheses. If singles is true, a column that has the same value in all rows is a single argument
// instead: a transaction can pay one order 22,000 times, and PostgreSQL then reads its script and owner once. For rows
// that are joined with a table it must be false, because PostgreSQL could plan to compare each of them with each row of
// the table.
func unnested(row string, width int, args []any, singles bool) (string, []any) {
	var arrays, names []string
	columns, values := make([]string, width), make([]any, width)
	for i := range width {
		c := columnOf(args[i:], width)
		if !singles || i == width-1 && len(arrays) == 0 { // unnest needs an array
			c.single = false
		}
		parameter := fmt.Sprintf("$%d::%s", i+1, c.sqlType())
		if columns[i] = parameter; !c.single {
			columns[i] = fmt.Sprintf("p%d", i+1)
			arrays, names = append(arrays, parameter), append(names, columns[i])
		}
		values[i] = c.value()
	}
	expressions := numberedParameter.ReplaceAllStringFunc(row, func(parameter string) string {
		number, _ := strconv.Atoi(parameter[1:]) // the expression matches digits only
		return columns[number-1]
	})
	return fmt.Sprintf("SELECT %s FROM unnest(%s) AS listed (%s)", expressions, strings.Join(arrays, ", "),
		strings.Join(names, ", ")), values
}

// column has the values of one column, or the keys of a list, as an array of their type.
type column struct {
	size    int  // number of values
	single  bool // whether the first value, which equals all others, is sent instead of an array
	texts   []string
	numbers []int64
	bytes   [][]byte
}

// columnOf returns the column with the first of args and every width-th after it.
func columnOf(args []any, width int) column {
	c := column{size: (len(args) + width - 1) / width, single: true}
	for i := 0; i < len(args); i += width {
		c.add(args[i])
		c.single = c.single && equal(args[0], args[i])
	}
	return c
}

// equal reports whether two values of a column are equal.
func equal(a, b any) bool {
	if x, isBytes := a.([]byte); isBytes {
		y, _ := b.([]byte)
		return bytes.Equal(x, y)
	}
	return a == b
}

// add appends a value. The schema has no other types.
func (c *column) add(value any) {
	switch value := value.(type) {
	case string:
		c.texts = append(sized(c.texts, c.size), value)
	case int64:
		c.numbers = append(sized(c.numbers, c.size), value)
	case []byte:
		c.bytes = append(sized(c.bytes, c.size), value)
	default:
		panic(fmt.Sprintf("store: no array of %T", value))
	}
}

// sized returns values with room for n of them.
func sized[V any](values []V, n int) []V {
	if values == nil {
		return make([]V, 0, n)
	}
	return values
}

// sqlType returns the type of the argument that value returns.
func (c *column) sqlType() string {
	suffix := "[]"
	if c.single {
		suffix = ""
	}
	switch {
	case c.numbers != nil:
		return "BIGINT" + suffix
	case c.bytes != nil:
		return "BYTEA" + suffix
	}
	return "TEXT" + suffix
}

// value returns the argument for the column: its values, or one of them.
func (c *column) value() any {
	switch {
	case c.numbers != nil && c.single:
		return c.numbers[0]
	case c.numbers != nil:
		return c.numbers
	case c.bytes != nil && c.single:
		return c.bytes[0]
	case c.bytes != nil:
		return c.bytes
	case c.single:
		return c.texts[0]
	}
	return c.texts
}
