package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/store/backup"
)

type restoreCommand struct {
	changing
	File string `arg:"" help:"The backup." type:"path"`
}

// Run is `moonfund restore`: it restores a backup to a new ledger, which starts paused.
func (c restoreCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	archive, err := backup.Open(c.File)
	if err != nil {
		return err
	}
	defer archive.Close()
	target := c.target(archive.About)
	if err := target.Check(archive.About); err != nil {
		return err
	}
	if err := c.agree(target.Log.Detail); err != nil {
		return err
	}
	if err := target.Restore(ctx, archive); err != nil {
		return err
	}
	return c.print(archive.About, func() error {
		fmt.Printf("Restored into %s. Everything is paused: start the server, let it follow the chain to its tip, "+
			"run `moonfund audit`,\nand then `moonfund resume all`.\n", c.Data)
		return nil
	})
}

// target returns the destination of the restore, and its log entry, whose detail is the preview.
func (c restoreCommand) target(about backup.About) backup.Target {
	preview := fmt.Sprintf("The backup of %s (%s; %s; made by moonfund %s) becomes a new ledger in %s%s.\n"+
		"Later changes are not in it. The server starts paused on it, "+
		"and finds on the chain what was paid meanwhile.", terminal.Time(about.Made), about.Position(),
		strings.Join(append(slices.Clone(about.Communities), about.Networks...), ", "), about.Program, c.Data, about.Extras())
	return backup.Target{
		Data: c.Data, Database: c.Database,
		Pause: fmt.Sprintf("restored by %s from the backup of %s UTC (%s): what happened after it is not in this ledger; "+
			"when the server has followed the chain, run `moonfund audit`",
			strings.TrimSpace(c.By), terminal.Time(about.Made), about.Position()),
		Log: c.author().Line(time.Now().UTC(), "restore", filepath.Base(c.File), preview),
	}
}
