package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// Each request but an event stream has a span with its route and status. Nothing in it comes from the client, which
// can't name a trace.
func TestSpansOfRequests(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(trace.NewTracerProvider(trace.WithSpanProcessor(recorder)))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	stream := httptest.NewRequest(http.MethodGet, "/lobo/events", http.NoBody)
	if _, span := startSpan(stream, "events"); span.IsRecording() {
		t.Error("an event stream has a span")
	}
	answered := make(chan Answered, 1)
	b := build(t, func(c *Config) { c.Answered = func(a Answered) { answered <- a } })
	for _, row := range []struct {
		method, path, name string
		code               int
		status             codes.Code
		broken             bool
	}{
		{"GET", "/lobo/status?secret=1", "HTTP status", 200, codes.Unset, false},
		{"SECRET", "/lobo/secret", "HTTP unknown_call", 404, codes.Unset, false},
		{"GET", "/lobo/infoGlobals", "HTTP infoGlobals", 500, codes.Error, true},
	} {
		b.fake.broken = row.broken
		request, err := http.NewRequestWithContext(t.Context(), row.method, b.URL+row.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		response, err := b.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		<-answered
		ended := recorder.Ended()
		span := ended[len(ended)-1]
		set := attribute.NewSet(span.Attributes()...)
		code, _ := set.Value("http.response.status_code")
		if span.Name() != row.name || code.AsInt64() != int64(row.code) || span.Status().Code != row.status ||
			span.Parent().IsValid() || strings.Contains(strings.ToLower(set.Encoded(attribute.DefaultEncoder())), "secret") {
			t.Errorf("%s %s: %s with %v and %v", row.method, row.path, span.Name(), set.ToSlice(), span.Status())
		}
	}
}
