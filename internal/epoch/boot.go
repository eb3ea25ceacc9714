//go:build !linux

package epoch

import "time"

var processStart = time.Now()

// SinceBoot returns the time since this process started, not since the machine booted, on Go's monotonic clock. Some
// systems stop that clock during sleep.
func SinceBoot() time.Duration { return time.Since(processStart) }
