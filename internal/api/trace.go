package api

import (
	"net/http"
	"slices"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// startSpan begins the span of a request, except of an event stream, which may take hours. It ignores a trace that the
// client names. Neither the path nor anything else from the client is part of the span.
func startSpan(r *http.Request, route string) (*http.Request, trace.Span) {
	if route == "events" {
		return r, noop.Span{}
	}
	ctx, span := otel.Tracer("moonfund/internal/api").Start(r.Context(), "HTTP "+route,
		trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String("http.route", route),
			attribute.String("http.request.method", knownMethod(r.Method))))
	return r.WithContext(ctx), span
}

// endSpan ends the span of a request with the status of its response.
func endSpan(span trace.Span, code int) {
	span.SetAttributes(attribute.Int("http.response.status_code", code))
	if code >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// knownMethod returns a method of HTTP, or _OTHER for any other word.
func knownMethod(method string) string {
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions}, method) {
		return method
	}
	return "_OTHER"
}
