package sim

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// trial is what a World takes for its test: an end is a panic, so that a failing
// life can be lived again with fewer deeds.
type trial struct {
	testing.TB
	cleanups []func()
}

// failure is what ends a life that must not go on.
type failure struct{ text string }

func (t *trial) Helper()                           {}
func (t *trial) Log(...any)                        {}
func (t *trial) Logf(string, ...any)               {}
func (t *trial) Context() context.Context          { return context.Background() }
func (t *trial) Cleanup(f func())                  { t.cleanups = append(t.cleanups, f) }
func (t *trial) Fatal(args ...any)                 { panic(failure{fmt.Sprint(args...)}) }
func (t *trial) Fatalf(format string, args ...any) { panic(failure{fmt.Sprintf(format, args...)}) }
func (t *trial) Error(args ...any)                 { t.Fatal(args...) }
func (t *trial) Errorf(format string, args ...any) { t.Fatalf(format, args...) }

// TempDir is in memory where the system has room there.
func (t *trial) TempDir() string {
	dir, err := os.MkdirTemp("/dev/shm", "moonfund-sim-")
	if err != nil {
		return t.TB.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// end cleans up after a life, the last thing first.
func (t *trial) end() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}
