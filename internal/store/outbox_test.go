package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// events returns the outbox as lines "kind subject began" or "… ended", oldest first.
func events(t *testing.T, s *Store) (lines []string) {
	t.Helper()
	must(t, s.View(t.Context(), func(tx *Tx) error {
		all, err := tx.EventsSince(t.Context(), time.Time{})
		for i, e := range all {
			if e.Number != int64(i+1) || time.Since(e.At) > time.Minute {
				t.Errorf("event %d: %+v", i+1, e)
			}
			phase := "began"
			if e.Ended {
				phase = "ended"
			}
			lines = append(lines, string(e.Kind)+" "+e.Subject+" "+phase)
		}
		return err
	}))
	return lines
}

func wantEvents(t *testing.T, s *Store, want ...string) {
	t.Helper()
	if got := events(t, s); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("events\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An event is stored if and only if the transaction of its change commits.
func TestEventIsStoredWithItsChange(t *testing.T) {
	s, ctx := open(t), t.Context()
	pause := func(tx *Tx) error { return tx.Pause(ctx, PauseAll, "a drill", noon) }
	err := s.Update(ctx, func(tx *Tx) error { must(t, pause(tx)); return errTried })
	if !errors.Is(err, errTried) {
		t.Fatal(err)
	}
	wantEvents(t, s)
	must(t, s.Update(ctx, pause))
	wantEvents(t, s, "ledger.paused all began")
}

// A pause causes one event, even if it is requested again, and its end causes another one. The end of a pause of
// payouts also ends a violation.
func TestPauseEvents(t *testing.T) {
	s, ctx := open(t), t.Context()
	resume := func(tx *Tx) error {
		_, err := tx.Resume(ctx, PausePayouts, ledger.Cause{Kind: "operator", ID: "olga", At: noon})
		return err
	}
	pause := func(tx *Tx) error {
		must(t, tx.BeginCondition(ctx, EventViolation, SubjectLedger, EventData{Count: 1}))
		return tx.Pause(ctx, PausePayouts, "audit: broken", noon)
	}
	for _, fn := range []func(*Tx) error{resume, pause, pause, resume, resume, pause} {
		must(t, s.Update(ctx, fn))
	}
	wantEvents(t, s, "audit.violation ledger began", "ledger.paused payouts began", "audit.violation ledger ended",
		"ledger.paused payouts ended", "audit.violation ledger began", "ledger.paused payouts began")
}

// An order needs an operator while it is in AUDIT or its refund is held for an operator. Other updates write no event.
func TestOrderEvents(t *testing.T) {
	s, ctx := open(t), t.Context()
	o := sampleOrder()
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.InsertOrder(ctx, o) }))
	move := func(to order.Status, owed order.Refund) {
		t.Helper()
		from := o.Status
		o.Status, o.Owed = to, owed
		must(t, s.Update(ctx, func(tx *Tx) error { return tx.UpdateOrders(ctx, order.Change{Order: o, From: from}) }))
	}
	due := func(hold order.RefundHold) order.Refund {
		return order.Refund{Sats: 900, Reason: order.RefundLate, Since: noon, Hold: hold, Retry: noon}
	}
	move(order.Confirmed, order.Refund{})
	move(order.Paid, order.Refund{})
	wantEvents(t, s)
	move(order.Audit, due(order.HoldNone))
	move(order.Audit, due(order.HoldNone))
	wantEvents(t, s, "order.needs_person 0123 began")
	move(order.Paid, order.Refund{})
	want := []string{"order.needs_person 0123 began", "order.needs_person 0123 ended"}
	wantEvents(t, s, want...)
	move(order.Canceled, due(order.HoldConfirmation))
	wantEvents(t, s, want...)
	for _, hold := range []order.RefundHold{order.HoldLimit, order.HoldRefused} {
		move(order.Canceled, due(hold))
	}
	move(order.Canceled, due(order.HoldNone))
	wantEvents(t, s, append(want, want...)...)

	if err := s.Update(ctx, func(tx *Tx) error {
		again := o
		again.Status = order.Audit
		return tx.UpdateOrders(ctx, order.Change{Order: again, From: order.Sent})
	}); !errors.Is(err, state.ErrConflict) {
		t.Errorf("from another status: %v", err)
	}
	wantEvents(t, s, append(want, want...)...)
}

// Operators are notified of a permanent refusal immediately, and of a temporary one when the server finds that it
// lasts.
func TestRefusalEvents(t *testing.T) {
	s, ctx := open(t), t.Context()
	put := func(r ledger.Refusal) func(*Tx) error {
		return func(tx *Tx) error { return tx.PutRefusal(ctx, r) }
	}
	drop := func(tx *Tx) error { return tx.DropRefusal(ctx, "aa") }
	temporary := ledger.Refusal{TxID: "aa", Reason: "mempool min fee not met", Passing: true, Since: noon}
	must(t, s.Update(ctx, put(temporary)))
	must(t, s.Update(ctx, drop))
	wantEvents(t, s)
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.NoteLastingRefusal(ctx, "aa") })) // no longer refused
	wantEvents(t, s)
	must(t, s.Update(ctx, put(temporary)))
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.NoteLastingRefusal(ctx, "aa") }))
	must(t, s.Update(ctx, put(ledger.Refusal{TxID: "aa", Reason: "tokens-runes", Since: noon})))
	must(t, s.Update(ctx, drop))
	wantEvents(t, s, "broadcast.refused aa began", "broadcast.refused aa ended")
}

// SetCondition writes only a change. A long reason is shortened to one line of valid text.
func TestConditions(t *testing.T) {
	s, ctx := open(t), t.Context()
	low := EventData{Community: "lobo", Epochs: 2, Reason: strings.Repeat("long\n", 100) + "\xff\x00"}
	before := s.Commits()
	must(t, s.SetCondition(ctx, EventRunway, "lobo", false, EventData{}))
	if s.Commits() != before {
		t.Error("an unchanged condition was written")
	}
	for _, holds := range []bool{true, true, false, false} {
		must(t, s.SetCondition(ctx, EventRunway, "lobo", holds, low))
	}
	wantEvents(t, s, "treasury.low lobo began", "treasury.low lobo ended")
	must(t, s.View(ctx, func(tx *Tx) error {
		all, err := tx.Events(ctx, 1)
		if len(all) != 1 || all[0].Number != 2 || all[0].Data.Epochs != 2 || all[0].Data.Community != "lobo" {
			t.Fatalf("newest: %+v", all)
		}
		if reason := all[0].Data.Reason; len([]rune(reason)) != maxReason || strings.ContainsAny(reason, "\n\x00") {
			t.Errorf("reason of %d characters: %q", len([]rune(reason)), reason)
		}
		return err
	}))
}

// A copy of the ledger has no events, so a restored ledger does not send them again.
func TestCopyHasNoEvents(t *testing.T) {
	s, ctx := open(t), t.Context()
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.Pause(ctx, PauseAll, "a drill", noon) }))
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.QueueDeliveries(ctx, "webhook", noon) }))
	var text bytes.Buffer
	_, err := s.Copy(ctx, &text)
	must(t, err)
	if strings.Contains(text.String(), "outbox") || strings.Contains(text.String(), "webhook") {
		t.Error("the copy has events")
	}
}

// pendingFor returns the numbers of the events that are due for a sink.
func pendingFor(t *testing.T, s *Store, sink string, at time.Time) (numbers []int64) {
	t.Helper()
	must(t, s.View(t.Context(), func(tx *Tx) error {
		due, err := tx.DueDeliveries(t.Context(), sink, at, 100)
		for _, d := range due {
			numbers = append(numbers, d.Event.Number)
		}
		return err
	}))
	return numbers
}

// A new sink gets the standing conditions and each later event once, and a replay makes an event pending again. The
// result of an attempt is stored only if the delivery did not change since it was read.
func TestDeliveries(t *testing.T) {
	s, ctx := open(t), t.Context()
	set := func(kind EventKind, holds bool) { must(t, s.SetCondition(ctx, kind, "x", holds, EventData{})) }
	queue := func() {
		must(t, s.Update(ctx, func(tx *Tx) error { return tx.QueueDeliveries(ctx, "webhook", noon) }))
	}
	set(EventBackup, true)
	set(EventBackup, false)
	set(EventRunway, true) // event 3
	queue()
	same(t, "a new sink", pendingFor(t, s, "webhook", noon), nil, []int64{3})
	set(EventRunway, false)
	queue()
	queue()
	same(t, "later events", pendingFor(t, s, "webhook", noon), nil, []int64{3, 4})

	d := Delivery{Sink: "webhook", Event: Event{Number: 3}, State: DeliveryPending, Attempts: 1, Due: noon.Add(time.Hour),
		Error: "no answer"}
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.UpdateDelivery(ctx, d, 0) }))
	same(t, "while it waits", pendingFor(t, s, "webhook", noon), nil, []int64{4})
	err := s.Update(ctx, func(tx *Tx) error { return tx.UpdateDelivery(ctx, d, 0) })
	if !errors.Is(err, state.ErrConflict) {
		t.Errorf("a second result of one attempt: %v", err)
	}
	d.State, d.Attempts = DeliveryFailed, 2
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.UpdateDelivery(ctx, d, 1) }))
	must(t, s.View(ctx, func(tx *Tx) error {
		tally, err := tx.DeliveryTally(ctx, "webhook")
		same(t, "tally", tally, err, DeliveryTally{Pending: 1, Failed: 1, Oldest: noon})
		return nil
	}))
	later := noon.Add(time.Hour)
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.Replay(ctx, "webhook", 3, later) }))
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.Replay(ctx, "webhook", 1, later) }))
	same(t, "after a replay", pendingFor(t, s, "webhook", later), nil, []int64{1, 3, 4})

	must(t, s.Update(ctx, func(tx *Tx) error { return tx.DeleteEvents(ctx, time.Now().Add(time.Hour)) }))
	same(t, "after the deletion", pendingFor(t, s, "webhook", later), nil, []int64{4})
	set(EventPause, true)
	queue()
	same(t, "numbers increase", pendingFor(t, s, "webhook", later), nil, []int64{4, 5})
}
