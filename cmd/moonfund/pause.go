package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"moonfund/internal/operate/decisions"
)

type pauseCommand struct {
	reading
	unexplained
	pausing
	What string `arg:"" enum:"payouts,all" help:"${help_pause_what}"`
}

// pausing has the flags of the commands that begin and end a pause.
type pausing struct {
	Community string `help:"Only the payouts of this community."`
}

// name returns the name of a pause of payouts or all.
func (p pausing) name(what string) (string, error) {
	if what == "all" && p.Community != "" {
		return "", errors.New("only payouts can be paused for one --community")
	}
	if what == "payouts" {
		what = decisions.PayoutsOf(p.Community)
	}
	return what, nil
}

// Run is `moonfund pause`.
func (c pauseCommand) Run(ctx context.Context) error {
	name, err := c.name(c.What)
	if err != nil {
		return err
	}
	view, err := change(ctx, c.changing(c.reading), decisions.Pause(c.author(), name))
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		fmt.Printf("Paused: %s. `moonfund resume %s` ends it.\n", name, strings.Replace(name, ":", " --community ", 1))
		return nil
	})
}

type resumeCommand struct {
	changing
	pausing
	What string `arg:"" enum:"payouts,all" help:"payouts or all."`
}

// Run is `moonfund resume`.
func (c resumeCommand) Run(ctx context.Context) error {
	name, err := c.name(c.What)
	if err != nil {
		return err
	}
	view, err := change(ctx, c.changing, decisions.Resume(c.author(), name))
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		fmt.Printf("Resumed: %s. The deadlines of %d orders moved.\n", name, view.Orders)
		return nil
	})
}
