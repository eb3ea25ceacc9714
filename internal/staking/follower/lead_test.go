package follower_test

import (
	"context"
	"errors"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/testkit"
)

// paid returns a world whose server leads, and an order whose payment is in a block that was not followed yet.
func paid(t *testing.T) (*testkit.World, order.Order) {
	w := testkit.NewWorld(t)
	w.TakeLead()
	o := withdrawal(w)
	w.Pay(w.Anna, o, o.Due())
	w.Mine(1)
	return w, o
}

func wantPayouts(t *testing.T, w *testkit.World, want string) {
	t.Helper()
	if got := w.Rows(`SELECT COUNT(*) AS payouts FROM payout`); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A server that lost the lease but still assumes that it leads changes nothing and sends nothing.
func TestDeposedLeader(t *testing.T) {
	w, o := paid(t)
	other := w.SecondServer()
	before := w.Dump()
	if _, err := w.Follower.Step(t.Context()); !errors.Is(err, state.ErrNotLeading) {
		t.Fatalf("got %v, want ErrNotLeading", err)
	}
	if after := w.Dump(); after != before {
		t.Errorf("the ledger changed:\n%s", difference(before, after))
	}
	if state := w.Follower.State(); state.Synced || follower.ParseState(state.Record()).Synced {
		t.Errorf("the state is synced: %+v", state)
	}
	testkit.Must(t, w.Lease.AcquireOrRenew(t.Context(), ""))
	if _, err := w.Follower.Step(t.Context()); !errors.Is(err, state.ErrNotLeading) {
		t.Errorf("got %v, want ErrNotLeading", err)
	}
	other.Step()
	sent := other.WantStatus(o.ID, order.Sent)
	if got := follower.ParseState(other.Follower.State().Record()); !got.Synced || got.Tip.Height != w.Node.Height() {
		t.Errorf("record of the leader: got %+v", got)
	}
	w.TakeLead() // and read the changes of the other server
	w.Settle(3)
	if delivered := w.WantStatus(o.ID, order.Delivered); delivered.PayoutTx != sent.PayoutTx {
		t.Errorf("sent as %s, delivered as %s", sent.PayoutTx, delivered.PayoutTx)
	}
	wantPayouts(t, w, "payouts=1 \n")
}

// meanwhile is a signer during whose signatures another server requests the lease.
type meanwhile struct {
	next  payout.Signer
	begin func()
}

func (m meanwhile) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	m.begin()
	return m.next.Sign(ctx, u)
}

// The lease changes its holder only between transactions, so a payout is either stored before the change or not at all.
func TestLeadChangesDuringAPayout(t *testing.T) {
	w, o := paid(t)
	seized := make(chan *testkit.World, 1)
	w.Signer = meanwhile{w.Signer, func() {
		w.Signer = w.Signer.(meanwhile).next
		go func() {
			defer close(seized)
			seized <- w.SecondServer()
		}()
	}}
	_, err := w.Follower.Step(t.Context())
	if err != nil && !errors.Is(err, state.ErrNotLeading) { // it lost the lease after the payout was stored
		t.Fatal(err)
	}
	other := <-seized
	if other == nil {
		t.FailNow() // the goroutine logged the reason
	}
	other.Step()
	other.WantStatus(o.ID, order.Sent)
	other.Settle(3)
	other.WantStatus(o.ID, order.Delivered)
	wantPayouts(t, other, "payouts=1 \n")
}
