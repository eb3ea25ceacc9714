package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"moonfund/internal/state"
)

// Group commit: a commit waits for the disk and costs the same for one update as for many. Updates that wait for the
// writer at the same time share one transaction and one commit. With a savepoint around each update, an update can fail
// alone.

// maxGroup is the maximum number of updates that share a commit, and maxGroupTime the time after which no further
// update joins a transaction: 128 updates of a thousand rows each would hold the writer for seconds.
const (
	maxGroup     = 128
	maxGroupTime = 250 * time.Millisecond
)

// WriterTimes are the durations of updates that were committed together.
type WriterTimes struct {
	Waited time.Duration // longest time that one of the updates waited for the writer
	Held   time.Duration // time from the begin of the transaction until its commit was durable
}

// Observe makes the store call fn after each commit or failure of updates, until the next call of Observe.
func (s *Store) Observe(fn func(WriterTimes)) { s.observer.Store(&fn) }

// Queued returns the number of updates that wait for the writer.
func (s *Store) Queued() int {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	return len(s.group.waiting)
}

// update is one call of Update.
type update struct {
	queued   time.Time
	ctx      context.Context
	fn       func(*Tx) error
	done     chan struct{} // closed when err is set and, if err is nil, the update is durable
	err      error
	panicked *state.Panic
}

// groupCommit is the queue of updates. The goroutine that holds turn commits the waiting updates.
type groupCommit struct {
	mu      sync.Mutex
	waiting []*update
	turn    chan struct{} // a semaphore for one goroutine
}

func newGroupCommit() *groupCommit { return &groupCommit{turn: make(chan struct{}, 1)} }

func (g *groupCommit) add(u *update) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, u)
}

func (g *groupCommit) take() []*update {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), maxGroup)
	taken := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	return taken
}

// putBack returns updates that have not run to the front of the queue.
func (g *groupCommit) putBack(updates []*update) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(updates[:len(updates):len(updates)], g.waiting...)
}

// Update runs fn in one transaction. All changes are durable when Update returns nil. No change is stored when it
// returns an error, unless the connection broke during the commit: the error then says only that the database can't be
// reached, and the caller must read what is stored before it tries again. Updates run one after the other, including
// the updates of other servers. fn may run more than once, also in another goroutine, so it must have no effects
// outside of tx. A panic of fn is raised again in the caller, as a *state.Panic.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	u := &update{queued: time.Now(), ctx: ctx, fn: fn, done: make(chan struct{})}
	s.group.add(u)
	for {
		select {
		case <-u.done:
			if u.panicked != nil {
				panic(u.panicked)
			}
			return s.engine.reached(u.err)
		case s.group.turn <- struct{}{}:
		}
		s.commitWaiting()
	}
}

// commitWaiting commits at most maxGroup of the waiting updates that begin within maxGroupTime, and releases the turn,
// even after a panic.
func (s *Store) commitWaiting() {
	defer func() { <-s.group.turn }()
	updates := s.group.take()
	began := time.Now()
	s.commit(updates)
	if fn := s.observer.Load(); fn != nil && len(updates) > 0 {
		(*fn)(WriterTimes{Waited: began.Sub(updates[0].queued), Held: time.Since(began)}) // the first waited longest
	}
}

// commit commits updates together, or each alone if the shared transaction fails. It skips updates whose context is
// done.
func (s *Store) commit(updates []*update) {
	var live []*update
	for _, u := range updates {
		if u.err = u.ctx.Err(); u.err != nil {
			close(u.done)
			continue
		}
		live = append(live, u)
	}
	var failed error // of all the rest
	if len(live) > 1 {
		rest, err := s.commitTogether(live)
		if err == nil {
			s.group.putBack(rest)
			return
		}
		if errors.Is(err, errInDoubt) { // nothing may run again
			failed = err
		}
	}
	for _, u := range live {
		u.err, u.panicked = failed, nil
		if failed == nil {
			s.commitAlone(u)
		}
		if u.err != nil && u.ctx.Err() == nil && s.engine.isUnavailable(u.err) {
			failed = u.err // the others need not wait for the same error
		}
		close(u.done)
	}
}

// commitAlone runs an update in a separate transaction, up to five times if the database's error allows a retry.
func (s *Store) commitAlone(u *update) {
	for range 5 {
		u.err = s.transact(u.ctx, s.writer, u.run)
		if u.err == nil || !s.engine.isRetryable(u.err) {
			return
		}
	}
}

// commitTogether runs the updates in one transaction, and returns the updates that it did not begin within
// maxGroupTime. If it returns an error, no caller has a result, and nothing was committed unless the error is
// errInDoubt. If a caller's context is canceled while one of its statements runs, the whole transaction is rolled back;
// each update then runs alone.
func (s *Store) commitTogether(updates []*update) (rest []*update, err error) {
	ctx := context.Background() // independent of the callers' contexts
	ran := 0
	err = s.transact(ctx, s.writer, func(tx *Tx) error {
		began := time.Now()
		for ran < len(updates) && (ran == 0 || time.Since(began) < maxGroupTime) {
			if err := s.runInSavepoint(ctx, tx, updates[ran]); err != nil {
				return err
			}
			ran++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, u := range updates[:ran] {
		close(u.done)
	}
	return updates[ran:], nil
}

// runInSavepoint runs an update and rolls back to the savepoint if it fails. It returns an error if the whole
// transaction must fail.
func (s *Store) runInSavepoint(ctx context.Context, tx *Tx, u *update) error {
	if _, err := tx.db.ExecContext(ctx, "SAVEPOINT shared"); err != nil {
		return fmt.Errorf("store: savepoint: %w", err)
	}
	if u.err = u.run(tx); u.err != nil {
		if s.engine.isRetryable(u.err) {
			return u.err
		}
		if _, err := tx.db.ExecContext(ctx, "ROLLBACK TO SAVEPOINT shared"); err != nil {
			return fmt.Errorf("store: savepoint: %w", err)
		}
	}
	if _, err := tx.db.ExecContext(ctx, "RELEASE SAVEPOINT shared"); err != nil {
		return fmt.Errorf("store: savepoint: %w", err)
	}
	return nil
}

// run runs fn. It stores a panic, which Update raises again, and returns an error for it.
func (u *update) run(tx *Tx) (err error) {
	u.panicked = nil
	defer func() {
		if value := recover(); value != nil {
			u.panicked = state.NewPanic(value)
			err = u.panicked
		}
	}()
	return u.fn(tx)
}
