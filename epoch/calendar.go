// Package epoch maps instants to the epoch numbers of a community and back, without side
// effects. It also provides the server's clock. Epoch 0 starts at the genesis, on mainnet a
// Wednesday at 00:00 UTC, and all epochs have the same length.
package epoch

import "time"

// Anchor fixes the start of an epoch and overrides the regular schedule. The first anchor is
// the genesis; a dev network adds an anchor each time it ends an epoch early.
type Anchor struct {
	Epoch int64
	Start time.Time
}

// Calendar maps instants to epochs. Its instants are compared with block header times.
type Calendar struct {
	Anchors []Anchor      // ascending, not empty
	Length  time.Duration // length of an epoch that no later anchor ends early
	Manual  bool          // epochs end only by a new anchor (a dev network's EPOCH=0)
}

// NotStarted is the epoch number of every instant before the genesis.
const NotStarted = -1

// At returns the number of the epoch that contains t, or NotStarted.
func (c Calendar) At(t time.Time) int64 {
	for i := len(c.Anchors) - 1; i >= 0; i-- {
		anchor := c.Anchors[i]
		if t.Before(anchor.Start) {
			continue
		}
		if c.Manual {
			return anchor.Epoch
		}
		n := anchor.Epoch + int64(t.Sub(anchor.Start)/c.Length)
		if i+1 < len(c.Anchors) {
			n = min(n, c.Anchors[i+1].Epoch-1)
		}
		return n
	}
	return NotStarted
}

// Start returns the start of epoch n. For a future epoch of a manual calendar it returns the
// start that applies if no epoch is ended early.
func (c Calendar) Start(n int64) time.Time {
	anchor := c.Anchors[0]
	for _, a := range c.Anchors {
		if a.Epoch <= n {
			anchor = a
		}
	}
	return anchor.Start.Add(time.Duration(n-anchor.Epoch) * c.Length)
}

// End returns the end of epoch n, which is the start of epoch n+1.
func (c Calendar) End(n int64) time.Time { return c.Start(n + 1) }

// Next returns the epoch boundary that a countdown at t shows. When a manual calendar is past
// its boundary, Next adds whole epoch lengths so that the countdown never stays at zero.
func (c Calendar) Next(t time.Time) time.Time {
	end := c.End(c.At(t))
	for c.Manual && !end.After(t) {
		end = end.Add(c.Length)
	}
	return end
}

// Passed reports whether epoch n starts at or before t.
func (c Calendar) Passed(n int64, t time.Time) bool { return c.At(t) >= n }

// EndAt returns a copy of the calendar in which the epoch running at t ends at t, and the
// anchor of the next epoch.
func (c Calendar) EndAt(t time.Time) (Calendar, Anchor) {
	anchor := Anchor{Epoch: c.At(t) + 1, Start: t}
	kept := make([]Anchor, 0, len(c.Anchors)+1)
	for _, a := range c.Anchors {
		if a.Start.Before(t) {
			kept = append(kept, a)
		}
	}
	c.Anchors = append(kept, anchor)
	return c, anchor
}
