package store

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var numberedParameter = regexp.MustCompile(`\$(\d+)`)

// unnested returns a SELECT for the rows in args, and its arguments, which are arrays. row is the row of VALUES,
// without its parentheses.
func unnested(row string, width int, args []any) (string, []any) {
	columns := slices.Repeat([]column{{size: len(args) / width}}, width)
	for i, arg := range args {
		columns[i%width].add(arg)
	}
	var types, names []string
	var arrays []any
	for i, c := range columns {
		types = append(types, fmt.Sprintf("$%d::%s", i+1, c.sqlType()))
		names = append(names, fmt.Sprintf("p%d", i+1))
		arrays = append(arrays, c.values())
	}
	expressions := numberedParameter.ReplaceAllString(row, "p$1")
	return fmt.Sprintf("SELECT %s FROM unnest(%s) AS listed (%s)", expressions, strings.Join(types, ", "),
		strings.Join(names, ", ")), arrays
}

// column has the values of one column or the keys of a list, as an array of the type that they have.
type column struct {
	size    int // number of values
	texts   []string
	numbers []int64
	bytes   [][]byte
}

// add appends a value. The schema has no other types than these.
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

func (c *column) sqlType() string {
	switch {
	case c.numbers != nil:
		return "BIGINT[]"
	case c.bytes != nil:
		return "BYTEA[]"
	}
	return "TEXT[]"
}

func (c *column) values() any {
	switch {
	case c.numbers != nil:
		return c.numbers
	case c.bytes != nil:
		return c.bytes
	}
	return c.texts
}
