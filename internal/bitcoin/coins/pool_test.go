package coins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moonfund/internal/bitcoin/vault"
)

// answers makes the Esplora server answer that an address has no outputs. Addresses with a prefix get the answer only
// once released. It counts the requests.
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

// A caller of FindFor chooses the address and the owner. The lookups of one source occupy no slot of Find and one slot
// of FindFor, even if the caller leaves. Callers from other sources wait for none of these lookups, not even for a
// waiting lookup of the same address.
func TestFindForIsFair(t *testing.T) {
	p := newPlace(t)
	release, started, requests := p.answers("slow")
	done := make(chan error, 100)
	estimate := func(ctx context.Context, source, at string) {
		_, err := p.finder.FindFor(ctx, source, at, script)
		done <- err
	}
	leaving, leave := context.WithCancel(t.Context())
	go estimate(leaving, "one source", "slow0")
	<-started
	leave()
	if err := <-done; !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("the caller who left gets %v", err)
	}
	for _, at := range []string{"slow1", "slow2", address} {
		go estimate(t.Context(), "one source", at)
	}
	for i := range ofEstimates - 2 {
		go estimate(t.Context(), fmt.Sprint("source ", i), fmt.Sprint("slow of source ", i))
		<-started
	}
	for _, at := range []string{address, "another address"} {
		if _, err := p.finder.FindFor(t.Context(), "another source", at, script); err != nil {
			t.Errorf("another source waits for lookups of the first: %v", err)
		}
	}
	for i := range 2 * ofOrders {
		if _, err := p.finder.Find(t.Context(), fmt.Sprint("address ", i), script); err != nil {
			t.Errorf("an order waits for lookups of estimates: %v", err)
		}
	}
	if len(started) != 0 {
		t.Errorf("%d more lookups run", len(started))
	}
	release()
	for range 3 + ofEstimates - 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := len(p.finder.estimates.lookups) + len(p.finder.estimates.sources); n != 0 {
		t.Errorf("%d lookups are kept", n)
	}
	if got, most := requests.Load(), int64(3+ofEstimates-2+2+2*ofOrders); got > most {
		t.Errorf("%d requests, want at most %d", got, most)
	}
}

// A caller whose source has another lookup waits for it at most until the caller's own request ends.
func TestFindForEndsWithItsRequest(t *testing.T) {
	p := newPlace(t)
	release, started, _ := p.answers("slow")
	first := make(chan error)
	go func() {
		_, err := p.finder.FindFor(t.Context(), "one source", "slow", script)
		first <- err
	}()
	<-started
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := p.finder.FindFor(short, "one source", address, script); !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("got %v, want %v", err, vault.ErrCoinsUnavailable)
	}
	release()
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// Callers that look up the same address share a lookup. A caller that leaves does not end the lookup of others.
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
