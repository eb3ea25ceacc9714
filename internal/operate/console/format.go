package console

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/operate/terminal"
)

// since returns a time with its age, or nil for the zero time.
func since(now, t time.Time) *instant {
	if t.IsZero() {
		return nil
	}
	return &instant{t.UTC().Format("2006-01-02 15:04") + " UTC", t.UTC().Format(time.RFC3339), age(now, t)}
}

// age describes the distance of a time from now.
func age(now, t time.Time) string {
	d := now.Sub(t)
	if d < 0 {
		return "in " + span(-d)
	}
	return span(d) + " ago"
}

// span formats a duration by its largest unit.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 2*day:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	}
	return strconv.Itoa(int(d/day)) + " days"
}

// grouped separates the thousands of a decimal number by commas.
func grouped(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, part, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if part != "" {
		whole += "." + part
	}
	return sign + whole
}

// short shortens an id; the complete one is in Full.
func short(id string) cell {
	const longest, head, tail = 20, 8, 6
	c := cell{Text: id, Mono: true}
	runes := []rune(id)
	if len(runes) <= longest {
		return c
	}
	ending := string(runes[len(runes)-tail:])
	if i := strings.LastIndexByte(id, ':'); i >= 0 && len(id)-i <= tail { // the index of an output
		ending = string([]rune(id[:i])[len([]rune(id[:i]))-tail:]) + id[i:]
	}
	c.Text, c.Full = string(runes[:head])+"…"+ending, id
	return c
}

// found is like short, with a link to a search for the id.
func found(id string) cell {
	if id == "" {
		return text("")
	}
	c := short(id)
	c.Link = searchPath + "?q=" + url.QueryEscape(id)
	return c
}

// text returns a cell with a text, or "-".
func text(s string) cell { return cell{Text: terminal.OrDash(s)} }

// figure returns a cell with a number.
func figure(s string) cell { return cell{Text: s, Number: true} }

// count formats a number of any integer type.
func count[N ~int | ~int64](n N) string { return grouped(fmt.Sprint(int64(n))) }

// plural returns a number with its noun.
func plural[N ~int | ~int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// columns returns the headings of a table. A heading that begins with # marks a column of numbers.
func columns(names ...string) (all []cell) {
	for _, name := range names {
		name, number := strings.CutPrefix(name, "#")
		all = append(all, cell{Text: name, Number: number})
	}
	return all
}
