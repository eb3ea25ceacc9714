package main

import (
	"context"
	"fmt"

	"moonfund/console"
	"moonfund/operator"
	"moonfund/store"
)

type unitCommands struct {
	Show unitShow `cmd:"" help:"Show one unit and its history."`
}

type unitShow struct {
	reading
	Unit      string `arg:"" help:"The unit's id: txid:vout of a stake, or the id of a reward."`
	Community string `help:"Its community; needed only if several have a unit with this id."`
}

// Run is `moonfund unit show`.
func (c unitShow) Run(ctx context.Context) error {
	unit, err := read(ctx, c.reading, func(tx *store.Tx) (operator.UnitView, error) {
		return operator.ReadUnit(ctx, tx, c.Community, c.Unit)
	})
	if err != nil {
		return err
	}
	return c.print(unit, func() error { return c.write(unit) })
}

// write prints a unit for people.
func (c unitShow) write(u operator.UnitView) error {
	if err := console.Fields(
		"unit", u.ID, "community", u.Community, "owner", u.Owner, "origin", string(u.Origin),
		"holds", fmt.Sprintf("%s (%s base units)", u.Amount.Decimal(8), u.Amount), "stage", string(u.Stage),
		"rewarded from epoch", console.Height(u.EligibleEpoch), "and to epoch", console.Height(u.StakedTo),
		"unlocks with epoch", console.Height(u.UnlockEpoch), "earned in epoch", console.Height(u.RewardEpoch),
		"order", console.OrDash(u.Order), "deposit in block", console.Height(u.Height), "its output", u.Backing(),
	); err != nil {
		return err
	}
	moves := console.Rows(u.Moves, func(m operator.MoveView) []string {
		return []string{console.Time(m.At), m.Event, m.From, m.To, m.Cause}
	})
	return console.Section("Moves", "AT (UTC),EVENT,FROM,TO,CAUSE", moves)
}
