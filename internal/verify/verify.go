// Package verify verifies the statements and receipts that a community publishes, without its server: the form,
// signatures and chain of statements, the rewards, the proof of one owner, the reserves on a block explorer of the
// user's choice, and receipts. docs/statements.md and docs/receipts.md specify the documents.
package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"moonfund/internal/signed/statement"
)

// ErrRequest means that the user must change the request before it can be answered.
var ErrRequest = errors.New("wrong command line")

// Verifier verifies documents and prints the result of each check. Its methods return an error if a document or a
// server can't be read; a check that fails is no error.
type Verifier struct {
	Out       io.Writer
	Key       statement.Key // that the community publishes; zero: unknown
	Owner     string        // that a proof, receipts and instructions must be for; "" for any
	NoRewards bool          // do not check the rewards

	failed int
}

// Failed returns the number of checks that failed.
func (v *Verifier) Failed() int { return v.failed }

// KnowsKey reports whether signatures are checked with a key of the user rather than with the key in the document.
func (v *Verifier) KnowsKey() bool { return v.Key != statement.Key{} }

func (v *Verifier) line(mark, format string, args []any) {
	fmt.Fprintf(v.Out, "%-6s%s\n", mark, fmt.Sprintf(format, args...))
}

// ok reports a check that succeeded.
func (v *Verifier) ok(format string, args ...any) { v.line("ok", format, args) }

// note reports a check that was not made, or a fact that needs the reader's attention.
func (v *Verifier) note(format string, args ...any) { v.line("note", format, args) }

// fail reports a check that failed.
func (v *Verifier) fail(format string, args ...any) {
	v.failed++
	v.line("FAIL", format, args)
}

// Plural returns a count with the word in singular or plural.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func minute(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02 15:04") }

// found is a verified statement, its id and its place.
type found struct {
	statement.Signed
	id    statement.Hash
	place string
}

// read reads a statement and reports whether it is valid. It returns an error if there is nothing to read.
func (v *Verifier) read(ctx context.Context, place string) (s found, valid bool, err error) {
	text, err := fetch(ctx, place)
	if err != nil {
		return s, false, err
	}
	s.place = place
	if s.Signed, err = statement.ParseSigned(text); err == nil {
		err = s.Verify(s.Key)
	}
	if err != nil {
		v.fail("%s: %v.", place, err)
		return s, false, nil
	}
	if v.KnowsKey() && s.Key != v.Key {
		v.fail("%s: it is signed by the key %s, not by the given one.", place, s.Key)
		return s, false, nil
	}
	s.id, err = s.Document.ID()
	return s, err == nil, err
}

// reportKey prints the key that signed the statements.
func (v *Verifier) reportKey(key statement.Key) {
	if v.KnowsKey() {
		v.ok("Signed by the given key.")
		return
	}
	v.note("Signed by the key %s. Compare it with the key that the community publishes (--key).", key)
}

// title prints the statement that the following lines are about.
func (v *Verifier) title(s found) {
	d := s.Document
	fmt.Fprintf(v.Out, "\nStatement %d of %s (%s): epoch %d, %s to %s UTC\n      id %s\n", d.Sequence, d.Community,
		d.Network, d.Epoch, minute(d.Start), minute(d.End), s.id)
}

// shortfalls returns a sentence for each kind of reserves that is less than the liabilities that it backs.
func shortfalls(d statement.Document) (sentences []string) {
	held, owed := d.Held(statement.ReserveStake), d.Liability(statement.Stakes).Runes
	if held.Less(owed) {
		sentences = append(sentences, fmt.Sprintf("The stake outputs hold %s base units, the stakes are %s.", held, owed))
	}
	held, owed = d.Held(statement.ReserveTreasury), d.Liability(statement.Unpaid).Runes
	if held.Less(owed) {
		sentences = append(sentences, fmt.Sprintf("The treasury holds %s base units, the rewards that are owed are %s.",
			held, owed))
	}
	return sentences
}

// reportSums prints the sums of a statement.
func (v *Verifier) reportSums(d statement.Document) {
	v.ok("The sums agree: %s, stakes of %s, rewards of %s, %s owed (base units).",
		Plural(int(d.Owners.Count), "owner", "owners"), d.Owners.Stake, d.Owners.Reward, d.Owners.Owed)
	missing := shortfalls(d)
	for _, sentence := range missing {
		v.fail("%s", sentence)
	}
	if len(missing) == 0 {
		v.ok("The stated reserves cover the stakes and what is owed: %s.", Plural(len(d.Reserves), "output", "outputs"))
	}
	v.note("Stated to be in self-custody: %s of the %s base units of the stake outputs.", d.InSelfCustody(),
		d.Held(statement.ReserveStake))
	for _, i := range d.Incidents {
		v.note("Incident, %s UTC: %s: %q", minute(i.Time), i.Kind, i.Detail)
	}
}

// details verifies the details beside a statement. checked is false if there are none, or if they are wrong.
func (v *Verifier) details(ctx context.Context, s found) (d statement.Details, checked bool, err error) {
	place := detailsBeside(s.place)
	text, err := fetch(ctx, place)
	if errors.Is(err, os.ErrNotExist) {
		v.note("Statement %d: the rewards are not checked: there is no %s.", s.Document.Sequence, place)
		return d, false, nil
	}
	if err != nil {
		return d, false, err
	}
	if d, err = statement.ParseDetails(text); err == nil {
		err = d.Verify(s.Document)
	}
	if err != nil {
		v.fail("%s: %v.", place, err)
		return d, false, nil
	}
	return d, true, nil
}

// Statements verifies the form, signature and sums of statements, and the rewards by the details beside each.
func (v *Verifier) Statements(ctx context.Context, places []string) error {
	for _, place := range places {
		s, valid, err := v.read(ctx, place)
		if err != nil {
			return err
		}
		if !valid {
			continue
		}
		v.title(s)
		v.reportKey(s.Key)
		v.reportSums(s.Document)
		if v.NoRewards {
			continue
		}
		d, checked, err := v.details(ctx, s)
		if err != nil {
			return err
		}
		if checked {
			v.ok("The rewards and the tree follow from the details: %s of %s.",
				Plural(len(d.Inputs), "unit", "units"), Plural(len(d.Owners), "owner", "owners"))
			v.reportInstructions(d)
		}
	}
	return nil
}

// Proof verifies a proof of the sums of one owner in a statement.
func (v *Verifier) Proof(ctx context.Context, place, of string) error {
	s, valid, err := v.read(ctx, of)
	if err != nil || !valid {
		return err
	}
	text, err := fetch(ctx, place)
	if err != nil {
		return err
	}
	p, err := statement.ParseProof(text)
	if err == nil {
		err = p.Verify(s.Document)
	}
	if err != nil {
		v.fail("%s: %v.", place, err)
		return nil
	}
	v.title(s)
	v.reportKey(s.Key)
	if v.Owner != "" && p.Owner != v.Owner {
		v.fail("The proof is for %s, not for %s.", p.Owner, v.Owner)
		return nil
	}
	v.ok("The statement counts for %s (base units): stake %s, reward %s, owed %s.", p.Owner, p.Stake, p.Reward, p.Owed)
	return nil
}
