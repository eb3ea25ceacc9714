package payout

import (
	"context"

	"moonfund/internal/state"
)

// Status is the status of a payout.
type Status string

const (
	Live      Status = "live"      // signed and stored; broadcast until it confirms
	Confirmed Status = "confirmed" // 3 confirmations; its orders are DELIVERED
	Final     Status = "final"     // deeper than any reorg that is followed
	Dead      Status = "dead"      // another transaction spends one of its inputs, with 6 confirmations
	nowhere   Status = ""
)

// Event moves a payout from one status to another.
type Event string

const (
	Stored     Event = "signed and stored"
	Deep       Event = "3 confirmations"
	Shallow    Event = "under 3 confirmations"
	Settled    Event = "12 confirmations"
	InputTaken Event = "an input was taken" // it can never spend one of its inputs: see lostInputs
)

// Row is one row of the status table.
type Row = state.Row[Status, Event, state.Unguarded]

// Statuses has every transition of a payout. A version with a higher fee rate does not change the status.
var Statuses = state.Must(state.Table[Status, Event, state.Unguarded]{Of: "payout", Ends: []Status{Final, Dead},
	Rows: []Row{
		{From: nowhere, Event: Stored, To: Live},
		{From: Live, Event: Deep, To: Confirmed},
		{From: Live, Event: InputTaken, To: Dead},
		{From: Confirmed, Event: Shallow, To: Live},
		{From: Confirmed, Event: Settled, To: Final},
	}})

// Move applies an event of the table to a payout, and updates the store and p. It returns state.ErrConflict if the
// stored status is not p.Status.
func Move(ctx context.Context, tx Tx, p *Payout, event Event) error {
	before := p.Status
	to, err := Statuses.Next(before, event, state.Always)
	if err != nil {
		return err
	}
	p.Status = to
	return tx.Payouts.UpdatePayout(ctx, *p, before)
}
