package etching

import "moonfund/internal/state"

// State is the state of an order, as named in the API.
type State string

// The states.
const (
	New       State = "new"       // waits for payment
	Pending   State = "pending"   // a sufficient payment was seen; waits for its confirmation
	Executing State = "executing" // its transactions are signed, stored and broadcast
	Complete  State = "complete"  // its last transaction is confirmed and had the ordered effect
	Failed    State = "failed"    // it can't be carried out; its funds are refunded
	Refunded  State = "refunded"  // the refund is confirmed
	Stale     State = "stale"     // not paid in full in time; what was paid is refunded
)

// States lists every state.
var States = []State{New, Pending, Executing, Complete, Failed, Refunded, Stale}

// Event is something that happens to an order.
type Event string

// The events.
const (
	Funded      Event = "funded"      // a sufficient payment was seen
	Unfunded    Event = "unfunded"    // the payment is no longer on the chain or in the mempool
	Expired     Event = "expired"     // the payment deadline passed
	Sent        Event = "sent"        // its transactions are stored
	Delivered   Event = "delivered"   // the last transaction is confirmed, with effect
	Ineffective Event = "ineffective" // the last transaction is confirmed, without the complete effect
	Impossible  Event = "impossible"  // the rules of the chain or the available funds forbid it now
	Returned    Event = "returned"    // the refund is in a block
	Undone      Event = "undone"      // a reorg undid the block that ended the order
)

// Row is one row of the state table.
type Row = state.Row[State, Event, state.Unguarded]

// Table holds every transition of a mint or etch order.
var Table = state.Must(state.Table[State, Event, state.Unguarded]{
	Of: "mint or etch order", Start: New, Ends: []State{Complete, Refunded}, Rows: []Row{
		{From: New, Event: Funded, To: Pending}, // unconfirmed payments count
		// the payment holds runes and is refunded
		{From: New, Event: Impossible, To: Failed},
		{From: New, Event: Expired, To: Stale},    // partial payments are refunded; the address is always watched
		{From: Pending, Event: Unfunded, To: New}, // the payment was replaced or undone
		// the name was taken, or the mint ended or reached its cap; nothing was sent, and all payments are refunded
		{From: Pending, Event: Impossible, To: Failed},
		{From: Pending, Event: Sent, To: Executing},       // the transactions are stored before they are broadcast
		{From: Executing, Event: Delivered, To: Complete}, // according to the rune index
		{From: Executing, Event: Ineffective, To: Failed}, // another transaction was first; minted runes are delivered
		// a refund that shares an input replaces the unconfirmed transactions
		{From: Executing, Event: Impossible, To: Failed},
		{From: Executing, Event: Unfunded, To: New},    // a reorg removed the payment and its descendants
		{From: Complete, Event: Undone, To: Executing}, // the same bytes are broadcast again
		{From: Failed, Event: Undone, To: Executing},   // its transactions may have an effect again
		{From: Failed, Event: Returned, To: Refunded},  // the refund is in a block
		{From: Stale, Event: Returned, To: Refunded},   // the refund is in a block
		{From: Refunded, Event: Undone, To: Failed},    // a reorg undid the refund, which is broadcast again
	}})
