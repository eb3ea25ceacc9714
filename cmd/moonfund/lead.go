package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"moonfund/follower"
	"moonfund/store"
)

// seat is this server's place among all servers on one database: the one that
// leads follows the chain and pays; the others answer, take actions, and are
// ready as long as the leader is.
type seat struct {
	lease   *store.Lease
	changed atomic.Bool // something that the other servers were not told of yet
	heard   int64       // the last announcement that the pages know of; used by keepLease alone
}

// takeSeat takes the lead at once where nobody else should be on the database.
func (h *house) takeSeat(ctx context.Context) error {
	if h.store.Shared() {
		return nil
	}
	return h.seat.lease.Seize(ctx)
}

// follow keeps the lease and follows the chain until ctx ends; the lease goes last,
// so that another server can take over at once.
func (h *house) follow(ctx context.Context, interval time.Duration) {
	keeping, release := context.WithCancel(context.WithoutCancel(ctx))
	var kept sync.WaitGroup
	kept.Go(func() { h.keepLease(keeping) })
	h.follower.Run(ctx, interval)
	release()
	kept.Wait()
}

// keepLease leads when there is nobody else to, until ctx ends, and exchanges
// news with the other servers.
func (h *house) keepLease(ctx context.Context) {
	_, led := h.seat.lease.Term()
	var last string
	h.seat.lease.Keep(ctx, func() string { return h.follower.State().Record() }, func(err error) {
		if term, leads := h.seat.lease.Term(); leads != led {
			led = leads
			h.log.Info("the lead changed hands", "leading", leads, "term", term)
			h.follower.Wake()
		}
		if h.store.Shared() && ctx.Err() == nil {
			err = errors.Join(err, h.exchange(ctx))
		}
		text := ""
		if err != nil && ctx.Err() == nil {
			text = err.Error()
		}
		if text != last && text != "" {
			h.log.Error("keeping the lease", "error", text)
		}
		last = text
	})
}

// exchange tells the other servers that something changed here, and the pages
// that something changed there.
func (h *house) exchange(ctx context.Context) error {
	announced, err := h.store.Announced(ctx)
	if err != nil {
		return err
	}
	if announced != h.seat.heard {
		h.seat.heard = announced
		h.hub.All()
	}
	if !h.seat.changed.Swap(false) {
		return nil
	}
	if announced, err = h.store.Announce(ctx); err != nil {
		h.seat.changed.Store(true)
		return err
	}
	if announced == h.seat.heard+1 {
		h.seat.heard = announced // only this server's own news
	}
	return nil
}

// state is where the leader's follower stands, as far as this server knows.
func (h *house) state() follower.State {
	if _, leads := h.seat.lease.Term(); leads {
		return h.follower.State()
	}
	text, alive := h.seat.lease.Recorded()
	state := follower.ParseState(text)
	if !alive {
		state.Synced, state.Err = false, errors.New("no server leads at the moment")
	}
	return state
}

// leaderPolls is how often a server that does not lead asks whether the leader has looked.
const leaderPolls = 100 * time.Millisecond

// look returns when the leader has looked at the chain and the mempool, or when ctx ends.
func (h *house) look(ctx context.Context) {
	if _, leads := h.seat.lease.Term(); leads {
		h.follower.Look(ctx)
		return
	}
	tick := time.NewTicker(leaderPolls)
	defer tick.Stop()
	before := h.state().Steps
	for h.state().Steps < before+2 { // one may be under way, with its look at the mempool behind it
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
