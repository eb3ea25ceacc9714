package follower_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/follower"
	"moonfund/internal/testkit"
)

// hanging is a node whose Best does not return until it is released.
type hanging struct {
	follower.Node
	asked   chan struct{}
	release chan struct{}
}

func (n hanging) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	select {
	case n.asked <- struct{}{}:
	case <-n.release:
	}
	<-n.release
	return n.Node.Best(ctx)
}

// While a Step hangs in a call to the node, the follower reports that it is not synced, the reason and the duration. A
// server that reads its record reports the same.
func TestHangingNode(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Step()
	if state := w.Follower.State(); !state.Synced || state.Err != nil {
		t.Fatalf("before: %+v", state)
	}
	node := hanging{w.Chain(), make(chan struct{}), make(chan struct{})}
	w.FollowedNode = node
	config := w.Follower.Config
	config.Node, config.StallAfter = node, 20*time.Millisecond
	slow := follower.New(config)
	ended := make(chan error)
	step := func() {
		_, err := slow.Step(t.Context())
		ended <- err
	}
	go step()
	<-node.asked
	deadline := time.After(20 * time.Second)
	for !errors.As(slow.State().Err, new(*follower.StallError)) {
		select {
		case <-deadline:
			t.Fatalf("state while a Step hangs: got %+v, want a StallError", slow.State())
		case <-time.After(time.Millisecond):
		}
	}
	elsewhere := follower.ParseState(slow.State().Record())
	const says = "no progress in following the chain for "
	if slow.State().Synced || elsewhere.Synced || !strings.Contains(elsewhere.Err.Error(), says) {
		t.Errorf("synced: got %v, on another server %v: %v", slow.State().Synced, elsewhere.Synced, elsewhere.Err)
	}
	close(node.release)
	testkit.Must(t, <-ended)
	if state := slow.State(); !state.Synced || state.Err != nil {
		t.Errorf("state after the node answered: got %+v", state)
	}
}

// unhurried is a node that takes a while for each block.
type unhurried struct {
	follower.Node
	takes time.Duration
}

func (n unhurried) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	time.Sleep(n.takes)
	return n.Node.Block(ctx, hash, height)
}

// While a Step follows the chain slowly, although every call is answered, the follower reports that it is not synced.
func TestSlowNode(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Step()
	node := unhurried{w.Chain(), 25 * time.Millisecond}
	w.FollowedNode = node
	config := w.Follower.Config
	config.Node, config.StallAfter, config.FetchAhead = node, 4*node.takes, 1
	slow := follower.New(config)
	_, err := slow.Step(t.Context())
	testkit.Must(t, err)
	if state := slow.State(); !state.Synced {
		t.Fatalf("before: %+v", state)
	}
	w.Mine(16)
	ended := make(chan error)
	go func() {
		_, err := slow.Step(t.Context())
		ended <- err
	}()
	seen := false
	for running := true; running; {
		select {
		case err := <-ended:
			testkit.Must(t, err)
			running = false
		case <-time.After(time.Millisecond):
			state := slow.State()
			seen = seen || !state.Synced && errors.As(state.Err, new(*follower.SlowError))
		}
	}
	if state := slow.State(); !seen || !state.Synced || state.Err != nil {
		t.Errorf("SlowError during the step: %v; after it: %+v", seen, state)
	}
}
