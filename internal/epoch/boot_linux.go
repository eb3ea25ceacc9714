package epoch

import (
	"time"

	"golang.org/x/sys/unix"
)

var processStart = time.Now()

// SinceBoot returns the time since the machine booted, including sleep, so that the end of a sleep is not reported as a
// clock jump. If the kernel has no such clock, it returns the time since this process started.
func SinceBoot() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return time.Since(processStart)
	}
	return time.Duration(t.Nano())
}
