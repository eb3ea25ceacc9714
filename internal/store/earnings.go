package store

import (
	"context"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

// EarningsBelow returns the earnings of an owner in at most limit settled epochs with lower numbers, newest first.
func (t *Tx) EarningsBelow(
	ctx context.Context, community, owner string, below int64, limit int,
) ([]ledger.Earning, error) {
	rows, err := t.q.EarningsBelow(ctx, sqlc.EarningsBelowParams{
		Community: community, Owner: owner, Epoch: below, Limit: int32(limit),
	})
	earnings := make([]ledger.Earning, len(rows))
	for i, row := range rows {
		account, _ := toAccount(sqlc.EpochAccount{
			Community: row.Community, Epoch: row.Epoch, Planned: row.Planned, Reserved: row.Reserved, Settled: row.Settled,
			Staked: row.Staked, Rewarded: row.Rewarded, Cut: row.Cut, CutHash: row.CutHash, SettledAt: row.SettledAt,
		})
		earnings[i] = ledger.Earning{
			Account: account,
			Reward: ledger.Reward{
				Owner: owner, Stake: amount.Runes(row.Stake), Reward: amount.Runes(row.Reward), UnitID: row.UnitID,
			},
			Use: ledger.UseOf(ledger.Stage(row.Stage), row.NotBefore),
		}
	}
	return earnings, wrap(err)
}
