package main

import (
	"time"

	"golang.org/x/sys/unix"
)

var began = time.Now()

// sinceBoot goes on while the machine sleeps, so that waking up is no jump.
func sinceBoot() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return time.Since(began)
	}
	return time.Duration(t.Nano())
}
