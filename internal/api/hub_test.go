package api

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestStreamsOfOneSourceAreBounded(t *testing.T) {
	b := build(t, func(c *Config) { c.Streams = 2 })
	one, _ := b.listen(t, "", "")
	two, _ := b.listen(t, "", "")
	next(t, one)
	next(t, two)
	_, refused := b.listen(t, "", "")
	if refused.StatusCode != http.StatusTooManyRequests {
		t.Errorf("third stream: got HTTP %d, want 429", refused.StatusCode)
	}
}

// A further stream of any source is refused once all sources together have the maximum, until one of them ends.
func TestStreamsOfAllSourcesAreBounded(t *testing.T) {
	b := build(t, func(c *Config) { c.AllStreams = 1 })
	one, _ := b.listen(t, "", "")
	next(t, one)
	refused, err := b.Client().Get(b.URL + "/lobo/events")
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Body.Close()
	body, err := io.ReadAll(refused.Body)
	if err != nil || refused.StatusCode != http.StatusServiceUnavailable || refused.Header.Get("Retry-After") == "" ||
		!strings.Contains(string(body), `"STREAMS_FULL"`) {
		t.Errorf("second stream: got HTTP %d %s", refused.StatusCode, body)
	}
	c := newStreamCount(2, 3)
	for n, source := range []string{"a", "a", "b"} {
		if err := c.enter(source); err != nil {
			t.Errorf("stream %d: %v", n, err)
		}
	}
	if c.enter("c") == nil {
		t.Error("a fourth stream is open")
	}
	c.leave("a")
	if err := c.enter("c"); err != nil {
		t.Errorf("after one ended: %v", err)
	}
}

// TestSlowStreams checks that a client that reads nothing uses bounded memory and misses no scope of changes.
func TestSlowStreams(t *testing.T) {
	h := NewHub(still)
	slow := h.open("lobo", "w", 0)
	for range 10_000 {
		h.Wallet("lobo", "w")
		h.Global("lobo")
	}
	if pending := h.take(slow); len(pending) != 2 || pending[ChangedScopeWallet] != h.Version()-1 ||
		pending[ChangedScopeGlobal] != h.Version() {
		t.Errorf("pending changes: got %v", pending)
	}
}
