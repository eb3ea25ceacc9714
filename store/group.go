package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// A commit waits for the disk, and costs the same for one change as for many. So
// what waits to be written is written together: one transaction, a savepoint
// around each change, one commit. Who comes first does the work for all.

// largestGroup bounds how many changes wait for one commit.
const largestGroup = 128

// change is one Update on its way.
type change struct {
	ctx      context.Context
	fn       func(*Tx) error
	done     chan struct{} // closed when err is known and, without an error, all is durable
	err      error
	panicked any
}

// group is the queue of changes. Whoever holds turn writes what waits.
type group struct {
	mu      sync.Mutex
	waiting []*change
	turn    chan struct{}
}

func newGroup() *group { return &group{turn: make(chan struct{}, 1)} }

func (g *group) add(c *change) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, c)
}

func (g *group) take() []*change {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), largestGroup)
	taken := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	return taken
}

// together runs fn in a transaction that it may share with others who wait.
func (s *Store) together(ctx context.Context, fn func(*Tx) error) error {
	c := &change{ctx: ctx, fn: fn, done: make(chan struct{})}
	s.group.add(c)
	for {
		select {
		case <-c.done:
			if c.panicked != nil {
				panic(c.panicked)
			}
			return c.err
		case s.group.turn <- struct{}{}:
		}
		s.takeTurn()
	}
}

// takeTurn writes what waits, and lets the next one have a turn, also after a panic.
func (s *Store) takeTurn() {
	defer func() { <-s.group.turn }()
	s.write(s.group.take())
}

// write makes changes durable: together, or each alone where that fails.
func (s *Store) write(changes []*change) {
	var left []*change
	for _, c := range changes {
		if c.err = c.ctx.Err(); c.err != nil { // nobody waits for it any more
			close(c.done)
			continue
		}
		left = append(left, c)
	}
	if len(left) > 1 && (s.writeAll(left, false) == nil || s.writeAll(left, true) == nil) {
		return
	}
	for _, c := range left {
		c.err, c.panicked = nil, nil
		s.writeAlone(c)
		close(c.done)
	}
}

func (s *Store) writeAlone(c *change) {
	for range 5 {
		c.err = s.transact(c.ctx, s.writer, c.call)
		if c.err == nil || !s.engine.again(c.err) {
			return
		}
	}
}

// call runs fn and keeps a panic for the one who asked.
func (c *change) call(tx *Tx) (err error) {
	defer func() {
		if c.panicked = recover(); c.panicked != nil {
			err = errors.New("store: the change panicked")
		}
	}()
	return c.fn(tx)
}

// errApart ends a transaction of changes of which one failed, and might have left something behind.
var errApart = errors.New("store: one of several changes failed")

// writeAll runs every change in one transaction, at best without more ado: most
// never fail. With savepoints between them, one that fails leaves the others as
// they are. On an error of its own nothing was written and nobody was told anything.
func (s *Store) writeAll(changes []*change, savepoints bool) error {
	ctx := context.Background() // a caller who leaves must not take the others with him
	err := s.transact(ctx, s.writer, func(tx *Tx) error {
		for _, c := range changes {
			if !savepoints {
				if c.err = c.call(tx); c.err != nil {
					return errApart
				}
			} else if err := s.between(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range changes {
		close(c.done)
	}
	return nil
}

// between runs a change between savepoints.
func (s *Store) between(ctx context.Context, tx *Tx, c *change) error {
	if _, err := tx.db.ExecContext(ctx, "SAVEPOINT change"); err != nil {
		return fmt.Errorf("store: savepoint: %w", err)
	}
	if c.err = c.call(tx); c.err != nil {
		if s.engine.again(c.err) {
			return c.err
		}
		if _, err := tx.db.ExecContext(ctx, "ROLLBACK TO SAVEPOINT change"); err != nil {
			return fmt.Errorf("store: savepoint: %w", err)
		}
	}
	if _, err := tx.db.ExecContext(ctx, "RELEASE SAVEPOINT change"); err != nil {
		return fmt.Errorf("store: savepoint: %w", err)
	}
	return nil
}
