//go:build !linux

package main

import "time"

var began = time.Now()

// sinceBoot is by Go's own clock, which stands still on some systems while they sleep.
func sinceBoot() time.Duration { return time.Since(began) }
