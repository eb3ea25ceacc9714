package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"moonfund/amount"
	"moonfund/api"
	"moonfund/chain"
)

// boardTargets are the waits, in blocks, that people are shown rates for: the next block, an hour, a day.
var boardTargets = [3]int{1, rateTarget, 144}

// board is the rates that people are shown, kept as long as the one that orders are priced at.
type board struct {
	mu    sync.Mutex
	rates [len(boardTargets)]amount.FeeRate
	asked time.Time
}

// shown gives the rates of boardTargets. A longer wait never costs more.
func (r *rates) shown(ctx context.Context) [len(boardTargets)]amount.FeeRate {
	priced := r.rate(ctx)
	r.mu.Lock()
	fixed := r.fixed != nil
	r.mu.Unlock()
	if fixed {
		return [len(boardTargets)]amount.FeeRate{priced, priced, priced}
	}
	b := &r.board
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked.IsZero() || time.Since(b.asked) > rateAge {
		fast, err := r.node.FeeRate(ctx, boardTargets[0])
		b.rates[0] = r.policy.Clamp(fast, err)
		slow, err := r.node.FeeRate(ctx, boardTargets[2])
		b.rates[2], b.asked = r.policy.Clamp(slow, err), time.Now()
	}
	return [len(boardTargets)]amount.FeeRate{max(b.rates[0], priced), priced, min(b.rates[2], priced)}
}

// FeeRates implements api.State.
func (s standing) FeeRates(ctx context.Context) []api.FeeRate {
	var list []api.FeeRate
	for i, rate := range s.rates.shown(ctx) {
		list = append(list, api.FeeRate{Blocks: boardTargets[i], Feerate: rate.Float()})
	}
	return list
}

// tell says once when the node's estimate is not used as it is, and when it is again.
func (r *rates) tell(estimate amount.FeeRate, err error) {
	doubt := ""
	switch {
	case err != nil:
		doubt = err.Error()
	case estimate > r.policy.Max: // less than the floor is nothing odd
		doubt = fmt.Sprintf("it says %s sat/vB, more than %s is not believed", estimate, r.policy.Max)
	}
	if doubt == r.doubt || r.log == nil {
		return
	}
	r.doubt = doubt
	switch {
	case doubt == "":
		r.log.Info("the node's fee estimate is used again", "sat_per_vb", r.latest.String())
	case errors.Is(err, chain.ErrNoEstimate): // a new node has none, nor has a quiet network
		r.log.Info("the node has no fee estimate", "sat_per_vb", r.latest.String())
	default:
		r.log.Warn("the node's fee estimate is not used", "reason", doubt, "sat_per_vb", r.latest.String())
	}
}
