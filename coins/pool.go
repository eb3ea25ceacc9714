package coins

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"moonfund/vault"
)

// pool runs lookups, at most as many at once as it has slots. Callers who look up the same address at the same time
// share one lookup. It does not end with its callers, so that none of them can end that of others.
type pool struct {
	slots   chan struct{} // one element per running lookup
	timeout func() time.Duration

	mu      sync.Mutex
	lookups map[string]*lookup       // that wait or run, by address
	owners  map[string]chan struct{} // by owner with a lookup; closed at its end
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
		owners: map[string]chan struct{}{},
	}
}

// find returns the result of look for an address. At most one look runs for an owner at once, unless owner is "". find
// returns vault.ErrCoinsUnavailable if that takes longer than timeout.
func (p *pool) find(ctx context.Context, owner, address string,
	look func(context.Context) ([]vault.Coin, error)) ([]vault.Coin, error) {
	shared := p.join(owner, address, look)
	select {
	case <-shared.done:
		return slices.Clone(shared.found), shared.err
	case <-ctx.Done():
		return nil, unavailable(ctx.Err())
	}
}

// join returns the lookup of an address that runs, or else begins one.
func (p *pool) join(owner, address string, look func(context.Context) ([]vault.Coin, error)) *lookup {
	p.mu.Lock()
	defer p.mu.Unlock()
	if running := p.lookups[address]; running != nil {
		return running
	}
	begun := &lookup{done: make(chan struct{})}
	p.lookups[address] = begun
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.timeout())
		defer cancel()
		begun.found, begun.err = p.run(ctx, owner, look)
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.lookups, address)
		close(begun.done)
	}()
	return begun
}

func (p *pool) run(ctx context.Context, owner string,
	look func(context.Context) ([]vault.Coin, error)) ([]vault.Coin, error) {
	if owner != "" {
		release, err := p.acquire(ctx, owner)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, unavailable(fmt.Errorf("too many other lookups: %w", ctx.Err()))
	}
	return look(ctx)
}

// acquire blocks until no lookup of an owner runs.
func (p *pool) acquire(ctx context.Context, owner string) (release func(), err error) {
	for {
		p.mu.Lock()
		running, busy := p.owners[owner]
		if !busy {
			ended := make(chan struct{})
			p.owners[owner] = ended
			p.mu.Unlock()
			return func() {
				p.mu.Lock()
				defer p.mu.Unlock()
				delete(p.owners, owner)
				close(ended)
			}, nil
		}
		p.mu.Unlock()
		select {
		case <-running:
		case <-ctx.Done():
			return nil, unavailable(fmt.Errorf("another lookup of the owner runs: %w", ctx.Err()))
		}
	}
}
