package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
)

// lead is a server's part in the leadership among the servers on one database. The leader follows the chain and
// prepares payouts. The other servers respond to calls and accept actions; they are ready if the leader is.
type lead struct {
	lease      *store.Lease
	changed    atomic.Bool // this server made a change that is not announced to the other servers yet
	lastChange int64       // number of the latest announcement that pages were notified of; only keepLease uses it
}

// Leads reports whether this server is the leader.
func (s *Server) Leads() bool {
	_, leads := s.lead.lease.Term()
	return leads
}

// Seize acquires the leader lease even if another server holds it.
func (s *Server) Seize(ctx context.Context) error { return s.lead.lease.Seize(ctx) }

// follow keeps the lease and follows the chain until ctx is done. It releases the lease last, so that another server
// can become the leader immediately.
func (s *Server) follow(ctx context.Context, interval time.Duration) {
	keeping, release := context.WithCancel(context.WithoutCancel(ctx))
	var kept sync.WaitGroup
	kept.Go(func() { s.keepLease(keeping) })
	s.Follower.Run(ctx, interval)
	release()
	kept.Wait()
}

// keepLease acquires the leader lease when no other server holds it, and exchanges announcements with the other
// servers, until ctx is done.
func (s *Server) keepLease(ctx context.Context) {
	led := s.Leads()
	var last string
	s.lead.lease.Run(ctx, func() string { return s.Follower.State().Record() }, func(err error) {
		if term, leads := s.lead.lease.Term(); leads != led {
			led = leads
			s.Log.Info("the lead changed hands", "leading", leads, "term", term)
			s.Follower.Wake()
		}
		if s.Store.Shared() && ctx.Err() == nil {
			err = errors.Join(err, s.exchange(ctx))
		}
		text := ""
		if err != nil && ctx.Err() == nil {
			text = err.Error()
		}
		if text != last && text != "" {
			s.Log.Error("keeping the lease", "error", text)
		}
		last = text
	})
}

// exchange announces this server's changes to the other servers, and notifies the pages of changes by the others.
func (s *Server) exchange(ctx context.Context) error {
	announced, err := s.Store.Announced(ctx)
	if err != nil {
		return err
	}
	if announced != s.lead.lastChange {
		s.lead.lastChange = announced
		s.hub.All()
	}
	if !s.lead.changed.Swap(false) {
		return nil
	}
	if announced, err = s.Store.Announce(ctx); err != nil {
		s.lead.changed.Store(true)
		return err
	}
	if announced == s.lead.lastChange+1 {
		s.lead.lastChange = announced // the only new announcement is this server's own
	}
	return nil
}

// state returns the latest known state of the leader's follower.
func (s *Server) state() follower.State {
	if s.Leads() {
		return s.Follower.State()
	}
	text, alive := s.lead.lease.LeaderState()
	state := follower.ParseState(text)
	if !alive {
		state.Synced, state.Left, state.CatchesUp = false, 0, false
		state.Err = errors.New("no server leads at the moment")
	}
	return state
}

// leaderPolls is the interval at which a server that does not lead checks whether the leader's follower has finished a
// step.
const leaderPolls = 100 * time.Millisecond

// waitForRefresh blocks until the leader has read the chain and the mempool, or until ctx is done.
func (s *Server) waitForRefresh(ctx context.Context) {
	if s.Leads() {
		s.Follower.Refresh(ctx)
		return
	}
	tick := time.NewTicker(leaderPolls)
	defer tick.Stop()
	before := s.state().Steps
	for s.state().Steps < before+2 { // the current step may have read the mempool before this call
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
