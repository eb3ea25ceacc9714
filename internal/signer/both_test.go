package signer

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// list stores outflows in memory.
type list struct {
	kept []Outflow
	err  error
}

func (l *list) Load() ([]Outflow, error) { return l.kept, l.err }
func (l *list) Store(kept []Outflow) error {
	l.kept = kept
	return l.err
}

// TestLimitIsSharedByServers checks that two servers, each with a separate signer and outflow file, share one limit.
func TestLimitIsSharedByServers(t *testing.T) {
	shared := &list{}
	server := func(w *world) *Signer {
		w.config.Outflows = CombinedOutflows{Own: OutflowFile(filepath.Join(t.TempDir(), "outflow.json")), Shared: shared}
		return w.signer()
	}
	w := newWorld(t)
	first, second := server(w), server(w)
	_, err := first.Sign(context.Background(), w.misplaced(6_000))
	must(t, err)
	if _, err := second.Sign(context.Background(), w.misplaced(4_001)); !refusedFor(err, OverLimit) {
		t.Errorf("Sign above the limit by the second server: got error %v", err)
	}
	_, err = second.Sign(context.Background(), w.misplaced(4_000))
	must(t, err)
	shared.kept = nil // as if an attacker had deleted the database rows
	if _, err := first.Sign(context.Background(), w.misplaced(6_000)); !refusedFor(err, OverLimit) {
		t.Errorf("Sign after the shared entries were deleted: got error %v", err)
	}
	w.now = w.now.Add(24 * time.Hour)
	_, err = first.Sign(context.Background(), w.misplaced(10_000))
	must(t, err)
	shared.err = errors.New("the database is away")
	if _, err := first.Sign(context.Background(), w.misplaced(1)); err == nil {
		t.Error("signed without the other servers' outflows")
	}
}

// TestBothCountsOnce checks that an outflow in both stores counts once, with the larger amounts.
func TestBothCountsOnce(t *testing.T) {
	at := time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC)
	same := Outflow{At: at, Inputs: []string{"a:0", "b:1"}, Runes: 5, Sats: 7}
	more := same
	more.At, more.Runes, more.Sats = at.Add(time.Hour), 6, 3
	all, err := CombinedOutflows{Own: &list{kept: []Outflow{same}},
		Shared: &list{kept: []Outflow{more, {At: at, Account: 1, Inputs: same.Inputs}}}}.Load()
	if err != nil || len(all) != 2 || all[0].Runes != 6 || all[0].Sats != 7 || !all[0].At.Equal(more.At) {
		t.Errorf("Load: got %+v, %v, want one merged entry and one other", all, err)
	}
}
