package payout

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"strings"
	"sync"

	"moonfund/internal/state"
)

// failures has the errors of attempts, or the reasons for waiting, by subject: a kind and an id, such as "payout ID".
// It is safe for concurrent use.
type failures struct {
	mu        sync.Mutex
	now, last map[string]string // errors of the running round, and of the round before
}

// begin begins a round of attempts of some kinds.
func (f *failures) begin(kinds ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, kind := range kinds {
		ofKind := func(subject, _ string) bool { return strings.HasPrefix(subject, kind+" ") }
		maps.DeleteFunc(f.last, ofKind)
		for subject, text := range f.now {
			if ofKind(subject, text) {
				f.last[subject] = text
			}
		}
		maps.DeleteFunc(f.now, ofKind)
	}
}

func newFailures() failures { return failures{now: map[string]string{}, last: map[string]string{}} }

// add adds the error of a subject, and reports whether the round before had another error or none.
func (f *failures) add(subject, text string) (isNew bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now[subject] = text
	return f.last[subject] != text
}

// of returns the error of a subject in the running round, or "".
func (f *failures) of(subject string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now[subject]
}

// all returns the errors of the running round.
func (f *failures) all() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.now)
}

// BeginAttempts begins a round of attempts of subjects of some kinds.
func (b *Book) BeginAttempts(kinds ...string) {
	b.failures.begin(kinds...)
	b.waits.begin(kinds...)
}

// Wait records why a subject is not carried out now, until the next round of attempts of its kind. reason is a text for
// operators.
func (b *Book) Wait(subject, reason string) { b.waits.add(subject, reason) }

// Waits returns the reasons of Wait, and the errors of the last attempts, by subject. It is safe for concurrent use.
func (b *Book) Waits() map[string]string {
	all := b.waits.all()
	maps.Copy(all, b.failures.all())
	return all
}

// WaitOf returns why a subject waits or failed, or "".
func (b *Book) WaitOf(subject string) string {
	return cmp.Or(b.failures.of(subject), b.waits.of(subject))
}

// Failures returns the errors of the last attempts, by subject. It is safe for concurrent use.
func (b *Book) Failures() map[string]string { return b.failures.all() }

// Attempt calls fn, which changes what belongs to one subject, and reports whether it succeeded. If it fails, its
// changes are undone and the error is logged, and the caller goes on with other subjects. err means that the
// transaction must end.
func (b *Book) Attempt(ctx context.Context, tx Tx, subject string, fn func() error) (done bool, err error) {
	return b.attempt(ctx, tx, subject, "", fn)
}

// community is the kind of the subjects whose epochs can't be advanced.
const community = "community"

// AttemptEpochs is Attempt for the epochs of a community. Until it succeeds again, no payout of the community is
// stored, because what is owed may be wrong.
func (b *Book) AttemptEpochs(ctx context.Context, tx Tx, prefix string, fn func() error) (done bool, err error) {
	return b.attempt(ctx, tx, community+" "+prefix, "its epochs can't be advanced: ", fn)
}

// BeginEpochs begins a round of AttemptEpochs.
func (b *Book) BeginEpochs() { b.failures.begin(community) }

// EpochsFailed returns why the last AttemptEpochs of a community failed, or "".
func (b *Book) EpochsFailed(prefix string) string { return b.Failures()[community+" "+prefix] }

// attempt is Attempt with a prefix of the error's text.
func (b *Book) attempt(ctx context.Context, tx Tx, subject, prefix string, fn func() error) (done bool, err error) {
	failed, err := tx.Attempts.Attempt(ctx, fn)
	if failed == nil || err != nil {
		return err == nil, err
	}
	if text := prefix + failed.Error(); b.failures.add(subject, text) {
		args := []any{"subject", subject, "error", text}
		if bug := new(state.Panic); errors.As(failed, &bug) {
			args = append(args, "stack", string(bug.Stack))
		}
		b.Log.Error("a part of a step failed; trying again in each step", args...)
	}
	return false, nil
}
