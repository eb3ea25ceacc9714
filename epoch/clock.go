package epoch

import (
	"fmt"
	"sync"
	"time"
)

// How far a system's clock is followed.
const (
	// Tolerance is how far another clock may be off before nothing is decided by either.
	Tolerance = 5 * time.Second
	// stepTime is how long a difference within the tolerance has to last before it is taken
	// over: time servers correct in small steps, and of them at most one is followed in this time.
	stepTime = time.Minute
)

// Clock is the one clock of a server. It reads the system's clock once, and goes
// on with the time that passes: a step of the system's clock moves no deadline and
// no epoch. What differs by more than Tolerance is doubt, and while there is doubt
// nothing may be decided. It never goes back, unless a person says so.
type Clock struct {
	wall    func() time.Time     // the system's clock, as time servers and people set it
	elapsed func() time.Duration // since any one instant; no step of the system's clock changes it

	mu      sync.Mutex
	trusted bool      // the wall was read, and was not before floor
	floor   time.Time // an instant that has passed for certain
	knows   Witness   // that it has
	base    time.Time // the wall when both were last brought together
	at      time.Duration
	last    time.Time     // the latest instant that was answered
	beside  time.Duration // how far we are ahead of the database's clock, if that is too far
	doubted time.Duration // when the doubt began, by elapsed
	doubt   *Skew
}

// NewClock returns a clock that reads these two.
func NewClock(wall func() time.Time, elapsed func() time.Duration) *Clock {
	return &Clock{wall: wall, elapsed: elapsed}
}

// Passed tells of an instant that has passed for certain, and who knows. While the
// system's clock shows an earlier one, there is doubt, and it is followed wherever it goes.
func (c *Clock) Passed(floor time.Time, by Witness) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.floor, c.knows, c.trusted = floor, by, false
}

// Witness is what a system's clock is compared with.
type Witness string

// The witnesses.
const (
	Itself   Witness = "the time that has passed since it was last right"
	Ledger   Witness = "what the ledger was last changed at"
	Signed   Witness = "what was last signed"
	Database Witness = "the clock of the database"
)

// Skew is why a clock is in doubt.
type Skew struct {
	Off  time.Duration // how far the system's clock is ahead, negative when it is behind
	Than Witness
}

func (s *Skew) Error() string {
	way := "ahead of"
	if s.Off < 0 {
		way = "behind"
	}
	return fmt.Sprintf("the system's clock is %s %s %s; nothing is decided while it is more than %s off",
		s.Off.Abs().Round(time.Millisecond), way, s.Than, Tolerance)
}

// Now returns the instant, in UTC. With a *Skew it is the best there is to show,
// and nothing may be decided by it.
func (c *Clock) Now() (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, doubt := c.read()
	switch {
	case doubt == nil:
		c.doubt = nil
		return now, nil
	case c.doubt == nil:
		c.doubted = c.elapsed()
	}
	c.doubt = doubt
	return now, doubt
}

func (c *Clock) read() (time.Time, *Skew) {
	wall, elapsed := c.wall().Round(0).UTC(), c.elapsed()
	if !c.trusted {
		c.base, c.at = wall, elapsed
		if off := wall.Sub(c.floor); off < -Tolerance {
			return wall, &Skew{off, c.knows}
		}
		c.trusted, c.last = true, wall
	}
	own := c.base.Add(elapsed - c.at)
	off := wall.Sub(own)
	if off.Abs() <= Tolerance && elapsed-c.at >= stepTime {
		c.base, c.at, own = wall, elapsed, wall
	}
	if own.Before(c.last) {
		own = c.last
	}
	c.last = own
	switch {
	case off.Abs() > Tolerance:
		return own, &Skew{off, Itself}
	case c.beside != 0:
		return own, &Skew{c.beside, Database}
	}
	return own, nil
}

// Compare tells what the clock of the database's machine shows now.
func (c *Clock) Compare(other time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, _ := c.read()
	if c.beside = own.Sub(other); c.beside.Abs() <= Tolerance {
		c.beside = 0
	}
}

// Doubt returns why there was doubt at the last reading, and for how long by then; nil when there was none.
func (c *Clock) Doubt() (*Skew, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.doubt == nil {
		return nil, 0
	}
	return c.doubt, c.elapsed() - c.doubted
}

// Accept takes the system's clock for right as it stands, also where that goes back.
// Only a person can know that.
func (c *Clock) Accept() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base, c.at = c.wall().Round(0).UTC(), c.elapsed()
	c.last, c.trusted, c.doubt = c.base, true, nil
}
