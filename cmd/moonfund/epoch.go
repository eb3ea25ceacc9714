package main

import (
	"context"
	"errors"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/store"
)

type epochCommands struct {
	List   epochList   `cmd:"" help:"List a community's epochs, newest first."`
	Show   epochShow   `cmd:"" help:"Show one epoch with its rewards."`
	Verify epochVerify `cmd:"" help:"${help_verify}"`
}

type epochList struct {
	reading
	Community string `arg:"" help:"The community's prefix."`
	Limit     int    `default:"20" help:"Number of rows, newest first."`
}

// Run is `moonfund epoch list`.
func (c epochList) Run(ctx context.Context) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return errors.New("--limit must be from 1 to 10,000")
	}
	epochs, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.EpochView, error) {
		return decisions.Epochs(ctx, tx, c.Community, c.Limit)
	})
	if err != nil {
		return err
	}
	const titles = "EPOCH,START (UTC),PLANNED,RESERVED,SETTLED,STAKED,REWARDED,OWNERS,CUT"
	return terminal.List(c.JSON, epochs, titles, func(e decisions.EpochView) []string {
		return []string{
			terminal.Number(e.Epoch), terminal.Time(e.Start), e.Planned.Whole(), e.Reserved.Whole(),
			terminal.YesNo(e.Settled), e.Staked.Whole(), e.Rewarded.Whole(), terminal.Number(e.Owners),
			terminal.Height(e.Cut),
		}
	})
}

type epochShow struct {
	reading
	Community string `arg:"" help:"The community's prefix."`
	Epoch     int64  `arg:"" help:"The epoch's number."`
}

// Run is `moonfund epoch show`.
func (c epochShow) Run(ctx context.Context) error {
	e, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.EpochDetail, error) {
		return decisions.ReadEpoch(ctx, tx, c.Community, c.Epoch)
	})
	if err != nil {
		return err
	}
	return c.print(e, func() error { return c.write(e) })
}

// write prints an epoch as text.
func (c epochShow) write(e decisions.EpochDetail) error {
	settled := "not yet: its end needs 6 confirmations"
	if e.Settled {
		settled = terminal.Time(e.SettledAt)
	}
	if err := terminal.Fields(
		"epoch", terminal.Number(e.Epoch), "community", e.Community, "start", terminal.Time(e.Start),
		"planned", e.Planned.Whole(), "reserved", e.Reserved.Whole(), "settled", settled,
		"staked", e.Staked.Whole(), "rewarded", e.Rewarded.Whole(), "cut", terminal.Height(e.Cut),
		"its hash", terminal.OrDash(e.CutHash),
	); err != nil {
		return err
	}
	rewards := terminal.Rows(e.Rewards, func(r decisions.RewardView) []string {
		return []string{r.Owner, r.Stake.Whole(), r.Reward.Whole(), r.Unit}
	})
	return terminal.Section("Rewards", "OWNER,STAKE,REWARD,UNIT", rewards)
}
