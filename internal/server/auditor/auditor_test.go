package auditor

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// audited returns the configuration of the audit of a world's ledger.
func audited(w *testkit.World) audit.Config {
	return audit.Config{
		Rules: runes.RulesFor(w.Network), MinimumStake: map[string]amount.Runes{testkit.Prefix: testkit.MinimumStake},
	}
}

// watched returns a world whose follower calls an auditor before it pays.
func watched(t *testing.T) (*testkit.World, *Auditor) {
	t.Helper()
	w := testkit.NewWorld(t)
	a, err := New(Config{
		Address: w.URL(), Node: w.Chain(), Rules: audited(w), Store: w.Store, Now: time.Now, Deadline: time.Now,
		Log: slog.New(slog.DiscardHandler), Patience: time.Minute, Recheck: time.Nanosecond,
	})
	testkit.Must(t, err)
	t.Cleanup(func() { _ = a.Close() })
	w.Follower.Audit, w.Follower.Approve = a.Audit, a.Approve
	return w, a
}

// paused returns the reason for the pause of payouts, of all of them or of the world's community.
func paused(w *testkit.World) (reason string) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		some, err := tx.PausedCommunities(w.Context())
		if err == nil {
			reason, err = tx.PausedPayouts(w.Context())
		}
		reason = cmp.Or(reason, some[testkit.Prefix])
		return err
	})
	return reason
}

// step is World.Step without the world's own checks, for ledgers that violate invariants.
func step(w *testkit.World) {
	w.Helper()
	_, err := w.Follower.Step(w.Context())
	testkit.Must(w, err)
}

func TestGuardPausesPayoutsWithinABlock(t *testing.T) {
	w, a := watched(t)
	unit := w.Unlocked(w.Anna, 50_000)
	staked := w.Staked(w.Bert, 70_000)
	withdraw := w.Act(w.Anna, action.Withdraw, unit).Order
	w.Pay(w.Anna, *withdraw, withdraw.Due())
	w.Step()
	if report, at := a.Latest(); !report.OK() || at.IsZero() || paused(w) != "" {
		t.Fatalf("before the damage: violations %v at %v, paused: %q", report.Violations, at, paused(w))
	}
	engine.Damage(w, w.URL(), fmt.Sprintf("UPDATE unit SET amount = amount + 1 WHERE id = '%s'", staked))
	w.Mine(1)
	step(w)
	if o := w.Order(withdraw.ID); o.Status != order.Paid {
		t.Errorf("the order is %s, want PAID and nothing sent", o.Status)
	}
	if reason := paused(w); !strings.Contains(reason, "audit: invariant") || !strings.Contains(reason, "more; see") {
		t.Errorf("paused: %q", reason)
	}
	w.Update(func(tx *store.Tx) error {
		public, err := tx.Incidents(t.Context(), testkit.Prefix, 10)
		if len(public) != 2 || public[0].Kind != store.IncidentViolation || public[1].Kind != store.IncidentPause ||
			!strings.HasPrefix(public[0].Detail, "the audit found") {
			t.Errorf("public incidents: %+v", public)
		}
		return err
	})

	// After the ledger is repaired, payouts stay paused until an operator resumes them.
	engine.Damage(w, w.URL(), fmt.Sprintf("UPDATE unit SET amount = amount - 1 WHERE id = '%s'", staked))
	w.Settle(2)
	if w.Order(withdraw.ID).Status != order.Paid || paused(w) == "" {
		t.Error("payouts resumed automatically")
	}
	resume(w)
	w.Step()
	w.WantStatus(withdraw.ID, order.Sent)
	w.Settle(3)
	w.WantStatus(withdraw.ID, order.Delivered)
}

func resume(w *testkit.World) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		for _, name := range []string{store.PausePayouts, store.PausePayoutsOf(testkit.Prefix)} {
			cause := ledger.Cause{Kind: "operator", ID: "a test", At: w.Clock.Now()}
			if _, failed := tx.Resume(w.Context(), name, cause); failed != nil {
				err = failed
			}
		}
		return err
	})
}

func TestGuardPausesAgainWhatWasResumedTooEarly(t *testing.T) {
	w, _ := watched(t)
	staked := w.Staked(w.Bert, 70_000)
	engine.Damage(w, w.URL(), fmt.Sprintf("UPDATE unit SET owner = 'somebody' WHERE id = '%s'", staked))
	w.Mine(1)
	step(w)
	resume(w)
	step(w)
	if paused(w) == "" {
		t.Error("payouts continue although they were resumed while an invariant is violated")
	}
}

// slowNode delays an audit until release is closed.
type slowNode struct {
	audit.Node
	release chan struct{}
}

func (n slowNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	select {
	case <-n.release:
		return n.Node.Best(ctx)
	case <-ctx.Done():
		return chainhash.Hash{}, 0, ctx.Err()
	}
}

// TestDecisionDuringAnAudit checks that an audit stops nothing that an operator decided about while it ran: payouts are
// not paused again because of a violation that was accepted.
func TestDecisionDuringAnAudit(t *testing.T) {
	w, a := watched(t)
	staked := w.Staked(w.Bert, 70_000)
	engine.Damage(w, w.URL(), fmt.Sprintf("UPDATE unit SET amount = amount + 1 WHERE id = '%s'", staked))
	w.Mine(1)
	step(w)
	found, _ := a.Latest()
	if paused(w) == "" {
		t.Fatal("payouts are not paused")
	}
	slow := slowNode{w.Node, make(chan struct{})}
	a.audit, a.Patience = audit.NewChecker(a.db, slow, audited(w)), time.Nanosecond
	w.Mine(1)
	for range 2 { // the audits of the block, which find the violation
		step(w)
		slow.release <- struct{}{}
		<-a.running.done
	}
	w.Update(func(tx *store.Tx) error {
		number, err := tx.Log(w.Context(), store.OperatorLine{At: w.Clock.Now(), By: "olga", Command: "audit accept"})
		for _, v := range found.Violations {
			if err == nil {
				err = tx.AcceptViolation(w.Context(), v.ID(), v.Community, number)
			}
		}
		return err
	})
	resume(w)
	step(w)
	if reason := paused(w); reason != "" {
		t.Fatalf("payouts are paused again: %s", reason)
	}
	slow.release <- struct{}{} // to the audit that the step began
	<-a.running.done
	step(w)
	if report, _ := a.Latest(); !report.OK() || paused(w) != "" {
		t.Errorf("violations %v, paused: %q", report.Violations, paused(w))
	}
}

// A slow audit delays payouts but not the follower's steps.
func TestGuardHoldsUpPayoutsOnly(t *testing.T) {
	w, a := watched(t)
	unit := w.Unlocked(w.Anna, 50_000)
	withdraw := w.Act(w.Anna, action.Withdraw, unit).Order
	slow, woken := slowNode{w.Node, make(chan struct{})}, make(chan struct{})
	a.audit, a.Patience, a.wake = audit.NewChecker(a.db, slow, audited(w)), time.Millisecond, func() { close(woken) }
	w.Pay(w.Anna, *withdraw, withdraw.Due())
	w.Settle(1)
	w.WantStatus(withdraw.ID, order.Paid)
	if state := w.Follower.State(); !state.Synced || state.Err != nil {
		t.Errorf("state during an audit: %+v", state)
	}
	close(slow.release)
	<-woken
	w.Step()
	w.WantStatus(withdraw.ID, order.Sent)
}

// A violation since the last audit is found before a payout that depends on the changed row is sent. It stops this
// payout only, until it is repaired.
func TestGuardLooksAtWhatIsSent(t *testing.T) {
	w, a := watched(t)
	unit := w.Unlocked(w.Anna, 50_000)
	withdraw := w.Act(w.Anna, action.Withdraw, unit).Order
	w.Pay(w.Anna, *withdraw, withdraw.Due())
	change := "UPDATE custody SET owner = '%s' WHERE kind = 'stake'"
	w.Follower.Approve = func(ctx context.Context, txid chainhash.Hash) (bool, error) {
		engine.Damage(w, w.URL(), fmt.Sprintf(change, "somebody"))
		return a.Approve(ctx, txid)
	}
	w.Mine(1)
	step(w)
	if ids, _ := w.Node.Mempool(t.Context()); len(ids) > 0 || paused(w) != "" {
		t.Errorf("sent transactions: %v; paused: %q", ids, paused(w))
	}
	engine.Damage(w, w.URL(), fmt.Sprintf(change, w.Anna.Ordinals.Text))
	w.Follower.Approve = a.Approve
	w.Step()
	sent := w.WantStatus(withdraw.ID, order.Sent)
	if ids, _ := w.Node.Mempool(t.Context()); len(ids) != 1 || ids[0].String() != sent.PayoutTx {
		t.Errorf("after the pause the mempool is %v, want %s", ids, sent.PayoutTx)
	}
	w.Settle(1)
	w.Update(func(tx *store.Tx) error {
		stands, err := tx.IsStanding(w.Context(), store.EventViolation, store.SubjectLedger)
		if stands {
			t.Error("the condition of the violation stands after an audit that found none: the next one causes no event")
		}
		return err
	})
}

// A stored payout is not sent while payouts are paused, and is sent afterwards.
func TestPausedPayoutsAreNotSentAgain(t *testing.T) {
	w, _ := watched(t)
	unit := w.Unlocked(w.Anna, 50_000)
	withdraw := w.Act(w.Anna, action.Withdraw, unit).Order
	w.Pay(w.Anna, *withdraw, withdraw.Due())
	w.Settle(1)
	sent := w.WantStatus(withdraw.ID, order.Sent)
	w.Update(func(tx *store.Tx) error {
		return tx.Pause(w.Context(), store.PausePayouts, "a test", w.Clock.Now())
	})
	w.Node.Forget()
	w.Restart()
	w.Step()
	if ids, _ := w.Node.Mempool(t.Context()); len(ids) > 0 {
		t.Errorf("sent while paused: %v", ids)
	}
	resume(w)
	w.Step()
	if ids, _ := w.Node.Mempool(t.Context()); len(ids) != 1 || ids[0].String() != sent.PayoutTx {
		t.Errorf("after the pause the mempool is %v, want %s", ids, sent.PayoutTx)
	}
}
