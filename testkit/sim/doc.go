// Package sim runs random scenarios of the product that are determined by a seed: stakers, racing
// and replayed actions, hostile payers, an operator and a chain, one operation at a time, while the
// database, the node, the clock and the process fail. After every operation a model that shares no
// code with the ledger checks the result. At the end the faults stop, and everything that can
// finish must finish.
//
// The product's own services run on a real database, against a Bitcoin node in memory that runs
// real scripts and the rune rules. Nothing sleeps and nothing else is random: the same seed leaves
// the same trace.
package sim
