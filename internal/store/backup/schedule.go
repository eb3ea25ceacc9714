package backup

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// The newest keptBackups scheduled backups are kept, and the last one of each of the newest keptDays days with backups.
const (
	keptBackups = 24
	keptDays    = 30
	fileFormat  = "moonfund-20060102T150405Z.zip" // file name, with the time of the backup in UTC
)

// Schedule writes backups at a regular interval and deletes old ones.
type Schedule struct {
	folder string
	every  time.Duration
	write  func(ctx context.Context, file string) (About, error)
	log    *slog.Logger
	latest atomic.Int64                         // Unix time of the newest backup, in seconds; 0 for none
	result func(ctx context.Context, err error) // see OnResult

	polls   time.Duration // interval of the checks whether a backup is due
	command string        // see CopyWith
	copied  atomic.Int64  // Unix time of the newest backup that the command copied, in seconds; 0 for none
}

// NewSchedule returns a schedule that calls write with the path of a new file in the folder once per interval.
func NewSchedule(
	folder string, every time.Duration, write func(ctx context.Context, file string) (About, error), log *slog.Logger,
) *Schedule {
	s := &Schedule{folder: folder, every: every, write: write, log: log, polls: time.Minute,
		result: func(context.Context, error) {}}
	if all, err := s.made(); err == nil && len(all) > 0 {
		s.latest.Store(all[len(all)-1].Unix())
	}
	if last, err := ReadCopy(folder); err == nil {
		s.copied.Store(last.At.Unix())
	}
	return s
}

// Folder returns the folder of the backups.
func (s *Schedule) Folder() string { return s.folder }

// OnResult makes Run call fn after each backup, with nil or with the error. Call it before Run. It does nothing on a
// nil schedule.
func (s *Schedule) OnResult(fn func(ctx context.Context, err error)) {
	if s != nil {
		s.result = fn
	}
}

// Latest returns the time of the newest backup, or the Unix epoch if there is none.
func (s *Schedule) Latest() time.Time { return time.Unix(s.latest.Load(), 0) }

// Copied returns the time of the newest backup that the command copied, or the Unix epoch if there is none. known is
// false without a command.
func (s *Schedule) Copied() (at time.Time, known bool) {
	return time.Unix(s.copied.Load(), 0), s.command != ""
}

// Run writes backups until ctx is done, and copies the newest one first if it is not copied. Of several servers on one
// database only the leader does. Run logs a failure to write and retries at the next tick. On a nil schedule it returns
// immediately.
func (s *Schedule) Run(ctx context.Context, leads func() bool) {
	if s == nil {
		return
	}
	tick := time.NewTicker(min(s.every, s.polls))
	defer tick.Stop()
	for led := false; ; {
		isFirst := !led
		led = leads()
		isDue := time.Since(s.Latest()) >= s.every
		if led && (isDue || isFirst) {
			var err error
			if isDue {
				err = s.make(ctx, time.Now().UTC())
			} else {
				err = s.copyNewest(ctx)
			}
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				s.log.Error("the backup failed", "error", err.Error())
			}
			s.result(ctx, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// make writes a backup, deletes old ones, and runs the command.
func (s *Schedule) make(ctx context.Context, now time.Time) error {
	file := filepath.Join(s.folder, now.Format(fileFormat))
	about, err := s.write(ctx, file)
	if err != nil {
		return err
	}
	s.latest.Store(now.Unix())
	s.log.Info("backup written", "file", file, "block", about.Height, "rows", about.Rows)
	return errors.Join(s.prune(), s.copy(ctx, filepath.Base(file), now))
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

// prune deletes expired scheduled backups. It keeps every file whose name does not match fileFormat.
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
