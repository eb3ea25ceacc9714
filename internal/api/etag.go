package api

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
)

// cacheable are the calls with an ETag. A client can revalidate their responses, and gets 304 if the response is
// unchanged.
var cacheable = map[string]bool{"infoGlobals": true, "community": true}

// tagWriter buffers a response, to compute its ETag.
type tagWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (t *tagWriter) WriteHeader(status int) { t.status = status }

// Write implements http.ResponseWriter.
func (t *tagWriter) Write(content []byte) (int, error) { return t.body.Write(content) }

// serveTagged serves the routes with an ETag, and writes 304 if the client already has the same response.
func (h *handler) serveTagged(w http.ResponseWriter, r *http.Request) {
	t := &tagWriter{ResponseWriter: w, status: http.StatusOK}
	h.routes.ServeHTTP(t, r)
	if t.status == http.StatusOK {
		digest := sha256.Sum256(t.body.Bytes())
		tag := fmt.Sprintf(`"%x"`, digest[:8])
		w.Header().Set("ETag", tag)
		w.Header().Set("Cache-Control", "no-cache")
		if r.Header.Get("If-None-Match") == tag {
			w.Header().Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.WriteHeader(t.status)
	if _, err := w.Write(t.body.Bytes()); err != nil {
		h.log.DebugContext(r.Context(), "the client went away", "error", err)
	}
}
