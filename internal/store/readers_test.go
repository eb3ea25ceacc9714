package store

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// Views above the number of connections wait. A view that fails, panics or is canceled returns its connection.
func TestViewsShareConnections(t *testing.T) {
	s := onSQLite(t)
	view := func(ctx context.Context, fn func() error) error {
		return s.View(ctx, func(tx *Tx) error {
			if _, err := tx.Setting(ctx, "some"); err != nil {
				return err
			}
			return fn()
		})
	}
	errMine := errors.New("mine")
	for range maxReaders + 1 {
		if err := view(t.Context(), func() error { return errMine }); !errors.Is(err, errMine) {
			t.Errorf("a view that failed returned %v", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic of a view was lost")
				}
			}()
			_ = view(t.Context(), func() error { panic("mine") })
		}()
	}
	begun, release := make(chan struct{}), make(chan struct{})
	var views sync.WaitGroup
	for range 3 * maxReaders {
		views.Go(func() {
			must(t, view(t.Context(), func() error {
				begun <- struct{}{}
				<-release
				return nil
			}))
		})
	}
	for range maxReaders {
		<-begun
	}
	if got := s.reader.Stats(); got.InUse != maxReaders || got.OpenConnections != maxReaders {
		t.Errorf("%d of %d connections are in use, want %d", got.InUse, got.OpenConnections, maxReaders)
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { left <- view(ctx, func() error { return errors.New("it read") }) }()
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("a caller canceled while waiting got %v", err)
	}
	close(release)
	for range 2 * maxReaders {
		<-begun
	}
	views.Wait()
}
