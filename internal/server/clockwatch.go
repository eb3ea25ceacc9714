package server

import (
	"context"
	"time"

	"moonfund/internal/epoch"
	"moonfund/internal/server/stop"
	"moonfund/internal/store"
)

// Intervals of the clock check.
const (
	clockInterval = 5 * time.Second
	maxDoubt      = time.Minute // after which everything is paused until an operator resumes
)

// clockWatch pauses everything if the clock remains in doubt for maxDoubt. The clock returns errors to all callers
// while it is in doubt; the pause is stored, so it remains after a restart.
type clockWatch struct {
	*Server
	doubted bool // the clock was in doubt at the last check
	paused  bool // clockWatch paused everything: when an operator resumes, the present clock is accepted
}

// watchClock checks the clock until ctx ends.
func (s *Server) watchClock(ctx context.Context) {
	watch := clockWatch{Server: s}
	tick := time.NewTicker(clockInterval)
	defer tick.Stop()
	for {
		if err := watch.check(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("watching the clock", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// check compares the clock with the database's, logs a change of its state, and pauses everything if the doubt lasts.
func (w *clockWatch) check(ctx context.Context) error {
	if w.Store.Shared() {
		databaseTime, err := w.Store.Time(ctx)
		if err != nil {
			return err
		}
		w.Clock.System().Compare(databaseTime)
	}
	_, err := w.Clock.Moment()
	if doubted := err != nil; doubted != w.doubted {
		if w.doubted = doubted; doubted {
			w.Log.Error("the clock is in doubt: no decision is made", "reason", err.Error())
		} else {
			w.Log.Info("the clock is trusted again")
		}
	}
	if err == nil {
		w.paused = false // the pause lasts until an operator resumes
		return nil
	}
	if w.paused {
		return w.acceptResumed(ctx)
	}
	skew, lasted := w.Clock.System().Doubt()
	if skew == nil || skew.Than == epoch.Database || lasted < maxDoubt || !w.Leads() {
		return nil // no pause is needed for a difference from the database's clock: a restarted server detects it again
	}
	reason := stop.ByClock + err.Error()
	now := w.now()
	err = w.Store.Update(ctx, func(tx *store.Tx) error { return tx.PauseByServer(ctx, store.PauseAll, reason, now) })
	w.paused = err == nil
	return err
}

// acceptResumed accepts the present clock if an operator ended the pause.
func (w *clockWatch) acceptResumed(ctx context.Context) error {
	var reason string
	err := w.Store.View(ctx, func(tx *store.Tx) (err error) {
		reason, err = tx.PausedAll(ctx)
		return err
	})
	if err != nil || reason != "" {
		return err
	}
	w.paused = false
	w.Log.Warn("everything was resumed while the clock was in doubt: the present clock is accepted")
	w.Clock.System().Accept()
	return nil
}
