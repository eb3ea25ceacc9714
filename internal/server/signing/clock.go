package signing

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/signer"
)

// Maximum differences between the signer's clock and the time of the newest block. Block times may be two hours ahead
// of the network's time, and a chain without a block for longer than maxBehind is not the real chain.
const (
	maxAhead  = 2 * time.Hour
	maxBehind = 6 * time.Hour
)

// Intervals of the clock check.
const (
	clockInterval = 5 * time.Second
	maxDoubt      = time.Minute // afterwards the signer is paused until an operator resumes
)

// ClockName is the operator name of a pause by the clock. No operator may use it.
const ClockName = "clock"

// PauseFile returns the signer's pause switch in its data folder.
func PauseFile(data string) signer.PauseFile { return signer.PauseFile(filepath.Join(data, "paused")) }

// processClock is the clock for the 24 hour limits of a signer process. Like the server's clock (ADR 5) it uses elapsed
// time when the machine's clock jumps, and nothing is signed while the two disagree. Two references survive a restart:
// the time of the last signature, and the newest block of the signer's own index.
type processClock struct {
	time   *epoch.Clock
	pause  signer.PauseFile
	newest func() (at time.Time, known bool) // time of the newest block; nil if blocks are mined by hand
	log    *slog.Logger
	paused bool // this clock paused the signer; when an operator resumes, the machine's clock is accepted
}

func newProcessClock(
	data string, network chain.Network, newest func() (time.Time, bool), log *slog.Logger,
) (*processClock, error) {
	kept, err := signer.OutflowFile(filepath.Join(data, OutflowFile)).Load()
	if err != nil {
		return nil, err
	}
	c := &processClock{time: epoch.NewClock(time.Now, epoch.SinceBoot), pause: PauseFile(data), newest: newest, log: log}
	if network.Name == "regtest" {
		c.newest = nil
	}
	c.observe(kept)
	return c, nil
}

// observe compares the clock with the last signature.
func (c *processClock) observe(kept []signer.Outflow) {
	var last time.Time
	for _, o := range kept {
		if o.At.After(last) {
			last = o.At
		}
	}
	c.time.Passed(last, epoch.Signed)
}

// now returns the time, or an error while the clock is in doubt.
func (c *processClock) now() (time.Time, error) {
	now, err := c.time.Now()
	if err != nil || c.newest == nil {
		return now, err
	}
	block, known := c.newest()
	if off := now.Sub(block); known && (off > maxBehind || off < -maxAhead) {
		return now, fmt.Errorf("the system's clock shows %s, and the newest block %s; nothing is signed while the clock is "+
			"more than %s later than the block, or %s earlier",
			now.Format(time.RFC3339), block.Format(time.RFC3339), maxBehind, maxAhead)
	}
	return now, nil
}

// watch checks the clock until ctx is done.
func (c *processClock) watch(ctx context.Context) {
	tick := time.NewTicker(clockInterval)
	defer tick.Stop()
	for {
		if err := c.check(); err != nil {
			c.log.Error("watching the clock", "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// check pauses the signer if the clock is in doubt for maxDoubt, so that a restart does not accept a wrong clock
// unnoticed. When an operator ends that pause, check accepts the machine's clock.
func (c *processClock) check() error {
	c.time.Now()
	skew, lasted := c.time.Doubt()
	if skew == nil {
		c.paused = false // the pause lasts until an operator resumes
		return nil
	}
	why, err := c.pause.Why()
	switch {
	case err != nil || why != "":
		c.paused = c.paused || strings.HasPrefix(why, ClockName+": ") // paused by the clock before a restart
		return err
	case c.paused:
		c.paused = false
		c.log.Warn("signing was resumed while the clock was in doubt: the present clock is accepted")
		c.time.Accept()
		return nil
	case lasted < maxDoubt:
		return nil
	}
	c.log.Error("the clock is in doubt: nothing is signed until 'moonfund signer resume'", "reason", skew.Error())
	err = c.pause.Set(ClockName, skew.Error(), time.Now())
	c.paused = err == nil
	return err
}
