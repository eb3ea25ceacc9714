package payout

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"

	"moonfund/internal/state"
)

// failures has the errors of attempts, by subject: a kind and an id, such as "payout ID". It is safe for concurrent
// use.
type failures struct {
	mu        sync.Mutex
	now, last map[string]string // errors of the running round, and of the round before
}

// begin begins a round of attempts of some kinds.
func (f *failures) begin(kinds ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now == nil {
		f.now, f.last = map[string]string{}, map[string]string{}
	}
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

// add adds the error of a subject, and reports whether the round before had another error or none.
func (f *failures) add(subject string, err error) (isNew bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now[subject] = err.Error()
	return f.last[subject] != err.Error()
}

// BeginAttempts begins a round of attempts of subjects of some kinds.
func (b *Book) BeginAttempts(kinds ...string) { b.failures.begin(kinds...) }

// Failures returns the errors of the last attempts, by subject. It is safe for concurrent use.
func (b *Book) Failures() map[string]string {
	b.failures.mu.Lock()
	defer b.failures.mu.Unlock()
	return maps.Clone(b.failures.now)
}

// Attempt calls fn, which changes what belongs to one subject, and reports whether it succeeded. If it fails, its
// changes are undone and the error is logged, and the caller goes on with other subjects. err means that the
// transaction must end.
func (b *Book) Attempt(ctx context.Context, tx Tx, subject string, fn func() error) (done bool, err error) {
	failed, err := tx.Attempts.Attempt(ctx, fn)
	if failed == nil || err != nil {
		return err == nil, err
	}
	if b.failures.add(subject, failed) {
		args := []any{"subject", subject, "error", failed.Error()}
		if bug := new(state.Panic); errors.As(failed, &bug) {
			args = append(args, "stack", string(bug.Stack))
		}
		b.Log.Error("a payout can't be advanced; trying again in each step", args...)
	}
	return false, nil
}
