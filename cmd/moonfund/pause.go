package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moonfund/ledger"
	"moonfund/store"
)

type pauseCommand struct {
	changing
	What string `arg:"" enum:"payouts,all" help:"payouts: nothing is sent, all else goes on. all: every change is refused, reads go on."`
}

type resumeCommand struct {
	changing
	What string `arg:"" enum:"payouts,all" help:"payouts or all."`
}

type pauseView struct {
	What   string    `json:"what"`
	Paused bool      `json:"paused"`
	Reason string    `json:"reason"`
	Since  time.Time `json:"since,omitzero"`
	Orders int       `json:"orders_extended"`
}

// Run is `moonfund pause`.
func (c pauseCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	view := pauseView{What: c.What, Paused: true, Reason: strings.TrimSpace(c.Why)}
	if err := db.Update(ctx, func(tx *store.Tx) error {
		setting := store.Pauses[c.What]
		reason, since, err := tx.PausedSince(ctx, setting)
		if err != nil {
			return err
		}
		if reason != "" {
			return fmt.Errorf("%s is paused already, since %s: %s", c.What, shortTime(since), reason)
		}
		if view.Since, err = now(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Log(ctx, c.line(view.Since, "pause", c.What, "")); err != nil {
			return err
		}
		return tx.Pause(ctx, setting, strings.TrimSpace(c.By)+": "+view.Reason, view.Since)
	}); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(view)
	}
	fmt.Printf("Paused: %s. `moonfund resume %s` ends it.\n", c.What, c.What)
	return nil
}

// goesOnBehind is what an operator must have read who goes on with an older copy of a ledger.
const goesOnBehind = "This ledger is behind its key's high-water mark. After this it is the one that goes on: every other copy is refused from then on.\n" +
	"Stakes that only the other copy knows are not known here until `moonfund ledger adopt` takes them in."

// Run is `moonfund resume`.
func (c resumeCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	var reason string
	var since time.Time
	var mark store.Standing
	behind := false
	if err := db.View(ctx, func(tx *store.Tx) (err error) {
		if reason, since, err = tx.PausedSince(ctx, store.Pauses[c.What]); err != nil || c.What != "all" {
			return err
		}
		mark, behind, err = tx.Behind(ctx)
		return err
	}); err != nil {
		return err
	}
	if reason == "" {
		return fmt.Errorf("%s is not paused", c.What)
	}
	preview := fmt.Sprintf("Paused: %s, since %s, because:\n  %s\nAfter this the server goes on by itself: what is due is sent.", c.What, shortTime(since), reason)
	if c.What == "all" {
		preview += "\nThe deadlines of open orders move by the length of the pause."
	}
	if behind {
		preview += "\n" + goesOnBehind
	}
	if err := c.agree(preview); err != nil {
		return err
	}
	view := pauseView{What: c.What}
	if err := db.Update(ctx, func(tx *store.Tx) error {
		still, _, err := tx.PausedSince(ctx, store.Pauses[c.What])
		if err != nil {
			return err
		}
		if still != reason {
			return fmt.Errorf("the pause changed meanwhile, nothing was done: it is now %q", still)
		}
		if behind {
			if err := tx.AcceptBehind(ctx, mark); err != nil {
				return err
			}
		}
		at, err := now(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Log(ctx, c.line(at, "resume", c.What, reason)); err != nil {
			return err
		}
		cause := ledger.Cause{Kind: "operator", ID: strings.TrimSpace(c.By) + ": " + strings.TrimSpace(c.Why), At: at}
		view.Orders, err = tx.Resume(ctx, store.Pauses[c.What], cause)
		return err
	}); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(view)
	}
	fmt.Printf("Resumed: %s. The deadlines of %d orders moved.\n", c.What, view.Orders)
	return nil
}
