package api

import (
	"net/http"
	"strings"
	"time"
)

// Answered describes a request that was answered.
type Answered struct {
	Route string // one of a fixed set: a call's name, or the name of another route
	Code  int    // HTTP status
	Took  time.Duration
}

// requestIDHeader is the response header with the id of a request. The id is also in error responses and in the log.
const requestIDHeader = "X-Request-Id"

// watch assigns an id to each request, and calls Config.Answered after the response.
func (h *handler) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(requestIDHeader, h.newID())
		began, route := time.Now(), h.routeOf(r)
		a := &answerWriter{ResponseWriter: w, code: http.StatusOK}
		r, span := startSpan(r, route)
		defer func() {
			endSpan(span, a.code)
			h.answered(Answered{route, a.code, time.Since(began)})
		}()
		next.ServeHTTP(a, r)
	})
}

// answerWriter records the status of a response. http.ResponseController accesses the connection by Unwrap.
type answerWriter struct {
	http.ResponseWriter
	code    int
	decided bool // code was written; informational statuses (1xx) don't count
}

// WriteHeader implements http.ResponseWriter.
func (a *answerWriter) WriteHeader(code int) {
	if !a.decided && code >= http.StatusOK {
		a.code, a.decided = code, true
	}
	a.ResponseWriter.WriteHeader(code)
}

// Unwrap returns the writer of the connection.
func (a *answerWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// routeOf returns the name of the route that serves a request. Names never contain data from clients.
func (h *handler) routeOf(r *http.Request) string {
	first, rest := split(r.URL.Path)
	if first == "healthz" || first == "readyz" {
		return first
	}
	if !h.serves(hostOf(r)) {
		return "unknown_host"
	}
	if _, mounted := h.mounts[first]; mounted {
		return first
	}
	_, isSite := h.sites[first]
	switch {
	case r.URL.Path == securityPath:
		return "security_txt"
	case first == "orders" && h.orders != nil:
		return "rune_orders"
	case first == "openapi.json" || first == "openapi":
		return "openapi"
	case isSite && rest != "" || h.isCall(rest):
		if op, found := h.find(rest)[method(r)]; isSite && found {
			return op.ID
		}
		return "unknown_call"
	case strings.HasPrefix(r.URL.Path, "/assets/"):
		return "asset"
	}
	return "page"
}

// requestID returns the id of the request whose response w writes.
func requestID(w http.ResponseWriter) string { return w.Header().Get(requestIDHeader) }
