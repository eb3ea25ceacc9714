package api

import (
	"net/http"
	"strings"
	"time"
)

// Answered is a request that was answered.
type Answered struct {
	Route string // one of a fixed set: a call's name, or what else serves the path
	Code  int    // HTTP status
	Took  time.Duration
}

// requestIDHeader carries the id of a request. The error answers and the log name it, too.
const requestIDHeader = "X-Request-Id"

// watch gives each request an id and reports it once it is answered.
func (h *handler) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(requestIDHeader, h.newID())
		began := time.Now()
		a := &answerWriter{ResponseWriter: w, code: http.StatusOK}
		defer func() { h.answered(Answered{h.routeOf(r), a.code, time.Since(began)}) }()
		next.ServeHTTP(a, r)
	})
}

// answerWriter keeps the status of an answer. http.ResponseController reaches the connection by Unwrap.
type answerWriter struct {
	http.ResponseWriter
	code    int
	decided bool
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

// routeOf names what serves a request. What clients send never becomes a name.
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

// requestID returns the id of the request that w answers.
func requestID(w http.ResponseWriter) string { return w.Header().Get(requestIDHeader) }
