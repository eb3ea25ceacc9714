// Package sim runs random scenarios of the product, which a seed determines: stakers, racing and replayed actions,
// hostile payers, an operator and a chain, one operation at a time, with injected faults of the database, the node, the
// clock and the process. After every operation a model that shares no code with the ledger checks the result. At the
// end the faults stop, and all orders, units and payouts must reach a final state.
//
// The product's services run on a real database, with a Bitcoin node in memory that runs real scripts. Scenarios do not
// sleep and use no other randomness, so the same seed produces the same trace.
package sim
