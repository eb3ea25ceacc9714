package store

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// More readers than there are connections wait for each other: none opens one more, one who leaves meanwhile is told so,
// what failed or panicked in a reader's hands takes no place away, and whether the database answers is known all the while.
func TestReadersShareConnections(t *testing.T) {
	s := open(t)
	if s.sessions == nil {
		t.Log("PostgreSQL's driver has a pool of its own")
		return
	}
	look := func(ctx context.Context, fn func() error) error {
		return s.View(ctx, func(tx *Tx) error {
			if _, err := tx.Setting(ctx, "some"); err != nil {
				return err
			}
			return fn()
		})
	}
	errMine := errors.New("mine")
	for range mostReaders + 1 {
		if err := look(t.Context(), func() error { return errMine }); !errors.Is(err, errMine) {
			t.Errorf("a reader that failed got %v", err)
		}
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.Is(err, errMine) {
					t.Error("a reader that panicked did not")
				}
			}()
			_ = look(t.Context(), func() error { panic(errMine) })
		}()
	}
	begun, release := make(chan struct{}), make(chan struct{})
	var readers sync.WaitGroup
	for range 3 * mostReaders {
		readers.Go(func() {
			must(t, look(t.Context(), func() error {
				begun <- struct{}{}
				<-release
				return nil
			}))
		})
	}
	for range mostReaders {
		<-begun
	}
	select {
	case <-begun:
		t.Error("one more read than there are connections")
	default:
	}
	var callers sync.WaitGroup
	for range 3 * mostReaders {
		callers.Go(func() { must(t, s.Ping(t.Context())) })
	}
	callers.Wait()
	if got := s.reader.Stats().OpenConnections; got > mostReaders+besideReaders {
		t.Errorf("%d connections, want %d at most", got, mostReaders+besideReaders)
	}
	gone, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { left <- look(gone, func() error { return errors.New("it read") }) }()
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("who left while he waited got %v", err)
	}
	close(release)
	for range 2 * mostReaders {
		<-begun
	}
	readers.Wait()
}
