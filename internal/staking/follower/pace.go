package follower

import "time"

const (
	paceLogged = 30 * time.Second // between two log lines while the server catches up
	paceWindow = 5 * time.Minute  // the estimate uses the speed of the last 5 to 10 minutes
)

// mark is a height and the time at which the ledger reached it.
type mark struct {
	height int64
	at     time.Time
}

// pace estimates the time that catching up takes. It restarts with every Step.
type pace struct {
	older, newer mark
	logged       time.Time
}

// reached records the ledger's height at a time, and returns the speed in blocks per second, or 0 if it is unknown.
func (p *pace) reached(height int64, now time.Time) (speed float64) {
	here := mark{height, now}
	if p.older.at.IsZero() {
		p.older, p.newer = here, here
	}
	if now.Sub(p.newer.at) > paceWindow {
		p.older, p.newer = p.newer, here
	}
	elapsed := now.Sub(p.older.at).Seconds()
	if elapsed < 1 || height <= p.older.height {
		return 0
	}
	return float64(height-p.older.height) / elapsed
}

// timeLeft returns the time for a number of blocks at a speed, rounded for display, or 0 if the speed is 0.
func timeLeft(blocks int64, speed float64) time.Duration {
	if speed == 0 {
		return 0
	}
	left := time.Duration(float64(blocks) / speed * float64(time.Second))
	switch {
	case left > time.Hour:
		return left.Round(10 * time.Minute)
	case left > time.Minute:
		return left.Round(time.Minute)
	}
	return max(left.Round(time.Second), time.Second)
}
