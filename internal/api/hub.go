package api

import (
	"cmp"
	"sync"
	"time"

	"moonfund/internal/fault"
)

// Hub notifies open event streams of changes. Publish changes only after their commit, because clients fetch the data
// immediately. A Hub never blocks its publishers. Repeated changes may be combined for a slow stream.
type Hub struct {
	mu      sync.Mutex
	version int64
	streams map[*stream]struct{}
	closed  bool
}

// stream is one open connection.
type stream struct {
	prefix, wallet string                 // wallet is the ordinals address, "" for none
	pending        map[ChangedScope]int64 // the newest version of each scope that is not written yet
	wake           chan struct{}          // buffered, 1
	done           chan struct{}          // closed by the hub when the stream must end
}

// NewHub returns a hub. Its first version is the time in milliseconds, so that versions increase across restarts.
func NewHub(now time.Time) *Hub {
	return &Hub{version: now.UnixMilli(), streams: map[*stream]struct{}{}}
}

// Global notifies the streams of a community that its figures changed.
func (h *Hub) Global(prefix string) { h.publish(prefix, "", ChangedScopeGlobal) }

// Wallet notifies the streams of a wallet, by its ordinals address, that its units or orders changed.
func (h *Hub) Wallet(prefix, ordinals string) { h.publish(prefix, ordinals, ChangedScopeWallet) }

// Open returns the number of open streams.
func (h *Hub) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.streams)
}

// All notifies every stream that anything may have changed.
func (h *Hub) All() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version++
	for s := range h.streams {
		h.add(s, ChangedScopeGlobal)
		if s.wallet != "" {
			h.add(s, ChangedScopeWallet)
		}
	}
}

// publish notifies the streams of a community, or with a wallet only the streams of that wallet.
func (h *Hub) publish(prefix, wallet string, scope ChangedScope) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version++
	for s := range h.streams {
		if s.prefix == prefix && (wallet == "" || s.wallet == wallet) {
			h.add(s, scope)
		}
	}
}

// add adds a change to an open stream. The caller must hold the lock.
func (h *Hub) add(s *stream, scope ChangedScope) {
	s.pending[scope] = h.version
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// open registers a stream. seen is the last version that the client received. Unless it is the newest one, the stream
// starts with a change of the community and of the wallet, because the client may have missed changes.
func (h *Hub) open(prefix, wallet string, seen int64) *stream {
	s := &stream{prefix: prefix, wallet: wallet, pending: map[ChangedScope]int64{}, wake: make(chan struct{}, 1),
		done: make(chan struct{})}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(s.done)
		return s
	}
	h.streams[s] = struct{}{}
	if seen != h.version {
		h.add(s, ChangedScopeGlobal)
		if wallet != "" {
			h.add(s, ChangedScopeWallet)
		}
	}
	return s
}

// take returns and clears the pending changes of a stream.
func (h *Hub) take(s *stream) map[ChangedScope]int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	pending := s.pending
	s.pending = map[ChangedScope]int64{}
	return pending
}

func (h *Hub) close(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, s)
}

// Close closes every stream. Streams that are opened later are closed immediately.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for s := range h.streams {
		delete(h.streams, s)
		close(s.done)
	}
}

// Version returns the version of the newest change.
func (h *Hub) Version() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.version
}

// streamCount limits the open streams of one source, and of all together, because each takes 65 KiB of memory.
type streamCount struct {
	most, mostOfAll int
	mu              sync.Mutex
	all             int
	open            map[string]int // by source
}

func newStreamCount(most, mostOfAll int) *streamCount {
	return &streamCount{most: cmp.Or(most, 32), mostOfAll: cmp.Or(mostOfAll, 4000), open: map[string]int{}}
}

// enter counts a new stream of a source. It returns a fault if the source, or all sources together, have the maximum
// number of streams.
func (c *streamCount) enter(source string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.open[source] >= c.most:
		return fault.New(fault.TooMany, fault.TooManyStreams)
	case c.all >= c.mostOfAll:
		return fault.New(fault.Unavailable, fault.StreamsFull)
	}
	c.all++
	c.open[source]++
	return nil
}

func (c *streamCount) leave(source string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.open[source]--; c.open[source] <= 0 {
		delete(c.open, source)
	}
}
