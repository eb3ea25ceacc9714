package coins

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"moonfund/internal/bitcoin/vault"
)

// pool runs lookups, at most as many at once as it has slots. Concurrent callers for the same address share one lookup.
// A lookup continues after its callers return, so that no caller can end the lookup of others, or occupy a further slot
// by leaving and calling again.
type pool struct {
	slots   chan struct{} // one element per running lookup
	timeout func() time.Duration

	mu      sync.Mutex
	lookups map[string]*lookup // lookups that wait for a slot or run, by address
	sources map[string]*lookup // the same lookups, by the source that began them
}

// lookup is a lookup that waits or runs until done is closed. Then the other fields are its result.
type lookup struct {
	done  chan struct{}
	found []vault.Coin
	err   error
}

func newPool(slots int, timeout func() time.Duration) *pool {
	return &pool{
		slots: make(chan struct{}, slots), timeout: timeout, lookups: map[string]*lookup{},
		sources: map[string]*lookup{},
	}
}

// find returns the result of lookUp for an address. At most one lookup that a source began waits for a slot or runs at
// once, unless source is "". find returns vault.ErrCoinsUnavailable if it takes longer than timeout.
func (p *pool) find(ctx context.Context, source, address string,
	lookUp func(context.Context) ([]vault.Coin, error)) ([]vault.Coin, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout())
	defer cancel()
	for {
		current, ofAddress := p.join(source, address, lookUp)
		select {
		case <-current.done:
			if ofAddress {
				return slices.Clone(current.found), current.err
			}
		case <-ctx.Done():
			return nil, unavailable(fmt.Errorf("too many other lookups: %w", ctx.Err()))
		}
	}
}

// join returns the lookup of an address, which it begins if there is none, and true. If the source already has a lookup
// of another address, join returns that lookup and false. The caller then waits for it outside of the pool, so that
// callers from other sources for the same address need not wait for it.
func (p *pool) join(source, address string,
	lookUp func(context.Context) ([]vault.Coin, error)) (current *lookup, ofAddress bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if current = p.lookups[address]; current != nil {
		return current, true
	}
	if current = p.sources[source]; current != nil {
		return current, false
	}
	begun := &lookup{done: make(chan struct{})}
	p.lookups[address] = begun
	if source != "" {
		p.sources[source] = begun
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.timeout())
		defer cancel()
		begun.found, begun.err = p.run(ctx, lookUp)
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.lookups, address)
		delete(p.sources, source)
		close(begun.done)
	}()
	return begun, true
}

// run calls lookUp as soon as a slot is free.
func (p *pool) run(ctx context.Context,
	lookUp func(context.Context) ([]vault.Coin, error)) ([]vault.Coin, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, unavailable(fmt.Errorf("too many other lookups: %w", ctx.Err()))
	}
	return lookUp(ctx)
}
