package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/epoch"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/stop"
	"moonfund/internal/signer"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// unready is a signer that signs nothing because of an error.
type unready struct{ err error }

func (u unready) Ready(context.Context) error { return u.err }

// stopWorld is a server with its log, on the clock of a world.
type stopWorld struct {
	*testkit.World
	server *Server
	watch  stopWatch
	log    *bytes.Buffer
}

func newStopWorld(t *testing.T) stopWorld {
	t.Helper()
	w, a := audited(t)
	w.Settle(1)
	s, log := serverOf(w, a), new(bytes.Buffer)
	s.Log, s.signs = slog.New(slog.NewTextHandler(log, nil)), unready{}
	s.Clock = clock.On(epoch.NewClock(w.Clock.Now, func() time.Duration { return w.Clock.Now().Sub(testkit.Genesis) }))
	return stopWorld{w, s, stopWatch{Server: s}, log}
}

// check checks the signer and what stopped.
func (w *stopWorld) check() {
	w.Helper()
	w.server.CheckSigner(w.Context())
	testkit.Must(w, w.watch.check(w.Context()))
}

func (w *stopWorld) stops() []api.Stop {
	w.Helper()
	answer, err := status{w.server}.Status(w.Context(), testkit.Prefix)
	testkit.Must(w, err)
	return answer.Stops
}

func (w *stopWorld) metrics() string {
	w.Helper()
	handler, err := metrics{w.server}.handler()
	testkit.Must(w, err)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequestWithContext(w.Context(), "GET", "/metrics", nil))
	return recorder.Body.String()
}

// reported checks that /status, the metrics and the log have the stop with the same reason and runbook.
func (w *stopWorld) reported(want api.Stop) {
	w.Helper()
	if stops := w.stops(); len(stops) != 1 || stops[0] != want {
		w.Errorf("/status: got %+v, want %+v", stops, want)
	}
	line := `moonfund_stop{reason="` + want.Reason + `",runbook="` + want.Runbook + `",what="` + want.What + `"} 1`
	if text := w.metrics(); !strings.Contains(text, line) {
		w.Errorf("the metrics have no line %s", line)
	}
	if text := w.log.String(); !strings.Contains(text, want.Reason) || !strings.Contains(text, "runbook="+want.Runbook) {
		w.Errorf("the log has no %+v: %s", want, text)
	}
}

// TestStopsAreReported checks that a server whose signer signs nothing says so in /status, metrics and log, and in a
// notification if it lasts.
func TestStopsAreReported(t *testing.T) {
	w := newStopWorld(t)
	w.check()
	if stops := w.stops(); len(stops) != 0 || strings.Contains(w.metrics(), "moonfund_stop{") {
		t.Fatalf("a server without a stop reports %+v", stops)
	}
	for _, row := range []struct {
		err    error
		reason string
	}{
		{signer.ErrUnreachable, "the signer's process does not answer"},
		{&signer.Refusal{Reason: signer.Paused, Detail: "anna: a look"}, "signer: paused: anna: a look"},
		{signer.ErrOutflowsLost, signer.ErrOutflowsLost.Error()},
	} {
		w.server.signs = unready{row.err}
		w.check()
		w.reported(api.Stop{What: stop.Signer, Reason: row.reason, Runbook: "docs/operations/signer.md"})
		if !strings.Contains(w.metrics(), "moonfund_signer_up 0\n") {
			t.Errorf("%s: the signer is up", row.reason)
		}
	}
	if n := len(eventsOf(w.World, store.EventStop)); n != 0 {
		t.Errorf("%d events at once", n)
	}
	w.Clock.Advance(noticedAfter)
	w.check()
	if data := wantEvent(w.World, store.EventStop, 1, stop.Signer, false); data.Reason != stop.Public(
		signer.ErrOutflowsLost.Error()) {
		t.Errorf("the event has the reason %q", data.Reason)
	}
	w.server.signs = unready{}
	w.check()
	wantEvent(w.World, store.EventStop, 2, stop.Signer, true)
	if len(w.stops()) != 0 || !strings.Contains(w.metrics(), "moonfund_signer_up 1\n") ||
		!strings.Contains(w.log.String(), "goes on") {
		t.Error("the stop did not end")
	}
}

// TestAStopWithChangingReasonsIsNoticed checks that operators are notified of a stop that lasts although its reason
// changes, as the tip of a node does while it downloads the chain.
func TestAStopWithChangingReasonsIsNoticed(t *testing.T) {
	w := newStopWorld(t)
	for block := range 6 {
		w.server.signs = unready{fmt.Errorf("the index is at block %d", block)}
		w.check()
		w.Clock.Advance(noticedAfter / 5)
	}
	wantEvent(w.World, store.EventStop, 1, stop.Signer, false)
	if text := w.log.String(); strings.Count(text, "at block") != 1 || strings.Contains(text, "goes on") {
		t.Errorf("the log: %s", text)
	}
}

// TestPauseIsReported checks that a pause is reported with its reason and the runbook of its cause, for its community.
func TestPauseIsReported(t *testing.T) {
	w := newStopWorld(t)
	w.Update(func(tx *store.Tx) error {
		return tx.PauseByServer(t.Context(), store.PausePayoutsOf(testkit.Prefix), stop.ByAudit+"a sum is wrong",
			w.Clock.Now())
	})
	w.check()
	w.reported(api.Stop{What: "payouts:" + testkit.Prefix, Reason: "audit: a sum is wrong",
		Runbook: "docs/operations/corrupt-database.md"})
	answer, err := status{w.server}.Status(t.Context(), "another")
	if err != nil || len(answer.Stops) != 0 {
		t.Errorf("the status of another community: %+v, %v", answer.Stops, err)
	}
}

// TestStatementsStopAndGoOn checks that a server says why statements do not go on: the record of the last one is lost.
func TestStatementsStopAndGoOn(t *testing.T) {
	w := newStopWorld(t)
	folder := t.TempDir()
	w.server.statements = w.Publisher(w.StatementSigner(folder), t.TempDir())
	w.Rewarded(w.Anna, 5000)
	testkit.Must(t, w.server.statements.Publish(t.Context()))
	w.check()
	if text := w.metrics(); !strings.Contains(text, "moonfund_statements_stopped 0\n") {
		t.Error("statements stop")
	}
	record := filepath.Join(folder, "statements.json")
	kept, err := os.ReadFile(record)
	testkit.Must(t, err)
	testkit.Must(t, os.Remove(record))
	w.NextEpoch()
	w.Settle(10)
	refusal := new(signer.Refusal)
	if err := w.server.statements.Publish(t.Context()); !errors.As(err, &refusal) || refusal.Reason != signer.HeadsLost {
		t.Fatalf("got error %v", err)
	}
	w.check()
	stops := w.stops()
	if len(stops) != 1 || stops[0].What != stop.Statements ||
		!strings.Contains(stops[0].Reason, "statements.json is lost") {
		t.Fatalf("got %+v", stops)
	}
	w.reported(api.Stop{What: stop.Statements, Reason: stops[0].Reason, Runbook: "docs/operations/restore.md"})
	if !strings.Contains(w.metrics(), "moonfund_statements_stopped 1\n") {
		t.Error("the metric shows no stop")
	}
	testkit.Must(t, os.WriteFile(record, kept, 0o600))
	testkit.Must(t, w.server.statements.Publish(t.Context()))
	w.check()
	if stops := w.stops(); len(stops) != 0 {
		t.Errorf("after the record is there again: %+v", stops)
	}
}
