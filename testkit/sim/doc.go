// Package sim plays lives of the product that a seed decides wholly: stakers,
// racers, replayers, cheats, an operator and a chain, one deed at a time, while
// the database, the node, the clock and the process itself fail. After every deed
// a model that shares no code with the ledger says whether all is as it must be;
// at the end the faults stop, and everything that can finish has to.
//
// The product's own rooms run here, on a real database, against a Bitcoin node in
// memory that runs real scripts and the rune rules. Nothing waits, and nothing is
// random: a seed lived twice leaves the same trace.
package sim
