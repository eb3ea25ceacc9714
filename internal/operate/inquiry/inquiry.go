// Package inquiry finds everything in a ledger about an address, a transaction, an output, an order or a unit, and
// writes it as one page of plain text, which an operator can send to the staker.
package inquiry

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// Kind is the kind of subject that a query names.
type Kind string

// The kinds of subjects. Other is a query that has the form of no other kind and is no id in the ledger.
const (
	Address     Kind = "address"
	Transaction Kind = "transaction"
	Output      Kind = "output"
	Order       Kind = "order"
	Unit        Kind = "unit"
	Payout      Kind = "payout"
	Other       Kind = "other"
)

// Answer is the result of a query.
type Answer struct {
	Query    string    `json:"query"`
	Kind     Kind      `json:"kind"`
	Found    bool      `json:"found"`
	Searched []string  `json:"searched"`
	At       time.Time `json:"at"`
	Height   int64     `json:"height"` // of the last followed block, -1 if there is none
	Title    Line      `json:"title"`
	Sections []Section `json:"sections"`
}

// Section is a part of an answer.
type Section struct {
	Title Line   `json:"title"`
	Lines []Line `json:"lines"`
}

// Line is one sentence of an answer: its code, its values and its text.
type Line struct {
	Code   string   `json:"code"`
	Values []string `json:"values,omitempty"`
	Text   string   `json:"text"`
}

// line returns a sentence with its values inserted.
func line(s sentence, values ...string) Line {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	return Line{s.code, values, fmt.Sprintf(s.text, args...)}
}

// String returns the answer as one page of text.
func (a Answer) String() string {
	var b strings.Builder
	b.WriteString(a.Title.Text + "\n")
	for _, s := range a.Sections {
		if s.Title.Text != "" {
			b.WriteString("\n" + s.Title.Text + "\n")
		}
		for _, l := range s.Lines {
			if s.Title.Text != "" {
				b.WriteString("- ")
			}
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

// ErrNothing is returned with an Answer without results.
var ErrNothing = errors.New("nothing was found")

// finder collects an answer from one snapshot of the ledger.
type finder struct {
	ctx         context.Context
	tx          *store.Tx
	answer      *Answer
	communities []community
	tip         int64
	skew        time.Duration   // of a dev network's clock
	shown       map[string]bool // keys of once
	rates       map[runes.ID]runes.Entry
}

// community is a community of the ledger with the data for describing it.
type community struct {
	store.Binding
	rune runes.ID
}

// Find returns everything in the ledger about an address, transaction id, outpoint, order id, unit id or payout id. If
// there is nothing, it returns an Answer with the searched places, and ErrNothing.
func Find(ctx context.Context, tx *store.Tx, query string) (Answer, error) {
	query = strings.TrimSpace(query)
	f := &finder{ctx: ctx, tx: tx, answer: &Answer{Query: query, Sections: []Section{}}, shown: map[string]bool{},
		rates: map[runes.ID]runes.Entry{}}
	if err := f.begin(); err != nil {
		return *f.answer, err
	}
	if err := f.find(query); err != nil {
		return *f.answer, err
	}
	f.dropEmpty()
	if f.answer.Found {
		return *f.answer, nil
	}
	f.answer.Searched = searches[f.answer.Kind]
	f.section(sentence{})
	f.say(notKnown, strings.Join(f.answer.Searched, "; "))
	if f.answer.Kind == Transaction || f.answer.Kind == Output {
		f.say(askAgain)
	}
	return *f.answer, ErrNothing
}

// begin reads the data for every answer.
func (f *finder) begin() error {
	bindings, err := f.tx.Bindings(f.ctx)
	if err != nil {
		return err
	}
	for _, b := range bindings {
		id, err := runes.ParseID(b.RuneID)
		if err != nil {
			return err
		}
		f.communities = append(f.communities, community{b, id})
	}
	now, err := decisions.Now(f.ctx, f.tx)
	if err != nil {
		return err
	}
	f.answer.At, f.skew = now.Truncate(time.Second), time.Until(now).Round(time.Second)
	tip, err := f.tx.Tip(f.ctx)
	switch {
	case errors.Is(err, state.ErrNotFound):
		f.tip = chain.None
	case err != nil:
		return err
	default:
		f.tip = tip.Height
	}
	f.answer.Height = f.tip
	f.section(sentence{})
	if f.tip == chain.None {
		f.say(noBlockYet, date(now))
	} else {
		f.say(asOf, date(now), number(f.tip))
	}
	return nil
}

var (
	txidText  = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
	pointText = regexp.MustCompile(`^([0-9a-fA-F]{64}):([0-9]+)$`)
)

// find searches by the form of the query.
func (f *finder) find(query string) error {
	switch {
	case pointText.MatchString(query):
		query = strings.ToLower(query)
		f.answer.Kind, f.answer.Title = Output, line(theOutput, query)
		out, err := ledger.ParseOutPoint(query)
		if err != nil {
			return fmt.Errorf("%q is not an output: give it as txid:vout", query)
		}
		return f.output(out)
	case txidText.MatchString(query):
		query = strings.ToLower(query)
		f.answer.Kind, f.answer.Title = Transaction, line(theTx, query)
		return f.transaction(query)
	}
	f.answer.Kind, f.answer.Title = Other, line(theRest, query)
	for _, c := range f.communities {
		a, err := chain.ParseAddress(query, networkOf(c.Network))
		switch {
		case err == nil:
			f.answer.Kind, f.answer.Title = Address, line(theAddress, a.Text)
			return f.address(a)
		case errors.Is(err, chain.ErrWrongNetwork):
			f.answer.Kind, f.answer.Title = Address, line(theAddress, query)
			f.say(otherNetwork, c.Network)
			return nil
		}
	}
	return f.named(query)
}

// networkOf returns the network with a name. Communities are only bound to known networks.
func networkOf(name string) chain.Network {
	n, _ := chain.NetworkByName(name)
	return n
}

// named searches for a subject whose id is the query.
func (f *finder) named(id string) error {
	for _, part := range []struct {
		kind  Kind
		title sentence
		find  func(id string) (bool, error)
	}{
		{Order, theOrder, f.orderByID}, {Order, theOrder, f.runeOrderByID}, {Unit, theUnit, f.unitByID},
		{Payout, thePayout, f.payoutByID},
	} {
		found, err := part.find(id)
		if err != nil {
			return err
		}
		if found {
			f.answer.Kind, f.answer.Title = part.kind, line(part.title, id)
			return nil
		}
	}
	return nil
}

// section begins a section. It removes the previous section if that is empty.
func (f *finder) section(title sentence, values ...string) {
	f.dropEmpty()
	f.answer.Sections = append(f.answer.Sections, Section{line(title, values...), []Line{}})
}

// dropEmpty removes the last section if it has no lines.
func (f *finder) dropEmpty() {
	a := f.answer
	if n := len(a.Sections); n > 0 && len(a.Sections[n-1].Lines) == 0 {
		a.Sections = a.Sections[:n-1]
	}
}

// say adds a sentence to the section.
func (f *finder) say(s sentence, values ...string) {
	last := &f.answer.Sections[len(f.answer.Sections)-1]
	last.Lines = append(last.Lines, line(s, values...))
}

// found is like say, for a sentence about the subject of the query.
func (f *finder) found(s sentence, values ...string) {
	f.answer.Found = true
	f.say(s, values...)
}

// once reports whether key was not shown before, and marks it as shown.
func (f *finder) once(key string) bool {
	seen := f.shown[key]
	f.shown[key] = true
	return !seen
}

// known reports whether err is nil. It converts state.ErrNotFound to false.
func known(err error) (bool, error) {
	if errors.Is(err, state.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
