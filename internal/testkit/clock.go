package testkit

import (
	"sync"
	"time"
)

// Clock is a clock that moves only by calls.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	ahead time.Duration // additional time on the scale of block headers, from AdvanceUnobserved
}

// NewClock returns a clock with the time t.
func NewClock(t time.Time) *Clock { return &Clock{now: t.UTC()} }

// Now returns the current time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock forwards or backwards.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// Set sets the clock to t.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t.UTC()
}

// fork returns an independent clock with the same time.
func (c *Clock) fork() *Clock {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &Clock{now: c.now, ahead: c.ahead}
}

// onChain returns the time on the scale of block headers.
func (c *Clock) onChain() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return onChain(c.now).Add(c.ahead)
}

// AdvanceUnobserved advances the clock by hours without a Step. It advances both time scales, so that the age of a
// block is the same by its header and by the clock. With btcd it may advance by half a day at most, because btcd
// rejects blocks whose time is in the future.
func (c *Clock) AdvanceUnobserved(by time.Duration) {
	before := c.onChain()
	c.Advance(by)
	missing := before.Add(by).Sub(c.onChain())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += missing
}
