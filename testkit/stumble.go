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

// Stumbling makes the transactions of the world's rooms stumble: each fails at the
// first statement that comes from a place in the code, by a way through it, from
// which none came in this test program before. What it did is undone, and it runs
// again, until it stumbles no more. So a test that passes all the same shows that a
// failure left nothing behind, and that what is done again succeeds. It ends when a
// room takes a failure for an answer. Only for tests of one goroutine.
func (w *World) Stumbling() *World {
	w.stumbles = true
	return w
}

var errStumbled = errors.New("the statement was to fail")

// stumble runs fn in transactions that fail, and then in one that does not.
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
			return errStumbled // it could do without, and did less for it
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

// ways are those by which statements came so far.
type ways struct {
	mu     sync.Mutex
	stacks map[[64]uintptr]bool // looked at already
	places map[string]bool
}

var trodden = ways{stacks: map[[64]uintptr]bool{}, places: map[string]bool{}}

// fresh reports whether the statement comes by a way of its own.
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

// Way is the part of a stack that is in the product's rooms, one place in a line.
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
