package follower_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// broken is a signer with a bug.
type broken struct{ payout.Signer }

func (broken) Sign(context.Context, payout.Unsigned) (*wire.MsgTx, error) {
	var none *wire.MsgTx
	return none.Copy(), nil
}

// written is a log that can be read while it is written.
type written struct {
	mu   sync.Mutex
	text strings.Builder
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// A panic ends neither the server nor its next steps, and its stack is logged.
func TestPanicInAStep(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Fees.Total())
	w.Node.Mine()
	good := w.Signer
	w.Signer = broken{good}
	log := &written{}
	w.Follower.Log = slog.New(slog.NewJSONHandler(log, nil))
	run := func(until func() bool) {
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		done := make(chan struct{})
		go func() { w.Follower.Run(ctx, time.Millisecond); close(done) }()
		for !until() && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		stop()
		<-done
	}
	before := w.Follower.State().Steps
	var s follower.State
	run(func() bool { s = w.Follower.State(); return s.Err != nil && s.Steps > before+2 })
	if s.Synced || s.Err == nil || !strings.Contains(s.Err.Error(), "nil pointer") {
		t.Errorf("after a panic: synced %v, %v", s.Synced, s.Err)
	}
	if text := log.text.String(); strings.Count(text, "broken.Sign") != 1 {
		t.Errorf("the stack is not logged once: %s", text)
	}
	w.Signer = good
	run(func() bool { return w.Follower.State().Synced })
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
}
