package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/epoch"
	"moonfund/ledger"
	"moonfund/store"
)

// clock is the one clock of the server. On a dev network deadlines can be moved
// ahead of it (skew), and an epoch ended by hand may start some seconds ahead of
// it (floor), because header times must rise.
type clock struct {
	lenient bool // a dev network takes the system's clock as it is

	begin sync.Once
	time  *epoch.Clock // nil before the first reading

	mu    sync.Mutex
	skew  time.Duration
	floor time.Time
}

func (c *clock) system() *epoch.Clock {
	c.begin.Do(func() {
		if c.time == nil {
			c.time = epoch.NewClock(time.Now, epoch.SinceBoot)
		}
	})
	return c.time
}

// real is the instant as it is, without what a dev network's controls did.
func (c *clock) real() time.Time {
	now, _ := c.read()
	return now
}

func (c *clock) read() (time.Time, error) {
	now, err := c.system().Now()
	if err != nil && c.lenient {
		c.system().Accept()
		return c.system().Now()
	}
	return now, err
}

// moment is what decisions are made by. It fails while the clock is in doubt.
func (c *clock) moment() (ledger.Moment, error) {
	now, err := c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Before(c.floor) {
		now = c.floor
	}
	return ledger.Moment{Now: now.Add(c.skew), Chain: now}, err
}

// shown is the moment for what decides nothing, also while the clock is in doubt.
func (c *clock) shown() ledger.Moment {
	m, _ := c.moment()
	return m
}

// off is how far the system's clock is off, 0 while it is trusted.
func (c *clock) off() time.Duration {
	var skew *epoch.Skew
	if _, err := c.read(); errors.As(err, &skew) {
		return skew.Off
	}
	return 0
}

// load reads what a dev network's controls did to the clock before a restart.
func (c *clock) load(ctx context.Context, tx *store.Tx, manifests []community.Manifest) error {
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
	for _, m := range manifests {
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
	if passed := changed.Add(-c.skew); passed.After(c.floor) { // else it was the floor that was read, not the clock
		c.system().Passed(passed, epoch.Ledger)
	}
	return nil
}

// advance moves what deadlines see, durably.
func (c *clock) advance(ctx context.Context, s *store.Store, by time.Duration) error {
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

// atLeast makes the calendar's clock stand no earlier than an instant.
func (c *clock) atLeast(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.floor) {
		c.floor = t
	}
}

// rates is the fee rate of new orders and payouts: the node's estimate within bounds.
type rates struct {
	node   *chain.Client
	policy chain.FeePolicy

	mu     sync.Mutex
	fixed  *amount.FeeRate // set by a dev network's control
	latest amount.FeeRate
	asked  time.Time
	board  board

	v3 atomic.Bool // the node relays transactions of version 3

	log   *slog.Logger // nil: nobody is told
	doubt string       // what was last said against the node's estimate
}

// Estimates are asked for a delivery within about an hour, and kept this long.
const (
	rateTarget = 6
	rateAge    = 20 * time.Second
)

func (r *rates) rate(ctx context.Context) amount.FeeRate {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fixed != nil {
		return r.policy.Clamp(*r.fixed, nil)
	}
	if r.latest == 0 || time.Since(r.asked) > rateAge {
		estimate, err := r.node.FeeRate(ctx, rateTarget)
		r.latest, r.asked = r.policy.Clamp(estimate, err), time.Now()
		r.tell(estimate, err)
		if v3, err := r.node.RelaysV3(ctx); err == nil {
			r.v3.Store(v3)
		}
	}
	return r.latest
}

// relaysV3 returns what the node last said of itself. It never waits: it is called
// within write transactions, and rate holds the lock during calls to the node.
func (r *rates) relaysV3() bool { return r.v3.Load() }

func (r *rates) fix(rate *amount.FeeRate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fixed = rate
}
