package backup

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Of the backups that a server made by itself it keeps the newest, and before them the last one of each day.
const (
	keptBackups = 24
	keptDays    = 30
	fileFormat  = "moonfund-20060102T150405Z.zip"
)

// Schedule makes backups at regular intervals and deletes old ones.
type Schedule struct {
	folder string
	every  time.Duration
	write  func(ctx context.Context, file string) (About, error)
	log    *slog.Logger
	latest atomic.Int64 // Unix time of the newest backup; 0 for none
}

// NewSchedule returns a schedule that calls write for a new file in the folder once every interval has passed.
func NewSchedule(
	folder string, every time.Duration, write func(ctx context.Context, file string) (About, error), log *slog.Logger,
) *Schedule {
	s := &Schedule{folder: folder, every: every, write: write, log: log}
	if all, err := s.made(); err == nil && len(all) > 0 {
		s.latest.Store(all[len(all)-1].Unix())
	}
	return s
}

// Latest returns when the newest backup was made; the Unix epoch for none.
func (s *Schedule) Latest() time.Time { return time.Unix(s.latest.Load(), 0) }

// Run makes backups until ctx ends. Of several servers on one database only the leader makes them. A failure is logged
// and tried again at the next turn. A nil schedule makes none.
func (s *Schedule) Run(ctx context.Context, leads func() bool) {
	if s == nil {
		return
	}
	tick := time.NewTicker(min(s.every, time.Minute))
	defer tick.Stop()
	for {
		if leads() && time.Since(s.Latest()) >= s.every {
			if err := s.make(ctx, time.Now().UTC()); err != nil && ctx.Err() == nil {
				s.log.Error("no backup could be made", "error", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Schedule) make(ctx context.Context, now time.Time) error {
	file := filepath.Join(s.folder, now.Format(fileFormat))
	about, err := s.write(ctx, file)
	if err != nil {
		return err
	}
	s.latest.Store(now.Unix())
	s.log.Info("backup made", "file", file, "block", about.Height, "rows", about.Rows)
	return s.prune()
}

// made returns the times of the backups in the folder, oldest first.
func (s *Schedule) made() (all []time.Time, err error) {
	files, err := os.ReadDir(s.folder)
	for _, f := range files {
		if at, err := time.Parse(fileFormat, f.Name()); err == nil && !f.IsDir() && strings.HasPrefix(f.Name(), "moonfund-") {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all, err
}

// prune deletes old backups that the server made. It leaves every file with another name alone.
func (s *Schedule) prune() error {
	all, err := s.made()
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
		if err := os.Remove(filepath.Join(s.folder, at.Format(fileFormat))); err != nil {
			return err
		}
	}
	return nil
}
