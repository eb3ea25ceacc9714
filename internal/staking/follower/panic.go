package follower

import (
	"context"
	"errors"

	"moonfund/internal/state"
)

// tryStep is Step, except that a panic becomes an error: the server goes on, shows the error in its state, and tries
// again, instead of ending at each start for the same reason.
func (f *Follower) tryStep(ctx context.Context) (err error) {
	defer func() {
		if value := recover(); value != nil {
			bug := state.NewPanic(value)
			f.recovered(bug)
			err = bug
		}
	}()
	_, err = f.Step(ctx)
	return err
}

// recovered discards the caches, which a panic may have left half changed, and shows the panic in the state.
func (f *Follower) recovered(bug *state.Panic) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forget()
	failed := *f.state.Load()
	failed.Steps, failed.Synced, failed.Err = failed.Steps+1, false, bug
	f.state.Store(&failed)
}

// logFailure logs the error of a Step, and the stack of a panic.
func (f *Follower) logFailure(text string, err error) {
	args := []any{"error", text}
	if bug := new(state.Panic); errors.As(err, &bug) {
		args = append(args, "stack", string(bug.Stack))
	}
	f.Log.Error("following the chain", args...)
}
