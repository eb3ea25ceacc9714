package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/epoch"
	"moonfund/runes"
	"moonfund/store/sqlc"
)

// gathered is what the changes of one transaction write again and again: lines of
// the journal, the counters that number things, the sums of staked units, what
// outputs hold. It is kept here and written once, when the transaction ends or before its next statement.
type gathered struct {
	lines   []any                             // of the journal, journalWidth values each
	intents []any                             // new actions, intentWidth values each
	numbers map[string]int64                  // counters as they stand
	moved   map[string]bool                   // of these, those to be written
	staked  map[string]int64                  // what comes to the sum of each community
	held    map[wire.OutPoint][]runes.Balance // what outputs hold that changed; nil: nothing any more
}

// empty reports whether write has nothing to do.
func (g *gathered) empty() bool {
	return len(g.lines) == 0 && len(g.intents) == 0 && len(g.moved) == 0 && len(g.staked) == 0
}

// at returns what is gathered now, to come back to after a savepoint.
func (g *gathered) at() gathered {
	return gathered{
		g.lines[:len(g.lines):len(g.lines)], g.intents[:len(g.intents):len(g.intents)], maps.Clone(g.numbers), maps.Clone(g.moved), maps.Clone(g.staked), maps.Clone(g.held),
	}
}

// next returns the next number of a counter, from 1.
func (t *Tx) next(ctx context.Context, counter string) (int64, error) {
	return t.reserve(ctx, counter, 1)
}

// reserve takes the next n numbers of a counter and returns the last of them.
func (t *Tx) reserve(ctx context.Context, counter string, n int64) (last int64, err error) {
	g := &t.within.gathered
	value, known := g.numbers[counter]
	if !known {
		row := t.within.row(ctx, "SELECT value FROM counter WHERE name = $1", counter)
		if _, err := absent(row.Scan(&value)); err != nil {
			return 0, err
		}
	}
	if g.numbers == nil {
		g.numbers, g.moved = map[string]int64{}, map[string]bool{}
	}
	g.numbers[counter], g.moved[counter] = value+n, true
	return value + n, nil
}

// What a line of the journal consists of, and a new action.
const (
	journalColumns = "number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind, cause_id, at"
	journalWidth   = 12

	intentColumns = "id, community, type, payment, ordinals, unit_ids, amount, order_id, message, created_at, expires_at, used_at, signature, signer, txid"
	intentWidth   = 15
)

// writeAll writes everything that is gathered, at the end of the transaction.
func (t *Tx) writeAll(ctx context.Context) error {
	if err := t.write(ctx); err != nil {
		return err
	}
	return t.writeHeld(ctx)
}

// writeHeld writes what outputs hold. No statement but those in runes.go and rebuild.go names that table
// (TestOnlyTheIndexReadsRuneBalances), so the others need not wait for it: a block changes thousands of its rows.
func (t *Tx) writeHeld(ctx context.Context) error {
	t.within.flushing = true
	defer func() { t.within.flushing = false }()
	held := t.within.gathered.held
	t.within.gathered.held = nil
	return t.within.insertHeld(ctx, held)
}

// write brings what is gathered into the database, without what outputs hold. The numbers stay known.
func (t *Tx) write(ctx context.Context) error {
	t.within.flushing = true
	defer func() { t.within.flushing = false }()
	g := &t.within.gathered
	lines, intents, moved, staked := g.lines, g.intents, g.moved, g.staked
	g.lines, g.intents, g.moved, g.staked = nil, nil, map[string]bool{}, nil
	for _, counter := range slices.Sorted(maps.Keys(moved)) {
		if err := t.q.PutCounter(ctx, sqlc.PutCounterParams{Name: counter, Value: g.numbers[counter]}); err != nil {
			return wrap(err)
		}
	}
	for _, community := range slices.Sorted(maps.Keys(staked)) {
		if err := t.q.AddStaked(ctx, sqlc.AddStakedParams{Community: community, Amount: staked[community]}); err != nil {
			return wrap(err)
		}
	}
	if err := t.within.insert(ctx, "INSERT INTO action ("+intentColumns+") VALUES ", "", intentWidth, intents); err != nil {
		return err
	}
	return t.within.insert(ctx, "INSERT INTO journal ("+journalColumns+") VALUES ", "", journalWidth, lines)
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
