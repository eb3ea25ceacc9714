package server

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/clock"
	"moonfund/internal/signer"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// marked returns a server on a world's ledger, with a mark beside its key.
func marked(w *testkit.World, path string) *Server {
	return &Server{Config: Config{
		Store: w.Store, Clock: clock.NewLenient(), Log: slog.New(slog.DiscardHandler),
		Marks: &signer.MarkFile{Path: path, Network: "regtest"},
	}}
}

func pausedAll(w *testkit.World) (reason string) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		reason, err = tx.PausedAll(w.Context())
		return err
	})
	return reason
}

// A copy of a ledger that is behind its key's mark starts paused, with the reason, whatever rows it lacks. After an
// operator resumes the copy, it issues no address index that the original used, and the original is paused.
func TestStaleCopyStartsPaused(t *testing.T) {
	w := testkit.NewWorld(t)
	testkit.Identify(w)
	w.Deposit(w.Anna, 5000) // the index of the first address is not counted
	w.Deposit(w.Bert, 5000)
	w.Step()
	mark := filepath.Join(t.TempDir(), "moonfund.key.mark")
	testkit.Must(t, marked(w, mark).CompareMark(t.Context()))
	w.StakeAddress(w.Anna, 5000)
	stale := w.Copy()
	w.StakeAddress(w.Bert, 5000) // an address that the copy does not have
	h := marked(w, mark)
	testkit.Must(t, h.CompareMark(t.Context()))
	if reason := pausedAll(w); reason != "" {
		t.Fatalf("the original is paused: %s", reason)
	}

	s := marked(stale, mark)
	testkit.Must(t, s.CompareMark(t.Context()))
	reason := pausedAll(stale)
	if !strings.Contains(reason, "this ledger is an older copy") || !strings.Contains(reason, "stake:lobo 2, here 1") {
		t.Fatalf("the stale copy is paused for %q", reason)
	}
	resume := decisions.Resume(decisions.Author{By: "olga", Why: "the other disk is lost"}, "all")
	stale.Update(func(tx *store.Tx) error {
		_, err := resume.Apply(t.Context(), tx, stale.Clock.Now(), "")
		return err
	})
	testkit.Must(t, s.CompareMark(t.Context()))
	if reason := pausedAll(stale); reason != "" {
		t.Errorf("the copy is paused again: %s", reason)
	}
	stale.Update(func(tx *store.Tx) error {
		position, err := tx.NextStakePosition(t.Context(), testkit.Prefix)
		if position != 3 {
			t.Errorf("the next address has index %d, which the original used, want 3", position)
		}
		return err
	})
	testkit.Must(t, h.CompareMark(t.Context()))
	if reason := pausedAll(w); !strings.Contains(reason, "was replaced") {
		t.Errorf("the original is paused for %q", reason)
	}
}

// interrupted are marks that call during once, before a mark is raised.
type interrupted struct {
	signer.Marks
	during func()
}

// Raise implements signer.Marks.
func (m *interrupted) Raise(ctx context.Context, mark signer.Mark, replaces string) (signer.Mark, error) {
	if during := m.during; during != nil {
		m.during = nil
		during()
	}
	return m.Marks.Raise(ctx, mark, replaces)
}

// TestMarkRaisedMeanwhile checks that a server is not paused because its ledger changed between its reads of the ledger
// and of the mark: by another server on the same database and key, or because an operator continued with an older copy.
func TestMarkRaisedMeanwhile(t *testing.T) {
	w := testkit.NewWorld(t)
	testkit.Identify(w)
	path := filepath.Join(t.TempDir(), "moonfund.key.mark")
	first, second := marked(w, path), marked(w, path)
	testkit.Must(t, first.CompareMark(t.Context()))
	first.Marks = &interrupted{first.Marks, func() {
		w.StakeAddress(w.Anna, 5000)
		testkit.Must(t, second.CompareMark(t.Context()))
	}}
	testkit.Must(t, first.CompareMark(t.Context()))
	if reason := pausedAll(w); reason != "" {
		t.Errorf("after a change by another server everything is paused: %s", reason)
	}

	stale := w.Copy()
	w.StakeAddress(w.Bert, 5000)
	testkit.Must(t, marked(w, path).CompareMark(t.Context()))
	older := marked(stale, path)
	testkit.Must(t, older.CompareMark(t.Context()))
	if pausedAll(stale) == "" {
		t.Fatal("the copy is not paused")
	}
	older.Marks = &interrupted{older.Marks, func() {
		resume := decisions.Resume(decisions.Author{By: "olga", Why: "the other disk is lost"}, "all")
		stale.Update(func(tx *store.Tx) error {
			_, err := resume.Apply(t.Context(), tx, stale.Clock.Now(), "")
			return err
		})
	}}
	testkit.Must(t, older.CompareMark(t.Context()))
	if reason := pausedAll(stale); reason != "" {
		t.Errorf("the copy is paused again: %s", reason)
	}
}

// A server does not start with the key of another ledger.
func TestKeyOfAnotherLedger(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "moonfund.key.mark")
	first, second := testkit.NewWorld(t), testkit.NewWorld(t)
	testkit.Identify(first)
	testkit.Identify(second)
	testkit.Must(t, marked(first, mark).CompareMark(t.Context()))
	h := marked(second, mark)
	if err := h.CompareMark(t.Context()); err == nil || !strings.Contains(err.Error(), "the key serves the ledger") {
		t.Errorf("the key of another ledger: %v", err)
	}
	if h.markCompared() == nil {
		t.Error("changes are allowed with the key of another ledger")
	}
}
