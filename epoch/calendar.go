// Package epoch is the calendar of a community: a pure function from instants
// to epoch numbers and back. Epoch 0 starts at the genesis, on mainnet a
// Wednesday 00:00 UTC, and every epoch lasts the same length.
package epoch

import "time"

// Anchor says that an epoch starts at an instant, whatever was planned before.
// The first anchor is the genesis; a dev network adds one whenever it ends an epoch early.
type Anchor struct {
	Epoch int64
	Start time.Time
}

// Calendar maps instants to epochs. Its times are on the scale of block headers.
type Calendar struct {
	Anchors []Anchor      // ascending, at least one
	Length  time.Duration // of every epoch that no later anchor ends
	Manual  bool          // epochs end only by a new anchor (a dev network's EPOCH=0)
}

// NotStarted is the epoch number before the genesis.
const NotStarted = -1

// At returns the number of the epoch that runs at t, or NotStarted.
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

// Start returns the instant at which epoch n starts; for a manual calendar's
// future epochs, when it would start if none were ended early.
func (c Calendar) Start(n int64) time.Time {
	anchor := c.Anchors[0]
	for _, a := range c.Anchors {
		if a.Epoch <= n {
			anchor = a
		}
	}
	return anchor.Start.Add(time.Duration(n-anchor.Epoch) * c.Length)
}

// End returns the instant at which epoch n ends, which is when the next one starts.
func (c Calendar) End(n int64) time.Time { return c.Start(n + 1) }

// Next returns the boundary that a countdown at t runs to. A manual calendar
// pretends whole lengths, so that the countdown never stands at zero.
func (c Calendar) Next(t time.Time) time.Time {
	end := c.End(c.At(t))
	for c.Manual && !end.After(t) {
		end = end.Add(c.Length)
	}
	return end
}

// Passed reports whether the boundary that starts epoch n lies at or before t.
func (c Calendar) Passed(n int64, t time.Time) bool { return c.At(t) >= n }

// EndAt returns the calendar in which the epoch running at t ends at t.
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
