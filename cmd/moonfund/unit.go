package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

type unitCommands struct {
	Show unitShow `cmd:"" help:"Show one unit and its history."`
	List unitList `cmd:"" help:"List the units of an owner, newest first."`
}

type unitList struct {
	reading
	Owner     string `required:"" help:"The owner's ordinals or payment address."`
	Community string `help:"Only of this community."`
	Stage     string `help:"Only in this stage, such as STAKED."`
	Limit     int    `default:"200" help:"Number of rows, newest first."`
}

// Run is `moonfund unit list`.
func (c unitList) Run(ctx context.Context) error {
	if c.Limit < 1 || c.Limit > 100_000 {
		return errors.New("--limit must be from 1 to 100,000")
	}
	stage := ledger.Stage(strings.ToUpper(c.Stage))
	if c.Stage != "" && !slices.Contains(decisions.Stages, stage) {
		return fmt.Errorf("--stage is %q; it must be one of %v", c.Stage, decisions.Stages)
	}
	units, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.UnitView, error) {
		return decisions.Units(ctx, tx, decisions.UnitFilter{
			Community: c.Community, Owner: c.Owner, Stage: stage, Limit: c.Limit,
		})
	})
	if err != nil {
		return err
	}
	const titles = "UNIT,COMMUNITY,OWNER,ORIGIN,RUNES,STAGE,REWARDED FROM,UNLOCKS WITH,ORDER"
	return terminal.List(c.JSON, units, titles, func(u decisions.UnitView) []string {
		return []string{
			u.ID, u.Community, u.Owner, string(u.Origin), u.Amount.Whole(), string(u.Stage),
			terminal.Height(u.EligibleEpoch), terminal.Height(u.UnlockEpoch), terminal.OrDash(u.Order),
		}
	})
}

type unitShow struct {
	reading
	Unit      string `arg:"" help:"The unit's id: txid:vout of a stake, or the id of a reward."`
	Community string `help:"Its community; needed only if several have a unit with this id."`
}

// Run is `moonfund unit show`.
func (c unitShow) Run(ctx context.Context) error {
	unit, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.UnitView, error) {
		return decisions.ReadUnit(ctx, tx, c.Community, c.Unit)
	})
	if err != nil {
		return err
	}
	return c.print(unit, func() error { return c.write(unit) })
}

// write prints a unit as text.
func (c unitShow) write(u decisions.UnitView) error {
	if err := terminal.Fields(
		"unit", u.ID, "community", u.Community, "owner", u.Owner, "origin", string(u.Origin),
		"holds", fmt.Sprintf("%s (%s base units)", u.Amount.Whole(), u.Amount), "stage", string(u.Stage),
		"rewarded from epoch", terminal.Height(u.EligibleEpoch), "and to epoch", terminal.Height(u.StakedTo),
		"unlocks with epoch", terminal.Height(u.UnlockEpoch), "earned in epoch", terminal.Height(u.RewardEpoch),
		"order", terminal.OrDash(u.Order), "deposit in block", terminal.Height(u.Height), "its output", u.Backing(),
	); err != nil {
		return err
	}
	return printMoves(u.Moves)
}
