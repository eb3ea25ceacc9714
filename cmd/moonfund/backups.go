package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"moonfund/store"
)

// backupFlags are for a server that makes backups by itself.
type backupFlags struct {
	Backups     string        `env:"MOONFUND_BACKUPS" help:"Folder, best of another disk, for backups that the server makes by itself; none are made when not given." type:"path"`
	BackupEvery time.Duration `default:"1h" env:"MOONFUND_BACKUP_EVERY" help:"How often."`
}

// Of the backups that a server made by itself, the newest are kept, and of each
// day before them the last.
const (
	keptBackups = 24
	keptDays    = 30
	backupName  = "moonfund-20060102T150405Z.zip"
)

// backups makes a backup now and then.
type backups struct {
	backupCommand
	folder string
	every  time.Duration
	leads  func() bool
	log    *slog.Logger
	last   atomic.Int64 // Unix time of the newest one; 0 for none
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

// backups returns what makes the server's backups, nil when it makes none.
func (c serveCommand) backups(h *house) *backups {
	if c.Backups == "" {
		return nil
	}
	b := &backups{
		folder: c.backupFlags.Backups, every: c.BackupEvery, log: h.log,
		leads: func() bool { _, leads := h.seat.lease.Term(); return leads },
	}
	b.Data, b.Database, b.Key, b.Communities = c.Data, c.Database, c.Key, c.Communities
	if newest, err := b.made(); err == nil && len(newest) > 0 {
		b.last.Store(newest[len(newest)-1].Unix())
	}
	return b
}

// keep makes backups until ctx ends. Of several servers on one database the
// leader does; a failure is logged, and tried again with the next turn.
func (b *backups) keep(ctx context.Context, db *store.Store) {
	if b == nil {
		return
	}
	tick := time.NewTicker(min(b.every, time.Minute))
	defer tick.Stop()
	for {
		if b.leads() && time.Since(time.Unix(b.last.Load(), 0)) >= b.every {
			if err := b.make(ctx, db, time.Now().UTC()); err != nil && ctx.Err() == nil {
				b.log.Error("no backup could be made", "error", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (b *backups) make(ctx context.Context, db *store.Store, now time.Time) error {
	manifests, err := b.manifests()
	if err != nil {
		return err
	}
	c := b.backupCommand
	c.File = filepath.Join(b.folder, now.Format(backupName))
	about, err := c.write(ctx, db, manifests)
	if err != nil {
		return err
	}
	b.last.Store(now.Unix())
	b.log.Info("backup made", "file", c.File, "block", about.Height, "rows", about.Rows)
	return b.prune()
}

// made are the instants of the backups that are there, oldest first.
func (b *backups) made() (all []time.Time, err error) {
	files, err := os.ReadDir(b.folder)
	for _, f := range files {
		if at, err := time.Parse(backupName, f.Name()); err == nil && !f.IsDir() && strings.HasPrefix(f.Name(), "moonfund-") {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all, err
}

// prune removes old backups of the server's own; what people named is left alone.
func (b *backups) prune() error {
	all, err := b.made()
	if err != nil {
		return err
	}
	days := map[string]bool{}
	for i, at := range slices.Backward(all) {
		day := at.Format(time.DateOnly)
		last := !days[day]
		days[day] = true
		if i >= len(all)-keptBackups || (last && len(days) <= keptDays) {
			continue
		}
		if err := os.Remove(filepath.Join(b.folder, at.Format(backupName))); err != nil {
			return err
		}
	}
	return nil
}
