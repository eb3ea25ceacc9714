package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"moonfund/state"
)

// Many changes at once share commits: those that fail, panic or lose their caller
// leave no trace, all others are there, and each caller gets the answer of its own.
func TestChangesThatShareACommit(t *testing.T) {
	s := open(t)
	errMine := errors.New("mine")
	var wait sync.WaitGroup
	for i := range 400 {
		wait.Go(func() {
			name := fmt.Sprint("setting ", i)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			defer func() {
				if panicked := recover(); (panicked != nil) != (i%7 == 3) || (panicked != nil && panicked != name) {
					t.Errorf("%s panicked with %v", name, panicked)
				}
			}()
			err := s.Update(ctx, func(tx *Tx) error {
				if err := tx.PutSetting(ctx, name, "put"); err != nil {
					return err
				}
				switch i % 7 {
				case 1:
					return errMine
				case 3:
					panic(name)
				case 5:
					cancel()
				}
				return tx.PutSetting(context.WithoutCancel(ctx), name+" again", "put")
			})
			if want := i%7 == 1; errors.Is(err, errMine) != want || (i%7%2 == 0 && err != nil) {
				t.Errorf("%s: %v", name, err)
			}
			there := ""
			if viewErr := s.View(t.Context(), func(tx *Tx) (err error) {
				there, err = tx.Setting(t.Context(), name)
				return err
			}); viewErr != nil {
				t.Error(viewErr)
			}
			if (there == "put") != (err == nil) {
				t.Errorf("%s: answered %v, but the row is %q", name, err, there)
			}
		})
	}
	wait.Wait()
}

// A caller who left before its turn changes nothing.
func TestChangeOfACallerWhoLeft(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.Update(ctx, func(*Tx) error {
		t.Error("it ran")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("answered %v", err)
	}
}

// A caller compares what its own function returned, such as state.ErrNotFound.
func TestErrorsComeBackAsTheyAre(t *testing.T) {
	s := open(t)
	for name, run := range map[string]func(context.Context, func(*Tx) error) error{"Update": s.Update, "View": s.View} {
		if err := run(t.Context(), func(*Tx) error { return state.ErrNotFound }); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("%s returns %#v", name, err)
		}
	}
}
