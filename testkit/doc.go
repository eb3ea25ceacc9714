// Package testkit is what tests share: a clock that stands still, a Bitcoin node
// that lives in memory and runs real scripts, wallets with real keys, and a
// World that wires the product's own rooms to them over a real database.
package testkit
