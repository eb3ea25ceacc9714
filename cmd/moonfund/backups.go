package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"moonfund/internal/store"
	"moonfund/internal/store/backup"
)

// backupFlags are the flags of automatic backups.
type backupFlags struct {
	Backups       string        `env:"MOONFUND_BACKUPS" help:"${help_backups}" type:"path"`
	BackupEvery   time.Duration `default:"1h" env:"MOONFUND_BACKUP_EVERY" help:"Time between automatic backups."`
	BackupCommand string        `env:"MOONFUND_BACKUP_COMMAND" help:"${help_backup_command}"`
}

func (f backupFlags) check() error {
	if f.Backups == "" && f.BackupCommand != "" {
		return errors.New("--backup-command runs after automatic backups, which need --backups")
	}
	if f.Backups == "" {
		return nil
	}
	if info, err := os.Stat(f.Backups); err != nil || !info.IsDir() {
		return fmt.Errorf("--backups: %s is not a folder", f.Backups)
	}
	if f.BackupEvery < time.Minute {
		return fmt.Errorf("--backup-every is %s; it must be at least 1m", f.BackupEvery)
	}
	return nil
}

// schedule returns the schedule of the server's automatic backups, or nil if there are none.
func (c serveCommand) schedule(db *store.Store, log *slog.Logger) *backup.Schedule {
	if c.Backups == "" {
		return nil
	}
	source := backup.Source{Data: c.Data, Key: c.Key, Communities: c.Communities, Program: version}
	schedule := backup.NewSchedule(c.Backups, c.BackupEvery, func(ctx context.Context, file string) (backup.About, error) {
		return source.Write(ctx, db, file)
	}, log)
	schedule.CopyWith(c.BackupCommand)
	return schedule
}
