// Package testkit provides test fixtures: a manual clock, a Bitcoin node in memory that runs real scripts, wallets with
// real keys, and a World that wires the product's services to them over a real database.
package testkit
