package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"moonfund/backup"
	"moonfund/store"
)

// backupFlags are for a server that makes backups by itself.
type backupFlags struct {
	Backups     string        `env:"MOONFUND_BACKUPS" help:"${help_backups}" type:"path"`
	BackupEvery time.Duration `default:"1h" env:"MOONFUND_BACKUP_EVERY" help:"Time between automatic backups."`
}

func (f backupFlags) check() error {
	if f.Backups == "" {
		return nil
	}
	if info, err := os.Stat(f.Backups); err != nil || !info.IsDir() {
		return fmt.Errorf("--backups: %s is no folder", f.Backups)
	}
	if f.BackupEvery < time.Minute {
		return fmt.Errorf("--backup-every is %s; it must be at least 1m", f.BackupEvery)
	}
	return nil
}

// schedule returns what makes the server's backups, or nil when it makes none.
func (c serveCommand) schedule(db *store.Store, log *slog.Logger) *backup.Schedule {
	if c.Backups == "" {
		return nil
	}
	command := backupCommand{Key: c.Key, Communities: c.Communities}
	command.Data, command.Database = c.Data, c.Database
	return backup.NewSchedule(c.Backups, c.BackupEvery, command.writeScheduled(db), log)
}

// writeScheduled returns a function that writes a backup of an open ledger to a file.
func (c backupCommand) writeScheduled(db *store.Store) func(context.Context, string) (backup.About, error) {
	return func(ctx context.Context, file string) (backup.About, error) {
		manifests, err := c.manifests()
		if err != nil {
			return backup.About{}, err
		}
		c.File = file
		return c.write(ctx, db, manifests)
	}
}
