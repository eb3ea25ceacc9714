package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// change is one event of the stream.
type change struct {
	Scope   string `json:"scope"`
	Version int64  `json:"version"`
}

// listen opens the wallet's event stream and returns its events until the test ends.
func (p *staker) listen() <-chan change {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p.t.Cleanup(cancel)
	query := url.Values{"w_wallet_code": {p.payment.text}, "w_wallet_code_ord": {p.ordinals.text}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/%s/events?%s", p.port,
		prefix, query.Encode()), nil)
	must(p.t, err)
	response, err := http.DefaultClient.Do(request)
	must(p.t, err)
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		p.t.Fatalf("the stream: HTTP %d, %s", response.StatusCode, kind)
	}
	changes := make(chan change, 1000)
	go func() {
		defer close(changes)
		defer response.Body.Close()
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			var c change
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && json.Unmarshal([]byte(data), &c) == nil {
				changes <- c
			}
		}
	}()
	return changes
}

// wantChange waits for an event of the wallet with a version above the given one, and returns the version.
func wantChange(t testing.TB, changes <-chan change, than int64, what string) int64 {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case c, open := <-changes:
			if !open {
				t.Fatalf("the stream ended before: %s", what)
			}
			if c.Scope == "wallet" && c.Version > than {
				return c.Version
			}
		case <-deadline:
			t.Fatalf("no event within %s: %s", patience, what)
		}
	}
}

// checkStream checks that the stream reports every change of the wallet.
func (p *staker) checkStream() {
	changes := p.listen()
	version := wantChange(p.t, changes, 0, "the stream begins")
	o := *p.act("CLAIM", p.in("CLAIMABLE")[0].ID)
	version = wantChange(p.t, changes, version, "a claim")
	p.pay(o, o.Due)
	version = wantChange(p.t, changes, version, "its payment in the mempool")
	p.mine(1)
	version = wantChange(p.t, changes, version, "its payout")
	p.mine(3)
	wantChange(p.t, changes, version, "its delivery")
}
