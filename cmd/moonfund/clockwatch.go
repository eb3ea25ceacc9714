package main

import (
	"context"
	"time"

	"moonfund/epoch"
	"moonfund/store"
)

// How the clock is watched.
const (
	clockLooks    = 5 * time.Second
	clockPatience = time.Minute // of doubt, until everything is paused for a person to look
)

// clockWatch is what is done about a clock in doubt. Each decision is refused by
// the clock itself, at once; this is for what lasts, and must outlive a restart.
type clockWatch struct {
	*house
	doubted bool
	paused  bool // by us: when a person resumes, the clock is right as it stands
}

// watchClock looks at the clock until ctx ends.
func (h *house) watchClock(ctx context.Context) {
	watch := clockWatch{house: h}
	tick := time.NewTicker(clockLooks)
	defer tick.Stop()
	for {
		if err := watch.look(ctx); err != nil && ctx.Err() == nil {
			h.log.Error("watching the clock", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (w *clockWatch) look(ctx context.Context) error {
	if w.store.Shared() {
		theirs, err := w.store.Time(ctx)
		if err != nil {
			return err
		}
		w.clock.system().Compare(theirs)
	}
	_, err := w.clock.moment()
	if doubted := err != nil; doubted != w.doubted {
		if w.doubted = doubted; doubted {
			w.log.Error("the clock is in doubt: nothing is decided", "reason", err.Error())
		} else {
			w.log.Info("the clock is trusted again")
		}
	}
	if err == nil {
		w.paused = false // the pause stands until a person ends it
		return nil
	}
	if w.paused {
		return w.resumed(ctx)
	}
	_, leads := w.seat.lease.Term()
	skew, lasted := w.clock.system().Doubt()
	if skew == nil || skew.Than == epoch.Database || lasted < clockPatience || !leads {
		return nil // two machines that disagree are found out again after a restart
	}
	reason := "clock: " + err.Error()
	now := w.clock.shown().Now
	err = w.store.Update(ctx, func(tx *store.Tx) error { return tx.Pause(ctx, store.PauseAll, reason, now) })
	w.paused = err == nil
	return err
}

// resumed takes the clock as it is when a person ended the pause.
func (w *clockWatch) resumed(ctx context.Context) error {
	var standing string
	err := w.store.View(ctx, func(tx *store.Tx) (err error) {
		standing, err = tx.PausedAll(ctx)
		return err
	})
	if err != nil || standing != "" {
		return err
	}
	w.paused = false
	w.log.Warn("everything was resumed while the clock was in doubt: it is taken for right")
	w.clock.system().Accept()
	return nil
}
