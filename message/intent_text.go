package message

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// expiryLayout is how the expiry is written, always in UTC.
const expiryLayout = "2006-01-02 15:04:05 UTC"

// page is an Intent's text being written or read. Both walk the same layout, so
// what is read is in the places where it was written.
type page interface {
	say(line string)                                // a fixed line
	field(label string, value *string)              // "label: value"
	number(label string, value *int64, unit string) // "label: value unit"
	atLeast(label string, value *int64, open *bool, unit string)
	sum(label string, forPeople, baseUnits *string)       // "label: 1.5 LOBO (150000000 base units)"
	bullets(label string, lines *[]string)                // "label:", then "- line" each
	moment(label string, value *time.Time, layout string) // "label: value"
}

// layout walks the text of x, line by line.
func layout(p page, x *Intent) {
	p.say("Moon Fund: please read before you sign")
	p.say("")
	p.field("Community", &x.Community)
	p.field("Site", &x.Domain)
	p.field("Network", &x.Network)
	p.field("Action", &x.Action)
	p.say("")
	p.field("Payment address", &x.Payment)
	p.field("Ordinals address", &x.Ordinals)
	p.say("")
	count := int64(x.Count)
	p.number("Units", &count, "")
	x.Count = int(count)
	p.sum("Sum", &x.SumText, &x.Sum)
	p.field("Digest of the units", &x.Digest)
	p.say("")
	if x.Action == Cancel {
		p.field("Order", &x.Order)
		p.field("Order status", &x.Status)
		p.atLeast("Payments seen", &x.Seen, &x.AtLeast, " sats")
		p.say("")
	}
	p.bullets("What follows", &x.Follows)
	p.say("")
	p.field("Nonce", &x.Nonce)
	p.moment("Valid until", &x.Expires, expiryLayout)
	p.say("")
	p.say("Signing is free and sends no transaction. Sign only on the site named above.")
}

// Text returns the text to sign: plain ASCII, lines ended by "\n" except the
// last, no trailing spaces. An Intent that does not pass Check has no text: it
// is "", which Parse refuses.
func (x Intent) Text() string {
	if x.Check() != nil {
		return ""
	}
	var w writer
	layout(&w, &x)
	return strings.Join(w.lines, "\n")
}

// Parse reads what Text wrote, and nothing else: the result's Text is the given
// text, byte by byte. Otherwise it returns ErrIntent.
func Parse(text string) (Intent, error) {
	if len(text) > maxIntent {
		return Intent{}, fmt.Errorf("%w: the text is too long", ErrIntent)
	}
	var x Intent
	r := scanner{lines: strings.Split(text, "\n")}
	layout(&r, &x)
	if r.fault != "" {
		return Intent{}, fmt.Errorf("%w: %s", ErrIntent, r.fault)
	}
	if err := x.Check(); err != nil {
		return Intent{}, err
	}
	if x.Text() != text {
		return Intent{}, fmt.Errorf("%w: the text is not in its exact form", ErrIntent)
	}
	return x, nil
}

// writer is the page that is written.
type writer struct{ lines []string }

func (w *writer) say(line string)                   { w.lines = append(w.lines, line) }
func (w *writer) field(label string, value *string) { w.say(label + ": " + *value) }

func (w *writer) number(label string, value *int64, unit string) {
	w.say(label + ": " + strconv.FormatInt(*value, 10) + unit)
}

// atLeast writes "label: at least value unit", or without these words what is exact.
func (w *writer) atLeast(label string, value *int64, open *bool, unit string) {
	if *open {
		w.say(label + ": at least " + strconv.FormatInt(*value, 10) + unit)
		return
	}
	w.number(label, value, unit)
}

func (w *writer) sum(label string, forPeople, baseUnits *string) {
	w.say(label + ": " + *forPeople + " (" + *baseUnits + " base units)")
}

func (w *writer) bullets(label string, lines *[]string) {
	w.say(label + ":")
	for _, line := range *lines {
		w.say("- " + line)
	}
}

func (w *writer) moment(label string, value *time.Time, layout string) {
	w.say(label + ": " + value.Format(layout))
}

// scanner is the page that is read. It keeps the first fault and goes on.
type scanner struct {
	lines []string
	fault string
}

func (s *scanner) fail(what string) {
	if s.fault == "" {
		s.fault = what
	}
}

// next takes the next line, which must start and end as given.
func (s *scanner) next(prefix, suffix string) string {
	if len(s.lines) == 0 {
		s.fail("the text ends early")
		return ""
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	rest, found := strings.CutPrefix(line, prefix)
	value, closed := strings.CutSuffix(rest, suffix)
	if !found || !closed {
		s.fail(fmt.Sprintf("a line should start with %q and end with %q", prefix, suffix))
		return ""
	}
	return value
}

// say leaves text after the fixed line to the comparison at the end of Parse.
func (s *scanner) say(line string)                   { s.next(line, "") }
func (s *scanner) field(label string, value *string) { *value = s.next(label+": ", "") }

func (s *scanner) number(label string, value *int64, unit string) {
	n, err := strconv.ParseInt(s.next(label+": ", unit), 10, 64)
	if err != nil {
		s.fail(label + " is not a number")
	}
	*value = n
}

func (s *scanner) atLeast(label string, value *int64, open *bool, unit string) {
	if *open = len(s.lines) > 0 && strings.HasPrefix(s.lines[0], label+": at least "); !*open {
		s.number(label, value, unit)
		return
	}
	n, err := strconv.ParseInt(s.next(label+": at least ", unit), 10, 64)
	if err != nil {
		s.fail(label + " is not a number")
	}
	*value = n
}

func (s *scanner) sum(label string, forPeople, baseUnits *string) {
	line := s.next(label+": ", " base units)")
	open := strings.LastIndex(line, " (")
	if open < 0 {
		s.fail(label + " has no base units")
		return
	}
	*forPeople, *baseUnits = line[:open], line[open+len(" ("):]
}

func (s *scanner) bullets(label string, lines *[]string) {
	s.next(label+":", "")
	for len(s.lines) > 0 && strings.HasPrefix(s.lines[0], "- ") {
		*lines = append(*lines, s.next("- ", ""))
	}
}

func (s *scanner) moment(label string, value *time.Time, layout string) {
	t, err := time.Parse(layout, s.next(label+": ", ""))
	if err != nil {
		s.fail(label + " is not a time")
	}
	*value = t
}
