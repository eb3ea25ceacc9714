//go:build race

package sim

// racing says that the race detector is on: it makes a life eight times as long.
const racing = true
