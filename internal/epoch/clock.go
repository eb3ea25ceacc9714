package epoch

import (
	"fmt"
	"sync"
	"time"
)

// Limits for the adjustment to the system clock.
const (
	// Tolerance is the maximum difference between two clocks at which the server makes decisions.
	Tolerance = 5 * time.Second
	// stepTime is the minimum interval between adjustments to a system clock that differs by at most Tolerance. Time
	// servers correct the system clock in small steps.
	stepTime = time.Minute
)

// Clock is the time source of a server. It reads the system clock and then adds elapsed time, so a step of the system
// clock by more than Tolerance moves no deadline and no epoch boundary. Such a difference puts the clock in doubt, and
// a clock in doubt must not be used for decisions. The clock never goes back, except by Accept and while the system
// clock is behind the instant of Passed. A Clock is safe for concurrent use.
type Clock struct {
	wall    func() time.Time     // system clock, as set by time servers and operators
	elapsed func() time.Duration // monotonic time since a fixed instant; unaffected by steps of the system clock

	mu             sync.Mutex
	trusted        bool          // base is set and was not before floor
	floor          time.Time     // an instant that is known to have passed
	floorSource    Witness       // source of floor
	base           time.Time     // value of wall at the last adjustment
	at             time.Duration // value of elapsed at the last adjustment
	last           time.Time     // latest instant returned
	databaseOffset time.Duration // offset to the database clock, positive when ahead; 0 while within Tolerance
	doubtSince     time.Duration // value of elapsed when the doubt began
	doubt          *Skew
}

// NewClock returns a clock that reads the system clock from wall and monotonic time from elapsed.
func NewClock(wall func() time.Time, elapsed func() time.Duration) *Clock {
	return &Clock{wall: wall, elapsed: elapsed}
}

// Passed sets an instant that is known to have passed, and the source of that instant. While the system clock is behind
// that instant by more than Tolerance, the clock is in doubt and follows the system clock in both directions.
func (c *Clock) Passed(floor time.Time, by Witness) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.floor, c.floorSource, c.trusted = floor, by, false
}

// Witness is a reference that the system clock is compared with.
type Witness string

// The references. Skew.Error inserts their texts into its sentence.
const (
	Itself   Witness = "the time that has passed since it was last right"
	Ledger   Witness = "what the ledger was last changed at"
	Signed   Witness = "what was last signed"
	Database Witness = "the clock of the database"
)

// Skew is the reason why a clock is in doubt.
type Skew struct {
	Off  time.Duration // positive if the clock is ahead of Than, negative if it is behind
	Than Witness       // the reference
}

func (s *Skew) Error() string {
	way := "ahead of"
	if s.Off < 0 {
		way = "behind"
	}
	return fmt.Sprintf("the system's clock is %s %s %s; nothing is decided while it is more than %s off",
		s.Off.Abs().Round(time.Millisecond), way, s.Than, Tolerance)
}

// Now returns the current instant in UTC. If the clock is in doubt, it also returns a *Skew. Then the instant may be
// displayed but must not be used for decisions.
func (c *Clock) Now() (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, doubt := c.read()
	switch {
	case doubt == nil:
		c.doubt = nil
		return now, nil
	case c.doubt == nil:
		c.doubtSince = c.elapsed()
	}
	c.doubt = doubt
	return now, doubt
}

func (c *Clock) read() (time.Time, *Skew) {
	wall, elapsed := c.wall().Round(0).UTC(), c.elapsed()
	if !c.trusted {
		c.base, c.at = wall, elapsed
		if off := wall.Sub(c.floor); off < -Tolerance {
			return wall, &Skew{off, c.floorSource}
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
	case c.databaseOffset != 0:
		return own, &Skew{c.databaseOffset, Database}
	}
	return own, nil
}

// Compare compares the clock with the current time of the database server. A difference of more than Tolerance puts the
// clock in doubt until another call of Compare finds a smaller one.
func (c *Clock) Compare(other time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, _ := c.read()
	if c.databaseOffset = own.Sub(other); c.databaseOffset.Abs() <= Tolerance {
		c.databaseOffset = 0
	}
}

// Doubt returns the reason why the clock was in doubt at the last call of Now, and the duration of the doubt so far. It
// returns nil if the clock was not in doubt.
func (c *Clock) Doubt() (*Skew, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.doubt == nil {
		return nil, 0
	}
	return c.doubt, c.elapsed() - c.doubtSince
}

// Accept sets the clock to the current system clock, even if it goes back. It must be called only at the request of an
// operator.
func (c *Clock) Accept() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base, c.at = c.wall().Round(0).UTC(), c.elapsed()
	c.last, c.trusted, c.doubt = c.base, true, nil
}
