package main

import (
	"context"
	"fmt"

	"moonfund/internal/operate/decisions"
)

type pauseCommand struct {
	changing
	What string `arg:"" enum:"payouts,all" help:"${help_pause_what}"`
}

// Run is `moonfund pause`.
func (c pauseCommand) Run(ctx context.Context) error {
	view, err := change(ctx, c.changing, decisions.Pause(c.author(), c.What))
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		fmt.Printf("Paused: %s. `moonfund resume %s` ends it.\n", c.What, c.What)
		return nil
	})
}

type resumeCommand struct {
	changing
	What string `arg:"" enum:"payouts,all" help:"payouts or all."`
}

// Run is `moonfund resume`.
func (c resumeCommand) Run(ctx context.Context) error {
	view, err := change(ctx, c.changing, decisions.Resume(c.author(), c.What))
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		fmt.Printf("Resumed: %s. The deadlines of %d orders moved.\n", c.What, view.Orders)
		return nil
	})
}
