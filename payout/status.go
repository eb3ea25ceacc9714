package payout

import (
	"context"
	"fmt"
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
type Row struct {
	From  Status
	Event Event
	To    Status
}

// Statuses is the whole life of a payout; nothing else moves one. While it is live, a faster version may replace its
// transaction: that is the operator's way when it does not confirm.
var Statuses = []Row{
	{nowhere, Stored, Live},
	{Live, Deep, Confirmed},
	{Live, InputTaken, Dead},
	{Confirmed, Shallow, Live},
	{Confirmed, Settled, Final},
}

// Next looks up the status that an event leads to.
func Next(from Status, event Event) (Status, error) {
	for _, row := range Statuses {
		if row.From == from && row.Event == event {
			return row.To, nil
		}
	}
	return nowhere, fmt.Errorf("payout: no row for a %s payout on %q", from, event)
}

// move brings a payout to the status that an event leads to, in the store and in p.
func move(ctx context.Context, tx Tx, p *Payout, event Event) error {
	before := p.Status
	to, err := Next(before, event)
	if err != nil {
		return err
	}
	p.Status = to
	return tx.Payouts.UpdatePayout(ctx, *p, before)
}
