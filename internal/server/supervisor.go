package server

import (
	"context"
	"errors"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// notify reports a state of this process to systemd. Without systemd it does nothing.
func (s *Server) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.Log.Warn("systemd is not notified", "state", state, "error", err)
	}
}

// watchdog reports to systemd, at half of the unit's interval, that the server is alive, until ctx is done. A server
// whose database returns an error is alive. A server that waits for the database longer than the interval is not.
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

// alive reports whether the database responds, with or without an error, within the given time.
func (s *Server) alive(ctx context.Context, patience time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return !errors.Is(s.Store.Ping(ctx), context.DeadlineExceeded)
}
