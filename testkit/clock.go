package testkit

import (
	"sync"
	"time"
)

// Clock is a clock that moves only when it is told to.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	ahead time.Duration // of its slower course, the calendar of headers on btcd
}

// NewClock returns a clock that stands at t.
func NewClock(t time.Time) *Clock { return &Clock{now: t.UTC()} }

// Now returns where the clock stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock, also backwards.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// Set puts the clock to t.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t.UTC()
}

// fork returns a clock of its own that stands where this one does.
func (c *Clock) fork() *Clock {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &Clock{now: c.now, ahead: c.ahead}
}

// onChain is where the clock stands on the scale of block headers.
func (c *Clock) onChain() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return onChain(c.now).Add(c.ahead)
}

// Away moves the clock by hours in which nobody looks. They pass on both scales, so
// that a block which came before is as old by its header as by the clock; on
// btcd at most half a day, or the next block would be one of the future.
func (c *Clock) Away(by time.Duration) {
	before := c.onChain()
	c.Advance(by)
	missing := before.Add(by).Sub(c.onChain())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += missing
}
