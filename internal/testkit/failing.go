package testkit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/store"
)

// InjectFaults makes each transaction of the services fail at the first statement that is reached through a new call
// path in this test program. The transaction is rolled back and repeated until there is no new path. A test that passes
// shows that a failed transaction has no effect and that its repetition succeeds. If a service handles the error, its
// transaction is not repeated. It is only for tests with one goroutine.
func (w *World) InjectFaults() *World {
	w.injectFaults = true
	return w
}

var errInjected = errors.New("injected failure of a statement")

// runWithFaults runs fn in transactions with an injected failure, and then in one without.
func (w *World) runWithFaults(ctx context.Context, run func(context.Context, func(*store.Tx) error) error,
	fn func(*store.Tx) error) error {
	if !w.injectFaults {
		return run(ctx, fn)
	}
	for {
		again, stumbled := w.MarkIDs(), false
		err := run(store.InjectFaults(ctx, func(string, bool) error {
			if stumbled || !triedPaths.fresh() {
				return nil
			}
			stumbled = true
			return errInjected
		}), func(tx *store.Tx) error {
			if err := fn(tx); err != nil || !stumbled {
				return err
			}
			return errInjected // fn ignored the error and did less
		})
		if !stumbled {
			return err
		}
		if !errors.Is(err, errInjected) && !errors.Is(err, vault.ErrUnsigned) { // both roll the transaction back
			w.Fatalf("a statement failed, and the answer is: %v", err)
		}
		again()
	}
}

// callPaths is the set of call paths of the statements so far.
type callPaths struct {
	mu     sync.Mutex
	stacks map[[64]uintptr]bool // seen before
	paths  map[string]bool
}

var triedPaths = callPaths{stacks: map[[64]uintptr]bool{}, paths: map[string]bool{}}

// fresh reports whether the statement has a new call path.
func (w *callPaths) fresh() bool {
	var stack [64]uintptr
	n := runtime.Callers(2, stack[:])
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stacks[stack] {
		return false
	}
	w.stacks[stack] = true
	way := CallPath(stack[:n])
	known := w.paths[way]
	w.paths[way] = true
	return !known
}

// callTexts has what CallPath writes for each address, because finding the function of an address takes long.
var callTexts sync.Map

// CallPath returns the part of a stack that is in the product's packages, one call per line.
func CallPath(stack []uintptr) string {
	var way strings.Builder
	for _, pc := range stack {
		text, isKnown := callTexts.Load(pc)
		if !isKnown {
			text = callText(pc)
			callTexts.Store(pc, text)
		}
		way.WriteString(text.(string))
	}
	return way.String()
}

// callText returns the line of CallPath for an address.
func callText(pc uintptr) string {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	if strings.HasPrefix(f.Function, "moonfund/") && !strings.Contains(f.Function, "testkit") &&
		!strings.Contains(f.Function, "_test.") {
		return fmt.Sprintln(f.Function, f.Line)
	}
	return ""
}
