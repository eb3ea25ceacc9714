//go:build race

package sim

// racing reports whether the race detector is on, which makes a scenario eight times slower.
const racing = true
