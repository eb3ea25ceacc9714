package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// receiver is a collector that keeps what it receives.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	spans    []*tracepb.Span
	about    []*commonpb.KeyValue // attributes of the resource
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		data := new(tracepb.TracesData)
		if err == nil {
			err = proto.Unmarshal(body, data)
		}
		if err != nil {
			t.Errorf("a request of the exporter: %v", err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.requests = append(r.requests, request)
		for _, of := range data.GetResourceSpans() {
			r.about = of.GetResource().GetAttributes()
			for _, scope := range of.GetScopeSpans() {
				r.spans = append(r.spans, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// named returns the spans with a name.
func (r *receiver) named(name string) (found []*tracepb.Span) {
	for _, s := range r.spans {
		if s.GetName() == name {
			found = append(found, s)
		}
	}
	return found
}

// node returns a client of a node that answers getblockcount only.
func node(t *testing.T) *chain.Client {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), "getblockhash") {
			fmt.Fprint(w, `{"result":null,"error":{"code":-5,"message":"a text of the node"}}`)
			return
		}
		fmt.Fprintf(w, `{"result":"%064d","error":null}`, 7)
	}))
	t.Cleanup(server.Close)
	return chain.NewClient(chain.ClientConfig{URL: server.URL, User: "user", Password: "a-password"})
}

// unset removes the variables of OpenTelemetry for a test.
func unset(t *testing.T) {
	for _, name := range []string{endpointVariable, tracesVariable, headersVariable, protocolVariable} {
		t.Setenv(name, "")
	}
}

// pays has an order delivered, and returns it.
func pays(w *testkit.World) order.Order {
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(4)
	return w.WantStatus(o.ID, order.Delivered)
}

// TestSpans has an order delivered and calls a node, and checks the exported spans. This test installs the provider for
// the whole process, so TestOff is a part of it that comes first.
func TestSpans(t *testing.T) {
	t.Run("off", off)
	unset(t)
	to := newReceiver(t)
	t.Setenv(endpointVariable, to.URL+"/")
	t.Setenv(headersVariable, "authorization=Bearer%20token, x-tenant=moon")
	var log bytes.Buffer
	run, err := New(t.Context(), "1.2.3", slog.New(slog.NewTextHandler(&log, nil)))
	testkit.Must(t, err)
	w := testkit.NewWorld(t)
	o := pays(w)
	ctx, span := otel.Tracer("test").Start(t.Context(), "parent")
	if _, err := node(t).BlockHash(ctx, 7); err != nil {
		t.Error(err)
	}
	if _, _, err := node(t).Best(ctx); err == nil {
		t.Error("the node answered a call that it refuses")
	}
	span.End()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	run(done)

	if len(to.requests) == 0 || log.Len() > 0 {
		t.Fatalf("%d requests; the log has %s", len(to.requests), log.String())
	}
	r := to.requests[0]
	if r.URL.Path != "/v1/traces" || r.Header.Get("Authorization") != "Bearer token" ||
		r.Header.Get("X-Tenant") != "moon" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("the request is %s with %v", r.URL, r.Header)
	}
	if about := fmt.Sprint(to.about); !strings.Contains(about, "1.2.3") || !strings.Contains(about, "moonfund") {
		t.Errorf("the resource is %s", about)
	}
	steps, stored, sent := to.named("follower.step"), to.named("payout.store"), to.named("payout.broadcast")
	if len(steps) < 10 || len(stored) == 0 || len(sent) == 0 {
		t.Fatalf("%d steps, %d stored and %d broadcast payouts", len(steps), len(stored), len(sent))
	}
	for _, s := range slices.Concat(stored, sent) {
		if !slices.ContainsFunc(steps, func(step *tracepb.Span) bool { return bytes.Equal(step.SpanId, s.ParentSpanId) }) {
			t.Errorf("%s is in no step", s.GetName())
		}
	}
	if got := fmt.Sprint(stored[0].GetAttributes()); !strings.Contains(got, o.ID) || !strings.Contains(got, "delivery") {
		t.Errorf("a stored payout has %s, want the order %s", got, o.ID)
	}
	if got := fmt.Sprint(sent[0].GetAttributes()); !strings.Contains(got, o.PayoutTx) {
		t.Errorf("a broadcast payout has %s, want the transaction %s", got, o.PayoutTx)
	}
	calls := to.named("node getblockhash")
	if parent := to.named("parent"); len(calls) != 1 || !bytes.Equal(calls[0].ParentSpanId, parent[0].SpanId) ||
		calls[0].GetStatus().GetCode() != tracepb.Status_STATUS_CODE_UNSET {
		t.Errorf("the calls to the node are %v", calls)
	}
	wantPrivate(t, w, to.spans)
}

// wantPrivate checks that spans have known attributes only, and no secrets, addresses or error texts.
func wantPrivate(t *testing.T, w *testkit.World, spans []*tracepb.Span) {
	t.Helper()
	known := []string{"rpc.method", "moonfund.txid", "moonfund.payout.kind", "moonfund.order.ids"}
	failed := 0
	for _, s := range spans {
		for _, a := range s.GetAttributes() {
			if !slices.Contains(known, a.GetKey()) {
				t.Errorf("%s has the attribute %s", s.GetName(), a.GetKey())
			}
		}
		if s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR {
			failed++
		}
		for _, private := range []string{w.Anna.Ordinals.Text, w.Anna.Payment.Text, "a-password", "a text of the node"} {
			if strings.Contains(s.String(), private) {
				t.Errorf("a span has %q: %s", private, s)
			}
		}
	}
	if failed == 0 {
		t.Error("no span says that the call to the node failed")
	}
}

// off checks that nothing is recorded or sent without an address.
func off(t *testing.T) {
	unset(t)
	before := otel.GetTracerProvider()
	run, err := New(t.Context(), "1.2.3", slog.New(slog.DiscardHandler))
	if run != nil || err != nil || otel.GetTracerProvider() != before {
		t.Errorf("without an address: error %v, and a provider is installed", err)
	}
	if _, span := otel.Tracer("test").Start(t.Context(), "nothing"); span.IsRecording() {
		t.Error("a span is recorded")
	}
	pays(testkit.NewWorld(t))
}

// TestDeadCollector checks that a collector which does not answer delays the end by little.
func TestDeadCollector(t *testing.T) {
	unset(t)
	asked := make(chan struct{}, 1)
	dead := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done() // until the client disconnects
	}))
	defer dead.Close()
	defer dead.CloseClientConnections()
	t.Setenv(endpointVariable, dead.URL)
	run, err := New(t.Context(), "", slog.New(slog.DiscardHandler))
	testkit.Must(t, err)
	_, span := otel.Tracer("test").Start(t.Context(), "last")
	span.End()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	run(done)
	if took := time.Since(began); took > timeout/2 || len(asked) != 1 {
		t.Errorf("the end took %s, with %d requests", took, len(asked))
	}
}

// TestRefusedSettings checks that settings which would send no spans are errors, without their secrets.
func TestRefusedSettings(t *testing.T) {
	for _, row := range []struct{ name, value, want string }{
		{endpointVariable, "127.0.0.1:4318", "must begin with http:// or https://"},
		{protocolVariable, "grpc", `is "grpc"; only http/protobuf is supported`},
		{headersVariable, "secret", headersVariable + " must be such as key=value"},
	} {
		unset(t)
		t.Setenv(endpointVariable, "http://127.0.0.1:4318")
		t.Setenv(row.name, row.value)
		_, err := New(t.Context(), "", slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s=%s: error %v, want %q", row.name, row.value, err, row.want)
		}
	}
}
