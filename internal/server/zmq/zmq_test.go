package zmq

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
)

func id(n byte) chainhash.Hash { return chainhash.Hash{n, 31: 0xee} }

// run starts a subscriber of the address and waits until the publisher has its subscription.
func run(t *testing.T, p *publisher) *Subscriber {
	t.Helper()
	s := New(func(context.Context) (string, error) { return p.address(), nil }, slog.New(slog.DiscardHandler))
	start(t, s)
	p.await(func() bool { return s.Connected() && p.subscribers() == 1 })
	return s
}

func start(t *testing.T, s *Subscriber) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
}

func (p *publisher) await(met func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !met(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatal("not within 30 seconds")
		}
	}
}

// want waits for as many changes as wanted, and checks them and whether they are complete.
func (p *publisher) want(s *Subscriber, complete bool, wanted ...chain.MempoolChange) {
	p.t.Helper()
	p.await(func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.changes) >= len(wanted)
	})
	if changes, whole := s.Next(); whole != complete || !slices.Equal(changes, wanted) {
		p.t.Fatalf("%v, complete %v; want %v, %v", changes, whole, wanted, complete)
	}
}

func TestChangesInOrder(t *testing.T) {
	p := publish(t, "127.0.0.1:0")
	s := run(t, p)
	p.send('A', id(1))
	p.want(s, false, chain.MempoolChange{ID: id(1), Added: true}) // a change before the first message can be missing
	p.send('A', id(2))
	p.send('R', id(1))
	p.want(s, true, chain.MempoolChange{ID: id(2), Added: true}, chain.MempoolChange{ID: id(1)})
	if changes, complete := s.Next(); !complete || changes != nil {
		t.Errorf("%v, %v without a message", changes, complete)
	}
}

func TestWhatMakesTheListNecessary(t *testing.T) {
	for name, lose := range map[string]func(p *publisher){
		"a lost message":        func(p *publisher) { p.counter++ },
		"a repeated message":    func(p *publisher) { p.counter-- },
		"a connected block":     func(p *publisher) { p.send('C', id(9)) },
		"a disconnected block":  func(p *publisher) { p.send('D', id(9)) },
		"an unknown label":      func(p *publisher) { p.send('X', id(9)) },
		"a message of one part": func(p *publisher) { p.frames([]byte(topic)) },
		"a topic that only begins like ours": func(p *publisher) {
			p.frames([]byte(topic+"s"), make([]byte, 33), make([]byte, 4))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := publish(t, "127.0.0.1:0")
			s := run(t, p)
			p.send('A', id(1))
			p.want(s, false, chain.MempoolChange{ID: id(1), Added: true})
			lose(p)
			p.send('A', id(2))
			p.want(s, false, chain.MempoolChange{ID: id(2), Added: true})
			p.send('A', id(3))
			p.want(s, true, chain.MempoolChange{ID: id(3), Added: true})
		})
	}
}

func TestNodeRestarts(t *testing.T) {
	p := publish(t, "127.0.0.1:0")
	var address atomic.Value
	address.Store(p.address())
	s := New(func(context.Context) (string, error) {
		if text := address.Load().(string); text != "" {
			return text, nil
		}
		return "", errors.New("the node does not answer")
	}, slog.New(slog.DiscardHandler))
	start(t, s)
	p.await(func() bool { return s.Connected() && p.subscribers() == 1 })
	p.send('A', id(1))
	p.want(s, false, chain.MempoolChange{ID: id(1), Added: true})
	address.Store("")
	p.stop()
	p.await(func() bool { return !s.Connected() })
	if _, complete := s.Next(); complete {
		t.Error("complete without a connection")
	}
	again := publish(t, "127.0.0.1:0")
	address.Store(again.address())
	again.await(func() bool { return s.Connected() && again.subscribers() == 1 })
	if _, complete := s.Next(); complete {
		t.Error("complete before the first message of a new connection")
	}
	again.send('A', id(2))
	again.want(s, false, chain.MempoolChange{ID: id(2), Added: true})
}

func TestUnreadChangesAreBounded(t *testing.T) {
	s := New(nil, slog.New(slog.DiscardHandler))
	s.connect()
	frames := [][]byte{[]byte(topic), append(append(make([]byte, 32), 'A'), make([]byte, 8)...), make([]byte, 4)}
	for range maxChanges + 5 {
		s.record(frames)
	}
	if changes, complete := s.Next(); complete || len(changes) != 5 {
		t.Errorf("%d changes, complete %v", len(changes), complete)
	}
}
