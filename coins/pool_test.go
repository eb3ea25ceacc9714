package coins

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"moonfund/vault"
)

// answers makes the Esplora server answer that an address has no outputs, except for addresses with a prefix: these it
// answers once released. It counts the requests.
func (p *place) answers(blocked string) (release func(), started chan string, requests *atomic.Int64) {
	released := make(chan struct{})
	started, requests = make(chan string, 100), new(atomic.Int64)
	p.serve(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if path := strings.TrimPrefix(r.URL.Path, "/api/address/"); strings.HasPrefix(path, blocked) {
			started <- path
			<-released
		}
		_ = json.NewEncoder(w).Encode([]any{})
	})
	return func() { close(released) }, started, requests
}

// A caller of FindFor chooses the address. Its lookups occupy no slot of Find, and no more than one of FindFor for each
// owner.
func TestFindForBlocksNoOrders(t *testing.T) {
	p := newPlace(t)
	release, started, _ := p.answers("slow")
	done := make(chan error)
	claim := func(owner, at string) {
		go func() {
			_, err := p.finder.FindFor(t.Context(), owner, at, script)
			done <- err
		}()
	}
	for _, at := range []string{"slow1", "slow2", "slow3", "slow4", "slow5"} {
		claim("one owner", at)
	}
	<-started
	if _, err := p.finder.FindFor(t.Context(), "another owner", address, script); err != nil {
		t.Errorf("another owner waits for the lookups of the first: %v", err)
	}
	claim("a third owner", "slow6")
	<-started
	for _, at := range []string{"a", "b", "c", "d", "e"} {
		if _, err := p.finder.Find(t.Context(), at, script); err != nil {
			t.Errorf("an order waits for lookups of claimed addresses: %v", err)
		}
	}
	if len(started) != 0 {
		t.Errorf("%d more lookups run", len(started))
	}
	release()
	for range 6 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Callers who look up the same address share a lookup. A caller who leaves ends no lookup of others.
func TestFindIsShared(t *testing.T) {
	p := newPlace(t)
	release, started, requests := p.answers("slow")
	leaving, leave := context.WithCancel(t.Context())
	done := make(chan error)
	find := func(ctx context.Context) {
		_, err := p.finder.Find(ctx, "slow", script)
		done <- err
	}
	go find(leaving)
	<-started
	for range 3 * ofOrders {
		go find(t.Context())
	}
	leave()
	if err := <-done; !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("the caller who left gets %v", err)
	}
	release()
	for range 3 * ofOrders {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := requests.Load(); got != 1 {
		t.Errorf("%d requests, want 1", got)
	}
	if len(p.finder.orders.lookups) != 0 {
		t.Errorf("%d lookups are kept", len(p.finder.orders.lookups))
	}
}
