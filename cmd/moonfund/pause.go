package main

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/stop"
	"moonfund/internal/store"
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
		fmt.Printf("Paused: %s. `%s` ends it.\n", name, decisions.ResumeCommand(name))
		return nil
	})
}

// paused returns the name of the pause to end: the named one, or the only one.
func (c resumeCommand) paused(ctx context.Context) (string, error) {
	if c.What != "" {
		return c.name(c.What)
	}
	if c.Community != "" {
		return c.name("payouts")
	}
	pauses, err := read(ctx, c.reading, func(tx *store.Tx) ([]stop.Pause, error) {
		return stop.Pauses(ctx, tx)
	})
	switch {
	case err != nil:
		return "", err
	case len(pauses) == 0:
		return "", errors.New("nothing is paused")
	case len(pauses) == 1:
		return pauses[0].What, nil
	}
	text := "name one of the pauses:"
	for _, p := range pauses {
		text += fmt.Sprintf("\n  %s    (since %s: %s)", decisions.ResumeCommand(p.What), terminal.Time(p.Since), p.Reason)
	}
	return "", errors.New(text)
}

type resumeCommand struct {
	changing
	pausing
	What string `arg:"" optional:"" default:"" enum:",payouts,all" help:"${help_resume_what}"`
}

// Run is `moonfund resume`.
func (c resumeCommand) Run(ctx context.Context) error {
	name, err := c.paused(ctx)
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
