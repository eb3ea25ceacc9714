// Package epoch maps instants to the epoch numbers of a community and back, and provides the server's clock. Epoch 0
// starts at the genesis, on mainnet a Wednesday at 00:00 UTC. All epochs have the same length, unless a dev network
// ends one early.
package epoch

import "time"

// Anchor fixes the start of an epoch. Later epochs are counted from the last anchor before them. The first anchor is
// the genesis; a dev network adds an anchor each time that it ends an epoch.
type Anchor struct {
	Epoch int64
	Start time.Time
}

// Calendar maps instants to epochs. Its instants are on the scale of block header times. Its methods change nothing.
type Calendar struct {
	Anchors []Anchor      // ascending, not empty
	Length  time.Duration // length of an epoch that no later anchor ends early; positive
	Manual  bool          // an epoch ends only by a new anchor (EPOCH=0 of a dev network)
}

// NotStarted is the epoch number of every instant before the genesis.
const NotStarted = -1

// At returns the number of the epoch that contains t, or NotStarted before the first anchor.
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

// Start returns the start of epoch n. For an epoch without an anchor it assumes that all epochs since the last anchor
// have the full Length, also in a manual calendar.
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

// Next returns the next epoch boundary, for a countdown at t. In a manual calendar, an epoch can last longer than
// Length. Then Next adds whole lengths, so that the result is always after t.
func (c Calendar) Next(t time.Time) time.Time {
	end := c.End(c.At(t))
	for c.Manual && !end.After(t) {
		end = end.Add(c.Length)
	}
	return end
}

// Passed reports whether epoch n has started at t.
func (c Calendar) Passed(n int64, t time.Time) bool { return c.At(t) >= n }

// EndAt returns a copy of the calendar in which the epoch that runs at t ends at t, and the anchor of the epoch that
// starts then. Anchors at or after t are removed.
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
