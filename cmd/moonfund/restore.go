package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/backup"
	"moonfund/console"
	"moonfund/store"
)

type restoreCommand struct {
	changing
	File string `arg:"" help:"The backup." type:"path"`
}

// Run is `moonfund restore`: a backup becomes a new ledger, which begins paused.
func (c restoreCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	archive, err := backup.Open(c.File)
	if err != nil {
		return err
	}
	defer archive.Close()
	if err := c.free(archive.About); err != nil {
		return err
	}
	if err := c.agree(c.preview(archive.About)); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("the data folder can't be made: %w", err)
	}
	if err := c.load(ctx, archive); err != nil {
		return err
	}
	if c.JSON {
		return console.JSON(archive.About)
	}
	fmt.Printf("Restored into %s. Everything is paused: start the server, let it follow the chain to its end, run `moonfund audit`,\n"+
		"and then `moonfund resume all`.\n", c.Data)
	return nil
}

func (c restoreCommand) preview(about backup.About) string {
	return fmt.Sprintf("The backup of %s (%s; %s; made by moonfund %s) becomes a new ledger in %s%s.\n"+
		"What happened after it is not in it. The server that runs on it starts paused, and finds on the chain what was paid meanwhile.",
		console.Time(about.Made), blockWords(about), strings.Join(append(slices.Clone(about.Communities), about.Networks...), ", "), about.Program, c.Data, andFiles(about))
}

// reason is why a restored ledger is paused.
func (c restoreCommand) reason(about backup.About) string {
	return fmt.Sprintf("restored by %s from the backup of %s UTC (%s): what happened after it is not in this ledger; when the server has followed the chain, look at `moonfund audit`",
		strings.TrimSpace(c.By), console.Time(about.Made), blockWords(about))
}

// free refuses to write over anything.
func (c restoreCommand) free(about backup.About) error {
	names := []string{}
	if c.Database == "" {
		names = append(names, "ledger.db")
	}
	for _, f := range about.Files {
		if f.Name != ledgerEntry {
			names = append(names, strings.Split(f.Name, "/")[0])
		}
	}
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(c.Data, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already: a backup is restored into a new --data folder", filepath.Join(c.Data, name))
		}
	}
	return nil
}

// load writes the files first and the ledger last, under its name only when it is
// whole: a restore that was cut off is no ledger.
func (c restoreCommand) load(ctx context.Context, archive *backup.Archive) error {
	for _, f := range archive.About.Files {
		if f.Name == ledgerEntry {
			continue
		}
		if err := c.unpack(archive, f.Name); err != nil {
			return err
		}
	}
	rows, err := archive.Entry(ledgerEntry)
	if err != nil {
		return err
	}
	defer rows.Close()
	pause := &store.Pause{Reason: c.reason(archive.About), Since: archive.About.Made}
	if c.Database != "" {
		if err := store.Load(ctx, c.address(), rows, pause); err != nil {
			return err
		}
		return c.record(ctx, archive.About)
	}
	making, err := os.MkdirTemp(c.Data, ".restoring-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(making)
	whole := filepath.Join(making, "ledger.db")
	if err := store.Load(ctx, "sqlite:"+whole, rows, pause); err != nil {
		return err
	}
	if err := os.Rename(whole, filepath.Join(c.Data, "ledger.db")); err != nil {
		return err
	}
	return c.record(ctx, archive.About)
}

// unpack writes one file of the backup below the data folder.
func (c restoreCommand) unpack(archive *backup.Archive, name string) (err error) {
	from, err := archive.Entry(name)
	if err != nil {
		return err
	}
	defer from.Close()
	to := filepath.Join(c.Data, filepath.FromSlash(path.Clean(name)))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Sync(), file.Close())
}

// record writes into the restored ledger who restored it, when and why.
func (c restoreCommand) record(ctx context.Context, about backup.About) error {
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.Log(ctx, c.author().Line(time.Now().UTC(), "restore", filepath.Base(c.File), c.preview(about)))
		return err
	})
}
