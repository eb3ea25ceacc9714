package testkit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"moonfund/store"
	"moonfund/vault"
)

// Stumbling makes each transaction of the services fail at the first statement that is reached through a new call path
// in this test program. The transaction is rolled back and runs again, until no new path is left. A test that passes
// shows that a failure leaves nothing behind and that the repetition succeeds. A service may also handle the error;
// then its transaction is not repeated. Only for tests with one goroutine.
func (w *World) Stumbling() *World {
	w.stumbles = true
	return w
}

var errStumbled = errors.New("injected failure of a statement")

// stumble runs fn in transactions with an injected failure, and then in one without.
func (w *World) stumble(ctx context.Context, run func(context.Context, func(*store.Tx) error) error,
	fn func(*store.Tx) error) error {
	if !w.stumbles {
		return run(ctx, fn)
	}
	for {
		again, stumbled := w.Mark(), false
		err := run(store.InjectFaults(ctx, func(string, bool) error {
			if stumbled || !trodden.fresh() {
				return nil
			}
			stumbled = true
			return errStumbled
		}), func(tx *store.Tx) error {
			if err := fn(tx); err != nil || !stumbled {
				return err
			}
			return errStumbled // fn ignored the error and did less
		})
		if !stumbled {
			return err
		}
		if !errors.Is(err, errStumbled) && !errors.Is(err, vault.ErrUnsigned) { // the latter is rolled back, too
			w.Fatalf("a statement failed, and the answer is: %v", err)
		}
		again()
	}
}

// ways are the call paths of statements so far.
type ways struct {
	mu     sync.Mutex
	stacks map[[64]uintptr]bool // seen before
	places map[string]bool
}

var trodden = ways{stacks: map[[64]uintptr]bool{}, places: map[string]bool{}}

// fresh reports whether the statement has a new call path.
func (w *ways) fresh() bool {
	var stack [64]uintptr
	n := runtime.Callers(2, stack[:])
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stacks[stack] {
		return false
	}
	w.stacks[stack] = true
	way := Way(stack[:n])
	known := w.places[way]
	w.places[way] = true
	return !known
}

// Way returns the part of a stack that is in the product's packages, one call per line.
func Way(stack []uintptr) string {
	var way strings.Builder
	frames := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "moonfund/") && !strings.Contains(f.Function, "testkit") &&
			!strings.Contains(f.Function, "_test.") {
			fmt.Fprintln(&way, f.Function, f.Line)
		}
	}
	return way.String()
}
