package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"moonfund/ledger"
	"moonfund/store"
)

type epochCommands struct {
	List   epochList   `cmd:"" help:"List a community's epochs, newest first."`
	Show   epochShow   `cmd:"" help:"Show one epoch with what it rewarded."`
	Verify epochVerify `cmd:"" help:"Recompute every reward of a settled epoch from what is published and the chain alone. Exits with 1 when one is wrong."`
}

type epochList struct {
	reading
	Community string `arg:"" help:"The community's prefix."`
	Limit     int    `default:"20" help:"How many, the newest."`
}

type epochRow struct {
	Community string     `json:"community"`
	Epoch     int64      `json:"epoch"`
	Start     time.Time  `json:"start"` // by block headers
	End       *time.Time `json:"end"`
	Planned   string     `json:"planned"`
	Reserved  string     `json:"reserved"`
	Settled   bool       `json:"settled"`
	Staked    string     `json:"staked"`
	Rewarded  string     `json:"rewarded"`
	Owners    int64      `json:"owners"`
	Cut       int64      `json:"cut"` // -1 until it is settled
	CutHash   string     `json:"cut_hash"`
}

// Run is `moonfund epoch list`.
func (c epochList) Run(ctx context.Context) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return errors.New("--limit must be from 1 to 10,000")
	}
	return c.view(ctx, func(tx *store.Tx) error {
		if err := known(ctx, tx, c.Community); err != nil {
			return err
		}
		accounts, owners, err := tx.EpochsBelow(ctx, c.Community, 1<<62, c.Limit)
		if err != nil {
			return err
		}
		views, rows := []epochRow{}, [][]string{}
		for i, a := range accounts {
			view, err := viewEpoch(ctx, tx, a, owners[i])
			if err != nil {
				return err
			}
			views = append(views, view)
			rows = append(rows, []string{
				strconv.FormatInt(a.Epoch, 10), shortTime(view.Start), a.Planned.Decimal(8), a.Reserved.Decimal(8), yesNo(a.Settled),
				a.Staked.Decimal(8), a.Rewarded.Decimal(8), strconv.FormatInt(owners[i], 10), height(a.Cut),
			})
		}
		if c.JSON {
			return printJSON(views)
		}
		return table("EPOCH,START (UTC),PLANNED,RESERVED,SETTLED,STAKED,REWARDED,OWNERS,CUT", rows)
	})
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func viewEpoch(ctx context.Context, tx *store.Tx, a ledger.Account, owners int64) (epochRow, error) {
	calendar, err := tx.Calendar(ctx, a.Community)
	if err != nil {
		return epochRow{}, err
	}
	row := epochRow{
		Community: a.Community, Epoch: a.Epoch, Start: calendar.Start(a.Epoch), Planned: a.Planned.String(), Reserved: a.Reserved.String(),
		Settled: a.Settled, Staked: a.Staked.String(), Rewarded: a.Rewarded.String(), Owners: owners, Cut: a.Cut, CutHash: a.CutHash,
	}
	if end := calendar.End(a.Epoch); !end.IsZero() {
		row.End = &end
	}
	return row, nil
}

type epochShow struct {
	reading
	Community string `arg:"" help:"The community's prefix."`
	Epoch     int64  `arg:"" help:"The epoch's number."`
}

type rewardRow struct {
	Owner  string `json:"owner"`
	Stake  string `json:"stake"`
	Reward string `json:"reward"`
	Unit   string `json:"unit"`
}

// Run is `moonfund epoch show`.
func (c epochShow) Run(ctx context.Context) error {
	return c.view(ctx, func(tx *store.Tx) error {
		if err := known(ctx, tx, c.Community); err != nil {
			return err
		}
		account, err := tx.AccountOf(ctx, c.Community, c.Epoch)
		if errors.Is(err, ledger.ErrNotFound) {
			return fmt.Errorf("epoch %d of %s has not begun", c.Epoch, c.Community)
		}
		if err != nil {
			return err
		}
		rewards, err := tx.Rewards(ctx, c.Community, c.Epoch)
		if err != nil {
			return err
		}
		view, err := viewEpoch(ctx, tx, account, int64(len(rewards)))
		if err != nil {
			return err
		}
		return c.print(view, account, rewards)
	})
}

func (c epochShow) print(view epochRow, a ledger.Account, rewards []ledger.Reward) error {
	list, rows := []rewardRow{}, [][]string{}
	for _, r := range rewards {
		list = append(list, rewardRow{r.Owner, r.Stake.String(), r.Reward.String(), r.UnitID})
		rows = append(rows, []string{r.Owner, r.Stake.Decimal(8), r.Reward.Decimal(8), r.UnitID})
	}
	if c.JSON {
		return printJSON(struct {
			epochRow
			Rewards []rewardRow `json:"rewards"`
		}{view, list})
	}
	settled := "not yet: its end needs 6 confirmations"
	if a.Settled {
		settled = shortTime(a.SettledAt)
	}
	if err := fields(
		"epoch", strconv.FormatInt(a.Epoch, 10), "community", a.Community, "start", shortTime(view.Start),
		"planned", a.Planned.Decimal(8), "reserved", a.Reserved.Decimal(8), "settled", settled, "staked", a.Staked.Decimal(8),
		"rewarded", a.Rewarded.Decimal(8), "cut", height(a.Cut), "its hash", orDash(a.CutHash),
	); err != nil {
		return err
	}
	return section("Rewards", "OWNER,STAKE,REWARD,UNIT", rows)
}
