package epoch

import (
	"time"

	"golang.org/x/sys/unix"
)

var processStart = time.Now()

// SinceBoot returns the time since the machine booted. It includes sleep, so waking up is not
// reported as a clock jump.
func SinceBoot() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return time.Since(processStart)
	}
	return time.Duration(t.Nano())
}
