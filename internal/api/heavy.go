package api

import (
	"net/http"
	"time"
)

// heavy are the calls whose cost grows with the ledger (true), or with a wallet or its coins (false). Each counts as
// heavyCost calls of its source. At most heavyAtOnce calls of the first kind run at once, because each holds its
// response in memory.
var heavy = map[string]bool{"epoch": true, "reserves": true, "recoveryKit": false, "activityCSV": false,
	"statementDetails": true, "statementProof": true, "estimateOneTx": false, "beginOneTx": false}

const (
	heavyCost   = 10
	heavyAtOnce = 2
)

// serveHeavy serves one of the heavy calls. whole is its value in heavy.
func (h *handler) serveHeavy(w http.ResponseWriter, r *http.Request, from string, whole bool) {
	if wait := h.perSource.waitFor(from, heavyCost-1); wait > 0 { // one call is already counted
		h.tooMany(w, wait)
		return
	}
	if !whole {
		h.routes.ServeHTTP(w, r)
		return
	}
	select {
	case h.heavy <- struct{}{}:
	case <-r.Context().Done():
		h.tooMany(w, time.Second)
		return
	}
	t := &tagWriter{ResponseWriter: w, status: http.StatusOK}
	func() {
		defer func() { <-h.heavy }()
		h.routes.ServeHTTP(t, r)
	}()
	w.WriteHeader(t.status) // after the slot is free, because a slow reader must not occupy it
	if _, err := w.Write(t.body.Bytes()); err != nil {
		h.log.DebugContext(r.Context(), "the client went away", "error", err)
	}
}
