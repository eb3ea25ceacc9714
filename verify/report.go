package main

import (
	"fmt"
	"io"
)

// report prints the result of each check and counts the failed ones.
type report struct {
	out    io.Writer
	failed int
}

func (r *report) line(mark, format string, args []any) {
	fmt.Fprintf(r.out, "%-6s%s\n", mark, fmt.Sprintf(format, args...))
}

// ok reports a check that succeeded.
func (r *report) ok(format string, args ...any) { r.line("ok", format, args) }

// note reports what was not checked, or needs the reader's attention.
func (r *report) note(format string, args ...any) { r.line("note", format, args) }

// fail reports a check that failed.
func (r *report) fail(format string, args ...any) {
	r.failed++
	r.line("FAIL", format, args)
}

// plural returns a count with the word in singular or plural.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
