package community

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/amount"
)

// Problem describes a wrong value of a manifest: the file, the key, the value and the accepted values.
type Problem struct{ File, Key, Found, Want string }

// Problems lists all wrong values of one or several manifests.
type Problems []Problem

// Error lists the problems, one per line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = fmt.Sprintf("%s: %s: found %s, want %s", problem.File, problem.Key, problem.Found, problem.Want)
	}
	return strings.Join(lines, "\n")
}

// reader reads typed values from a TOML table, and records problems and the keys that were read.
type reader struct {
	file     string
	path     string // path of the table with a trailing dot; "" for the root
	table    map[string]any
	used     map[string]bool // the keys that were read
	problems *Problems
}

// missing is the value of a missing key in problems.
const missing = "nothing"

// bareKey matches keys that are shown without quotes. Other keys, including the empty key, are quoted.
var bareKey = regexp.MustCompile(`^[A-Za-z0-9_.\[\]-]+$`)

// wrong adds a problem. want describes the accepted values.
func (r *reader) wrong(key string, found any, want string) {
	text, isText := found.(string)
	switch {
	case isText && text == missing:
	case isText:
		text = fmt.Sprintf("%q", text)
	default:
		text = fmt.Sprint(found)
	}
	if !bareKey.MatchString(key) {
		key = strconv.Quote(key)
	}
	*r.problems = append(*r.problems, Problem{r.file, r.path + key, text, want})
}

// take marks a key as used and returns its value and whether it exists.
func (r *reader) take(key string) (any, bool) {
	r.used[key] = true
	value, ok := r.table[key]
	return value, ok
}

// section returns a sub-table, or an empty one if the key is missing.
func (r *reader) section(key string) *reader {
	sub := &reader{file: r.file, path: r.path + key + ".", table: map[string]any{}, used: map[string]bool{},
		problems: r.problems}
	value, ok := r.take(key)
	if !ok {
		return sub
	}
	table, ok := value.(map[string]any)
	if !ok {
		r.wrong(key, value, "a table ["+r.path+key+"]")
		return sub
	}
	sub.table = table
	return sub
}

// finish reports every key that was not read.
func (r *reader) finish() {
	var unknown []string
	for key := range r.table {
		if !r.used[key] {
			unknown = append(unknown, key)
		}
	}
	sort.Strings(unknown)
	known := sortedKeys(r.used)
	for _, key := range unknown {
		r.wrong(key, r.table[key], "no such key; the keys here are "+strings.Join(known, ", "))
	}
}

func sortedKeys[T any](table map[string]T) []string {
	return slices.Sorted(maps.Keys(table))
}

// text returns a string that ok accepts. A nil fallback makes the key required.
func (r *reader) text(key string, fallback *string, want string, ok func(string) bool) string {
	value, found := r.take(key)
	if !found {
		if fallback == nil {
			r.wrong(key, missing, want)
			return ""
		}
		return *fallback
	}
	text, isText := value.(string)
	if !isText || !ok(text) {
		r.wrong(key, value, want)
		return ""
	}
	return text
}

// flag returns true or false; false if the key is missing.
func (r *reader) flag(key string) bool {
	value, found := r.take(key)
	isSet, isBool := value.(bool)
	if found && !isBool {
		r.wrong(key, value, "true or false")
	}
	return isSet
}

// integer returns an integer within low..high. A nil fallback makes the key required. unit is only used in the problem.
func (r *reader) integer(key string, fallback *int64, low, high int64, unit string) int64 {
	want := fmt.Sprintf("a whole number of %s from %d to %d", unit, low, high)
	value, found := r.take(key)
	if !found {
		if fallback == nil {
			r.wrong(key, missing, want)
			return 0
		}
		return *fallback
	}
	n, isInt := value.(int64)
	if !isInt || n < low || n > high {
		r.wrong(key, value, want)
		return 0
	}
	return n
}

// runes returns an amount of at least low in base units, given as an integer or as a decimal string. A nil fallback
// makes the key required.
func (r *reader) runes(key string, fallback *amount.Runes, low amount.Runes) amount.Runes {
	want := fmt.Sprintf("base units from %d to %d, as an integer or a string of digits", low, int64(math.MaxInt64))
	value, found := r.take(key)
	if !found {
		if fallback == nil {
			r.wrong(key, missing, want)
			return 0
		}
		return *fallback
	}
	units, err := amount.ParseRunes(fmt.Sprint(value))
	if err != nil || units < low {
		r.wrong(key, value, want)
		return 0
	}
	return units
}

// duration returns a Go duration such as "168h" within low..high. extra is only used in the problem.
func (r *reader) duration(key string, fallback, low, high time.Duration, extra string) time.Duration {
	value, found := r.take(key)
	if !found {
		return fallback
	}
	text, isText := value.(string)
	d, err := time.ParseDuration(text)
	if !isText || err != nil || d < low || d > high {
		r.wrong(key, value, fmt.Sprintf("a duration such as %q from %s to %s%s", "168h", low, high, extra))
		return 0
	}
	return d
}

// date returns an instant in UTC, given as a TOML date-time with an offset or as an RFC 3339 string.
func (r *reader) date(key, want string, ok func(time.Time) bool) time.Time {
	value, found := r.take(key)
	if !found {
		r.wrong(key, missing, want)
		return time.Time{}
	}
	at, isTime := value.(time.Time)
	if text, isText := value.(string); isText {
		parsed, err := time.Parse(time.RFC3339, text)
		at, isTime = parsed, err == nil
	}
	if !isTime || !ok(at.UTC()) {
		r.wrong(key, value, want)
		return time.Time{}
	}
	return at.UTC()
}

// words returns a list of strings, each of which is in allowed and occurs once.
func (r *reader) words(key string, allowed []string) []string {
	value, found := r.take(key)
	if !found {
		return []string{}
	}
	want := "a list out of " + strings.Join(allowed, ", ")
	list, isList := value.([]any)
	if !isList {
		r.wrong(key, value, want)
		return nil
	}
	words := []string{}
	for _, item := range list {
		word, isText := item.(string)
		if !isText || !slices.Contains(allowed, word) || slices.Contains(words, word) {
			r.wrong(key, value, want+", each once")
			return nil
		}
		words = append(words, word)
	}
	return words
}
