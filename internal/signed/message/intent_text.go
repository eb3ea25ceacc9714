package message

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Time layouts of the expiry and of the limit of economy delivery, which are in UTC.
const (
	expiryLayout = "2006-01-02 15:04:05 UTC"
	limitLayout  = "2006-01-02 15:04 UTC"
)

// textVisitor writes or reads the text of an Intent. The writer and the scanner share one layout, so every value is
// read from the place where it was written.
type textVisitor interface {
	fixed(line string)                                       // fixed line
	field(label string, value *string)                       // "label: value"
	number(prefix string, value *int64, unit string)         // "prefix value unit"
	sum(label string, display, baseUnits *string)            // "label: 1.5 LOBO (150000000 base units)"
	bullets(label string, lines *[]string)                   // "label:", then "- line" each
	timestamp(label string, value *time.Time, layout string) // "label: value"
	optional(label string, value *string)                    // "label: value", or no line if value is ""
	// "label: economy, 2.5 sat/vB, until 2026-12-11 07:00 UTC", or no line if rate is 0
	speed(label string, rate *int64, until *time.Time)
}

// layout passes every line of the text of x to p, in order. docs/messages.md specifies it. The text of a usual action
// has at most 640 bytes, because a Ledger shows only the hash of a longer one.
func layout(p textVisitor, x *Intent) {
	p.fixed("Moon Fund: read before you sign")
	p.fixed("")
	p.field("Community", &x.Community)
	p.field("Site", &x.Domain)
	p.field("Network", &x.Network)
	p.field("Action", &x.Action)
	p.speed("Speed", &x.Rate, &x.Until)
	p.fixed("")
	p.field("Payment", &x.Payment)
	p.field("Ordinals", &x.Ordinals)
	p.fixed("")
	switch x.Action {
	case AutoCompound:
		p.number("First epoch: ", &x.FirstEpoch, "")
		p.number("Last epoch: ", &x.LastEpoch, "")
	case EndAutoCompound:
		p.field("Instruction", &x.Instruction)
	default:
		count := int64(x.Count)
		p.number("Units: ", &count, "")
		x.Count = int(count)
		p.sum("Sum", &x.SumText, &x.Sum)
		p.field("Digest", &x.Digest)
	}
	p.fixed("")
	if x.Action == Cancel {
		p.field("Order", &x.Order)
		p.field("Order status", &x.Status)
		p.number("Payments seen: at least ", &x.Seen, " sats")
		p.fixed("")
	}
	p.bullets("What follows", &x.Follows)
	p.fixed("")
	p.optional("Statement", &x.Statement)
	p.field("Nonce", &x.Nonce)
	p.timestamp("Valid until", &x.Expires, expiryLayout)
	p.fixed("")
	p.fixed("Sign only on the site above.")
}

// Text returns the text to sign: plain ASCII, lines separated by "\n", no trailing spaces. It returns "", which Parse
// rejects, if Check returns an error.
func (x Intent) Text() string {
	if x.Check() != nil {
		return ""
	}
	var w writer
	layout(&w, &x)
	return strings.Join(w.lines, "\n")
}

// Parse parses a text that Text produced. The Text of the result equals the given text byte by byte; any other input
// returns ErrIntent.
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

// writer is the textVisitor that writes a text.
type writer struct{ lines []string }

func (w *writer) fixed(line string)                 { w.lines = append(w.lines, line) }
func (w *writer) field(label string, value *string) { w.fixed(label + ": " + *value) }

func (w *writer) number(prefix string, value *int64, unit string) {
	w.fixed(prefix + strconv.FormatInt(*value, 10) + unit)
}

func (w *writer) sum(label string, display, baseUnits *string) {
	w.fixed(label + ": " + *display + " (" + *baseUnits + " base units)")
}

func (w *writer) bullets(label string, lines *[]string) {
	w.fixed(label + ":")
	for _, line := range *lines {
		w.fixed("- " + line)
	}
}

func (w *writer) timestamp(label string, value *time.Time, layout string) {
	w.fixed(label + ": " + value.Format(layout))
}

func (w *writer) optional(label string, value *string) {
	if *value != "" {
		w.field(label, value)
	}
}

func (w *writer) speed(label string, rate *int64, until *time.Time) {
	if *rate == 0 {
		return
	}
	w.fixed(label + ": economy, " + decimal(strconv.FormatInt(*rate, 10), rateDecimals) + " sat/vB, until " +
		until.Format(limitLayout))
}

// rateDecimals is the number of decimals of a fee rate in sat/vB.
const rateDecimals = 3

// scanner is the textVisitor that reads a text. It records the first fault and continues with zero values.
type scanner struct {
	lines []string
	fault string
}

func (s *scanner) fail(what string) {
	if s.fault == "" {
		s.fault = what
	}
}

// next returns the next line without the given prefix and suffix, which the line must have.
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

// fixed does not check for text after the fixed line: Parse compares the whole text at the end.
func (s *scanner) fixed(line string)                 { s.next(line, "") }
func (s *scanner) field(label string, value *string) { *value = s.next(label+": ", "") }

func (s *scanner) number(prefix string, value *int64, unit string) {
	n, err := strconv.ParseInt(s.next(prefix, unit), 10, 64)
	if err != nil {
		s.fail(fmt.Sprintf("no number follows %q", prefix))
	}
	*value = n
}

func (s *scanner) sum(label string, display, baseUnits *string) {
	line := s.next(label+": ", " base units)")
	open := strings.LastIndex(line, " (")
	if open < 0 {
		s.fail(label + " has no base units")
		return
	}
	*display, *baseUnits = line[:open], line[open+len(" ("):]
}

func (s *scanner) bullets(label string, lines *[]string) {
	s.next(label+":", "")
	for len(s.lines) > 0 && strings.HasPrefix(s.lines[0], "- ") {
		*lines = append(*lines, s.next("- ", ""))
	}
}

func (s *scanner) timestamp(label string, value *time.Time, layout string) {
	t, err := time.Parse(layout, s.next(label+": ", ""))
	if err != nil {
		s.fail(label + " is not a time")
	}
	*value = t
}

func (s *scanner) optional(label string, value *string) {
	if len(s.lines) > 0 && strings.HasPrefix(s.lines[0], label+": ") {
		s.field(label, value)
	}
}

func (s *scanner) speed(label string, rate *int64, until *time.Time) {
	if len(s.lines) == 0 || !strings.HasPrefix(s.lines[0], label+": ") {
		return
	}
	perVB, limit, found := strings.Cut(s.next(label+": economy, ", ""), " sat/vB, until ")
	whole, fraction, _ := strings.Cut(perVB, ".")
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", max(0, rateDecimals-len(fraction))), 10, 64)
	t, badTime := time.Parse(limitLayout, limit)
	if !found || err != nil || badTime != nil {
		s.fail(label + " is not a fee rate and a time")
	}
	*rate, *until = n, t
}
