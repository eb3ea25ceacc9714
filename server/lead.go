package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"moonfund/follower"
	"moonfund/store"
)

// lead is this server's place among the servers on one database. The leader follows the chain and pays; the others
// answer calls and accept actions, and are ready as long as the leader is.
type lead struct {
	lease      *store.Lease
	changed    atomic.Bool // a change here that the other servers don't know of yet
	lastChange int64       // the latest announcement that the pages know of; used by keepLease alone
}

// Leads reports whether this server is the leader.
func (s *Server) Leads() bool {
	_, leads := s.lead.lease.Term()
	return leads
}

// Seize takes the lead from any other server.
func (s *Server) Seize(ctx context.Context) error { return s.lead.lease.Seize(ctx) }

// follow keeps the lease and follows the chain until ctx ends. It releases the lease last, so that another server can
// take over at once.
func (s *Server) follow(ctx context.Context, interval time.Duration) {
	keeping, release := context.WithCancel(context.WithoutCancel(ctx))
	var kept sync.WaitGroup
	kept.Go(func() { s.keepLease(keeping) })
	s.Follower.Run(ctx, interval)
	release()
	kept.Wait()
}

// keepLease takes the lead whenever no other server has it, and exchanges announcements with the other servers, until
// ctx ends.
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

// exchange announces this server's changes to the other servers, and notifies the pages of theirs.
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
		s.lead.lastChange = announced // this server's own announcement alone
	}
	return nil
}

// state returns where the leader's follower stands, as far as this server knows.
func (s *Server) state() follower.State {
	if s.Leads() {
		return s.Follower.State()
	}
	text, alive := s.lead.lease.LeaderState()
	state := follower.ParseState(text)
	if !alive {
		state.Synced, state.Err = false, errors.New("no server leads at the moment")
	}
	return state
}

// leaderPolls is how often a server that does not lead asks whether the leader has looked.
const leaderPolls = 100 * time.Millisecond

// waitForRefresh returns when the leader has looked at the chain and the mempool, or when ctx ends.
func (s *Server) waitForRefresh(ctx context.Context) {
	if s.Leads() {
		s.Follower.Refresh(ctx)
		return
	}
	tick := time.NewTicker(leaderPolls)
	defer tick.Stop()
	before := s.state().Steps
	for s.state().Steps < before+2 { // the step that runs now may have read the mempool already
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
