package sim

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// panicTB is the testing.TB of a simulated World. Its Fatal panics, so that a failing scenario ends without ending the
// test and can be repeated with fewer operations.
type panicTB struct {
	testing.TB
	cleanups []func()
}

// failure is the panic value of a failed scenario.
type failure struct{ text string }

// Unrecoverable implements state.Unrecoverable.
func (failure) Unrecoverable() {}

func (t *panicTB) Helper()                           {}
func (t *panicTB) Log(...any)                        {}
func (t *panicTB) Logf(string, ...any)               {}
func (t *panicTB) Context() context.Context          { return context.Background() }
func (t *panicTB) Cleanup(f func())                  { t.cleanups = append(t.cleanups, f) }
func (t *panicTB) Fatal(args ...any)                 { panic(failure{fmt.Sprint(args...)}) }
func (t *panicTB) Fatalf(format string, args ...any) { panic(failure{fmt.Sprintf(format, args...)}) }
func (t *panicTB) Error(args ...any)                 { t.Fatal(args...) }
func (t *panicTB) Errorf(format string, args ...any) { t.Fatalf(format, args...) }

// TempDir returns a temporary folder, in memory if possible.
func (t *panicTB) TempDir() string {
	dir, err := os.MkdirTemp("/dev/shm", "moonfund-sim-")
	if err != nil {
		return t.TB.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// end runs the cleanups in reverse order.
func (t *panicTB) end() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}
