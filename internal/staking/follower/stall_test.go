package follower_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

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
