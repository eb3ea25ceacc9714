package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/signer"
	"moonfund/internal/store/backup"
)

type backupCommand struct {
	reading
	File        string `arg:"" optional:"" help:"${help_backup_file}" type:"path"`
	Backups     string `env:"MOONFUND_BACKUPS" help:"${help_backups}" type:"path"`
	Key         string `env:"MOONFUND_KEY" help:"Key file to include; it stays encrypted." type:"path"`
	Communities string `env:"MOONFUND_COMMUNITIES" help:"Folder of the manifests to include." type:"path"`
}

// Run is `moonfund backup`: one file with the ledger at one instant, while the server runs.
func (c backupCommand) Run(ctx context.Context) error {
	if c.File == "" && c.Backups == "" {
		return errors.New("name the file to write, or set MOONFUND_BACKUPS, the folder of the backups")
	}
	c.File = cmp.Or(c.File, filepath.Join(c.Backups, "by-hand-"+time.Now().UTC().Format("20060102T150405Z")+".zip"))
	if c.Key != "" && !signer.IsKeyFile(c.Key) {
		return fmt.Errorf("--key: %s is not a key file", c.Key)
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	var about backup.About
	if err := asCaller(func() (err error) {
		about, err = c.source().Write(ctx, db, c.File)
		return err
	}); err != nil {
		return err
	}
	return c.print(about, func() error {
		fmt.Printf("Wrote %s: the ledger up to block %s, %d rows%s.\n",
			c.File, terminal.Height(about.Height), about.Rows, about.Extras())
		if missing := c.missing(); missing != "" {
			fmt.Printf("Not included: %s.\n", missing)
		}
		return nil
	})
}

func (c backupCommand) source() backup.Source {
	return backup.Source{Data: c.Data, Key: c.Key, Communities: c.Communities, Program: version}
}

// missing lists what the backup does not include because a flag is not set; "" if it includes everything.
func (c backupCommand) missing() string {
	var missing []string
	if c.Key == "" {
		missing = append(missing, "the key file (--key)")
	}
	if c.Communities == "" {
		missing = append(missing, "the manifests (--communities)")
	}
	return strings.Join(missing, " and ")
}
