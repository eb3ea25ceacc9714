package store

import "context"

// A Tap is asked before every statement that writes, in a transaction whose
// caller's context has one. Its error takes the statement's place. It is there to
// find out what a failure at any point leaves behind.
type Tap func(statement string) error

type tapKey struct{}

// WithTap returns a context whose statements ask a tap.
func WithTap(ctx context.Context, tap Tap) context.Context {
	return context.WithValue(ctx, tapKey{}, tap)
}

func tapped(ctx context.Context, statement string) error {
	if tap, _ := ctx.Value(tapKey{}).(Tap); tap != nil {
		return tap(statement)
	}
	return nil
}
