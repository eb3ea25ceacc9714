// Package life plays whole lives of stakes over HTTP against a real server, a
// real node and a real database. Everything a staker brings is made here, by
// code that shares nothing with the server's: keys, addresses, message
// signatures, runestones, transactions, the wire and the arithmetic of rewards.
package life
