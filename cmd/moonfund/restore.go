package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/stop"
	"moonfund/internal/staking/community"
	"moonfund/internal/store/backup"
)

type restoreCommand struct {
	changing
	Communities string `env:"MOONFUND_COMMUNITIES" help:"${help_communities}" type:"path"`
	File        string `arg:"" help:"The backup." type:"path"`
}

// Run is `moonfund restore`: it restores a backup to the configured ledger, which starts paused.
func (c restoreCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	var archive *backup.Archive
	if err := asRoot(func() (err error) { // the backup may come from another machine
		archive, err = backup.Open(c.File)
		return err
	}); err != nil {
		return err
	}
	defer archive.Close()
	target := c.target(archive.About)
	if err := c.agree(target.Log.Detail); err != nil {
		return err
	}
	old, err := target.Restore(ctx, archive)
	if err != nil && old != "" {
		err = fmt.Errorf("%w. The old ledger is in %s", err, old)
	}
	if err != nil {
		return err
	}
	return c.print(archive.About, func() error {
		fmt.Printf("Restored into %s. Everything is paused.\n", c.Data)
		if old != "" {
			fmt.Printf("The old ledger is in %s. Delete it when the audit is clean.\n", old)
		}
		fmt.Printf("Next:\n%s", c.next())
		return nil
	})
}

// next returns the steps after a restore.
func (c restoreCommand) next() (steps string) {
	restored := filepath.Join(c.Data, "communities")
	_, err := os.Stat(restored)
	if manifests, _ := community.Files(c.Communities); err == nil && len(manifests) == 0 {
		steps = fmt.Sprintf("  sudo cp %s/* %s/\n", restored, cmp.Or(c.Communities, "/etc/moonfund/communities"))
	}
	return steps + "  sudo systemctl start moonfund\n  moonfund doctor        (until the chain is followed to its tip)\n" +
		"  moonfund audit\n  moonfund resume all\n"
}

// target returns the destination of the restore, and its log entry, whose detail is the preview.
func (c restoreCommand) target(about backup.About) backup.Target {
	target := backup.Target{
		Data: c.Data, Database: c.Database,
		Pause: fmt.Sprintf(stop.Restored+"%s from the backup of %s UTC (%s): what happened after it is not in this ledger; "+
			"when the server has followed the chain, run `moonfund audit`",
			strings.TrimSpace(c.By), terminal.Time(about.Made), about.Position()),
	}
	preview := fmt.Sprintf("The backup of %s (%s; %s; made by moonfund %s) becomes the ledger in %s%s.\n"+
		"Later changes are not in it. The server starts paused on it, "+
		"and finds on the chain what was paid meanwhile.", terminal.Time(about.Made), about.Position(),
		strings.Join(append(slices.Clone(about.Communities), about.Networks...), ", "), about.Program, c.Data, about.Extras())
	if target.Replaces() {
		preview += "\nThe ledger that is there now is set aside, in a folder before-restore-… beside it."
	}
	if kept := target.Kept(about); len(kept) > 0 {
		preview += "\nKept as they are, because they are newer: " + strings.Join(kept, ", ") + "."
	}
	target.Log = c.author().Line(time.Now().UTC(), "restore", filepath.Base(c.File), preview)
	return target
}
