package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/internal/state"
)

// TestUpdatesThatShareACommit runs many updates concurrently. An update that fails, panics or is canceled leaves no
// row, all others are stored, and each caller gets its own error.
func TestUpdatesThatShareACommit(t *testing.T) {
	s := open(t)
	errOwn := errors.New("own error")
	var wait sync.WaitGroup
	for i := range 400 {
		wait.Go(func() {
			name := fmt.Sprint("setting ", i)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			defer func() {
				value := recover()
				if (value != nil) != (i%7 == 3) {
					t.Errorf("%s panicked with %v", name, value)
				} else if value != nil {
					wantPanic(t, state.NewPanic(value), name)
				}
			}()
			err := s.Update(ctx, func(tx *Tx) error {
				if err := tx.PutSetting(ctx, name, "put"); err != nil {
					return err
				}
				switch i % 7 {
				case 1:
					return errOwn
				case 3:
					panic(name)
				case 5:
					cancel()
				}
				return tx.PutSetting(context.WithoutCancel(ctx), name+" again", "put")
			})
			if want := i%7 == 1; errors.Is(err, errOwn) != want || (i%7%2 == 0 && err != nil) {
				t.Errorf("%s: %v", name, err)
			}
			stored := ""
			if viewErr := s.View(t.Context(), func(tx *Tx) (err error) {
				stored, err = tx.Setting(t.Context(), name)
				return err
			}); viewErr != nil {
				t.Error(viewErr)
			}
			if (stored == "put") != (err == nil) {
				t.Errorf("%s: Update returned %v, but the row is %q", name, err, stored)
			}
		})
	}
	wait.Wait()
}

// cancelDelay is long enough for a statement to begin before its context is canceled.
const cancelDelay = 50 * time.Millisecond

// TestUpdateCanceledInAStatement cancels one update of a group while the database runs its statement, which rolls back
// the shared transaction. The canceled update must fail, and all others of the group must still be stored.
func TestUpdateCanceledInAStatement(t *testing.T) {
	const callers, canceled = 9, 4
	s := open(t)
	// SQLite rolls back the whole transaction when it interrupts a statement that writes.
	endless := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
		INSERT INTO setting (name, value) SELECT 'never', 'put' FROM n WHERE i < 0`
	if s.engine.shared {
		endless = "SELECT pg_sleep(600)"
	}
	release := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() { // holds the writer until all others wait
		if err := s.Update(t.Context(), func(*Tx) error { <-release; return nil }); err != nil {
			t.Error(err)
		}
	})
	for !s.group.isBusy() {
		runtime.Gosched()
	}
	name := func(caller int) string { return fmt.Sprint("setting ", caller) }
	for caller := range callers {
		wait.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := s.Update(ctx, func(tx *Tx) error {
				if err := tx.PutSetting(ctx, name(caller), "put"); err != nil || caller != canceled {
					return err
				}
				time.AfterFunc(cancelDelay, cancel)
				_, err := tx.db.ExecContext(ctx, endless)
				return err
			})
			if (err != nil) != (caller == canceled) {
				t.Errorf("caller %d: %v", caller, err)
			}
		})
		for s.group.length() <= caller {
			runtime.Gosched()
		}
	}
	close(release)
	wait.Wait()
	for caller := range callers {
		if err := s.View(t.Context(), func(tx *Tx) error {
			value, err := tx.Setting(t.Context(), name(caller))
			if (value == "put") == (caller == canceled) {
				t.Errorf("caller %d: the row is %q", caller, value)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

// isBusy reports whether an update runs and none waits.
func (g *groupCommit) isBusy() bool { return len(g.turn) == 1 && g.length() == 0 }

func (g *groupCommit) length() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting)
}

// TestUpdateCanceledBeforeItsTurn checks that an update whose context is done does not run.
func TestUpdateCanceledBeforeItsTurn(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.Update(ctx, func(*Tx) error {
		t.Error("fn ran")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update returned %v", err)
	}
}

// TestErrorsAreReturnedUnchanged checks that errors.Is finds the errors that fn returned, such as state.ErrNotFound.
func TestErrorsAreReturnedUnchanged(t *testing.T) {
	s := open(t)
	for name, run := range map[string]func(context.Context, func(*Tx) error) error{"Update": s.Update, "View": s.View} {
		if err := run(t.Context(), func(*Tx) error { return state.ErrNotFound }); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("%s returns %#v", name, err)
		}
	}
}

// TestUpdatesOfAGroupAreBounded queues updates that take longer than maxGroupTime together. Each is stored, and they do
// not share one commit.
func TestUpdatesOfAGroupAreBounded(t *testing.T) {
	const callers = 4
	s := open(t)
	release := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() { // holds the writer until all others wait
		if err := s.Update(t.Context(), func(*Tx) error { <-release; return nil }); err != nil {
			t.Error(err)
		}
	})
	for len(s.group.turn) == 0 || s.Queued() > 0 {
		runtime.Gosched()
	}
	before := s.Commits()
	for i := range callers {
		wait.Go(func() {
			if err := s.Update(t.Context(), func(tx *Tx) error {
				for began := time.Now(); time.Since(began) < maxGroupTime; {
					runtime.Gosched()
				}
				return tx.PutSetting(t.Context(), fmt.Sprint("setting ", i), "put")
			}); err != nil {
				t.Error(err)
			}
		})
	}
	for s.Queued() < callers {
		runtime.Gosched()
	}
	close(release)
	wait.Wait()
	if n := s.Commits() - before; n != callers+1 {
		t.Errorf("%d updates and the one before them took %d commits, want one for each", callers, n)
	}
	for i := range callers {
		if err := s.View(t.Context(), func(tx *Tx) error {
			stored, err := tx.Setting(t.Context(), fmt.Sprint("setting ", i))
			if stored != "put" {
				t.Errorf("setting %d is %q", i, stored)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

// wantPanic fails the test unless a panic has a value, and the stack of the update that panicked.
func wantPanic(t *testing.T, p *state.Panic, value any) {
	t.Helper()
	if p.Value != value || !strings.Contains(string(p.Stack), "TestUpdatesThatShareACommit") {
		t.Errorf("got a panic with %v, want %v; its stack:\n%s", p.Value, value, p.Stack)
	}
}
