package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	copyRecord  = "copied.json" // file in the folder of the backups with the last Copy
	copyTimeout = time.Hour
)

// ErrCopy is the error of a backup that was written but not copied to another place.
var ErrCopy = errors.New("the command that copies the backup failed")

// Copy is the result of the last run of the command that copies backups.
type Copy struct {
	File  string    `json:"file,omitempty"`  // the newest backup that was copied
	At    time.Time `json:"at,omitzero"`     // the time of that backup
	Error string    `json:"error,omitempty"` // why a later one was not copied
}

// CopyWith makes Run call a command of the shell after each backup, with the path of the backup in $BACKUP. Call it
// before Run. It does nothing on a nil schedule.
func (s *Schedule) CopyWith(command string) {
	if s != nil {
		s.command = command
	}
}

// ReadCopy returns the result of the last run of the command in a folder of backups. The error is fs.ErrNotExist if the
// command has not run yet.
func ReadCopy(folder string) (last Copy, err error) {
	text, err := os.ReadFile(filepath.Join(folder, copyRecord))
	if err == nil {
		err = json.Unmarshal(text, &last)
	}
	return last, err
}

// copyNewest copies the newest backup if it is not copied, because the command is new or has failed. Otherwise an alert
// would fire until the next backup.
func (s *Schedule) copyNewest(ctx context.Context) error {
	if s.command == "" || s.copied.Load() >= s.latest.Load() {
		return nil
	}
	newest := s.Latest().UTC()
	return s.copy(ctx, newest.Format(fileFormat), newest)
}

// copy runs the command for a backup of the folder, and records the result for `moonfund doctor`.
func (s *Schedule) copy(ctx context.Context, file string, made time.Time) error {
	if s.command == "" {
		return nil
	}
	last, _ := ReadCopy(s.folder) // without a record, or with a broken one, no copy is known
	failure := s.runCommand(ctx, filepath.Join(s.folder, file))
	if failure != nil {
		last.Error = failure.Error()
	} else {
		last = Copy{File: file, At: made}
		s.copied.Store(made.Unix())
	}
	text, err := json.Marshal(last)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.folder, copyRecord), append(text, '\n'), 0o600)
	}
	return errors.Join(failure, err)
}

// runCommand runs the command without the server's own settings, which may contain secrets.
func (s *Schedule) runCommand(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, copyTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", s.command)
	command.WaitDelay = 10 * time.Second
	for _, line := range os.Environ() {
		if !strings.HasPrefix(line, "MOONFUND_") {
			command.Env = append(command.Env, line)
		}
	}
	command.Env = append(command.Env, "BACKUP="+path)
	output, err := command.CombinedOutput()
	if err == nil {
		return nil
	}
	const longest = 300
	text := strings.Join(strings.Fields(string(output)), " ")
	return fmt.Errorf("%w: %w: %s", ErrCopy, err, text[max(0, len(text)-longest):])
}
