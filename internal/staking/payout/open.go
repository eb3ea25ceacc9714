package payout

import (
	"context"
	"slices"

	"moonfund/internal/staking/order"
)

// Caching returns tx with a PayoutStore that loads the payouts of a status once, and again after this transaction
// changed a payout. There can be thousands, and each part of a Prepare reads them.
func (tx Tx) Caching() Tx {
	cache := &payoutCache{PayoutStore: tx.Payouts, loaded: map[Status][]Payout{}}
	tx.Payouts, tx.Attempts = cache, cachedAttempts{tx.Attempts, cache}
	return tx
}

type payoutCache struct {
	PayoutStore
	loaded map[Status][]Payout
}

// PayoutsIn implements PayoutStore. The caller may change the result.
func (c *payoutCache) PayoutsIn(ctx context.Context, statuses ...Status) (all []Payout, err error) {
	for _, status := range statuses {
		found, known := c.loaded[status]
		if !known {
			if found, err = c.PayoutStore.PayoutsIn(ctx, status); err != nil {
				return nil, err
			}
			c.loaded[status] = found
		}
		for _, p := range found {
			p.Versions, p.OrderIDs = slices.Clone(p.Versions), slices.Clone(p.OrderIDs)
			all = append(all, p)
		}
	}
	return all, nil
}

// InsertPayout implements PayoutStore.
func (c *payoutCache) InsertPayout(ctx context.Context, p Payout) error {
	clear(c.loaded)
	return c.PayoutStore.InsertPayout(ctx, p)
}

// UpdatePayout implements PayoutStore.
func (c *payoutCache) UpdatePayout(ctx context.Context, p Payout, from Status) error {
	clear(c.loaded)
	return c.PayoutStore.UpdatePayout(ctx, p, from)
}

// InsertVersion implements PayoutStore.
func (c *payoutCache) InsertVersion(ctx context.Context, payoutID string, v Version) error {
	clear(c.loaded)
	return c.PayoutStore.InsertVersion(ctx, payoutID, v)
}

// UpdateVersion implements PayoutStore.
func (c *payoutCache) UpdateVersion(ctx context.Context, v Version) error {
	clear(c.loaded)
	return c.PayoutStore.UpdateVersion(ctx, v)
}

// cachedAttempts discards what was loaded in an attempt that was undone.
type cachedAttempts struct {
	order.Attempts
	cache *payoutCache
}

// Attempt implements order.Attempts.
func (a cachedAttempts) Attempt(ctx context.Context, fn func() error) (failed, err error) {
	failed, err = a.Attempts.Attempt(ctx, fn)
	if failed != nil || err != nil {
		clear(a.cache.loaded)
	}
	return failed, err
}
