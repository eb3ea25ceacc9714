package server

import (
	"context"
	"errors"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// notify reports to systemd a state of this process. Without systemd it does nothing.
func (s *Server) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.Log.Warn("systemd is not notified", "state", state, "error", err)
	}
}

// watchdog reports to systemd that the server is alive, at half of the interval that the unit sets, until ctx ends. A
// server whose database answers with an error is alive; one that waits for it longer than the interval is not.
func (s *Server) watchdog(ctx context.Context) {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.Log.Warn("the unit's WatchdogSec can't be read", "error", err)
	}
	if interval <= 0 {
		return
	}
	tick := time.NewTicker(interval / 2)
	defer tick.Stop()
	for {
		if s.alive(ctx, interval/4) {
			s.notify(daemon.SdNotifyWatchdog)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Server) alive(ctx context.Context, patience time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return !errors.Is(s.Store.Ping(ctx), context.DeadlineExceeded)
}
