// Package e2e tests a whole server over HTTP, with a real node and a real database. The simulated staker shares no code
// with the server: keys, addresses, message signatures, runestones, transactions, the wire format and the arithmetic of
// rewards are implemented here again.
package e2e
