package payout

import (
	"context"

	"moonfund/state"
)

// Status is where a payout stands.
type Status string

const (
	Live      Status = "live"      // signed and stored; sent until it confirms
	Confirmed Status = "confirmed" // 3 deep: its orders are DELIVERED
	Final     Status = "final"     // so deep that no reorg we follow can undo it
	Dead      Status = "dead"      // one of its inputs was taken by somebody else, 6 deep
	nowhere   Status = ""
)

// Event is what moves a payout from one status to another.
type Event string

const (
	Stored     Event = "signed and stored"
	Deep       Event = "3 confirmations"
	Shallow    Event = "under 3 confirmations"
	Settled    Event = "12 confirmations"
	InputTaken Event = "an input was taken" // by a transaction of somebody else, 6 deep
)

// Row is one row of the status table.
type Row = state.Row[Status, Event, state.Unguarded]

// Statuses holds every transition of a payout. While it is live, a faster version may replace its
// transaction: that is the operator's way when it does not confirm.
var Statuses = state.Must(state.Table[Status, Event, state.Unguarded]{Of: "payout", Ends: []Status{Final, Dead},
	Rows: []Row{
		{From: nowhere, Event: Stored, To: Live},
		{From: Live, Event: Deep, To: Confirmed},
		{From: Live, Event: InputTaken, To: Dead},
		{From: Confirmed, Event: Shallow, To: Live},
		{From: Confirmed, Event: Settled, To: Final},
	}})

// move brings a payout to the status that an event leads to, in the store and in p.
func move(ctx context.Context, tx Tx, p *Payout, event Event) error {
	before := p.Status
	to, err := Statuses.Next(before, event, state.Always)
	if err != nil {
		return err
	}
	p.Status = to
	return tx.Payouts.UpdatePayout(ctx, *p, before)
}
