package store

import (
	"context"
	"time"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// Prefixes of the counters of stake addresses, which end with the community. The first counter is the last index. The
// second is the number of issued first addresses, which shows that a copy of the ledger with fewer addresses is behind
// its key's mark.
const (
	stakeCounter      = "stake:"
	firstStakeCounter = "first stake:"
)

// expiredBuckets is the maximum number of rows in expired_stake, which records the indexes of expired addresses modulo
// expiredBuckets.
const expiredBuckets = 1 << 20

// expiry returns an expiry time in Unix seconds, or 0 for the zero time, which means never.
func expiry(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return unix(t)
}

// StakeKnown reports whether the ledger has a stake address.
func (t *Tx) StakeKnown(ctx context.Context, address string) (bool, error) {
	_, err := t.q.StakeAddress(ctx, address)
	return absent(err)
}

// ExtendStake changes when a stake address expires. It returns state.ErrConflict if the address has expired.
func (t *Tx) ExtendStake(ctx context.Context, address string, expires time.Time) error {
	return exactlyOne(t.q.PutStakeExpiry(ctx, sqlc.PutStakeExpiryParams{Address: address, ExpiresAt: expiry(expires)}))
}

// InsertFirstStake stores the first stake address of an owner. If this or another copy of the ledger may have issued
// the address before, it is also stored as an adopted address, so that the server searches the followed blocks for
// deposits.
func (t *Tx) InsertFirstStake(ctx context.Context, s action.StakeRecord) error {
	if _, err := t.next(ctx, firstStakeCounter+s.Community); err != nil {
		return err
	}
	if err := t.InsertStake(ctx, s); err != nil {
		return err
	}
	expired, err := t.q.StakeExpired(ctx, s.Position%expiredBuckets)
	if err != nil {
		return wrap(err)
	}
	search, err := t.StakeSearch(ctx)
	if err != nil || expired == 0 && search == nil {
		return err
	}
	return wrap(t.q.InsertAdoptedAddress(ctx, s.Address))
}

// ExpiringStakes returns at most limit expired first addresses, in the order of their expiry.
func (t *Tx) ExpiringStakes(ctx context.Context, now time.Time, limit int32) ([]follower.ExpiringStake, error) {
	rows, err := t.q.ExpiringStakes(ctx, sqlc.ExpiringStakesParams{ExpiresAt: unix(now), Limit: limit})
	return mapAll(rows, err, func(row sqlc.ExpiringStakesRow) (follower.ExpiringStake, error) {
		return follower.ExpiringStake{
			Address: row.Address, Position: row.Position, ActionID: row.ActionID, Used: row.Used != 0,
			Unsearched: row.Unsearched != 0,
		}, nil
	})
}

// ExpireStake deletes an expired stake address with its script and its action. It returns state.ErrConflict if the
// expiry was extended meanwhile, or if the address is not the first one of an owner.
func (t *Tx) ExpireStake(ctx context.Context, s follower.ExpiringStake, script []byte, now time.Time) error {
	if !vault.IsFirstStake(s.Position) {
		return state.ErrConflict // only first addresses are derived again
	}
	if err := exactlyOne(t.q.DeleteStakeAddress(ctx, sqlc.DeleteStakeAddressParams{
		Address: s.Address, ExpiresAt: unix(now),
	})); err != nil {
		return err
	}
	if err := t.q.DeleteWatch(ctx, script); err != nil {
		return wrap(err)
	}
	if err := t.q.DeleteStakeAction(ctx, s.ActionID); err != nil {
		return wrap(err)
	}
	if err := t.q.DeleteAdoptedAddress(ctx, s.Address); err != nil {
		return wrap(err)
	}
	return wrap(t.q.InsertExpiredStake(ctx, s.Position%expiredBuckets))
}
