package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"syscall"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/clock"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/store/backup"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// eventsOf returns the events of a kind, oldest first.
func eventsOf(w *testkit.World, kind store.EventKind) (found []store.Event) {
	w.Helper()
	testkit.Must(w, w.Store.View(w.Context(), func(tx *store.Tx) error {
		all, err := tx.EventsSince(w.Context(), time.Time{})
		for _, e := range all {
			if e.Kind == kind {
				found = append(found, e)
			}
		}
		return err
	}))
	return found
}

// wantEvent requires that exactly n events of a kind exist, and returns the last one, which must have the subject and
// the phase.
func wantEvent(w *testkit.World, kind store.EventKind, n int, subject string, ended bool) store.EventData {
	w.Helper()
	all := eventsOf(w, kind)
	if len(all) != n {
		w.Fatalf("got %d events %s, want %d: %+v", len(all), kind, n, all)
	}
	last := all[n-1]
	if last.Subject != subject || last.Ended != ended {
		w.Errorf("got %+v, want subject %s, ended %v", last, subject, ended)
	}
	return last.Data
}

// The recovery of a unit whose order is being paid moves the order to AUDIT and notifies operators, in the transaction
// of the block.
func TestAuditOrderIsNoted(t *testing.T) {
	w := testkit.NewWorld(t)
	unit := w.Unlocked(w.Anna, 50_000)
	o := *w.Act(w.Anna, action.Withdraw, unit).Order
	w.Send(w.Recover(w.Anna, unit))
	w.Mine(ledger.RecoveryDepth)
	w.Pay(w.Anna, o, 1000)
	w.Step()
	w.WantStatus(o.ID, order.Audit)
	data := wantEvent(w, store.EventOrder, 1, o.ID, false)
	if data.Community != testkit.Prefix || data.Status != string(order.Audit) || data.Sats != 1000 {
		t.Errorf("data of the event: got %+v, want AUDIT and 1000 sats", data)
	}
	w.Settle(3)
	wantEvent(w, store.EventOrder, 1, o.ID, false)
}

// A refund above the limits waits for an operator, and causes one event until it is sent.
func TestHeldRefundIsNoted(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	w.SetPayoutTerms(func(t *payout.Terms) { t.Refunds = payout.RefundLimits{PerDay: 100_000, PerOwnerDay: 10_000} })
	w.Pay(w.Anna, o, 10_001)
	w.Settle(1)
	data := wantEvent(w, store.EventOrder, 1, o.ID, false)
	if data.Reason != string(order.HoldLimit) || data.Sats != 10_001 {
		t.Errorf("data of the event: got %+v, want the limit and 10,001 sats", data)
	}
	w.Clock.Advance(25 * time.Hour) // it is tried and held again
	w.Settle(1)
	wantEvent(w, store.EventOrder, 1, o.ID, false)
	w.SetPayoutTerms(func(t *payout.Terms) { t.Refunds = payout.RefundLimits{PerDay: 100_000, PerOwnerDay: 50_000} })
	w.Clock.Advance(2 * time.Hour)
	w.Settle(1)
	wantEvent(w, store.EventOrder, 2, o.ID, true)
}

// A permanent refusal of a payout by the node causes an event immediately. A temporary one causes an event after an
// hour.
func TestRefusedBroadcastIsNoted(t *testing.T) {
	for _, row := range []struct {
		reason string
		code   int
		atOnce bool
	}{{"tokens-runes", -26, true}, {"mempool min fee not met", -26, false}} {
		t.Run(row.reason, func(t *testing.T) {
			w, a := audited(t)
			o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 50_000)).Order
			w.Pay(w.Anna, o, o.Due())
			w.Step()
			w.Node.FailSend(&chain.Refusal{Code: row.code, Reason: row.reason}, false)
			w.Settle(1)
			txid := w.WantStatus(o.ID, order.Sent).PayoutTx
			s := serverOf(w, a)
			s.Clock = clock.On(epoch.NewClock(w.Clock.Now, func() time.Duration { return w.Clock.Now().Sub(testkit.Genesis) }))
			testkit.Must(t, s.NoteConditions(t.Context()))
			if n := len(eventsOf(w, store.EventBroadcast)); (n == 1) != row.atOnce {
				t.Fatalf("%d events at once", n)
			}
			w.Clock.Advance(lastingRefusal)
			testkit.Must(t, s.NoteConditions(t.Context()))
			testkit.Must(t, s.NoteConditions(t.Context()))
			if data := wantEvent(w, store.EventBroadcast, 1, txid, false); data.Reason != row.reason {
				t.Errorf("data of the event: got %+v, want another reason", data)
			}
			w.Node.FailSend(nil, false)
			w.Settle(1)
			wantEvent(w, store.EventBroadcast, 2, txid, true)
		})
	}
}

// An operator's pause causes an event with its reason, and its end causes another one.
func TestPauseIsNoted(t *testing.T) {
	w := testkit.NewWorld(t)
	author := decisions.Author{By: "olga", Why: "a drill"}
	w.Update(func(tx *store.Tx) error {
		_, err := decisions.Pause(author, "all").Apply(w.Context(), tx, w.Clock.Now(), "")
		return err
	})
	if data := wantEvent(w, store.EventPause, 1, "all", false); data.Reason == "" {
		t.Errorf("data of the event: got %+v, want a reason", data)
	}
	w.Update(func(tx *store.Tx) error {
		_, err := decisions.Resume(author, "all").Apply(w.Context(), tx, w.Clock.Now(), "")
		return err
	})
	wantEvent(w, store.EventPause, 2, "all", true)
}

// A violation that two audits find causes an event with the pause of payouts, and no other event while payouts are
// paused.
func TestViolationIsNoted(t *testing.T) {
	w, _ := audited(t)
	staked := w.Staked(w.Bert, 70_000)
	engine.Damage(w, w.URL(), fmt.Sprintf("UPDATE unit SET amount = amount + 1 WHERE id = '%s'", staked))
	for deadline := time.Now().Add(time.Minute); ; {
		w.Mine(1)
		for range 3 {
			_, err := w.Follower.Step(w.Context())
			testkit.Must(t, err)
		}
		if len(eventsOf(w, store.EventViolation)) > 0 || time.Now().After(deadline) {
			break
		}
	}
	w.Mine(1)
	_, err := w.Follower.Step(w.Context())
	testkit.Must(t, err)
	if data := wantEvent(w, store.EventViolation, 1, store.SubjectLedger, false); data.Count == 0 || data.Reason == "" {
		t.Errorf("data of the event: got %+v, want a count and a reason", data)
	}
	wantEvent(w, store.EventPause, 1, "payouts:"+testkit.Prefix, false)
}

// A treasury that covers fewer than four further epochs causes an event, and another one when it covers more.
func TestLowTreasuryIsNoted(t *testing.T) {
	w, a := audited(t)
	s := serverOf(w, a)
	budget := func(n amount.Runes) {
		s.Communities[0].Budgets = []community.Budget{{Amount: n}}
		testkit.Must(t, s.NoteConditions(t.Context()))
	}
	budget(testkit.Budget)
	if all := eventsOf(w, store.EventRunway); len(all) > 0 {
		t.Fatalf("a full treasury: %+v", all)
	}
	var full ledger.Runway
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		full, err = ledger.ReadRunway(t.Context(), tx.LedgerTx(), testkit.Prefix, s.Communities[0].Budget)
		return err
	}))
	for range 2 {
		budget(full.Free / 3)
	}
	if data := wantEvent(w, store.EventRunway, 1, testkit.Prefix, false); data.Epochs != 3 {
		t.Errorf("data of the event: got %+v, want 3 epochs", data)
	}
	budget(testkit.Budget)
	wantEvent(w, store.EventRunway, 2, testkit.Prefix, true)
}

// Failed automatic backups cause one event without the text of the error, and the next successful backup causes
// another.
func TestFailedBackupIsNoted(t *testing.T) {
	w, a := audited(t)
	s := serverOf(w, a)
	log := slog.New(slog.DiscardHandler)
	results := []error{&fs.PathError{Op: "write", Path: "/secret/place", Err: syscall.ENOSPC}, errors.New("x"), nil}
	for i, result := range results {
		ctx, stop := context.WithCancel(t.Context())
		schedule := backup.NewSchedule(t.TempDir(), time.Hour,
			func(context.Context, string) (backup.About, error) { return backup.About{}, result }, log)
		schedule.OnResult(func(ctx context.Context, err error) { s.noteBackup(ctx, err); stop() })
		schedule.Run(ctx, func() bool { return true })
		if i < 2 {
			if data := wantEvent(w, store.EventBackup, 1, store.SubjectBackups, false); data.Reason != "the disk is full" {
				t.Errorf("data of the event: got %+v, want a full disk", data)
			}
		}
	}
	wantEvent(w, store.EventBackup, 2, store.SubjectBackups, true)
	s.noteBackup(t.Context(), fmt.Errorf("%w: exit status 1: /secret/place", backup.ErrCopy))
	data := wantEvent(w, store.EventBackup, 3, store.SubjectBackups, false)
	if data.Reason != "it was written, but not copied to another place" {
		t.Errorf("data of the event: got %+v, want a backup that was not copied", data)
	}
}

// TestDeepReorgIsRecordedOnce checks that a deep reorg is in the public incident log once for each height.
func TestDeepReorgIsRecordedOnce(t *testing.T) {
	w := testkit.NewWorld(t)
	s := &Server{Config: Config{Store: w.Store, Clock: clock.New()}}
	for _, height := range []int64{100, 100, 120} {
		testkit.Must(t, s.noteReorg(t.Context(), height))
	}
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) error {
		all, err := tx.Incidents(t.Context(), testkit.Prefix, 10)
		if len(all) != 2 || all[0].Kind != store.IncidentReorg || all[0].Detail == all[1].Detail {
			t.Errorf("incidents: %+v", all)
		}
		return err
	}))
}
