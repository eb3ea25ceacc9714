//go:build race

package sim

// racing says that the race detector is on: it makes a scenario eight times as long.
const racing = true
