package server

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signer"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// measured returns the response of /metrics after the server answered a request, called its node and wrote to the
// ledger.
func measured(w *testkit.World, s *Server) string {
	w.Helper()
	s.measures.request(api.Answered{Route: "status", Code: 200, Took: time.Millisecond})
	s.measures.nodeCall(chain.NodeCall{Method: "getblockcount", Took: time.Millisecond})
	s.Store.Observe(s.measures.writer)
	w.Update(func(*store.Tx) error { return nil })
	handler, err := metrics{s}.handler()
	testkit.Must(w, err)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequestWithContext(w.Context(), "GET", "/metrics", nil))
	return recorder.Body.String()
}

// Every query of the dashboard uses metrics of the server.
func TestDashboard(t *testing.T) {
	w, a := audited(t)
	w.OrderInAudit()
	w.Settle(1)
	text := measured(w, serverOf(w, a))
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		known[figureName.FindString(line)] = true
	}
	file, err := os.ReadFile("../../docs/operations/dashboard.json")
	testkit.Must(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	testkit.Must(t, json.Unmarshal(file, &dashboard))
	used := map[string]bool{}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			figures := figureName.FindAllString(strings.ReplaceAll(target.Expr, `job="$job"`, ""), -1)
			if len(figures) == 0 && !strings.HasPrefix(target.Expr, "up{") {
				t.Errorf("%s: %s contains no metric of the server", panel.Title, target.Expr)
			}
			for _, figure := range figures {
				used[figure] = true
				if !known[figure] {
					t.Errorf("%s: the server has no metric %s", panel.Title, figure)
				}
			}
		}
	}
	for _, figure := range []string{"moonfund_leader", "moonfund_fee_account_sats", "moonfund_quarantine_outputs",
		"moonfund_signer_up", "moonfund_node_up", "moonfund_reward_runway_epochs", "moonfund_http_requests_total",
		"moonfund_writer_wait_seconds_bucket", "moonfund_transactions_refused", "moonfund_refunds_due_orders",
		"moonfund_database_up", "moonfund_standby_up", "moonfund_standby_lag_bytes"} {
		if !used[figure] {
			t.Errorf("the dashboard does not show %s", figure)
		}
	}
}

// The metrics follow the conventions of Prometheus for help texts, base units and names.
func TestNamesOfMetrics(t *testing.T) {
	w, a := audited(t)
	w.Settle(1)
	s := serverOf(w, a)
	measured(w, s)
	registry, err := metrics{s}.registry()
	testkit.Must(t, err)
	families, err := registry.Gather()
	testkit.Must(t, err)
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	testkit.Must(t, err)
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// The metrics count requests, node calls and updates. The listener of the metrics also serves profiles.
func TestMeasures(t *testing.T) {
	w, a := audited(t)
	w.AddTreasurySats(40_000)
	s := serverOf(w, a)
	s.Version, s.Commit = "1.2.3", "c0ffee"
	text := measured(w, s)
	for _, line := range []string{
		`moonfund_http_requests_total{code="200",route="status"} 1`,
		`moonfund_http_request_duration_seconds_count{route="status"} 1`,
		`moonfund_node_call_duration_seconds_count{method="getblockcount",result="ok"} 1`,
		"moonfund_writer_held_seconds_count 1", "moonfund_writer_wait_seconds_count 1", "moonfund_writer_queue_updates 0",
		"moonfund_leader 1", "moonfund_node_up 1", "moonfund_node_fit 1", "moonfund_signer_up 1",
		`moonfund_fee_account_sats{community="lobo"} 40000`, `moonfund_quarantine_outputs{community="lobo"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
	if !strings.Contains(text, `moonfund_build_info{commit="c0ffee",go_version="go`) ||
		!strings.Contains(text, `version="1.2.3"} 1`) {
		t.Errorf("no build_info")
	}
	s.signs = unready{signer.ErrUnreachable}
	s.CheckSigner(t.Context())
	s.measures.request(api.Answered{Route: "events", Code: 200, Took: time.Hour})
	text = measured(w, s)
	if !strings.Contains(text, "moonfund_signer_up 0\n") ||
		strings.Contains(text, `duration_seconds_count{route="events"}`) {
		t.Errorf("the duration of an event stream is recorded, or the signer is up:\n%s", text)
	}
	handler, err := metrics{s}.handler()
	testkit.Must(t, err)
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/heap"} {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		if recorder.Code != 200 {
			t.Errorf("%s: HTTP %d", path, recorder.Code)
		}
	}
}
