package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moonfund/ledger"
	"moonfund/store"
)

type unitCommands struct {
	Show unitShow `cmd:"" help:"Show one unit, and how it came to be where it is."`
}

type unitShow struct {
	reading
	Unit      string `arg:"" help:"The unit's id: txid:vout of a stake, or the id of a reward."`
	Community string `help:"Its community; needed only when several have one of that name."`
}

type unitView struct {
	ID            string     `json:"id"`
	Community     string     `json:"community"`
	Owner         string     `json:"owner"`
	Origin        string     `json:"origin"`
	Amount        string     `json:"amount"`
	Stage         string     `json:"stage"`
	EligibleEpoch int64      `json:"eligible_epoch"` // -1 for none, like the next three
	StakedTo      int64      `json:"staked_to"`
	UnlockEpoch   int64      `json:"unlock_epoch"`
	RewardEpoch   int64      `json:"reward_epoch"`
	Order         string     `json:"order"`
	Created       time.Time  `json:"created"`
	Height        int64      `json:"height"` // of its deposit
	Vanished      bool       `json:"vanished"`
	Contested     bool       `json:"contested"`
	Moves         []moveView `json:"moves,omitempty"`
}

type moveView struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`
	From  string    `json:"from"`
	To    string    `json:"to"`
	Cause string    `json:"cause"`
}

func viewUnit(u ledger.Unit) unitView {
	return unitView{
		ID: u.ID, Community: u.Community, Owner: u.Owner, Origin: string(u.Origin), Amount: u.Amount.String(), Stage: string(u.Stage),
		EligibleEpoch: u.EligibleEpoch, StakedTo: u.StakedTo, UnlockEpoch: u.UnlockEpoch, RewardEpoch: u.RewardEpoch,
		Order: u.OrderID, Created: u.Created, Height: u.Height, Vanished: u.Vanished, Contested: u.Contested,
	}
}

// Run is `moonfund unit show`.
func (c unitShow) Run(ctx context.Context) error {
	return c.view(ctx, func(tx *store.Tx) error {
		communities, err := chosen(ctx, tx, c.Community)
		if err != nil {
			return err
		}
		var found []ledger.Unit
		for _, community := range communities {
			u, err := tx.Unit(ctx, community, c.Unit)
			if err == nil {
				found = append(found, u)
			} else if !errors.Is(err, ledger.ErrNotFound) {
				return err
			}
		}
		switch len(found) {
		case 0:
			return fmt.Errorf("the ledger has no unit %q; one whose deposit was replaced is gone", c.Unit)
		case 1:
			return c.print(ctx, tx, found[0])
		}
		return fmt.Errorf("several communities have a unit %q: name one with --community", c.Unit)
	})
}

func (c unitShow) print(ctx context.Context, tx *store.Tx, u ledger.Unit) error {
	view := viewUnit(u)
	lines, err := tx.JournalAbout(ctx, u.Community, u.ID)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, l := range lines {
		cause := strings.TrimSpace(l.Cause.Kind + " " + l.Cause.ID)
		view.Moves = append(view.Moves, moveView{l.Cause.At, l.Event, l.From, l.To, cause})
		rows = append(rows, []string{shortTime(l.Cause.At), l.Event, l.From, l.To, cause})
	}
	if c.JSON {
		return printJSON(view)
	}
	if err := fields(
		"unit", u.ID, "community", u.Community, "owner", u.Owner, "origin", string(u.Origin),
		"holds", fmt.Sprintf("%s (%s base units)", u.Amount.Decimal(8), u.Amount), "stage", string(u.Stage),
		"rewarded from epoch", height(u.EligibleEpoch), "and to epoch", height(u.StakedTo), "unlocks with epoch", height(u.UnlockEpoch),
		"earned in epoch", height(u.RewardEpoch), "order", orDash(u.OrderID), "deposit in block", height(u.Height),
		"its output", outputWords(u),
	); err != nil {
		return err
	}
	return section("Moves", "AT (UTC),EVENT,FROM,TO,CAUSE", rows)
}

func outputWords(u ledger.Unit) string {
	switch {
	case u.Virtual():
		return "none: the treasury backs it"
	case u.Vanished:
		return "another transaction took its place"
	case u.Contested:
		return "spent by somebody else than us"
	}
	return "as the ledger expects it"
}
