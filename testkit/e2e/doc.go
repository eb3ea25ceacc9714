// Package e2e tests a whole server over HTTP, with a real node and a real database. The staker's side
// shares no code with the server: keys, addresses, message signatures, runestones, transactions, the
// wire format and the arithmetic of rewards are written again here.
package e2e
