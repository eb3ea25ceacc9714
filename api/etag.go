package api

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
)

// cacheable are the calls whose answers a client may keep and ask about again: 304 says that nothing changed.
var cacheable = map[string]bool{"infoGlobals": true, "community": true}

// tagWriter holds an answer back until it is whole, so that its ETag can be compared.
type tagWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (t *tagWriter) WriteHeader(status int)            { t.status = status }
func (t *tagWriter) Write(content []byte) (int, error) { return t.body.Write(content) }

// serveTagged lets the routes answer, and sends 304 instead when the client has the same answer already.
func (d *door) serveTagged(w http.ResponseWriter, r *http.Request) {
	t := &tagWriter{ResponseWriter: w, status: http.StatusOK}
	d.routes.ServeHTTP(t, r)
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
		d.log.DebugContext(r.Context(), "the client went away", "error", err)
	}
}
