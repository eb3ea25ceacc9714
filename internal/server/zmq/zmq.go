// Package zmq receives the notifications that a node of the Core family publishes over ZeroMQ (-zmqpubsequence). Their
// format is described in Bitcoin Core's doc/zmq.md.
package zmq

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/lightninglabs/gozmq"

	"moonfund/internal/bitcoin/chain"
)

const (
	topic        = "sequence"
	frameTimeout = 5 * time.Second // for the rest of a message whose first frame has arrived
	maxChanges   = 100_000         // changes that Subscriber stores until they are read: 3.3 MB

	firstRetry  = time.Second
	lastRetry   = time.Minute
	searchAgain = 10 * time.Minute // a node that publishes nothing may publish after a restart
)

// Subscriber receives the changes of a node's mempool. The connection is not authenticated. An attacker who publishes
// in the node's place can only delay the sight of a transaction until the next list (see chain.Mempool), because the
// transactions themselves are fetched over RPC.
type Subscriber struct {
	find func(ctx context.Context) (string, error)
	log  *slog.Logger

	mu        sync.Mutex
	connected bool
	complete  bool // no change is missing since the last call of Next
	changes   []chain.MempoolChange
	received  bool   // a message has arrived on this connection
	counter   uint32 // counter of the last message
}

// New returns a subscriber that is not connected. find returns the publisher's address, or "" if there is none.
func New(find func(ctx context.Context) (string, error), log *slog.Logger) *Subscriber {
	return &Subscriber{find: find, log: log}
}

// Next implements chain.MempoolChanges.
func (s *Subscriber) Next() (changes []chain.MempoolChange, complete bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changes, complete = s.changes, s.complete
	s.changes, s.complete = nil, s.connected
	return changes, complete
}

// Connected reports whether the subscriber has a connection to the node.
func (s *Subscriber) Connected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connected
}

// Run connects to the node, and again whenever the connection is lost, until ctx is done.
func (s *Subscriber) Run(ctx context.Context) {
	for retry := firstRetry; ctx.Err() == nil; {
		wait := retry
		address, err := s.find(ctx)
		if err == nil && address == "" {
			wait = searchAgain
		}
		if address != "" {
			var connected bool
			if connected, err = s.receive(ctx, address); connected {
				retry, wait = firstRetry, firstRetry
			}
		}
		if err != nil && ctx.Err() == nil {
			s.log.Warn("no notifications from the node: the mempool is listed instead", "address", address, "reason", err)
		}
		if retry = wait; retry < lastRetry {
			retry = min(2*retry, lastRetry)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// receive stores the notifications of one connection until it is lost or ctx is done.
func (s *Subscriber) receive(ctx context.Context, address string) (connected bool, err error) {
	conn, err := gozmq.Subscribe(address, []string{topic}, frameTimeout)
	if err != nil {
		return false, err
	}
	s.connect()
	defer s.disconnect()
	s.log.Info("following the node's mempool by its notifications", "address", address)
	failed := make(chan error, 1)
	go func() { // Receive can't be canceled: after ctx is done it ends with the next message or with the connection
		defer conn.Close()
		for ctx.Err() == nil {
			frames, err := conn.Receive(nil)
			if err != nil {
				failed <- err
				return
			}
			s.record(frames)
		}
	}()
	select {
	case err := <-failed:
		return true, err
	case <-ctx.Done():
		return true, nil
	}
}

func (s *Subscriber) connect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connected, s.complete, s.received, s.changes = true, false, false, nil
}

func (s *Subscriber) disconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connected, s.complete = false, false
}

// record stores the change that a message reports. The first message shows that the subscription is in force; a change
// before it can be missing.
func (s *Subscriber) record(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	message, ok := parse(frames)
	if !ok || !s.received || message.counter != s.counter+1 || message.block {
		s.complete = false
	}
	if !ok {
		return
	}
	s.received, s.counter = true, message.counter
	if message.block {
		return
	}
	if len(s.changes) >= maxChanges { // they are not read, because this server does not lead
		s.changes, s.complete = nil, false
	}
	s.changes = append(s.changes, message.change)
}
