//go:build !linux

package epoch

import "time"

var processStart = time.Now()

// SinceBoot returns elapsed time by Go's monotonic clock, which some systems stop while they sleep.
func SinceBoot() time.Duration { return time.Since(processStart) }
