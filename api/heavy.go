package api

import (
	"net/http"
	"time"
)

// heavy are the calls whose work grows with the whole ledger (true), or with a
// wallet of anybody's choice. Of a source's calls each counts as heavyCost. Of the
// first kind heavyAtOnce are worked on at a time, since each holds its answer in
// memory: asking for them must not take the server from everybody else.
var heavy = map[string]bool{"epoch": true, "reserves": true, "recoveryKit": false, "activityCSV": false}

const (
	heavyCost   = 10
	heavyAtOnce = 2
)

// serveHeavy lets the routes answer a call of heavy.
func (d *door) serveHeavy(w http.ResponseWriter, r *http.Request, from string, whole bool) {
	if wait := d.perSource.waitFor(from, heavyCost-1); wait > 0 { // one is paid
		d.tooMany(w, wait)
		return
	}
	if !whole {
		d.routes.ServeHTTP(w, r)
		return
	}
	select {
	case d.heavy <- struct{}{}:
	case <-r.Context().Done():
		d.tooMany(w, time.Second)
		return
	}
	t := &tagWriter{ResponseWriter: w, status: http.StatusOK}
	func() {
		defer func() { <-d.heavy }()
		d.routes.ServeHTTP(t, r)
	}()
	w.WriteHeader(t.status) // whoever reads slowly holds nobody up
	if _, err := w.Write(t.body.Bytes()); err != nil {
		d.log.DebugContext(r.Context(), "the client went away", "error", err)
	}
}
