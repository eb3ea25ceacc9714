// Package figures collects the figures of `make bench`, which prints them as one table at its end.
//
// A benchmark adds a row with one call:
//
//	figures.Report(b, figures.Figure{
//		Name: "closing an epoch of 1,000,000 units", Database: figures.Current(),
//		Value: took.Seconds(), Limit: 15, Unit: "s", Beside: "INSERT … SELECT of the same rows: 11 s",
//	})
//
// Two figures with the same name and different databases share a row. A missed target fails the benchmark and, after
// all benchmarks, `make bench`. scripts/bench lists the commands: a new benchmark function needs a line there. The
// table is Markdown, for docs/performance.md.
package figures

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"moonfund/internal/testkit/engine"
)

// Names of the databases, which are the columns of the table.
const (
	SQLite     = "SQLite"
	PostgreSQL = "PostgreSQL"
)

// Current returns the name of the database of the running tests.
func Current() string {
	if engine.Current() == engine.Postgres {
		return PostgreSQL
	}
	return SQLite
}

// File is the environment variable with the path of the file to which Report appends figures. Without it, Report only
// logs them.
const File = "MOONFUND_FIGURES"

// Figure is a measured value with its target.
type Figure struct {
	Name     string  // the measured operation with its size, for example "ready after kill -9, with 100,000 units"
	Database string  // SQLite, PostgreSQL, or "" if the figure does not depend on the database
	Value    float64 // in Unit
	Limit    float64 // the target, in Unit: the maximum, or the minimum if Least; 0 means that there is no target
	Least    bool
	Unit     string // "s", "ms", "/s", "MiB", "%", "times"
	Beside   string // the plain work or a peer, measured in the same run, with its unit; may be empty
}

// Met reports whether the value meets the target. A value that is not a number does not.
func (f Figure) Met() bool {
	switch {
	case math.IsNaN(f.Value) || math.IsInf(f.Value, 0):
		return false
	case f.Limit == 0:
		return true
	case f.Least:
		return f.Value >= f.Limit
	default:
		return f.Value <= f.Limit
	}
}

// target returns the target in words.
func (f Figure) target() string {
	switch {
	case f.Limit == 0:
		return ""
	case f.Least:
		return "at least " + number(f.Limit, f.Unit)
	default:
		return "at most " + number(f.Limit, f.Unit)
	}
}

// number writes a value with its unit, with at least three significant digits.
func number(v float64, unit string) string {
	text := strconv.FormatFloat(v, 'g', 3, 64)
	if v >= 100 {
		text = grouped(strconv.FormatFloat(v, 'f', 0, 64))
	}
	if unit != "" && unit != "/s" {
		unit = " " + unit
	}
	return text + unit
}

// grouped puts commas between the thousands of a whole number that is not negative.
func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Report adds a figure to the table, and marks the benchmark as failed if the target is missed.
func Report(tb testing.TB, f Figure) {
	tb.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		tb.Fatalf("%s: %v", f.Name, err)
	}
	if path := os.Getenv(File); path != "" {
		if err := appendLine(path, text); err != nil {
			tb.Fatal(err)
		}
	}
	if f.Met() {
		tb.Logf("%s %s: %s; target: %s", f.Name, f.Database, number(f.Value, f.Unit), f.target())
		return
	}
	tb.Errorf("%s %s: %s; target missed: %s", f.Name, f.Database, number(f.Value, f.Unit), f.target())
}

func appendLine(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Close())
}

// Read returns the figures of a file that Report wrote.
func Read(r io.Reader) (all []Figure, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var f Figure
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, lines.Err()
}

// Print writes the table in Markdown, a row for each name, in the order in which the names were first reported. It
// returns the number of figures that missed their target. A figure without a database is in SQLite's column.
func Print(w io.Writer, all []Figure) (missed int, err error) {
	rows := [][]string{{"figure", SQLite, PostgreSQL, "target", "met", "beside"}}
	at := map[string]int{}
	for _, f := range all {
		i, found := at[f.Name]
		if !found {
			i = len(rows)
			at[f.Name], rows = i, append(rows, []string{f.Name, "", "", f.target(), "", ""})
		}
		row := rows[i]
		column := 1
		if f.Database == PostgreSQL {
			column = 2
		}
		row[column] = joined(row[column], number(f.Value, f.Unit))
		if !f.Met() {
			missed++
			row[4] = "NO"
		} else if row[4] == "" && f.Limit != 0 {
			row[4] = "yes"
		}
		row[5] = joined(row[5], f.Beside)
	}
	return missed, write(w, rows)
}

// joined returns both texts, or the text that is not empty.
func joined(one, two string) string {
	if one == "" || two == "" {
		return one + two
	}
	return one + "; " + two
}

// write aligns the columns of a table whose first row is the header.
func write(w io.Writer, rows [][]string) error {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	out := bufio.NewWriter(w)
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprint(out, "| ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
		}
		fmt.Fprintln(out, "|")
		if n == 0 {
			for _, width := range widths {
				fmt.Fprint(out, "|", strings.Repeat("-", width+2))
			}
			fmt.Fprintln(out, "|")
		}
	}
	return out.Flush()
}
