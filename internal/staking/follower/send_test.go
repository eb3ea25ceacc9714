package follower_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

func refusals(w *testkit.World) (found []ledger.Refusal) {
	w.Update(func(tx *store.Tx) (err error) {
		found, err = tx.Refusals(w.Context())
		return err
	})
	return found
}

// storedPayout returns the newest version of an order's payout.
func storedPayout(w *testkit.World, orderID string) (tx chain.Tx) {
	txid := w.Order(orderID).PayoutTx
	w.Update(func(t *store.Tx) error {
		p, err := t.PayoutOf(w.Context(), txid)
		if err == nil {
			tx = p.Versions[len(p.Versions)-1].Tx
		}
		return err
	})
	return tx
}

// A payout that the node refuses stays SENT, because it is signed. The reason and the time of the first refusal are
// stored until the node accepts it.
func TestRefusedPayoutIsRecorded(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Node.FailSend(&chain.Refusal{Code: -26, Reason: "tokens-runes"}, false)
	w.Settle(1)
	sent := w.WantStatus(o.ID, order.Sent)
	first := refusals(w)
	if len(first) != 1 || first[0].TxID != sent.PayoutTx || first[0].Reason != "tokens-runes" || first[0].Passing {
		t.Fatalf("refusals: got %+v", first)
	}
	w.Clock.Advance(time.Hour)
	w.Settle(1)
	w.Restart()
	w.Step()
	if again := refusals(w); len(again) != 1 || again[0] != first[0] {
		t.Errorf("refusals an hour later: got %+v, want %+v", again, first)
	}
	w.Node.FailSend(&chain.Refusal{Code: -26, Reason: "mempool min fee not met, 100 < 200"}, false)
	w.Settle(1)
	if other := refusals(w); len(other) != 1 || !other[0].Passing || !other[0].Since.Equal(first[0].Since) {
		t.Errorf("refusals with another reason: got %+v", other)
	}
	w.Update(func(tx *store.Tx) error { return tx.Pause(t.Context(), store.PausePayouts, "test", w.Clock.Now()) })
	w.Node.FailSend(nil, false)
	w.Settle(1)
	if held := refusals(w); len(held) != 1 {
		t.Errorf("refusals while a pause withholds the payout: got %+v", held)
	}
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	w.Step()
	if left := refusals(w); len(left) != 0 {
		t.Errorf("refusals after the node accepted the payout: got %+v", left)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// A payout that our node refuses can still be mined. Its block deletes the refusal.
func TestRefusalEndsInABlock(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Node.FailSend(&chain.Refusal{Code: -26, Reason: "tokens-runes"}, false)
	w.Settle(1)
	payout := storedPayout(w, o.ID)
	w.Node.MineOnly(payout)
	w.Step()
	if left := refusals(w); len(left) != 0 {
		t.Errorf("refusals after the payout was mined: got %+v", left)
	}
}

// A restarted node has an empty mempool and gets our transactions again in the same Step, without a block.
func TestRestartedNodeGetsTransactionsAtOnce(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	payout := storedPayout(w, o.ID)
	w.Step() // its mempool is read
	for _, down := range []bool{false, true} {
		w.Node.Forget()
		if down {
			w.Node.Fail(errors.New("connection refused"))
			if _, err := w.Follower.Step(t.Context()); err == nil {
				t.Error("Step succeeded without a node")
			}
			w.Node.Fail(nil)
		}
		before := w.Node.Broadcasts(payout.ID)
		w.Step()
		if w.Node.Broadcasts(payout.ID) != before+1 {
			t.Errorf("down %t: got %d broadcasts, want one more than %d", down, w.Node.Broadcasts(payout.ID), before)
		}
		w.Step()
		w.Step()
		if w.Node.Broadcasts(payout.ID) > before+2 {
			t.Errorf("down %t: the payout is broadcast in every Step", down)
		}
	}
}

// While the node downloads the chain, blocks are followed and nothing else is done. While it relays no runes, no
// payouts are prepared.
func TestUnfitNode(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	found := follower.Inspection{}
	w.Follower.Inspect = func(context.Context) (follower.Inspection, error) { return found, nil }
	w.Pay(w.Anna, o, o.Due())
	w.Mine(1)
	found.Downloading = "downloading"
	w.Step()
	if state := w.Follower.State(); state.Synced || state.Unfit() != "downloading" || state.Tip.Height != w.Node.Height() {
		t.Errorf("while the node downloads: %+v", state)
	}
	w.WantStatus(o.ID, order.Paid) // the block determines the status; nothing is broadcast
	if again := follower.ParseState(w.Follower.State().Record()); again.Unfit() != "downloading" {
		t.Errorf("recorded for the other servers: %+v", again)
	}
	found = follower.Inspection{NoRunes: "no runes"}
	w.Step()
	if state := w.Follower.State(); !state.Synced || state.Unfit() != "no runes" {
		t.Errorf("while the node relays no runes: %+v", state)
	}
	w.WantStatus(o.ID, order.Paid)
	found = follower.Inspection{}
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	found.Restarted = true
	before := w.Node.Broadcasts(storedPayout(w, o.ID).ID)
	w.Step()
	if w.Node.Broadcasts(storedPayout(w, o.ID).ID) != before+1 {
		t.Error("a restarted node did not get the payout again")
	}
}
