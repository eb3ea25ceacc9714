package etching

import "moonfund/state"

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

// Row is one row of the state table.
type Row = state.Row[State, Event, state.Unguarded]

// Table holds every transition of a mint or etch order.
var Table = state.Must(state.Table[State, Event, state.Unguarded]{
	Of: "mint or etch order", Start: New, Ends: []State{Complete, Refunded}, Rows: []Row{
		{From: New, Event: Funded, To: Pending},           // the mempool counts: it shows, it does not execute
		{From: New, Event: Impossible, To: Failed},        // the money bears runes, or the rune can't be had any more: it goes back
		{From: New, Event: Expired, To: Stale},            // what is too little goes back; an address stays watched for life
		{From: Pending, Event: Unfunded, To: New},         // the payment was replaced or undone
		{From: Pending, Event: Impossible, To: Failed},    // taken, closed or over its cap meanwhile: nothing was sent, all goes back
		{From: Pending, Event: Sent, To: Executing},       // the bytes are durable before the network sees them
		{From: Executing, Event: Delivered, To: Complete}, // by the rune index, in a block
		{From: Executing, Event: Ineffective, To: Failed}, // somebody else was faster; the runes that were had are delivered
		{From: Executing, Event: Impossible, To: Failed},  // a refund that shares an input replaces what is not in a block yet
		{From: Executing, Event: Unfunded, To: New},       // a reorg took the money away, and all that was built on it
		{From: Complete, Event: Undone, To: Executing},    // the same bytes are sent again
		{From: Failed, Event: Undone, To: Executing},      // a mint or etching without effect is open again
		{From: Failed, Event: Returned, To: Refunded},     // the refund is in a block
		{From: Stale, Event: Returned, To: Refunded},      // the refund is in a block
		{From: Refunded, Event: Undone, To: Failed},       // the refund's block is gone; the same bytes are sent again
	}})
