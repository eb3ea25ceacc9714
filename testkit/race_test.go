//go:build race

package testkit

// racing says that the race detector is on: it makes each life eight times as long.
const racing = true
