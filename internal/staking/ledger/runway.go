package ledger

import (
	"context"
	"errors"

	"moonfund/internal/amount"
	"moonfund/internal/state"
)

// MaxRunway is the maximum number of epochs that a Runway counts. It limits the count for a budget of 0.
const MaxRunway = 1000

// Runway is the number of further epochs that a community's treasury covers.
type Runway struct {
	Free   amount.Runes // treasury minus owed rewards and reserved budgets; negative if these exceed the treasury
	Next   int64        // first epoch that has not begun
	Epochs int64        // number of epochs from Next on that can be rewarded in full; at most MaxRunway
}

// NewRunway returns the runway of a treasury with free base units. It counts the epochs from next on whose whole
// budgets free covers.
func NewRunway(free amount.Runes, next int64, budget func(epoch int64) amount.Runes) Runway {
	r := Runway{Free: free, Next: next}
	for left := free; r.Epochs < MaxRunway; r.Epochs++ {
		planned := budget(next + r.Epochs)
		if planned > left { // always the case if free is negative, since budgets are not
			break
		}
		left -= planned
	}
	return r
}

// ReadRunway returns the runway of a community. It reads the treasury from the database. budget returns the budget of
// an epoch, which may differ from the manifest's.
func ReadRunway(
	ctx context.Context, tx Tx, community string, budget func(epoch int64) amount.Runes,
) (none Runway, err error) {
	free, err := freeFunds(ctx, tx, community)
	if err != nil {
		return none, err
	}
	next, err := nextEpoch(ctx, tx, community)
	if err != nil {
		return none, err
	}
	return NewRunway(free, next, budget), nil
}

// NextBudget returns the budget of the first epoch that has not begun, in base units.
func (s *Service) NextBudget(ctx context.Context, tx Tx, community string) (amount.Runes, error) {
	terms, err := s.communities.Of(community)
	if err != nil {
		return 0, err
	}
	next, err := nextEpoch(ctx, tx, community)
	return terms.Budget(next), err
}

// nextEpoch returns the first epoch that has not begun.
func nextEpoch(ctx context.Context, tx Tx, community string) (int64, error) {
	last, err := tx.Epochs.LastBoundary(ctx, community)
	if errors.Is(err, state.ErrNotFound) {
		return 0, nil
	}
	return last.Epoch + 1, err
}

// freeFunds returns the treasury minus the virtual units and the reserved budgets. It can be negative.
func freeFunds(ctx context.Context, tx Tx, community string) (free amount.Runes, err error) {
	treasury, err := tx.Rewards.Treasury(ctx, community)
	if err != nil {
		return 0, err
	}
	owed, err := tx.Rewards.VirtualOwed(ctx, community)
	if err != nil {
		return 0, err
	}
	if free, err = treasury.Sub(owed); err != nil {
		return 0, err
	}
	running, err := tx.Rewards.Unsettled(ctx, community)
	if err != nil {
		return 0, err
	}
	for _, account := range running {
		if free, err = free.Sub(account.Reserved); err != nil {
			return 0, err
		}
	}
	return free, nil
}
