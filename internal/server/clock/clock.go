// Package clock implements the server's clock, which deadlines and epochs use. It returns an error while the machine's
// clock is in doubt.
package clock

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"moonfund/internal/epoch"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

// Clock is the clock of a server. On a dev network, the time that deadlines use can be ahead of the system's clock
// (skew), and an epoch that was ended by hand may start some seconds ahead of it (floor), because block times must
// increase.
type Clock struct {
	lenient bool // accept any jump of the system's clock (dev network)

	begin sync.Once
	time  *epoch.Clock // nil before the first call of System

	mu    sync.Mutex
	skew  time.Duration // added to the time that deadlines use
	floor time.Time     // minimum time that the clock returns
}

// New returns a clock on the system's time.
func New() *Clock { return &Clock{} }

// NewLenient returns a clock that accepts every jump of the system's clock, for a dev network.
func NewLenient() *Clock { return &Clock{lenient: true} }

// On returns a clock that reads source instead of the system's time, for tests.
func On(source *epoch.Clock) *Clock { return &Clock{time: source} }

// System returns the checked clock of the system, without skew and floor.
func (c *Clock) System() *epoch.Clock {
	c.begin.Do(func() {
		if c.time == nil {
			c.time = epoch.NewClock(time.Now, epoch.SinceBoot)
		}
	})
	return c.time
}

// Real returns the system's time, even while the clock is in doubt.
func (c *Clock) Real() time.Time {
	now, _ := c.Read()
	return now
}

// Read returns the system's time, or an error while the clock is in doubt.
func (c *Clock) Read() (time.Time, error) {
	now, err := c.System().Now()
	if err != nil && c.lenient {
		c.System().Accept()
		return c.System().Now()
	}
	return now, err
}

// Moment returns the time for decisions. While the clock is in doubt, it also returns an error, and the time must not
// be used for decisions.
func (c *Clock) Moment() (ledger.Moment, error) {
	now, err := c.Read()
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Before(c.floor) {
		now = c.floor
	}
	return ledger.Moment{Now: now.Add(c.skew), Chain: now}, err
}

// Shown returns the time for display, even while the clock is in doubt. It must not be used for decisions.
func (c *Clock) Shown() ledger.Moment {
	m, _ := c.Moment()
	return m
}

// Off returns the time by which the system's clock is ahead of its reference while it is in doubt, and 0 while it is
// trusted.
func (c *Clock) Off() time.Duration {
	var skew *epoch.Skew
	if _, err := c.Read(); errors.As(err, &skew) {
		return skew.Off
	}
	return 0
}

// Load restores the skew and the floor that a dev network's controls set before a restart, and compares the clock with
// the ledger's last change.
func (c *Clock) Load(ctx context.Context, tx *store.Tx, communities []community.Manifest) error {
	text, err := tx.Setting(ctx, store.ClockSkew)
	if err != nil {
		return err
	}
	var seconds int64
	if text != "" {
		if seconds, err = strconv.ParseInt(text, 10, 64); err != nil {
			return fmt.Errorf("the stored clock is not a number of seconds: %w", err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skew = time.Duration(seconds) * time.Second
	for _, m := range communities {
		if m.Network != "regtest" {
			continue
		}
		calendar, err := tx.Calendar(ctx, m.Prefix)
		if err != nil {
			return err
		}
		if latest := calendar.Anchors[len(calendar.Anchors)-1].Start; latest.After(c.floor) {
			c.floor = latest
		}
	}
	changed, err := tx.LastChange(ctx)
	if err != nil {
		return err
	}
	if passed := changed.Add(-c.skew); passed.After(c.floor) { // otherwise the last change has the floor's time
		c.System().Passed(passed, epoch.Ledger)
	}
	return nil
}

// Advance adds to the skew and stores it in the ledger, in whole seconds.
func (c *Clock) Advance(ctx context.Context, s *store.Store, by time.Duration) error {
	c.mu.Lock()
	skew := c.skew + by
	c.mu.Unlock()
	err := s.Update(ctx, func(tx *store.Tx) error {
		return tx.PutSetting(ctx, store.ClockSkew, strconv.FormatInt(int64(skew/time.Second), 10))
	})
	if err == nil {
		c.mu.Lock()
		c.skew = skew
		c.mu.Unlock()
	}
	return err
}

// AtLeast makes the clock return no time before t from now on.
func (c *Clock) AtLeast(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.floor) {
		c.floor = t
	}
}
