package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"moonfund/chain"
	"moonfund/epoch"
	"moonfund/signer"
)

// How far the signer's clock may be off the time of the newest block: header times
// may be two hours ahead of the network's, and no chain of worth stands still for longer.
const (
	blocksAhead  = 2 * time.Hour
	blocksBehind = 6 * time.Hour
)

// clockName stands in the record for who made a pause that no person made, and begins its reason.
const clockName = "clock"

// signerClock is the clock of the signer's process, by which its 24 hours pass. Like
// the server's (ADR 5) it goes on with the time that passes when the machine's clock
// jumps, and while that is in doubt nothing is signed. Two witnesses outlive a
// restart: what was last signed, and the newest block of the signer's own index.
type signerClock struct {
	time   *epoch.Clock
	pause  signer.PauseFile
	newest func() (at time.Time, known bool) // block; nil where blocks are made by hand
	log    *slog.Logger
	paused bool // by us: when a person resumes, the clock is right as it stands
}

func newSignerClock(data string, network chain.Network, newest func() (time.Time, bool), log *slog.Logger) (*signerClock, error) {
	kept, err := signer.OutflowFile(filepath.Join(data, outflowFile)).Load()
	if err != nil {
		return nil, err
	}
	c := &signerClock{time: epoch.NewClock(time.Now, epoch.SinceBoot), pause: pauseFile(data), newest: newest, log: log}
	if network.Name == "regtest" {
		c.newest = nil
	}
	c.signed(kept)
	return c, nil
}

// signed tells the clock when something was signed.
func (c *signerClock) signed(kept []signer.Outflow) {
	var last time.Time
	for _, o := range kept {
		if o.At.After(last) {
			last = o.At
		}
	}
	c.time.Passed(last, epoch.Signed)
}

// now is the instant; it fails while the clock is in doubt.
func (c *signerClock) now() (time.Time, error) {
	now, err := c.time.Now()
	if err != nil || c.newest == nil {
		return now, err
	}
	block, known := c.newest()
	if off := now.Sub(block); known && (off > blocksBehind || off < -blocksAhead) {
		return now, fmt.Errorf("the system's clock says %s, and the newest block %s; nothing is signed while the one is more than %s later than the other, or %s earlier",
			now.Format(time.RFC3339), block.Format(time.RFC3339), blocksBehind, blocksAhead)
	}
	return now, nil
}

// watch looks at the clock until ctx ends.
func (c *signerClock) watch(ctx context.Context) {
	tick := time.NewTicker(clockLooks)
	defer tick.Stop()
	for {
		if err := c.look(); err != nil {
			c.log.Error("watching the clock", "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// look turns a doubt that lasts into the signer's own pause, so that a restart does
// not take a wrong clock unseen, and takes the clock as it is when a person ended that.
func (c *signerClock) look() error {
	c.time.Now()
	skew, lasted := c.time.Doubt()
	if skew == nil {
		c.paused = false // the pause stands until a person ends it
		return nil
	}
	why, err := c.pause.Why()
	switch {
	case err != nil || why != "":
		c.paused = c.paused || strings.HasPrefix(why, clockName+": ") // before a restart
		return err
	case c.paused:
		c.paused = false
		c.log.Warn("signing was resumed while the clock was in doubt: it is taken for right")
		c.time.Accept()
		return nil
	case lasted < clockPatience:
		return nil
	}
	c.log.Error("the clock is in doubt: nothing is signed until 'moonfund signer resume'", "reason", skew.Error())
	err = c.pause.Set(clockName, skew.Error(), time.Now())
	c.paused = err == nil
	return err
}
