package stop

import (
	"context"
	"maps"
	"slices"
	"time"

	"moonfund/internal/store"
)

// Pause is a pause with its beginning.
type Pause struct {
	Stop
	Since time.Time
}

// Pauses returns every pause: of everything, of payouts, and of the payouts of each community.
func Pauses(ctx context.Context, tx *store.Tx) (all []Pause, err error) {
	some, err := tx.PausedCommunities(ctx)
	if err != nil {
		return nil, err
	}
	names := []string{"all", "payouts"}
	for _, community := range slices.Sorted(maps.Keys(some)) {
		names = append(names, "payouts:"+community)
	}
	for _, name := range names {
		reason, since, err := tx.PausedSince(ctx, store.PauseSetting(name))
		if err != nil {
			return nil, err
		}
		if reason != "" {
			all = append(all, Pause{New(name, reason), since})
		}
	}
	return all, nil
}
