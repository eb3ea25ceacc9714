package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	heartbeat = 15 * time.Second // interval of the events by which clients and proxies see that the stream works
	writeTime = 10 * time.Second // timeout of a write; a client that does not read is then disconnected
	retryMS   = 2000             // delay before a client reconnects, in milliseconds
	alive     = "event: alive\ndata: {}\n\n"
)

// serveEvents is GET events. It sends server-sent events named "changed", each with a Changed as its data, and events
// named "alive" at the start and in intervals: a browser doesn't show comments to the page, so a page could not tell a
// quiet stream from one whose body a proxy holds back.
func (h *handler) serveEvents(w http.ResponseWriter, r *http.Request) {
	v := visitOf(r.Context())
	query := r.URL.Query()
	wallet := query.Get("w_wallet_code_ord")
	if wallet != "" || query.Get("w_wallet_code") != "" {
		known, err := h.wallet(query.Get("w_wallet_code"), wallet)
		if err != nil {
			h.writeFault(w, r, err)
			return
		}
		wallet = known.Ordinals
	}
	if err := h.streams.enter(v.source); err != nil {
		w.Header().Set("Retry-After", "30")
		h.writeFault(w, r, err)
		return
	}
	defer h.streams.leave(v.source)
	seen, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	if err != nil {
		seen = 0 // a first connection
	}
	stream := h.hub.open(v.site.Prefix, wallet, seen)
	defer h.hub.close(stream)

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	h.pump(w, r, stream)
}

// pump writes the events of a stream until the client disconnects or the hub closes the stream.
func (h *handler) pump(w http.ResponseWriter, r *http.Request, s *stream) {
	control := http.NewResponseController(w)
	send := func(text string) bool {
		if err := control.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
			return false
		}
		if _, err := w.Write([]byte(text)); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	if err := control.SetReadDeadline(time.Time{}); err != nil { // otherwise the server's read timeout ends the stream
		return
	}
	if !send(fmt.Sprintf("retry: %d\n%s", retryMS, alive)) {
		return
	}
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	for {
		text := alive
		select {
		case <-r.Context().Done():
			return
		case <-s.done:
			return
		case <-s.wake:
			text = eventText(h.hub.take(s))
		case <-ticker.C:
		}
		if !send(text) {
			return
		}
	}
}

// eventText renders changes as server-sent events, in the order of their versions.
func eventText(changes map[ChangedScope]int64) string {
	scopes := slices.SortedFunc(maps.Keys(changes), func(a, b ChangedScope) int {
		return cmp.Or(cmp.Compare(changes[a], changes[b]), cmp.Compare(a, b))
	})
	var text strings.Builder
	for _, scope := range scopes {
		change := Changed{Scope: scope, Version: changes[scope]}
		data, err := json.Marshal(change)
		if err != nil { // a Changed always marshals
			panic(err)
		}
		fmt.Fprintf(&text, "id: %d\nevent: changed\ndata: %s\n\n", change.Version, data)
	}
	return text.String()
}
