// Package terminal prints to operators and prompts them: tables, fields and JSON on standard output, questions and
// previews on standard error.
package terminal

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// JSON prints a value as indented JSON.
func JSON(value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err == nil {
		fmt.Println(string(text))
	}
	return err
}

// Print prints value as JSON if asJSON is set. Otherwise it calls text, which prints the same value as text.
func Print(asJSON bool, value any, text func() error) error {
	if asJSON {
		return JSON(value)
	}
	return text()
}

// List prints items as a JSON list if asJSON is set. Otherwise it prints a table with one row for each item, under
// titles that are separated by commas.
func List[T any](asJSON bool, items []T, titles string, row func(T) []string) error {
	if asJSON {
		return JSON(append([]T{}, items...)) // [] rather than null
	}
	return Table(titles, Rows(items, row))
}

// Rows returns one table row for each item.
func Rows[T any](items []T, row func(T) []string) (rows [][]string) {
	for _, item := range items {
		rows = append(rows, row(item))
	}
	return rows
}

// Table prints rows in columns, under titles that are separated by commas.
func Table(titles string, rows [][]string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.ReplaceAll(titles, ",", "\t"))
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// Section prints a table under a heading, or nothing if there are no rows.
func Section(heading, titles string, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	fmt.Printf("\n%s\n", heading)
	return Table(titles, rows)
}

// Fields prints pairs of a name and a value, one pair per line.
func Fields(pairs ...string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(w, "%s\t%s\n", pairs[i], pairs[i+1])
	}
	return w.Flush()
}

// Time formats a time in UTC to the second, the zero time as "-".
func Time(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// OrDash returns text, or "-" if text is empty.
func OrDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// Height formats a block height or an epoch number, and a negative one, which means none, as "-".
func Height(n int64) string {
	if n < 0 {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

// YesNo formats a condition as "yes" or "no".
func YesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// Number formats an integer of any kind, such as amount.Sats.
func Number[N ~int | ~int64 | ~uint32](n N) string { return strconv.FormatInt(int64(n), 10) }

// Quote quotes a word for a shell.
func Quote(word string) string {
	if !strings.ContainsFunc(word, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("/._-+:@", c)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
