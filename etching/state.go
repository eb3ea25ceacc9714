package etching

import "fmt"

// State is where an order stands, by the names of the wire.
type State string

// The states.
const (
	New       State = "new"       // waits for its money
	Pending   State = "pending"   // enough was seen; waits for a block to hold it
	Executing State = "executing" // its transactions are signed, stored and on their way
	Complete  State = "complete"  // its last transaction is in a block and did what was ordered
	Failed    State = "failed"    // it can't be done; what it holds goes back
	Refunded  State = "refunded"  // the money is back, in a block
	Stale     State = "stale"     // not enough came in time; what came goes back
)

// States lists every state.
var States = []State{New, Pending, Executing, Complete, Failed, Refunded, Stale}

// Event is something that happens to an order.
type Event string

// The events.
const (
	Funded      Event = "funded"      // enough was seen
	Unfunded    Event = "unfunded"    // the money vanished from the chain again
	Expired     Event = "expired"     // the time for its money is over
	Sent        Event = "sent"        // its transactions are stored
	Delivered   Event = "delivered"   // the last one is in a block, with effect
	Ineffective Event = "ineffective" // the last one is in a block, without the whole effect
	Impossible  Event = "impossible"  // the chain's rules or the money forbid it now
	Returned    Event = "returned"    // the refund is in a block
	Undone      Event = "undone"      // a reorg took that block away
)

// Row is one transition.
type Row struct {
	From State
	On   Event
	To   State
	Why  string
}

// Table is every transition that there is.
var Table = []Row{
	{New, Funded, Pending, "The mempool counts: it shows, it does not execute."},
	{New, Impossible, Failed, "The money bears runes, or the rune can't be had any more: it goes back."},
	{New, Expired, Stale, "What is too little goes back; an address stays watched for life."},
	{Pending, Unfunded, New, "The payment was replaced or undone."},
	{Pending, Impossible, Failed, "Taken, closed or over its cap meanwhile: nothing was sent, all goes back."},
	{Pending, Sent, Executing, "The bytes are durable before the network sees them."},
	{Executing, Delivered, Complete, "By the rune index, in a block."},
	{Executing, Ineffective, Failed, "Somebody else was faster; the runes that were had are delivered."},
	{Executing, Impossible, Failed, "A refund that shares an input replaces what is not in a block yet."},
	{Executing, Unfunded, New, "A reorg took the money away, and all that was built on it."},
	{Complete, Undone, Executing, "The same bytes are sent again."},
	{Failed, Undone, Executing, "A mint or etching without effect is open again."},
	{Failed, Returned, Refunded, "The refund is in a block."},
	{Stale, Returned, Refunded, "The refund is in a block."},
	{Refunded, Undone, Failed, "The refund's block is gone; the same bytes are sent again."},
}

// Next returns where an event leads from a state, or an error when no row allows it.
func Next(from State, on Event) (State, error) {
	for _, row := range Table {
		if row.From == from && row.On == on {
			return row.To, nil
		}
	}
	return from, fmt.Errorf("etching: no row for %s on %s", from, on)
}
