package store

import (
	"context"
	"strings"
)

// A Tap is asked before every statement of a transaction whose caller's context
// has one, and told whether it may write. Its error takes the statement's place.
// It is there to find out what a failure at any point leaves behind.
type Tap func(statement string, writes bool) error

type tapKey struct{}

// WithTap returns a context whose transactions ask a tap.
func WithTap(ctx context.Context, tap Tap) context.Context {
	return context.WithValue(ctx, tapKey{}, tap)
}

func tapOf(ctx context.Context) Tap {
	tap, _ := ctx.Value(tapKey{}).(Tap)
	return tap
}

// ask asks the tap, if there is one.
func (t Tap) ask(statement string) error {
	if t == nil {
		return nil
	}
	return t(statement, !isSelect(statement))
}

// isSelect reports whether a statement only reads: the first word after sqlc's comment is SELECT.
func isSelect(statement string) bool {
	if strings.HasPrefix(statement, "--") {
		_, statement, _ = strings.Cut(statement, "\n")
	}
	return strings.HasPrefix(statement, "SELECT")
}

// ended is a context that is over with an error of a tap: a row that is asked for
// with it comes with that error.
type ended struct {
	context.Context
	err error
}

var over = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done implements context.Context.
func (ended) Done() <-chan struct{} { return over }

// Err implements context.Context.
func (e ended) Err() error { return e.err }
