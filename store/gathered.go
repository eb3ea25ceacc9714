package store

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"moonfund/epoch"
	"moonfund/store/sqlc"
)

// next returns the next number of a counter, from 1.
func (t *Tx) next(ctx context.Context, counter string) (int64, error) {
	return t.reserve(ctx, counter, 1)
}

// reserve takes the next n numbers of a counter and returns the last of them.
func (t *Tx) reserve(ctx context.Context, counter string, n int64) (last int64, err error) {
	last, err = t.q.ReserveNumbers(ctx, sqlc.ReserveNumbersParams{Name: counter, Value: n})
	return last, wrap(err)
}

// rowsAtOnce are how many rows one statement inserts: few sizes, so that each stays prepared, and any number of rows needs few of them.
var rowsAtOnce = []int{128, 64, 32, 16, 8, 4, 2, 1}

// insert inserts rows of a width, given one after the other, in few statements.
func (w *bound) insert(ctx context.Context, head, tail string, width int, values []any) error {
	for len(values) > 0 {
		rows := 1
		for _, rows = range rowsAtOnce {
			if rows*width <= len(values) {
				break
			}
		}
		text := insertText(head, tail, width, rows)
		if 2*rows*width <= len(values) && w.statement(ctx, text) == nil { // it runs again at once
			statement, err := w.PrepareContext(ctx, text) // until the transaction ends
			if err != nil {
				return wrap(err)
			}
			w.own[text] = statement
		}
		if _, err := w.ExecContext(ctx, text, values[:rows*width]...); err != nil {
			return wrap(err)
		}
		values = values[rows*width:]
	}
	return nil
}

type insertKey struct {
	head, tail  string
	width, rows int
}

var insertTexts sync.Map // insertKey → string

// insertText is an INSERT of several rows.
func insertText(head, tail string, width, rows int) string {
	return kept(insertKey{head, tail, width, rows}, func(b *strings.Builder) {
		b.WriteString(head)
		for i := range rows * width {
			switch {
			case i == 0:
				b.WriteString("(")
			case i%width == 0:
				b.WriteString("), (")
			default:
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "$%d", i+1)
		}
		b.WriteString(")" + tail)
	})
}

// kept returns a text that is made once.
func kept(key insertKey, compose func(*strings.Builder)) string {
	if text, known := insertTexts.Load(key); known {
		return text.(string)
	}
	var b strings.Builder
	compose(&b)
	insertTexts.Store(key, b.String())
	return b.String()
}

// known is what a transaction read and nobody else can change before it ends:
// changes that share a commit ask the same questions.
type known struct {
	settings  map[string]string
	calendars map[string]epoch.Calendar
}

func (k *known) keepSetting(name, value string) {
	if k.settings == nil {
		k.settings = map[string]string{}
	}
	k.settings[name] = value
}

func (k *known) keepCalendar(community string, calendar epoch.Calendar) {
	if k.calendars == nil {
		k.calendars = map[string]epoch.Calendar{}
	}
	k.calendars[community] = calendar
}
