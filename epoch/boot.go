//go:build !linux

package epoch

import "time"

var processStart = time.Now()

// SinceBoot returns the elapsed time on Go's monotonic clock. Some systems stop that clock
// during sleep.
func SinceBoot() time.Duration { return time.Since(processStart) }
