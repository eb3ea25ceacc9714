// Package feerate chooses the fee rate of new orders and payouts from the node's estimate, within bounds.
package feerate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// Target is the confirmation time of the estimates for orders and payouts, in blocks: about an hour.
const Target = 6

// maxAge is the maximum age of an estimate before a new one is requested from the node.
const maxAge = 20 * time.Second

// Targets are the confirmation times, in blocks, of Table: the next block, an hour, a day.
var Targets = [3]int{1, Target, 144}

// Table holds the fee rates for Targets.
type Table [len(Targets)]amount.FeeRate

// Source returns fee rates. It is safe for concurrent use.
type Source struct {
	node   *chain.Client
	policy chain.FeePolicy
	log    *slog.Logger // nil: rejected estimates are not logged

	mu      sync.Mutex
	fixed   *amount.FeeRate // set by a dev network's control
	latest  amount.FeeRate
	asked   time.Time // time of the last request for latest
	problem string    // last logged problem of the node's estimate; "" for none

	shown struct { // rates for display, cached for maxAge like latest
		sync.Mutex
		table Table
		asked time.Time
	}

	relaysV3   atomic.Bool
	mempoolMin atomic.Int64 // amount.FeeRate
}

// New returns a source of the node's estimates within the policy's bounds.
func New(node *chain.Client, policy chain.FeePolicy, log *slog.Logger) *Source {
	return &Source{node: node, policy: policy, log: log}
}

// Fixed returns a source that always returns the same rate and calls no node.
func Fixed(rate amount.FeeRate) *Source {
	return &Source{fixed: &rate, policy: chain.FeePolicy{Fallback: rate, Min: rate, Max: rate}}
}

// Rate returns the fee rate of new orders and payouts: the node's estimate within the policy's bounds, but at least the
// minimum of the node's mempool. It calls the node if the last estimate is older than maxAge.
func (s *Source) Rate(ctx context.Context) amount.FeeRate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fixed != nil {
		return s.policy.Clamp(*s.fixed, nil)
	}
	if s.latest == 0 || time.Since(s.asked) > maxAge {
		estimate, err := s.node.FeeRate(ctx, Target)
		s.latest, s.asked = s.policy.Clamp(estimate, err), time.Now()
		s.logProblem(estimate, err)
		if least, err := s.node.MempoolMin(ctx); err == nil {
			s.mempoolMin.Store(int64(least))
		}
		// A node without an estimate can have a full mempool, which relays nothing below its minimum.
		s.latest = max(s.latest, min(s.MempoolMin(), s.policy.Max))
		if v3, err := s.node.RelaysV3(ctx); err == nil {
			s.relaysV3.Store(v3)
		}
	}
	return s.latest
}

// Min returns the lowest rate that Rate returns.
func (s *Source) Min() amount.FeeRate { return s.policy.Min }

// RelaysV3 reports whether the node relays transactions of version 3, according to its last response. It takes no lock,
// because its callers are inside write transactions and Rate holds the lock while it calls the node.
func (s *Source) RelaysV3() bool { return s.relaysV3.Load() }

// MempoolMin returns the minimum fee rate of transactions that the node accepts, by its last response; 0 if it is
// unknown. Like RelaysV3 it takes no lock.
func (s *Source) MempoolMin() amount.FeeRate { return amount.FeeRate(s.mempoolMin.Load()) }

// Fix sets a fixed rate; nil returns to the node's estimates.
func (s *Source) Fix(rate *amount.FeeRate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fixed = rate
}

// Table returns the rates for Targets, for display. The rate for a longer confirmation time is never higher.
func (s *Source) Table(ctx context.Context) Table {
	rate := s.Rate(ctx)
	s.mu.Lock()
	fixed := s.fixed != nil
	s.mu.Unlock()
	if fixed {
		return Table{rate, rate, rate}
	}
	shown := &s.shown
	shown.Lock()
	defer shown.Unlock()
	if shown.asked.IsZero() || time.Since(shown.asked) > maxAge {
		fast, err := s.node.FeeRate(ctx, Targets[0])
		shown.table[0] = s.policy.Clamp(fast, err)
		slow, err := s.node.FeeRate(ctx, Targets[2])
		shown.table[2], shown.asked = s.policy.Clamp(slow, err), time.Now()
	}
	return Table{max(shown.table[0], rate), rate, min(shown.table[2], rate)}
}

// logProblem logs once when the node's estimate is rejected, and once when an estimate is used again.
func (s *Source) logProblem(estimate amount.FeeRate, err error) {
	problem := ""
	switch {
	case err != nil:
		problem = err.Error()
	case estimate > s.policy.Max: // an estimate below the minimum is common; it is not logged
		problem = fmt.Sprintf("the estimate is %s sat/vB, the plausible maximum is %s", estimate, s.policy.Max)
	}
	if problem == s.problem || s.log == nil {
		return
	}
	s.problem = problem
	switch {
	case problem == "":
		s.log.Info("the node's fee estimate is used again", "sat_per_vb", s.latest.String())
	case errors.Is(err, chain.ErrNoEstimate): // a new node, or few transactions
		s.log.Info("the node has no fee estimate", "sat_per_vb", s.latest.String())
	default:
		s.log.Warn("the node's fee estimate is not used", "reason", problem, "sat_per_vb", s.latest.String())
	}
}
